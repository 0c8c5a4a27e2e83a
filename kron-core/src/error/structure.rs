//! Errors of the structure of JSON and YAML documents.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Place, Snippet};

/// What is wrong with the structure of a JSON or YAML document, for every reader of such documents.
///
/// ```
/// use kron_core::Error;
/// use kron_core::error::StructureError;
/// let error = Error::new("spec.suspend", StructureError::Type { found: "a number", want: "a boolean" });
/// assert_eq!(error.to_string(), "spec.suspend: expected a boolean, but found a number");
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StructureError {
    /// A text that is no document.
    Syntax {
        /// What is wrong, without its place.
        message: String,
    },
    /// A field that is not known.
    Unknown {
        /// Its name.
        field: Snippet,
        /// The known name that is most like it.
        nearest: Option<String>,
    },
    /// A field that is missing.
    Missing {
        /// Its name.
        field: Snippet,
    },
    /// A value of a wrong type.
    Type {
        /// What it is, such as `a number`.
        found: &'static str,
        /// What it has to be.
        want: &'static str,
    },
    /// A value that does not fit in another way.
    Mismatch {
        /// The message of its reader.
        message: Snippet,
    },
}

impl ErrorMessage for StructureError {
    fn code(&self) -> ErrorCode {
        match self {
            StructureError::Syntax { .. } => ErrorCode::ManifestSyntax,
            StructureError::Unknown { .. } => ErrorCode::ManifestUnknownField,
            StructureError::Missing { .. } => ErrorCode::ManifestMissingField,
            StructureError::Type { .. } | StructureError::Mismatch { .. } => ErrorCode::ManifestType,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            StructureError::Syntax { message } => write!(f, "{message}{at}"),
            StructureError::Unknown { field, .. } => write!(f, "unknown field {field}"),
            StructureError::Missing { field } => write!(f, "field {field} is missing"),
            StructureError::Type { found, want } => write!(f, "expected {want}, but found {found}"),
            StructureError::Mismatch { message } => f.write_str(message.as_str()),
        }
    }

    fn help(&self) -> String {
        match self {
            StructureError::Unknown { nearest: Some(word), .. } => format!("did you mean `{word}`?"),
            StructureError::Mismatch { message } if message.as_str().ends_with("expected a string") => {
                "write it in quotes".to_string()
            }
            StructureError::Type { found: "a number" | "a boolean", want: "a string" } => {
                "write it in quotes".to_string()
            }
            StructureError::Type { found: "a string", want: "a boolean" } => {
                "write `true` or `false`, without quotes".to_string()
            }
            _ => String::new(),
        }
    }
}
