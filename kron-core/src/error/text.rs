//! Errors of the text form and of job files.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Alternatives, Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextError {
    TooLong {
        bytes: usize,
        max: usize,
    },
    Stray {
        text: Snippet,
    },
    UnknownModifier {
        text: Snippet,
        nearest: Option<&'static str>,
        known: &'static [&'static str],
    },
    RepeatedModifier {
        name: &'static str,
    },
    MissingBracket {
        name: &'static str,
        form: &'static str,
    },
    /// A modifier without its `@`.
    MissingAt {
        text: Snippet,
    },
    /// A modifier after the fields of a job file.
    LateModifier {
        text: Snippet,
    },
    Comment {
        text: Snippet,
    },
    /// A modifier with blanks around its punctuation, and the same without them.
    Blanks {
        text: Snippet,
        without: Snippet,
    },
    /// A job text of several lines, or of one line with its line break.
    Lines {
        lines: usize,
    },
    Unclosed {
        open: char,
    },
    Escape {
        text: Snippet,
    },
    Unquoted {
        text: Snippet,
    },
    /// A value that may not be empty, with an example of it if there is one.
    Empty {
        what: &'static str,
        form: Option<&'static str>,
    },
    EmptySalt,
    TooManyValues {
        name: &'static str,
        text: Snippet,
        form: &'static str,
    },
    UnknownKey {
        name: &'static str,
        text: Snippet,
        allowed: &'static [&'static str],
        nearest: Option<&'static str>,
    },
    RepeatedKey {
        text: Snippet,
    },
    /// A field directly after a modifier.
    MissingBlank {
        text: Snippet,
    },
    MissingEquals {
        text: Snippet,
    },
    MissingName,
    /// Errors that are counted and not kept, with the code of the first of them.
    More {
        count: usize,
        what: &'static str,
        code: ErrorCode,
    },
    RepeatedName {
        name: Snippet,
        first: Option<usize>,
    },
}

impl ErrorMessage for TextError {
    fn code(&self) -> ErrorCode {
        match self {
            TextError::TooLong { .. } => ErrorCode::TextTooLong,
            TextError::UnknownModifier { .. } => ErrorCode::TextUnknownModifier,
            TextError::UnknownKey { .. } => ErrorCode::TextUnknownKey,
            TextError::RepeatedModifier { .. } | TextError::RepeatedKey { .. } => ErrorCode::TextRepeated,
            TextError::MissingName => ErrorCode::FileMissingName,
            TextError::More { code, .. } => *code,
            TextError::RepeatedName { .. } => ErrorCode::FileRepeatedName,
            TextError::Stray { .. }
            | TextError::MissingBracket { .. }
            | TextError::MissingAt { .. }
            | TextError::LateModifier { .. }
            | TextError::Comment { .. }
            | TextError::Blanks { .. }
            | TextError::Lines { .. }
            | TextError::Unclosed { .. }
            | TextError::Escape { .. }
            | TextError::Unquoted { .. }
            | TextError::Empty { .. }
            | TextError::EmptySalt
            | TextError::TooManyValues { .. }
            | TextError::MissingBlank { .. }
            | TextError::MissingEquals { .. } => ErrorCode::TextSyntax,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            TextError::TooLong { bytes, max } => {
                write!(f, "the text has at most {max} bytes, but this one has {bytes}")
            }
            TextError::Stray { text } => {
                write!(f, "expected a modifier such as `@tz(...)`, but found {text}{at}")
            }
            TextError::UnknownModifier { text, .. } => write!(f, "unknown modifier {text}{at}"),
            TextError::RepeatedModifier { name } => write!(f, "`@{name}`{at} appears twice"),
            TextError::MissingBracket { name, .. } => write!(f, "`@{name}`{at} is not followed by `(`"),
            TextError::MissingAt { text } => write!(f, "{text}{at} has no `@`"),
            TextError::LateModifier { text } => write!(f, "the modifier {text}{at} follows a field"),
            TextError::Comment { text } => write!(f, "{text}{at} is a comment"),
            TextError::Blanks { text, .. } => write!(f, "{text}{at} contains a blank outside quotes"),
            TextError::Lines { lines: 0 | 1 } => write!(f, "a line break{at} is not part of a job text"),
            TextError::Lines { lines } => {
                write!(f, "a job text is one line, but this one has {lines} lines")
            }
            TextError::Unclosed { open } => write!(f, "`{open}`{at} is never closed"),
            TextError::Escape { text } => {
                write!(f, "{text}{at} is none of the escapes `\\\"`, `\\\\`, `\\n`, `\\t` and `\\u{{...}}`")
            }
            TextError::Unquoted { text } => write!(f, "{text}{at} must be quoted"),
            TextError::Empty { what, .. } => write!(f, "{what}{at} is empty"),
            TextError::EmptySalt => write!(f, "the salt{at} is empty"),
            TextError::TooManyValues { name, text, .. } => {
                write!(f, "{text}{at} is more than `@{name}` takes")
            }
            TextError::UnknownKey { name, text, allowed, .. } => {
                write!(f, "unknown key {text}{at}; `@{name}` takes {}", Alternatives(allowed))
            }
            TextError::RepeatedKey { text } => write!(f, "key {text}{at} appears twice"),
            TextError::MissingBlank { text } => {
                write!(f, "the field {text}{at} follows a modifier without a blank")
            }
            TextError::MissingEquals { text } if text.as_str().is_empty() => {
                write!(f, "expected `key=value`{at}, but found nothing")
            }
            TextError::MissingEquals { text } => write!(f, "expected `key=value`, but found {text}{at}"),
            TextError::More { count, what, .. } => {
                let plural = if *count == 1 { "" } else { "s" };
                write!(f, "and {count} more {what}{plural} with errors")
            }
            TextError::MissingName => write!(f, "the job has no name; its start times depend on it"),
            TextError::RepeatedName { name, first } => {
                write!(f, "{name}{at} is already the name of another job")?;
                first.map_or(Ok(()), |line| write!(f, " (line {line})"))
            }
        }
    }

    fn help(&self) -> String {
        match self {
            TextError::UnknownModifier { nearest: Some(word), .. } => format!("did you mean `@{word}`?"),
            TextError::UnknownModifier { nearest: None, known, .. } => {
                let known: Vec<String> = known.iter().map(|word| format!("`@{word}`")).collect();
                format!("the modifiers are {}", known.join(", "))
            }
            TextError::MissingAt { text } => format!("write `@{}`", text.as_str()),
            TextError::LateModifier { .. } => {
                "write modifiers before `name=`, `command=` and other fields".to_string()
            }
            TextError::Comment { .. } => {
                "a comment cannot follow a job; write it on a separate line, in a job file".to_string()
            }
            TextError::Blanks { without, .. } => format!("write {without}"),
            TextError::Lines { lines: 0 | 1 } => "leave it out".to_string(),
            TextError::Lines { .. } => "this is a job file: save it, and read it as a file".to_string(),
            TextError::Stray { text } if text.as_str().contains('=') && !text.as_str().starts_with('@') => {
                "fields such as `name=` are written in job files only".to_string()
            }
            TextError::Stray { text } if text.as_str().starts_with('@') => {
                "put a blank before it".to_string()
            }
            TextError::MissingBlank { .. } => "put a blank before it".to_string(),
            TextError::EmptySalt => "write `salt=\"\"` for an empty one, or leave it out".to_string(),
            TextError::UnknownKey { nearest: Some(word), .. } => format!("did you mean `{word}`?"),
            TextError::RepeatedModifier { .. } => {
                "only `@days`, `@nodays`, `@only` and `@avoid` may repeat".to_string()
            }
            TextError::MissingBracket { form, .. } | TextError::Empty { form: Some(form), .. } => {
                format!("write for example `{form}`")
            }
            TextError::TooManyValues { form, .. } => format!("write `{form}`"),
            TextError::MissingEquals { text } if text.as_str().contains('/') => {
                "write a name as `name=...`, and a command as `command=\"...\"`".to_string()
            }
            TextError::Unquoted { .. } => "write it as `\"...\"`".to_string(),
            TextError::MissingName => "add `name=team/job` at the end of the line".to_string(),
            TextError::RepeatedName { .. } => "give one of them another name".to_string(),
            _ => String::new(),
        }
    }
}
