//! What is wrong with a text of YAML. The parser's own sentences name parts of its grammar, so they are not shown.

use std::borrow::Cow;

use granit_parser::ErrorKind;

/// The error in words, without its place.
pub(crate) fn sentence(kind: &ErrorKind) -> Cow<'static, str> {
    let text = match kind {
        ErrorKind::UnclosedFlowCollection { open } => {
            return format!("the bracket `{open}` is not closed").into();
        }
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => {
            return format!("the bracket `{open}` is closed by `{close}`").into();
        }
        ErrorKind::UnexpectedCharacter { character } => {
            let character = character.escape_default();
            return format!("`{character}` cannot begin a value; put the text in quotes").into();
        }
        ErrorKind::MisplacedFlowCollectionEnd => "a bracket is closed that is not open",
        ErrorKind::UnexpectedEofFlowSequence
        | ErrorKind::UnexpectedEofFlowMapping
        | ErrorKind::UnexpectedEofImplicitFlowMapping => "a bracket is not closed",
        ErrorKind::ExpectedFlowMappingSeparator | ErrorKind::ExpectedFlowSequenceSeparator => {
            "a comma or a closing bracket is missing"
        }
        ErrorKind::UnclosedQuotedScalar | ErrorKind::DocumentIndicatorInQuotedScalar => {
            "a text in quotes is not closed"
        }
        ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar => {
            "something follows a text in quotes; put all of it in quotes"
        }
        ErrorKind::UnexpectedEof
        | ErrorKind::UnexpectedEofBlockSequence
        | ErrorKind::UnexpectedEofBlockMapping
        | ErrorKind::UnexpectedEndOfPlainScalar => "the text ends too early",
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => "a tab stands where only blanks can; indent by blanks",
        ErrorKind::InvalidIndentation
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::InvalidBlockScalarIndent
        | ErrorKind::InvalidQuotedScalarIndent
        | ErrorKind::InvalidFlowScalarIndent => {
            "the line does not fit those above it; correct its indentation"
        }
        ErrorKind::SimpleKeyExpected | ErrorKind::InvalidSimpleKey => "a key has no `:` behind it",
        ErrorKind::MappingValueNotAllowed
        | ErrorKind::MappingKeyNotAllowed
        | ErrorKind::InvalidColonPlacement
        | ErrorKind::FlowMappingValueAdjacentCollection => {
            "a `:` is one too many; put a text that has one in quotes"
        }
        ErrorKind::BlockEntryInFlowCollection
        | ErrorKind::BlockSequenceEntryNotAllowed
        | ErrorKind::PlainScalarStartsWithDashFlowIndicator => "a `-` stands where no list can begin",
        ErrorKind::ExpectedWhitespace
        | ErrorKind::InvalidMappingValueWhitespace
        | ErrorKind::InvalidBlockEntryWhitespace => "a blank is missing",
        ErrorKind::CommentNotSeparated => "a blank is missing before `#`",
        ErrorKind::CommentInterceptedScalar => "a comment stands within a text",
        ErrorKind::MissingAnchorOrAliasName => {
            "`*` and `&` stand before the name of an anchor; put the text in quotes"
        }
        ErrorKind::UnknownAnchor => "an alias names no anchor before it",
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidLowSurrogateHexEscape
        | ErrorKind::InvalidLowSurrogate
        | ErrorKind::MissingLowSurrogate
        | ErrorKind::UnpairedLowSurrogate
        | ErrorKind::InvalidUnicodeEscape => "`\\` begins no character; put the text in single quotes",
        ErrorKind::RecursionLimitExceeded => "lists and objects are nested too deeply",
        ErrorKind::BomInsideDocument => "a byte order mark stands within the text",
        _ => "the line cannot be read",
    };
    text.into()
}

#[cfg(test)]
mod tests {
    use granit_parser::Parser;

    use super::sentence;

    #[test]
    fn sentences_are_for_the_person_who_wrote_the_text() {
        let p = |text: &str| {
            let error = Parser::new_from_str(text).find_map(Result::err).unwrap();
            sentence(error.kind()).into_owned()
        };
        assert_eq!(p("a: [1"), "the bracket `[` is not closed");
        assert_eq!(p("a: [1}"), "the bracket `[` is closed by `}`");
        assert_eq!(p("a: b: c"), "a `:` is one too many; put a text that has one in quotes");
        assert_eq!(p("a: \"b"), "a text in quotes is not closed");
        assert_eq!(p("a: \"b\" c"), "something follows a text in quotes; put all of it in quotes");
        assert_eq!(p("a: \"\\d\""), "`\\` begins no character; put the text in single quotes");
        assert_eq!(p("a: @daily"), "`@` cannot begin a value; put the text in quotes");
        assert_eq!(
            p("a: * 3 * * *"),
            "`*` and `&` stand before the name of an anchor; put the text in quotes"
        );
        assert_eq!(p("a: *b"), "an alias names no anchor before it");
        assert_eq!(p("a:\n  - b\n c"), "the line does not fit those above it; correct its indentation");
    }
}
