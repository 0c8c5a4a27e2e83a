//! Errors of certificates.

use alloc::string::{String, ToString};
use core::fmt;

use kron_core::ErrorCode;
use kron_core::error::{ErrorMessage, Place, Snippet};

/// A calendar that has other dates in another job.
#[derive(Debug)]
pub(crate) struct DifferentCalendar(pub(crate) Snippet);

impl ErrorMessage for DifferentCalendar {
    fn code(&self) -> ErrorCode {
        ErrorCode::CalendarRepeated
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, _: Place) -> fmt::Result {
        write!(f, "the calendar {} has other dates in another job, so no certificate can name it", self.0)
    }

    fn help(&self) -> String {
        "give the calendars different names".to_string()
    }
}
