//! Errors of calendars.

use alloc::string::{String, ToString};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum CalendarError {
    /// A name that no given calendar has.
    Unknown {
        text: Snippet,
        nearest: Option<String>,
    },
    /// A word that cannot be a name.
    Name {
        text: Snippet,
        max: usize,
    },
    /// Two calendars of one name.
    Repeated {
        text: Snippet,
    },
    /// A line of a calendar file without a name and dates.
    Line {
        text: Snippet,
    },
    NoDates,
    TooManyRanges {
        max: usize,
        found: usize,
    },
    /// A date that cannot be written with four digits of the year.
    Year {
        text: Snippet,
    },
}

impl ErrorMessage for CalendarError {
    fn code(&self) -> ErrorCode {
        match self {
            CalendarError::Unknown { .. } => ErrorCode::CalendarUnknown,
            CalendarError::Name { .. } => ErrorCode::Name,
            CalendarError::Repeated { .. } => ErrorCode::CalendarRepeated,
            CalendarError::Line { .. } | CalendarError::NoDates => ErrorCode::CalendarSyntax,
            CalendarError::TooManyRanges { .. } => ErrorCode::CalendarTooLong,
            CalendarError::Year { .. } => ErrorCode::ConstraintOutOfRange,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            CalendarError::Unknown { text, .. } => write!(f, "there is no calendar {text}{at}"),
            CalendarError::Name { text, max } => write!(
                f,
                "{text}{at} is not a name of a calendar, 1 to {max} ASCII letters, digits, `-`, `_` and `.` that begin with a \
                 letter or digit"
            ),
            CalendarError::Repeated { text } => write!(f, "there are two calendars {text}"),
            CalendarError::Line { text } => write!(f, "{text}{at} is not `name = dates`"),
            CalendarError::NoDates => f.write_str("the calendar has no dates"),
            CalendarError::TooManyRanges { max, found } => {
                write!(f, "a calendar has at most {max} ranges of dates, but this one has {found}")
            }
            CalendarError::Year { text } => write!(f, "{text} is not in the years 0 to 9999"),
        }
    }

    fn help(&self) -> String {
        match self {
            CalendarError::Unknown { nearest: Some(name), .. } => alloc::format!("did you mean `{name}`?"),
            CalendarError::Unknown { nearest: None, .. } => {
                "give its dates, with `--calendar FILE` to the command or `calendars=` in Python".to_string()
            }
            CalendarError::Repeated { .. } => "rename one of them".to_string(),
            CalendarError::Line { .. } => "write `holidays = 2026-12-25, 2026-12-31..2027-01-01`".to_string(),
            _ => String::new(),
        }
    }
}
