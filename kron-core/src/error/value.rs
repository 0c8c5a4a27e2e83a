//! Errors of single values: durations, words, numbers, names, instants.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Alternatives, Place, Snippet, nearest};

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
        allowed: Vec<&'static str>,
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
    /// A window that is a mode only.
    MissingDuration,
    /// A window that is a duration only, and the window that is probably meant.
    MissingMode {
        found: Snippet,
        meant: String,
    },
    /// A window that begins with something other than a mode, and the window that is meant if that is clear.
    NotAMode {
        found: Snippet,
        allowed: &'static [&'static str],
        meant: Option<String>,
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
    /// A negative number; `Sign` is for texts.
    Negative,
    Unit,
    Overflow,
    /// Days or longer units, of which jiff says that their length depends on the date.
    #[cfg(feature = "jiff_1")]
    Calendar,
}

impl ErrorMessage for ValueError {
    fn code(&self) -> ErrorCode {
        match self {
            ValueError::Duration { .. } => ErrorCode::Duration,
            ValueError::Choice { .. } | ValueError::NotAMode { .. } => ErrorCode::Choice,
            ValueError::Number { .. } => ErrorCode::Number,
            ValueError::Parameter { .. } => ErrorCode::Parameter,
            ValueError::Zero { .. } | ValueError::WindowTooLong { .. } | ValueError::TooLong { .. } => {
                ErrorCode::OutOfBounds
            }
            ValueError::NameEmpty | ValueError::NameControl { .. } => ErrorCode::Name,
            ValueError::Algorithm { .. } => ErrorCode::AlgorithmUnsupported,
            ValueError::MissingDuration | ValueError::MissingMode { .. } => ErrorCode::TextSyntax,
            #[cfg(feature = "serde")]
            ValueError::Instant { .. } => ErrorCode::Instant,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            ValueError::Duration { text, why } => {
                write!(f, "{text}{at} is not a duration: ")?;
                f.write_str(match why {
                    DurationWhy::Syntax => "expected a number and a unit, once or more",
                    DurationWhy::Sign => "a sign is not allowed",
                    DurationWhy::Negative => "it is below zero",
                    #[cfg(feature = "jiff_1")]
                    DurationWhy::Calendar => {
                        "days and longer units differ in length; give hours and smaller units"
                    }
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
            ValueError::Choice { text, allowed } | ValueError::NotAMode { found: text, allowed, .. } => {
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
            ValueError::MissingMode { found, .. } => {
                write!(f, "the mode of the window is missing before {found}{at}")
            }
            ValueError::MissingDuration => {
                write!(f, "the duration of `@win(mode,duration)` is missing{at}")
            }
            #[cfg(feature = "serde")]
            ValueError::Instant { text } => {
                write!(f, "{text}{at} is not an instant in RFC 3339, such as `2026-03-01T00:00:00Z`")
            }
        }
    }

    fn help(&self) -> String {
        match self {
            ValueError::Duration { why: DurationWhy::Overflow, .. } => String::new(),
            ValueError::Duration { why: DurationWhy::Negative, .. } => "give 0s or more".to_string(),
            ValueError::Duration { text, .. } => match in_known_units(text.as_str()) {
                Some(duration) if !fits_a_window(&duration) => {
                    "a window has at most 366 days, `8784h`".to_string()
                }
                Some(duration) => format!("write `{duration}`"),
                None => "write for example `90s`, `15m` or `1h30m`".to_string(),
            },
            ValueError::MissingMode { meant, .. } => format!("write `{meant}`"),
            ValueError::MissingDuration => "write for example `@win(after,3h)`".to_string(),
            ValueError::NotAMode { found, allowed, meant } => match (did_you_mean(found, allowed), meant) {
                (near, _) if !near.is_empty() => near,
                (_, Some(meant)) => format!("write `{meant}`"),
                (_, None) => "write for example `@win(after,3h)`".to_string(),
            },
            ValueError::Choice { text, allowed } => did_you_mean(text, allowed),
            ValueError::Parameter { text, allowed, .. } => did_you_mean(text, allowed),
            ValueError::Algorithm { .. } => "leave `@alg` out".to_string(),
            _ => String::new(),
        }
    }
}

/// The help that names the nearest allowed word, if one is near.
fn did_you_mean(text: &Snippet, allowed: &[&str]) -> String {
    let nearest = nearest(text.as_str(), allowed.iter().copied());
    nearest.map_or_else(String::new, |word| format!("did you mean `{word}`?"))
}

/// Whether a duration that [`in_known_units`] wrote is at most 366 days.
fn fits_a_window(duration: &str) -> bool {
    let hours = duration.split_once('h').map_or(0, |(hours, _)| hours.parse::<u64>().unwrap_or(u64::MAX));
    hours < 8784 || duration == "8784h"
}

/// Units that people write, in lower case, and their length in seconds.
static UNITS: [(&[&str], u64); 5] = [
    (&["s", "sec", "secs", "second", "seconds"], 1),
    (&["m", "min", "mins", "minute", "minutes"], 60),
    (&["h", "hr", "hrs", "hour", "hours"], 3_600),
    (&["d", "day", "days"], 86_400),
    (&["w", "week", "weeks"], 604_800),
];

/// A duration as people write it elsewhere, in hours, minutes and seconds: in whole numbers of other units (`2d`, `10 minutes`), of ISO
/// 8601 (`PT10M`), as a clock (`00:10:00`), or as seconds (`600`), as Kubernetes and many programs have them.
pub(crate) fn in_known_units(text: &str) -> Option<String> {
    // A longer text is no duration.
    if text.len() > 64 {
        return None;
    }
    if let Some((hours, rest)) = text.split_once(':') {
        let (minutes, seconds) = rest.split_once(':').unwrap_or((rest, "0"));
        return of_units(&format!("{hours}h{minutes}m{seconds}s"));
    }
    let Some(iso) = text.strip_prefix(['P', 'p']) else { return of_units(text) };
    // Before the `T`, `M` are months.
    let (days, time) = iso.split_once(['T', 't']).unwrap_or((iso, ""));
    if days.contains(['M', 'm', 'Y', 'y']) { None } else { of_units(&format!("{days}{time}")) }
}

/// A duration in whole numbers of units.
fn of_units(text: &str) -> Option<String> {
    let mut seconds: u64 = 0;
    let mut rest = text;
    // Seconds follow minutes, and minutes hours: `1h30`.
    let mut next = Some(1);
    while !rest.is_empty() {
        let (digits, after) = rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count());
        let end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let unit = after[..end].trim().to_lowercase();
        let length = match UNITS.iter().find(|(names, _)| names.contains(&unit.as_str())) {
            Some((_, length)) => *length,
            None if unit.is_empty() && after.is_empty() => next?,
            None => return None,
        };
        next = match length {
            3_600 => Some(60),
            60 => Some(1),
            _ => None,
        };
        seconds = seconds.checked_add(digits.parse::<u64>().ok()?.checked_mul(length)?)?;
        rest = &after[end..];
    }
    // Longer ones do not fit 64 bits of nanoseconds.
    if !(1..=9_000_000_000).contains(&seconds) {
        return None;
    }
    let parts = [(seconds / 3_600, 'h'), (seconds / 60 % 60, 'm'), (seconds % 60, 's')];
    Some(parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Duration;

    #[test]
    fn long_texts_are_refused_at_once() {
        for text in ["P", ":", "1:", "1h", "9"] {
            assert_eq!(in_known_units(&text.repeat(60_000)), None);
        }
    }

    #[test]
    fn durations_in_other_units_are_computed() {
        let p = |text: &str| {
            let help = Duration::parse(text).unwrap_err().help().unwrap();
            let written = help.strip_prefix("write `").unwrap().strip_suffix('`').unwrap().to_string();
            Duration::parse(&written).unwrap();
            written
        };
        assert_eq!(p("2d"), "48h");
        assert_eq!(p("1w"), "168h");
        assert_eq!(p("1w2d3h"), "219h");
        assert_eq!(p("1d90m"), "25h30m");
        assert_eq!(p("3H"), "3h");
        assert_eq!(p("30 min"), "30m");
        assert_eq!(p("90sec"), "1m30s");
        assert_eq!(p("90"), "1m30s");
        assert_eq!(p("PT10M"), "10m");
        assert_eq!(p("P1DT12H"), "36h");
        assert_eq!(p("00:10:00"), "10m");
        assert_eq!(p("1:30"), "1h30m");
        assert_eq!(p("1h30"), "1h30m");
        for text in [
            "P1M",
            "PT",
            ":",
            "1:",
            "1.5d",
            "d",
            "-2d",
            "0d",
            "99999999999999999999d",
            "9999999999999d",
            "2x",
            "",
        ] {
            let help = Duration::parse(text).unwrap_err().help().unwrap_or_default();
            assert!(help.is_empty() || help.starts_with("write for example"), "{text}: {help}");
        }
    }
}
