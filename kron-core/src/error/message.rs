//! What the messages of all families of errors have in common, in this crate and in those above it.

use alloc::string::String;
use core::fmt;

use super::code::ErrorCode;
use super::snippet::Place;

/// What one kind of error says: its code, its message and its help.
///
/// A type that implements it holds data and no sentence; the sentence is written when somebody reads the error. Crates that use
/// this one implement it for the errors of their own, so that all errors have one type, one list of codes and one form.
///
/// ```
/// use std::fmt;
/// use kron_core::error::{ErrorMessage, Place, Snippet};
/// use kron_core::{Error, ErrorCode};
///
/// /// A line of a table without a value.
/// #[derive(Debug)]
/// struct NoValue(Snippet);
///
/// impl ErrorMessage for NoValue {
///     fn code(&self) -> ErrorCode {
///         ErrorCode::ManifestMissingField
///     }
///
///     fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
///         write!(f, "{}{at} has no value", self.0)
///     }
///
///     fn help(&self) -> String {
///         "write `name: value`".to_string()
///     }
/// }
///
/// let line = "owner:";
/// let error = Error::new("labels", NoValue(Snippet::of(line))).at(0..line.len()).located(line);
/// assert_eq!(error.to_string(), "labels: `owner:` at column 1 has no value; write `name: value`");
/// ```
pub trait ErrorMessage: fmt::Debug + Send + Sync + 'static {
    /// The stable code.
    ///
    /// ```
    /// use kron_core::ErrorCode;
    /// use kron_core::error::{ErrorMessage, StructureError};
    /// let message = StructureError::Type { found: "a number", want: "a string" };
    /// assert_eq!(message.code(), ErrorCode::ManifestType);
    /// ```
    fn code(&self) -> ErrorCode;

    /// Writes the message: one lower-case sentence without a full stop. `at` is written right behind the text that is wrong: it
    /// displays as ` at column 5`, or as nothing where the column is not known.
    ///
    /// # Errors
    ///
    /// Those of the formatter.
    ///
    /// ```
    /// use kron_core::Error;
    /// use kron_core::error::StructureError;
    /// let message = StructureError::Type { found: "a number", want: "a string" };
    /// assert_eq!(Error::new("", message).reason(), "expected a string, but found a number");
    /// ```
    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result;

    /// The correct way to write it, as a sentence without a full stop; empty if it is not known.
    ///
    /// ```
    /// use kron_core::error::{ErrorMessage, StructureError};
    /// let message = StructureError::Type { found: "a number", want: "a string" };
    /// assert_eq!(message.help(), "write it in quotes");
    /// ```
    fn help(&self) -> String {
        String::new()
    }
}
