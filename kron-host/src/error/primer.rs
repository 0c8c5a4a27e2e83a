//! Errors of primers.

use alloc::string::{String, ToString};
use core::fmt;

use kron_core::ErrorCode;
use kron_core::error::{ErrorMessage, Place, Snippet};

/// A lead that is zero or too long.
#[derive(Debug)]
pub(crate) struct LongLead(pub(crate) Snippet);

impl ErrorMessage for LongLead {
    fn code(&self) -> ErrorCode {
        ErrorCode::OutOfBounds
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        write!(f, "{}{at} is not above 0s and at most 24h", self.0)
    }

    fn help(&self) -> String {
        "write for example `10m`".to_string()
    }
}
