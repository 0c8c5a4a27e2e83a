//! Errors of KronJob manifests, of files of jobs and of the objects of a cluster.

use std::fmt;

use kron_core::ErrorCode;
use kron_core::error::{ErrorMessage, Place, Snippet};

#[derive(Debug)]
pub(crate) enum ManifestError {
    /// A file that is longer than any that is read.
    FileTooLong {
        bytes: usize,
        max: usize,
    },
    /// A text that is YAML when it is rendered.
    Template,
    Kind {
        text: Snippet,
        want: &'static str,
    },
    Name {
        text: Snippet,
        max: usize,
    },
    /// A window before the nominal time, which the resource does not have.
    Before,
    /// Rules of days, which the resource does not have.
    Days,
    /// A part of a clause that the resource does not have.
    Calendar,
    TooLong {
        max: usize,
        found: usize,
    },
    Overlap {
        most: u64,
        max: u64,
        /// The longest window that fits.
        minutes: u64,
    },
    HistoryLimit {
        found: &'static str,
    },
    Selector,
    /// A lead of a primer that is zero or too long.
    LongLead(Snippet),
    /// A primer with an image and a template.
    PrimerOfTwo,
    /// A list in place of a document.
    List,
    /// A YAML file that exceeds a limit, and what to do.
    Yaml {
        what: &'static str,
        max: usize,
        help: &'static str,
    },
}

impl ErrorMessage for ManifestError {
    fn code(&self) -> ErrorCode {
        match self {
            ManifestError::FileTooLong { .. } => ErrorCode::TextTooLong,
            ManifestError::Template | ManifestError::Yaml { .. } => ErrorCode::ManifestSyntax,
            ManifestError::List | ManifestError::HistoryLimit { .. } => ErrorCode::ManifestType,
            ManifestError::Kind { .. } => ErrorCode::ManifestKind,
            ManifestError::LongLead(_) => ErrorCode::OutOfBounds,
            ManifestError::Name { .. }
            | ManifestError::Before
            | ManifestError::Calendar
            | ManifestError::Days
            | ManifestError::TooLong { .. }
            | ManifestError::PrimerOfTwo
            | ManifestError::Selector => ErrorCode::ManifestRefused,
            ManifestError::Overlap { .. } => ErrorCode::ManifestOverlap,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            ManifestError::FileTooLong { bytes, max } => {
                write!(f, "the text has at most {max} bytes, but this one has {bytes}")
            }
            ManifestError::Template => f.write_str("the text is a template, not YAML"),
            ManifestError::Kind { text, want } => write!(f, "{text} is not `{want}`"),
            ManifestError::Name { text, max } => write!(
                f,
                "{text} is not a Kubernetes name: at most {max} lower-case letters, digits, `-` and `.`, beginning and \
                 ending with a letter or digit"
            ),
            ManifestError::Before => {
                write!(f, "a KronJob's window lies `after` or `around` the nominal time, not `before` it")
            }
            ManifestError::Calendar => f.write_str("a KronJob has no calendars"),
            ManifestError::Days => f.write_str("a KronJob has no rules of days"),
            ManifestError::TooLong { max, found } => {
                write!(f, "the value has at most {max} characters, but this one has {found}")
            }
            ManifestError::Overlap { most, max, .. } => {
                write!(f, "windows can overlap in {most} periods, and at most {max} may")
            }
            ManifestError::HistoryLimit { found } => {
                write!(f, "expected a whole number from 0 to {}, but found {found}", i32::MAX)
            }
            ManifestError::Selector => f.write_str(
                "a Job chooses its selector by itself, and Jobs that share one count each other's Pods",
            ),
            ManifestError::LongLead(text) => write!(f, "{text}{at} is not above 0s and at most 24h"),
            ManifestError::PrimerOfTwo => f.write_str("a primer has an image or a job template, not both"),
            ManifestError::List => f.write_str("expected an object, but found a list"),
            ManifestError::Yaml { what, max, .. } => write!(f, "a YAML file has at most {max} {what}"),
        }
    }

    fn help(&self) -> String {
        let help = match self {
            ManifestError::Kind { want, .. } => return format!("write `{want}`"),
            ManifestError::Overlap { minutes, .. } => {
                let longest = match (minutes / 60, minutes % 60) {
                    (0, minutes) => format!("{minutes}m"),
                    (hours, 0) => format!("{hours}h"),
                    (hours, minutes) => format!("{hours}h{minutes}m"),
                };
                return format!("shorten the window to {longest} or less");
            }
            ManifestError::HistoryLimit { found: "a string" } => "write it in decimal digits, without quotes",
            ManifestError::List => {
                "write each KronJob as a separate document, with `---` between them, or the list as `items` of a `List`"
            }
            ManifestError::Yaml { help, .. } => help,
            ManifestError::Template => "render templates first, for example by `helm template`",
            ManifestError::Calendar => "write the dates as `date` or `dates`, each in its own clause",
            ManifestError::Days => {
                "choose the days by `schedule`; `constraints.only` with `dow` leaves the periods of other days without a start"
            }
            ManifestError::Selector => "leave it out",
            ManifestError::LongLead(_) => "write for example `10m`",
            ManifestError::PrimerOfTwo => "leave one of them out",
            ManifestError::FileTooLong { .. }
            | ManifestError::Name { .. }
            | ManifestError::Before
            | ManifestError::TooLong { .. }
            | ManifestError::HistoryLimit { .. } => "",
        };
        help.to_string()
    }
}
