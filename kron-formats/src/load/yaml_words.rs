//! What is wrong with a text of YAML, for the person who wrote it: the parser's own advice is for programs that call it.

use granit_parser::Parser;
use kron_core::Error;
use kron_core::error::StructureError;
use serde_saphyr::Error as Refused;

use crate::error::yaml_syntax::{self, ENDS};

const QUOTES: &str = "put it in quotes";

/// What is wrong with a value that is YAML by itself, and what to do.
fn value(error: &Refused) -> (String, &'static str) {
    let (message, help) = match error {
        // A sentence of the reader of Kron.
        Refused::Message { msg, .. } => return (msg.clone(), ""),
        Refused::RecursiveReferencesRequireWeakTypes { .. } => {
            ("an alias stands inside of what it repeats", "write the value out")
        }
        Refused::MergeValueNotMapOrSeqOfMaps { .. } => {
            ("the value of `<<` is neither a map nor a list of maps", "write an alias of a map")
        }
        Refused::MergeKeyNotAllowed { .. } => ("`<<` stands where it merges nothing", "leave it out"),
        Refused::InvalidBinaryBase64 { .. } | Refused::BinaryNotUtf8 { .. } => {
            ("the value of `!!binary` is not the base64 of a text", "write the text")
        }
        Refused::InvalidScalar { .. } => ("the value does not fit its tag", "leave the tag out"),
        Refused::Unexpected { .. } => ("the key is not a text", QUOTES),
        _ => ("the value cannot be read", QUOTES),
    };
    (message.to_string(), help)
}

/// The error with its place: line and column from 1, in characters.
fn placed((message, help): (String, &str), line: usize, column: usize, text: &str) -> Error {
    let found = text.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    let mut places =
        found.char_indices().map(|(at, _)| at).chain([found.len()]).skip(column.saturating_sub(1));
    let start = places.next().unwrap_or(found.len());
    let end = places.next().unwrap_or(start);
    let error = Error::new("", StructureError::Syntax { message }).with_help(help.to_string());
    error.at(start..end).located(found).on_line(line)
}

/// The error of a text that is no YAML.
pub(super) fn of(error: &Refused, text: &str) -> Error {
    let owned = |(message, help): (&str, &'static str)| (message.to_string(), help);
    let words = match error {
        Refused::DuplicateMappingKey { key: Some(key), .. } => yaml_syntax::repeated_key(key),
        Refused::DuplicateMappingKey { .. } => owned(("a key appears twice", "delete one of the two")),
        Refused::Eof { .. } => owned(ENDS),
        Refused::Budget { .. }
        | Refused::AliasExpansionLimitExceeded { .. }
        | Refused::AliasReplayStackDepthExceeded { .. } => {
            owned(("the text is too large, or its aliases repeat too much", "split it into several files"))
        }
        // What the parser refuses loses its kind on the way here.
        _ => match Parser::new_from_str(text).find_map(Result::err) {
            Some(refused) => {
                let at = refused.marker();
                let line = text.lines().nth(at.line().saturating_sub(1)).unwrap_or_default();
                let (message, help) = yaml_syntax::words(refused.kind(), line);
                return placed((message.into_owned(), help), at.line(), at.col() + 1, text);
            }
            None => value(error),
        },
    };
    match error.location().and_then(|at| Some((at.line().try_into().ok()?, at.column().try_into().ok()?))) {
        Some((line, column)) => placed(words, line, column, text),
        None => Error::new("", StructureError::Syntax { message: words.0 }).with_help(words.1.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use kron_core::Parser as JobParser;

    use crate::{LoadOptions, load};

    #[test]
    fn values_that_cannot_be_read_have_own_words() {
        let p = |text: &str| {
            let text = format!("apiVersion: kron.io/v1alpha1\nkind: KronJob\n{text}\n");
            let errors = load(&JobParser::new(), &text, &LoadOptions::default()).unwrap_err().errors;
            errors[0].to_string()
        };
        assert_eq!(
            p("a: !!int foo"),
            "line 3: the value does not fit its tag at column 10; leave the tag out"
        );
        assert_eq!(p("? [a]\n: 1"), "line 3: the key is not a text at column 3; put it in quotes");
        assert_eq!(
            p("a: !!binary x"),
            "line 3: the value of `!!binary` is not the base64 of a text at column 13; write the text"
        );
        assert_eq!(
            p("a: &x [*x]"),
            "line 3: an alias stands inside of what it repeats at column 8; write the value out"
        );
        assert_eq!(
            p("<<: 5"),
            "line 3: the value of `<<` is neither a map nor a list of maps at column 5; write an alias of a map"
        );
        assert_eq!(p("a: 1\nü: [ä, ö"), "line 4: the bracket `[` is not closed at column 4; close it by `]`");
        assert_eq!(
            p("a: */5 * * * *"),
            "line 3: `*` begins an alias at column 4; put the schedule in quotes: schedule: \"*/5 * * * *\""
        );
        assert_eq!(p("a: 1\na: 2"), "line 4: key `a` appears twice at column 1; delete one of the two");
    }
}
