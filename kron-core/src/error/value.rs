//! Errors of single values: durations, words, numbers, names, instants.

use alloc::string::{String, ToString};
use core::fmt;

use super::{Alternatives, ErrorCode, Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueError {
    Duration {
        text: Snippet,
        why: DurationWhy,
    },
    Zero {
        what: &'static str,
    },
    WindowTooLong {
        text: Snippet,
    },
    Choice {
        text: Snippet,
        allowed: &'static [&'static str],
    },
    Number {
        text: Snippet,
        range: &'static str,
    },
    Parameter {
        text: Snippet,
        distribution: &'static str,
        allowed: &'static [&'static str],
    },
    TooLong {
        what: &'static str,
        max: usize,
        unit: &'static str,
        found: usize,
    },
    NameEmpty,
    NameControl {
        text: Snippet,
    },
    Algorithm {
        what: &'static str,
    },
    Missing {
        what: &'static str,
    },
    #[cfg(feature = "serde")]
    Instant {
        text: Snippet,
    },
}

/// What is wrong with a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DurationWhy {
    Syntax,
    Sign,
    Unit,
    Overflow,
}

impl ValueError {
    pub(super) fn code(&self) -> ErrorCode {
        match self {
            ValueError::Duration { .. } => ErrorCode::Duration,
            ValueError::Choice { .. } => ErrorCode::Choice,
            ValueError::Number { .. } => ErrorCode::Number,
            ValueError::Parameter { .. } => ErrorCode::Parameter,
            ValueError::Zero { .. } | ValueError::WindowTooLong { .. } | ValueError::TooLong { .. } => {
                ErrorCode::OutOfBounds
            }
            ValueError::NameEmpty | ValueError::NameControl { .. } => ErrorCode::Name,
            ValueError::Algorithm { .. } => ErrorCode::AlgorithmUnsupported,
            ValueError::Missing { .. } => ErrorCode::TextSyntax,
            #[cfg(feature = "serde")]
            ValueError::Instant { .. } => ErrorCode::Instant,
        }
    }

    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            ValueError::Duration { text, why } => {
                write!(f, "{text}{at} is not a duration: ")?;
                f.write_str(match why {
                    DurationWhy::Syntax => "expected a number and a unit, once or more",
                    DurationWhy::Sign => "a sign is not allowed",
                    DurationWhy::Unit => {
                        "every number needs one of the units `ns`, `us`, `ms`, `s`, `m`, `h`"
                    }
                    DurationWhy::Overflow => {
                        "it is longer than 2562047h47m16.854775807s, what 64 bits of nanoseconds hold"
                    }
                })
            }
            ValueError::Zero { what } => write!(f, "{what}{at} must be above zero"),
            ValueError::WindowTooLong { text } => write!(f, "{text}{at} is longer than 8784h (366 days)"),
            ValueError::Choice { text, allowed } => {
                write!(f, "expected {}, but found {text}{at}", Alternatives(allowed))
            }
            ValueError::Number { text, range } => write!(f, "{text}{at} is not {range}"),
            ValueError::Parameter { text, distribution, allowed } => {
                write!(f, "unknown parameter {text}{at}; `{distribution}` takes ")?;
                if allowed.is_empty() { f.write_str("none") } else { write!(f, "{}", Alternatives(allowed)) }
            }
            ValueError::TooLong { what, max, unit, found } => {
                write!(f, "{what} has at most {max} {unit}, but this one has {found}")
            }
            ValueError::NameEmpty => write!(f, "the name is empty; start times depend on it"),
            ValueError::NameControl { text } => write!(f, "{text}{at} holds a control character"),
            ValueError::Algorithm { what } => {
                write!(f, "algorithm `sha256-splitmix64/1` cannot compute {what}")
            }
            ValueError::Missing { what } => write!(f, "{what} is missing{at}"),
            #[cfg(feature = "serde")]
            ValueError::Instant { text } => {
                write!(f, "{text}{at} is not an instant in RFC 3339, such as `2026-03-01T00:00:00Z`")
            }
        }
    }

    pub(super) fn help(&self) -> String {
        match self {
            ValueError::Duration { why: DurationWhy::Overflow, .. } => String::new(),
            ValueError::Duration { .. } => "write for example `90s`, `15m` or `1h30m`".to_string(),
            ValueError::Algorithm { .. } => "leave `@alg` out".to_string(),
            _ => String::new(),
        }
    }
}
