//! Errors of constraints.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::{Alternatives, ErrorCode, Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ConstraintError {
    EmptyClause,
    UnknownPart { text: Snippet, nearest: Option<&'static str>, allowed: &'static [&'static str] },
    RepeatedPart { text: Snippet },
    Item { text: Snippet, form: &'static str },
    Number { text: Snippet, min: u8, max: u8 },
    Time { text: Snippet },
    Date { text: Snippet },
    Backwards { text: Snippet, help: String },
    TooLong { max: usize, found: usize },
    TooManyClauses { max: usize },
}

impl ConstraintError {
    pub(super) fn code(&self) -> ErrorCode {
        match self {
            ConstraintError::EmptyClause => ErrorCode::ConstraintEmpty,
            ConstraintError::UnknownPart { .. } => ErrorCode::ConstraintUnknownPart,
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

    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            ConstraintError::EmptyClause => write!(f, "a clause{at} needs at least one part"),
            ConstraintError::UnknownPart { text, allowed, .. } => {
                write!(f, "unknown part {text}{at}; the parts are {}", Alternatives(allowed))
            }
            ConstraintError::RepeatedPart { text } => write!(f, "part {text}{at} stands twice in one clause"),
            ConstraintError::Item { text, form } => write!(f, "{text}{at} is not {form}"),
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

    pub(super) fn help(&self) -> String {
        match self {
            ConstraintError::UnknownPart { nearest: Some(word), .. } => format!("did you mean `{word}`?"),
            ConstraintError::Backwards { help, .. } => format!("write `{help}`"),
            ConstraintError::Item { text, form } => match in_names(text.as_str(), form) {
                Some(names) => format!("write `{names}`"),
                None => String::new(),
            },
            ConstraintError::RepeatedPart { .. } => "join the values with commas".to_string(),
            _ => String::new(),
        }
    }
}

static DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
static MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Words for days of the week or months, as names of three letters.
fn in_names(text: &str, form: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let names: &[&str] = if form.contains("days of the week") {
        match lower.as_str() {
            "weekday" | "weekdays" => return Some("MON-FRI".to_string()),
            "weekend" | "weekends" => return Some("SAT-SUN".to_string()),
            _ => &DAYS,
        }
    } else if form.contains("months,") {
        &MONTHS
    } else {
        return None;
    };
    let short = |word: &str| {
        let known = |name: &&&str| **name == word || name.get(..3) == Some(word);
        names.iter().find(known).map(|name| name[..3].to_uppercase())
    };
    let words: Option<Vec<String>> = lower.split('-').map(short).collect();
    words.filter(|words| words.len() <= 2).map(|words| words.join("-"))
}
