//! The words, texts and brackets of a program in Groovy.

/// A part of the program.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Word(&'t str),
    Text(Text),
    /// Any other character.
    Mark(char),
    LineEnd,
}

/// A text between quotes or slashes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Its lines, each with its line in the file.
    pub(super) lines: Vec<(usize, String)>,
    /// Whether it was read, and has no values that are put in when the program runs.
    pub(super) constant: bool,
}

/// A token with its line.
pub(super) type Placed<'t> = (usize, Token<'t>);

const QUOTES: [&str; 4] = ["'''", "\"\"\"", "'", "\""];

/// The first token from there on that is not the end of a line.
pub(super) fn after_line_ends(tokens: &[Placed<'_>], from: usize) -> usize {
    let rest = tokens.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|(_, token)| *token == Token::LineEnd).count()
}

/// Where the bracket at that place is closed; the end of the tokens if it is not.
pub(super) fn closing(tokens: &[Placed<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, (_, token)) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

/// Where a statement without brackets around its arguments ends.
pub(super) fn statement_end(tokens: &[Placed<'_>], from: usize) -> usize {
    let mut at = from;
    while at < tokens.len() {
        match tokens[at].1 {
            Token::LineEnd | Token::Mark(';' | ',' | ')' | ']' | '}') => return at,
            Token::Mark('(' | '[' | '{') => at = closing(tokens, at),
            _ => {}
        }
        at += 1;
    }
    tokens.len()
}

/// The program as tokens, without comments.
pub(super) fn tokens(text: &str) -> Vec<Placed<'_>> {
    let mut tokens: Vec<Placed<'_>> = Vec::new();
    let (mut at, mut line) = (0, 1);
    // Whether a text between slashes may end somewhere after this place.
    let mut slashes = true;
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let unread = || Token::Text(Text { lines: Vec::new(), constant: false });
        let (token, length) = if c == '\n' {
            (Some(Token::LineEnd), 1)
        } else if c.is_whitespace() {
            (None, c.len_utf8())
        } else if rest.starts_with("//") || (at == 0 && rest.starts_with("#!")) {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if let Some(rest) = rest.strip_prefix("/*") {
            (None, rest.find("*/").map_or(rest.len(), |end| end + 2) + 2)
        } else if let Some(quote) = QUOTES.into_iter().find(|quote| rest.starts_with(quote)) {
            let (text, length) = quoted(rest, quote, line);
            (Some(Token::Text(text)), length)
        } else if let Some(rest) = rest.strip_prefix("$/") {
            (Some(unread()), rest.find("/$").map_or(rest.len(), |end| end + 2) + 2)
        } else if c == '/' && slashes && begins_text(&tokens) {
            let end = slash_end(rest);
            slashes = end.is_some();
            end.map_or((Some(Token::Mark('/')), 1), |length| (Some(unread()), length))
        } else if is_word(c) {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (Some(Token::Word(&rest[..length])), length)
        } else {
            (Some(Token::Mark(c)), c.len_utf8())
        };
        tokens.extend(token.map(|token| (line, token)));
        at += length;
        line += rest[..length].matches('\n').count();
    }
    tokens
}

/// Whether a slash after these tokens begins a text, and is not a division.
fn begins_text(tokens: &[Placed<'_>]) -> bool {
    match tokens.last() {
        Some((_, Token::Mark(mark))) => "(,=[{:;!&|?+~<>".contains(*mark),
        Some((_, Token::Word(word))) => *word == "return",
        _ => false,
    }
}

/// The length of a text between slashes.
fn slash_end(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (index, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            b'/' if !escaped => return Some(index + 1),
            _ => escaped = byte == b'\\' && !escaped,
        }
    }
    None
}

/// A text between quotes, at the beginning of `rest`, and its length with the quotes.
fn quoted(rest: &str, quote: &str, first: usize) -> (Text, usize) {
    let (long, double) = (quote.len() == 3, quote.starts_with('"'));
    let mut lines = Vec::new();
    let (mut line, mut begin) = (String::new(), first);
    let (mut constant, mut number, mut at) = (true, first, quote.len());
    while let Some(c) = rest[at..].chars().next() {
        if rest[at..].starts_with(quote) {
            at += quote.len();
            break;
        }
        if c == '\n' && !long {
            // The quote at the end is missing.
            break;
        }
        at += c.len_utf8();
        let next = rest[at..].chars().next();
        match (c, next) {
            ('\\', Some(next)) => {
                at += next.len_utf8();
                match next {
                    'n' => {
                        lines.push((begin, std::mem::take(&mut line)));
                        begin = number;
                    }
                    't' => line.push('\t'),
                    'r' => line.push('\r'),
                    // The line goes on.
                    '\n' => number += 1,
                    other => line.push(other),
                }
            }
            ('\n', _) => {
                lines.push((begin, std::mem::take(&mut line)));
                number += 1;
                begin = number;
            }
            ('$', Some('{')) if double => {
                constant = false;
                let value = value_length(&rest[at..]);
                number += rest[at..at + value].matches('\n').count();
                at += value;
            }
            ('$', Some(next)) if double && (next.is_alphabetic() || next == '_') => constant = false,
            _ => line.push(c),
        }
    }
    lines.push((begin, line));
    (Text { lines, constant }, at)
}

/// The length of `{...}` with the brackets in it.
fn value_length(rest: &str) -> usize {
    let mut depth = 0_usize;
    for (index, byte) in rest.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let word = |(_, token)| if let Token::Word(word) = token { Some(word) } else { None };
        tokens(text).into_iter().filter_map(word).collect()
    }

    fn lines(text: &str) -> (Vec<(usize, String)>, bool) {
        match tokens(text).remove(0).1 {
            Token::Text(text) => (text.lines, text.constant),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn comments_and_texts_are_no_words() {
        assert_eq!(
            words("#!/usr/bin/env groovy\na /* b\n */ c // d\n'e' \"f\" '''g\n''' h"),
            ["a", "c", "h"]
        );
        assert_eq!(words("x = /a'b/ ; y = $/c'd/$ + z"), ["x", "y", "z"]);
        assert_eq!(words("a = b / c / d"), ["a", "b", "c", "d"]);
        // A quote without its end.
        assert_eq!(words("it's\nnext"), ["it", "next"]);
        assert_eq!(words("a = /b"), ["a", "b"]);
        assert_eq!(words("\"a ${f('}')} b\" c /* d"), ["c"]);
    }

    #[test]
    fn lines_of_texts_have_their_places() {
        let line = |number, text: &str| (number, text.to_string());
        assert_eq!(lines("'a\\nb\\'c\\\\'"), (vec![line(1, "a"), line(1, "b'c\\")], true));
        assert_eq!(lines("'''\\\na\nb'''"), (vec![line(1, "a"), line(3, "b")], true));
        assert_eq!(lines("\"\"\"a $b\nc\"\"\""), (vec![line(1, "a b"), line(2, "c")], false));
        assert_eq!(lines("\"a ${b\n}c\""), (vec![line(1, "a c")], false));
        assert_eq!(lines("\"5 $ \\$x\""), (vec![line(1, "5 $ $x")], true));
        assert_eq!(lines("'$x'"), (vec![line(1, "$x")], true));
        assert_eq!(tokens("'''a\nb'''\nc").pop(), Some((3, Token::Word("c"))));
    }
}
