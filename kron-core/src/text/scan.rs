//! Words, quotes and escapes: the lowest layer of the text form.

use alloc::{borrow::Cow, string::String};
use core::ops::Range;

use crate::error::{Error, Snippet, TextError};
use crate::job::modifier::Modifier;

/// A position in a text. Spans are bytes of the whole text.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

/// A value with quotes and escapes resolved, and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) span: Range<usize>,
}

impl Value<'_> {
    /// Moves an error about the value's text to the place of the value. Within quotes the whole value is meant: escapes
    /// may have moved its bytes.
    pub(crate) fn place(&self, error: Error) -> Error {
        match (&self.text, error.span()) {
            (Cow::Borrowed(text), Some(_)) if text.len() == self.span.len() => error.shifted(self.span.start),
            _ => error.at(self.span.clone()),
        }
    }
}

pub(crate) fn error(kind: TextError, span: Range<usize>) -> Error {
    Error::of("text", kind).at(span)
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, at: 0 }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn skip_blanks(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    }

    /// Consumes a character if it comes next.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// Fails if anything follows.
    pub(crate) fn end(&self) -> Result<(), Error> {
        if self.rest().is_empty() { Ok(()) } else { Err(self.stray()) }
    }

    /// The error of an unexpected word.
    pub(crate) fn stray(&self) -> Error {
        let word = self.rest().split([' ', '\t']).next().unwrap_or_default();
        let at = self.at;
        self.misplaced()
            .unwrap_or_else(|| error(TextError::Stray { text: Snippet::of(word) }, at..at + word.len()))
    }

    /// The error of what comes next, if it is a comment or a modifier without its `@`.
    pub(crate) fn misplaced(&self) -> Option<Error> {
        let rest = self.rest();
        if rest.starts_with('#') {
            return Some(error(TextError::Comment { text: Snippet::of(rest) }, self.at..self.text.len()));
        }
        let (name, _) = rest.split_once('(')?;
        Modifier::from_word(name)?;
        let length = rest.find(')').map_or(rest.len(), |end| end + 1);
        let text = Snippet::of(&rest[..length]);
        Some(error(TextError::MissingAt { text }, self.at..self.at + length))
    }

    /// The bytes of the modifier that comes next, if one does: `@win(after,3h)`.
    pub(crate) fn modifier(&self) -> Option<Range<usize>> {
        let rest = self.rest();
        let (name, _) = rest.strip_prefix('@')?.split_once('(')?;
        Modifier::from_word(name)?;
        let length = rest.find(')').map_or(rest.len(), |end| end + 1);
        Some(self.at..self.at + length)
    }

    /// Consumes characters up to the first one for which `stop` is true.
    pub(crate) fn until(&mut self, stop: impl Fn(char) -> bool) -> (&'a str, Range<usize>) {
        let start = self.at;
        let length = self.rest().find(stop).unwrap_or(self.rest().len());
        self.at += length;
        (&self.text[start..self.at], start..self.at)
    }

    /// Consumes a value: a quoted one, or a bare one up to a character for which `stop` is true. A bare value has no
    /// blanks, quotes or brackets.
    pub(crate) fn value(&mut self, stop: impl Fn(char) -> bool) -> Result<Value<'a>, Error> {
        if self.peek() == Some('"') {
            return self.quoted();
        }
        let needs_quotes =
            |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '(' | ')' | '\\');
        let (text, span) = self.until(|c| stop(c) || needs_quotes(c));
        match self.peek() {
            Some(c) if !stop(c) && c != ')' => {
                let (_, end) = self.until(stop);
                let span = span.start..end.end;
                Err(error(TextError::Unquoted { text: Snippet::of(&self.text[span.clone()]) }, span))
            }
            _ => Ok(Value { text: Cow::Borrowed(text), span }),
        }
    }

    /// Consumes `"..."` with the escapes `\" \\ \n \t \u{..}`.
    fn quoted(&mut self) -> Result<Value<'a>, Error> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((i, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = start + i + 1;
                    return Ok(Value { text: Cow::Owned(text), span: start..self.at });
                }
                '\\' => {
                    let (escaped, length) = unescape(&self.text[start + i..]).map_err(|bad| {
                        error(TextError::Escape { text: Snippet::of(bad) }, start + i..start + i + bad.len())
                    })?;
                    text.push(escaped);
                    // All escapes but the backslash itself are skipped; they are as many characters as bytes.
                    if length > 1 {
                        chars.nth(length - 2);
                    }
                }
                c => text.push(c),
            }
        }
        Err(error(TextError::Unclosed { open: '"' }, start..self.text.len()))
    }
}

/// Reads an escape at the start of a text: the character and how many bytes it took, or the bad escape.
fn unescape(text: &str) -> Result<(char, usize), &str> {
    let bad = |length: usize| {
        let end = (length..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
        &text[..end]
    };
    match text.as_bytes().get(1) {
        Some(b'"') => Ok(('"', 2)),
        Some(b'\\') => Ok(('\\', 2)),
        Some(b'n') => Ok(('\n', 2)),
        Some(b't') => Ok(('\t', 2)),
        Some(b'u') => {
            let digits =
                text[2..].strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(digits, _)| digits);
            let Some(digits) = digits.filter(|digits| (1..=6).contains(&digits.len())) else {
                return Err(bad(3));
            };
            let all_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| all_hex);
            match code.and_then(char::from_u32) {
                Some(c) => Ok((c, digits.len() + 4)),
                None => Err(bad(if all_hex { digits.len() + 4 } else { 3 })),
            }
        }
        _ => Err(bad(2)),
    }
}

/// A value as a job line has it: without quotes if it reads back the same, else in quotes.
///
/// ```
/// use kron_core::text::quoted_value;
/// assert_eq!(quoted_value("prod/db"), "prod/db");
/// assert_eq!(quoted_value("say \"hello\"\n"), r#""say \"hello\"\n""#);
/// ```
pub fn quoted_value(value: &str) -> Cow<'_, str> {
    quoted(value, char::is_control)
}

/// The same in printable ASCII: all other characters are escaped.
///
/// ```
/// use kron_core::text::quoted_ascii_value;
/// assert_eq!(quoted_ascii_value("prod/db"), "prod/db");
/// assert_eq!(quoted_ascii_value("süd\u{2028}"), r#""s\u{fc}d\u{2028}""#);
/// ```
pub fn quoted_ascii_value(value: &str) -> Cow<'_, str> {
    quoted(value, |c| !matches!(c, ' '..='~'))
}

fn quoted(value: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    let special = |c: char| c.is_whitespace() || is_escaped(c) || ",()[]{};&=\"\\".contains(c);
    if !value.is_empty() && !value.contains(special) {
        return Cow::Borrowed(value);
    }
    let mut out = String::from("\"");
    for c in value.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if is_escaped(c) => out.push_str(&alloc::format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn quotes_round_trip() {
        for text in ["", "plain", "a b", "a,b", "\"\\\n\t\0\u{7f}\u{85}é\u{10ffff}", "x=y", "[a]", "\u{a0}"]
        {
            let written = quoted_value(text).into_owned();
            let mut scanner = Scanner::new(&written);
            assert_eq!(scanner.value(|c| c == ',').unwrap().text, text);
            assert_eq!(scanner.rest(), "");
        }
        assert_eq!(quoted_value("plain-1.5/x:y"), "plain-1.5/x:y");
        assert_eq!(quoted_value("a\u{1}b"), "\"a\\u{1}b\"");
    }

    #[test]
    fn err_quotes() {
        let p = |text: &str| Scanner::new(text).value(|c| c == ',').unwrap_err().located(text).to_string();
        assert_eq!(p("\"abc"), "text: `\"` at column 1 is never closed");
        let escapes = "is none of the escapes `\\\"`, `\\\\`, `\\n`, `\\t` and `\\u{...}`";
        assert_eq!(p("\"a\\x\""), format_args!("text: `\\x` at column 3 {escapes}").to_string());
        assert_eq!(p("\"\\u{d800}\""), format_args!("text: `\\u{{d800}}` at column 2 {escapes}").to_string());
        assert_eq!(p("\"\\u{}\""), format_args!("text: `\\u{{` at column 2 {escapes}").to_string());
        assert_eq!(p("\"\\é"), format_args!("text: `\\é` at column 2 {escapes}").to_string());
        assert_eq!(p("a b"), "text: `a b` at column 1 must be quoted; write it as `\"...\"`");
    }
}
