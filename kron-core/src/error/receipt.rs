//! Errors of receipts.

use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Place, Snippet};

/// A receipt of a schema that this version does not know.
#[derive(Clone, Debug)]
pub(crate) struct ReceiptSchema {
    pub(crate) text: Snippet,
    pub(crate) known: &'static str,
}

impl ErrorMessage for ReceiptSchema {
    fn code(&self) -> ErrorCode {
        ErrorCode::ManifestKind
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, _: Place) -> fmt::Result {
        write!(f, "{} is not the schema `{}`", self.text, self.known)
    }
}
