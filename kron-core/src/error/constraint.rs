//! Errors of constraints.

use alloc::{
    format,
    string::{String, ToString},
};
use core::fmt;

use super::calendar_names::CalendarNames;
use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Alternatives, Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintError {
    EmptyClause,
    UnknownPart {
        text: Snippet,
        nearest: Option<&'static str>,
        allowed: &'static [&'static str],
    },
    /// A part of clauses of nominal days.
    PartOfDays {
        text: Snippet,
        part: Snippet,
    },
    RepeatedPart {
        text: Snippet,
    },
    Item {
        text: Snippet,
        form: &'static str,
        names: Option<CalendarNames>,
    },
    Number {
        text: Snippet,
        min: u8,
        max: u8,
    },
    Time {
        text: Snippet,
    },
    Date {
        text: Snippet,
    },
    Backwards {
        text: Snippet,
        help: String,
    },
    TooLong {
        max: usize,
        found: usize,
    },
    TooManyClauses {
        max: usize,
    },
}

impl ErrorMessage for ConstraintError {
    fn code(&self) -> ErrorCode {
        match self {
            ConstraintError::EmptyClause => ErrorCode::ConstraintEmpty,
            ConstraintError::UnknownPart { .. } | ConstraintError::PartOfDays { .. } => {
                ErrorCode::ConstraintUnknownPart
            }
            ConstraintError::RepeatedPart { .. } => ErrorCode::TextRepeated,
            ConstraintError::Item { .. } => ErrorCode::ConstraintSyntax,
            ConstraintError::Number { .. } | ConstraintError::Time { .. } | ConstraintError::Date { .. } => {
                ErrorCode::ConstraintOutOfRange
            }
            ConstraintError::Backwards { .. } => ErrorCode::ConstraintBackwards,
            ConstraintError::TooLong { .. } | ConstraintError::TooManyClauses { .. } => {
                ErrorCode::ConstraintTooLong
            }
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            ConstraintError::EmptyClause => write!(f, "a clause{at} needs at least one part"),
            ConstraintError::UnknownPart { text, allowed, .. } => {
                write!(f, "unknown part {text}{at}; the parts are {}", Alternatives(allowed))
            }
            ConstraintError::PartOfDays { text, .. } => {
                write!(
                    f,
                    "{text}{at} chooses days of the schedule, and `@only` and `@avoid` judge the chosen time"
                )
            }
            ConstraintError::RepeatedPart { text } => {
                write!(f, "part {text}{at} appears twice in one clause")
            }
            ConstraintError::Item { text, form, .. } => write!(f, "{text}{at} is not {form}"),
            ConstraintError::Number { text, min, max } => write!(f, "{text}{at} is not in {min} to {max}"),
            ConstraintError::Time { text } => write!(f, "{text}{at} is not a time from 00:00 to 23:59"),
            ConstraintError::Date { text } => write!(f, "there is no date {text}{at}"),
            ConstraintError::Backwards { text, .. } => write!(f, "range {text}{at} runs backwards"),
            ConstraintError::TooLong { max, found } => {
                write!(f, "the part has at most {max} characters, but this one has {found}")
            }
            ConstraintError::TooManyClauses { max } => write!(f, "there are more than {max} clauses"),
        }
    }

    fn help(&self) -> String {
        match self {
            ConstraintError::UnknownPart { nearest: Some(word), .. } => format!("did you mean `{word}`?"),
            ConstraintError::PartOfDays { part, .. } => {
                format!("write `@days({0})` or `@nodays({0})`", part.as_str())
            }
            ConstraintError::Backwards { help, .. } => format!("write `{help}`"),
            ConstraintError::Item { text, names: Some(names), .. } => {
                names.help(text.as_str(), true).unwrap_or_default()
            }
            ConstraintError::RepeatedPart { .. } => "join the values with commas".to_string(),
            _ => String::new(),
        }
    }
}
