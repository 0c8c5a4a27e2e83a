//! Errors of searches for salts.

use alloc::string::{String, ToString};
use core::fmt;

use kron_core::ErrorCode;
use kron_core::error::{ErrorMessage, Place};

use crate::limits::SPREAD_STARTS;

#[derive(Debug)]
pub(crate) enum SpreadError {
    /// The candidates of placed schedules have too many starts in the range.
    Starts,
}

impl ErrorMessage for SpreadError {
    fn code(&self) -> ErrorCode {
        ErrorCode::OutOfBounds
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, _: Place) -> fmt::Result {
        match self {
            SpreadError::Starts => write!(
                f,
                "the places of all schedules have more than {SPREAD_STARTS} starts in the range, and at most these are compared"
            ),
        }
    }

    fn help(&self) -> String {
        "choose a shorter range".to_string()
    }
}
