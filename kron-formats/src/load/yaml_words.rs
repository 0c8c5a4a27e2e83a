//! What is wrong with a text of YAML, for the person who wrote it: the parser's own advice is for programs that call it.

use std::fmt::Write as _;

use kron_core::error::Snippet;
use serde_saphyr::{Error, UserMessageFormatter};

/// One line: `the key `name` is there twice, at line 3, column 21`.
pub(super) fn of(error: &Error) -> String {
    let what = match error {
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key {} is there twice", Snippet::of(key))
        }
        Error::DuplicateMappingKey { .. } => "a key is there twice".to_string(),
        Error::UnknownAnchor { .. } => "an alias names no anchor before it".to_string(),
        Error::Eof { .. } => "the text ends too early".to_string(),
        Error::Budget { .. }
        | Error::AliasExpansionLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. } => {
            "the text is too large, or its aliases repeat too much".to_string()
        }
        // With the place already.
        _ => return error.render_with_formatter(&UserMessageFormatter),
    };
    let mut text = what;
    if let Some(at) = error.location() {
        // Writing to a string cannot fail.
        let _ = write!(text, ", at line {}, column {}", at.line(), at.column());
    }
    text
}
