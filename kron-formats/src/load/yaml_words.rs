//! What is wrong with a text of YAML, for the person who wrote it: the parser's own advice is for programs that call it.

use granit_parser::Parser;
use kron_core::error::Snippet;
use serde_saphyr::{Error, UserMessageFormatter};

use crate::error::yaml_syntax;

/// One line: `the key `name` is there twice, at line 3, column 21`.
pub(super) fn of(error: &Error, text: &str) -> String {
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
        // What the parser refuses loses its kind on the way here.
        _ => match Parser::new_from_str(text).find_map(Result::err) {
            Some(refused) => {
                let (what, at) = (yaml_syntax::sentence(refused.kind()), refused.marker());
                return format!("{what}, at line {}, column {}", at.line(), at.col() + 1);
            }
            // With the place already.
            None => return error.render_with_formatter(&UserMessageFormatter),
        },
    };
    match error.location() {
        Some(at) => format!("{what}, at line {}, column {}", at.line(), at.column()),
        None => what,
    }
}
