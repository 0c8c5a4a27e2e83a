//! What is wrong with a text of YAML. The parser's own sentences name parts of its grammar, so they are not shown.

use std::borrow::Cow;

use granit_parser::ErrorKind;
use kron_core::error::Snippet;

/// The error in words without its place, and what to do. `line` is the one that it is on.
pub(crate) fn words(kind: &ErrorKind, line: &str) -> (Cow<'static, str>, &'static str) {
    // So common that it gets a help of its own.
    let value = line.split_once(':').map_or("", |(_, value)| value.trim_start());
    if value.starts_with("*/") || value.starts_with("* ") {
        return ("`*` begins an alias".into(), "put the schedule in quotes: schedule: \"*/5 * * * *\"");
    }
    let (message, help) = match kind {
        ErrorKind::UnclosedFlowCollection { open } => {
            let help = if *open == '{' { "close it by `}`" } else { "close it by `]`" };
            return (format!("the bracket `{open}` is not closed").into(), help);
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            let help = if *open == '{' { "close it by `}`" } else { "close it by `]`" };
            return (format!("the bracket `{open}` is closed by `{close}`").into(), help);
        }
        ErrorKind::UnexpectedCharacter { character } => {
            let message = format!("`{}` cannot begin a value", character.escape_default());
            return (message.into(), "put the text in quotes");
        }
        ErrorKind::MisplacedFlowCollectionEnd => ("a bracket is closed that is not open", "leave it out"),
        ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => {
            ("a bracket is not closed", "close it by `]` or `}`")
        }
        ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => {
            ("a comma or a closing bracket is missing", "add it, or put the text before it in quotes")
        }
        ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => {
            ("a text in quotes is not closed", "write the quote at its end")
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            ("something follows a text in quotes", "put all of it in quotes")
        }
        ErrorKind::UnexpectedEof
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::UnexpectedEofBlockMapping
        | ErrorKind::UnexpectedEndOfPlainScalar => ENDS,
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => ("a tab stands where only blanks can", "indent by blanks"),
        ErrorKind::InvalidIndentation
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::InvalidBlockScalarIndent
        | ErrorKind::InvalidQuotedScalarIndent
        | ErrorKind::InvalidFlowScalarIndent => {
            ("the line does not fit those above it", "correct its indentation")
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => {
            ("a key has no `:` behind it", "write `key: value`")
        }
        ErrorKind::MappingValueNotAllowed
        | ErrorKind::MappingKeyNotAllowed
        | ErrorKind::InvalidColonPlacement
        | ErrorKind::FlowMappingValueAdjacentCollection => {
            ("a `:` is one too many", "put a text that has one in quotes")
        }
        ErrorKind::BlockEntryInFlowCollection
        | ErrorKind::BlockSequenceEntryNotAllowed
        | ErrorKind::PlainScalarStartsWithDashFlowIndicator => (
            "a `-` stands where no list can begin",
            "begin the list on the next line, or put the text in quotes",
        ),
        ErrorKind::ExpectedWhitespace
        | ErrorKind::InvalidMappingValueWhitespace
        | ErrorKind::InvalidBlockEntryWhitespace => {
            ("a blank is missing", "add it, or put the text in quotes")
        }
        ErrorKind::CommentNotSeparated => {
            ("a blank is missing before `#`", "add it, or put the text in quotes")
        }
        ErrorKind::CommentInterceptedScalar => ("a comment stands within a text", "move it to the end"),
        ErrorKind::MissingAnchorOrAliasName => {
            ("`*` and `&` stand before the name of an anchor", "put the text in quotes")
        }
        ErrorKind::UnknownAnchor => {
            ("an alias names no anchor before it", "put a text that begins with `*` in quotes")
        }
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate
        | ErrorKind::InvalidUnicodeEscape => ("`\\` begins no character", "put the text in single quotes"),
        ErrorKind::RecursionLimitExceeded => {
            ("lists and objects are nested too deeply", "nest them less deeply")
        }
        ErrorKind::BomInsideDocument => ("a byte order mark stands within the text", "delete it"),
        _ => ("the line cannot be read", "put its texts in quotes"),
    };
    (message.into(), help)
}

pub(crate) const ENDS: (&str, &str) = ("the text ends too early", "write the rest of it");

/// A key that a map has twice, and what to do.
pub(crate) fn repeated_key(key: &str) -> (String, &'static str) {
    (format!("key {} appears twice", Snippet::of(key)), "delete one of the two")
}

#[cfg(test)]
mod tests {
    use granit_parser::Parser;

    use super::words;

    #[test]
    fn sentences_are_for_the_person_who_wrote_the_text() {
        let p = |text: &str| {
            let error = Parser::new_from_str(text).find_map(Result::err).unwrap();
            let line = text.lines().nth(error.marker().line() - 1).unwrap_or_default();
            let (message, help) = words(error.kind(), line);
            format!("{message}; {help}")
        };
        assert_eq!(p("a: [1"), "the bracket `[` is not closed; close it by `]`");
        assert_eq!(p("a: [1}"), "the bracket `[` is closed by `}`; close it by `]`");
        assert_eq!(p("a: b: c"), "a `:` is one too many; put a text that has one in quotes");
        assert_eq!(p("a: \"b"), "a text in quotes is not closed; write the quote at its end");
        assert_eq!(p("a: \"b\" c"), "something follows a text in quotes; put all of it in quotes");
        assert_eq!(p("a: \"\\d\""), "`\\` begins no character; put the text in single quotes");
        assert_eq!(p("a: @daily"), "`@` cannot begin a value; put the text in quotes");
        let schedule = "`*` begins an alias; put the schedule in quotes: schedule: \"*/5 * * * *\"";
        assert_eq!(p("a: * 3 * * *"), schedule);
        assert_eq!(p("a: */5 3 * * *"), schedule);
        assert_eq!(p("a: &"), "`*` and `&` stand before the name of an anchor; put the text in quotes");
        assert_eq!(
            p("a: *b"),
            "an alias names no anchor before it; put a text that begins with `*` in quotes"
        );
        assert_eq!(p("a:\n  - b\n c"), "the line does not fit those above it; correct its indentation");
    }
}
