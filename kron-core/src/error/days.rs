//! Errors of clauses of nominal days.

use alloc::{format, string::String};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Alternatives, Place, Snippet};
use crate::limits::EVERY_MAX;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DaysError {
    /// A part about times of day.
    TimeOfDay { text: Snippet, part: Snippet },
    /// A part that means nothing without one of some others.
    Incomplete { part: &'static str, words: String, example: &'static str },
    /// A distance of dates.
    Every { text: Snippet },
    /// The word of `roll`.
    Roll { text: Snippet, nearest: Option<&'static str>, allowed: &'static [&'static str] },
}

impl ErrorMessage for DaysError {
    fn code(&self) -> ErrorCode {
        match self {
            DaysError::TimeOfDay { .. } => ErrorCode::ConstraintUnknownPart,
            DaysError::Incomplete { .. } => ErrorCode::ConstraintIncomplete,
            DaysError::Every { .. } | DaysError::Roll { .. } => ErrorCode::ConstraintSyntax,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            DaysError::TimeOfDay { text, .. } => {
                write!(f, "{text}{at} is about times of day, and `@days` and `@nodays` choose days")
            }
            DaysError::Incomplete { part, words, .. } => {
                write!(f, "a clause with `{part}` also needs {words}")
            }
            DaysError::Every { text } => {
                write!(
                    f,
                    "{text}{at} is not a number of days or weeks from 1 to {EVERY_MAX}, such as `10d` or `2w`"
                )
            }
            DaysError::Roll { text, allowed, .. } => {
                write!(f, "{text}{at} is not one of {}", Alternatives(allowed))
            }
        }
    }

    fn help(&self) -> String {
        match self {
            DaysError::TimeOfDay { part, .. } => format!(
                "write the hours in the schedule, or `@only({0})` or `@avoid({0})` for the chosen time",
                part.as_str()
            ),
            DaysError::Incomplete { example, .. } => format!("add for example `{example}`"),
            DaysError::Roll { nearest: Some(word), .. } => format!("did you mean `{word}`?"),
            DaysError::Every { text } if text.as_str().bytes().all(|byte| byte.is_ascii_digit()) => {
                format!("write `{0}d` or `{0}w`", text.as_str())
            }
            DaysError::Every { .. } | DaysError::Roll { .. } => String::new(),
        }
    }
}
