//! JSON with comments.

use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, ast, parse_to_ast};

/// A text that is JSON with comments, or without.
pub(super) struct Json<'a> {
    pub(super) root: Option<ast::Value<'a>>,
    pub(super) has_comments: bool,
}

/// Reads it. A string of several lines is no JSON, and readers that take it make different texts of it.
pub(super) fn parse(text: &str) -> Option<Json<'_>> {
    let collect = CollectOptions { comments: CommentCollectionStrategy::Separate, tokens: true };
    let parsed = parse_to_ast(text, &collect, &ParseOptions::default()).ok()?;
    let mut tokens = parsed.tokens.iter().flatten();
    let has_lines = tokens.any(|token| {
        matches!(token.token, Token::String(_))
            && text[token.range.start..token.range.end].contains(['\n', '\r'])
    });
    let has_comments = parsed.comments.is_some_and(|comments| !comments.is_empty());
    (!has_lines).then_some(Json { root: parsed.value, has_comments })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_on_one_line() {
        let comments = |text| parse(text).map(|json| json.has_comments);
        assert_eq!(comments("{\"a\": 1, // x\n}"), Some(true));
        assert_eq!(comments("{a: /* x */ 1}"), Some(true));
        assert_eq!(comments("{\"a\": \"// x\\n\"}"), Some(false));
        assert_eq!([comments("{\"a\": \"x\ny\"}"), comments("{\"a\r\nb\": 1}"), comments("{")], [None; 3]);
    }
}
