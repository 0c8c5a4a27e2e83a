//! Errors of manifests and receipts.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "manifest"),
    expect(dead_code, reason = "feature `serde` alone reads receipts only")
)]
pub(crate) enum ManifestError {
    Syntax {
        message: String,
    },
    /// No YAML, and probably a template of it.
    Template {
        message: String,
    },
    Unknown {
        field: Snippet,
        nearest: Option<String>,
    },
    Missing {
        field: Snippet,
    },
    Type {
        found: &'static str,
        want: &'static str,
    },
    Mismatch {
        message: Snippet,
    },
    Kind {
        text: Snippet,
        want: &'static str,
    },
    Name {
        text: Snippet,
        max: usize,
    },
    Before,
    /// A part of a clause that the resource does not have.
    Calendar,
    TooLong {
        max: usize,
        found: usize,
    },
    Overlap {
        most: u64,
        max: u64,
    },
    Selector,
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
    Schema {
        text: Snippet,
        known: &'static str,
    },
}

/// What a history limit is.
pub(crate) const HISTORY_LIMIT: &str = "a whole number from 0 to 2147483647";

impl ErrorMessage for ManifestError {
    fn code(&self) -> ErrorCode {
        match self {
            ManifestError::Syntax { .. } | ManifestError::Template { .. } | ManifestError::Yaml { .. } => {
                ErrorCode::ManifestSyntax
            }
            ManifestError::Unknown { .. } => ErrorCode::ManifestUnknownField,
            ManifestError::Missing { .. } => ErrorCode::ManifestMissingField,
            ManifestError::Type { .. } | ManifestError::List | ManifestError::Mismatch { .. } => {
                ErrorCode::ManifestType
            }
            ManifestError::Kind { .. } | ManifestError::Schema { .. } => ErrorCode::ManifestKind,
            ManifestError::Name { .. }
            | ManifestError::Before
            | ManifestError::Calendar
            | ManifestError::TooLong { .. }
            | ManifestError::PrimerOfTwo
            | ManifestError::Selector => ErrorCode::ManifestRefused,
            ManifestError::Overlap { .. } => ErrorCode::ManifestOverlap,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, _: Place) -> fmt::Result {
        match self {
            ManifestError::Syntax { message } | ManifestError::Template { message } => f.write_str(message),
            ManifestError::Unknown { field, .. } => write!(f, "unknown field {field}"),
            ManifestError::Missing { field } => write!(f, "field {field} is missing"),
            ManifestError::Type { found, want } => write!(f, "expected {want}, but found {found}"),
            ManifestError::Mismatch { message } => f.write_str(message.as_str()),
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
            ManifestError::TooLong { max, found } => {
                write!(f, "the value has at most {max} characters, but this one has {found}")
            }
            ManifestError::Overlap { most, max } => {
                write!(f, "windows can overlap in {most} periods, and at most {max} may")
            }
            ManifestError::Selector => f.write_str(
                "a Job chooses its selector by itself, and Jobs that share one count each other's Pods",
            ),
            ManifestError::PrimerOfTwo => f.write_str("a primer has an image or a job template, not both"),
            ManifestError::List => f.write_str("expected an object, but found a list"),
            ManifestError::Yaml { what, max, .. } => write!(f, "a YAML file has at most {max} {what}"),
            ManifestError::Schema { text, known } => write!(f, "{text} is not the schema `{known}`"),
        }
    }

    fn help(&self) -> String {
        match self {
            ManifestError::Unknown { nearest: Some(word), .. } => format!("did you mean `{word}`?"),
            ManifestError::Mismatch { message } if message.as_str().ends_with("expected a string") => {
                "write it in quotes".to_string()
            }
            ManifestError::Type { found: "a number" | "a boolean", want: "a string" } => {
                "write it in quotes".to_string()
            }
            ManifestError::Type { found: "a string", want: HISTORY_LIMIT } => {
                "write it in decimal digits, without quotes".to_string()
            }
            ManifestError::Type { found: "a string", want: "a boolean" } => {
                "write `true` or `false`, without quotes".to_string()
            }
            ManifestError::List => {
                "write each KronJob as a separate document, with `---` between them, or the list as `items` of a `List`"
                    .to_string()
            }
            ManifestError::Yaml { help, .. } => (*help).to_string(),
            ManifestError::Template { .. } => {
                "render templates first, for example by `helm template`".to_string()
            }
            ManifestError::Calendar => "write the dates as `date` or `dates`, each in its own clause".to_string(),
            ManifestError::Selector => "leave it out".to_string(),
            ManifestError::PrimerOfTwo => "leave one of them out".to_string(),
            _ => String::new(),
        }
    }
}
