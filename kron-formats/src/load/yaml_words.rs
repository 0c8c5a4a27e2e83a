//! What is wrong with a text of YAML, for the person who wrote it: the parser's own advice is for programs that call it.

use granit_parser::Parser;
use kron_core::error::Snippet;
use serde_saphyr::Error;

use crate::error::yaml_syntax;

/// What is wrong with a value that is YAML by itself.
fn value(error: &Error) -> String {
    let text = match error {
        // A sentence of the reader of Kron.
        Error::Message { msg, .. } => return msg.clone(),
        Error::RecursiveReferencesRequireWeakTypes { .. } => "an alias stands inside of what it repeats",
        Error::MergeValueNotMapOrSeqOfMaps { .. } => "the value of `<<` is neither a map nor a list of maps",
        Error::MergeKeyNotAllowed { .. } => "`<<` stands where it merges nothing",
        Error::InvalidBinaryBase64 { .. } | Error::BinaryNotUtf8 { .. } => {
            "the value of `!!binary` is not the base64 of a text"
        }
        Error::InvalidScalar { .. } => "the value does not fit its tag; leave the tag out",
        Error::Unexpected { .. } => "the key is not a text; put it in quotes",
        _ => "the value cannot be read; put it in quotes",
    };
    text.to_string()
}

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
            None => value(error),
        },
    };
    match error.location() {
        Some(at) => format!("{what}, at line {}, column {}", at.line(), at.column()),
        None => what,
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
            errors[0].reason().to_string()
        };
        assert_eq!(
            p("a: !!int foo"),
            "the value does not fit its tag; leave the tag out, at line 3, column 10"
        );
        assert_eq!(p("? [a]\n: 1"), "the key is not a text; put it in quotes, at line 3, column 3");
        assert_eq!(
            p("a: !!binary x"),
            "the value of `!!binary` is not the base64 of a text, at line 3, column 13"
        );
        assert_eq!(p("a: &x [*x]"), "an alias stands inside of what it repeats, at line 3, column 8");
        assert_eq!(p("<<: 5"), "the value of `<<` is neither a map nor a list of maps, at line 3, column 5");
    }
}
