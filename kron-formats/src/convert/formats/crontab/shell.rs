//! The simple commands of a line for a shell.

use std::ops::Range;

/// A simple command: its words, without assignments and redirections, and its place.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Simple {
    /// The words, without their quotes.
    pub(super) words: Vec<String>,
    /// The bytes of the command, without what separates it from others.
    pub(super) place: Range<usize>,
    /// What stands between it and the one before it; empty for the first.
    pub(super) separator: String,
}

/// The simple commands of a text, in order. Commands in brackets and braces are separate, those in `$(...)` are words.
pub(super) fn simple_commands(text: &str) -> Vec<Simple> {
    let mut reader = Reader { text, at: 0 };
    let mut commands = Vec::new();
    let mut separator = String::new();
    while reader.at < text.len() {
        let start = reader.at;
        let (mut words, mut end) = (Vec::new(), start);
        while let Some(c) = reader.peek() {
            match c {
                ' ' | '\t' => reader.at += 1,
                '>' | '<' => {
                    reader.redirection();
                    end = reader.at;
                }
                '&' if text[reader.at..].starts_with("&>") => {
                    reader.redirection();
                    end = reader.at;
                }
                _ if is_separator(c) => break,
                // A comment, up to the end of the line.
                '#' => {
                    let rest = &text[reader.at..];
                    reader.at += rest.find('\n').unwrap_or(rest.len());
                }
                _ => {
                    let from = reader.at;
                    let word = reader.word();
                    // The number before a redirection belongs to it.
                    let is_descriptor = reader.peek().is_some_and(|c| c == '>' || c == '<')
                        && text[from..reader.at].bytes().all(|byte| byte.is_ascii_digit());
                    if !is_descriptor {
                        words.push(word);
                    }
                    end = reader.at;
                }
            }
        }
        let first = text[start..].len() - text[start..].trim_start_matches([' ', '\t']).len() + start;
        if !words.is_empty() {
            let separator = std::mem::take(&mut separator);
            commands.push(Simple { words, place: first.min(end)..end, separator });
        }
        while let Some(c) = reader.peek().filter(|c| is_separator(*c) || *c == ' ' || *c == '\t') {
            if !matches!(c, ' ' | '\t') {
                separator.push(c);
            }
            reader.at += c.len_utf8();
        }
    }
    commands
}

fn is_separator(c: char) -> bool {
    ";&|()\n".contains(c)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn redirection(&mut self) {
        while self.peek().is_some_and(|c| "<>&".contains(c)) {
            self.at += 1;
        }
        while self.peek().is_some_and(|c| c == ' ' || c == '\t') {
            self.at += 1;
        }
        self.word();
    }

    /// A word up to a blank, a separator or a redirection, without its quotes.
    fn word(&mut self) -> String {
        let mut word = String::new();
        let mut quote = None;
        while let Some(c) = self.peek() {
            let rest = &self.text[self.at..];
            match (quote, c) {
                // The values of an array.
                (None, '(') if word.ends_with('=') => {
                    let length = substitution(&format!("${rest}"), false) - 1;
                    word.push_str(&rest[..length]);
                    self.at += length;
                    continue;
                }
                (None, c) if c == ' ' || c == '\t' || c == '<' || c == '>' || is_separator(c) => break,
                (Some('\''), '\'') | (Some('"'), '"') => quote = None,
                (None, '\'' | '"') => quote = Some(c),
                (None | Some('"'), '\\') => {
                    self.at += 1;
                    let Some(next) = self.peek() else { break };
                    word.push(next);
                    self.at += next.len_utf8();
                    continue;
                }
                (None | Some('"'), '$') if ["$(", "$[", "${"].iter().any(|open| rest.starts_with(open)) => {
                    let length = substitution(rest, quote.is_some());
                    word.push_str(&rest[..length]);
                    self.at += length;
                    continue;
                }
                (None | Some('"'), '`') => {
                    let length = backquoted(rest);
                    word.push_str(&rest[..length]);
                    self.at += length;
                    continue;
                }
                (_, c) => word.push(c),
            }
            self.at += c.len_utf8();
        }
        word
    }
}

/// The length of a command in backquotes at the beginning of a text.
fn backquoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '`' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a `$(...)`, `$[...]` or `${...}` at the beginning of a text, which can stand in double quotes. Brackets in quotes do not
/// end it.
fn substitution(text: &str, is_quoted: bool) -> usize {
    let (open, close) = match text.as_bytes().get(1) {
        Some(b'(') => ('(', ')'),
        Some(b'[') => ('[', ']'),
        _ => ('{', '}'),
    };
    let (mut depth, mut quote, mut is_escaped) = (0, None, false);
    for (at, c) in text.char_indices() {
        if is_escaped {
            is_escaped = false;
            continue;
        }
        match (quote, c) {
            (None | Some('"'), '\\') => is_escaped = true,
            (Some(end), c) if end == c => quote = None,
            (Some(_), _) => {}
            (None, '"') => quote = Some(c),
            // In double quotes, that of `${a:-it's}` is a letter.
            (None, '\'') if open != '{' || !is_quoted => quote = Some(c),
            (None, c) if c == open => depth += 1,
            (None, c) if c == close => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ok_commands() {
        let words = |text: &str| {
            let commands = simple_commands(text).into_iter();
            commands.map(|command| (command.separator, command.words.join("|"))).collect::<Vec<_>>()
        };
        let all = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(separator, words)| (separator.to_string(), words.to_string()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            words("[ -x /a ] && b 'c d' > /dev/null 2>&1"),
            all(&[("", "[|-x|/a|]"), ("&&", "b|c d")])
        );
        assert_eq!(words("sleep $((RANDOM % 9)); x"), all(&[("", "sleep|$((RANDOM % 9))"), (";", "x")]));
        assert_eq!(words("(a \"b;c\" `d e`) || f\\ g &> h"), all(&[("(", "a|b;c|`d e`"), (")||", "f g")]));
        assert_eq!(words("  "), all(&[]));
        assert_eq!(words("x=`a \\`b c\\` d` $Y # e; f"), all(&[("", "x=`a \\`b c\\` d`|$Y")]));
        assert_eq!(words("x=${Y:-'a } b c'} $Z"), all(&[("", "x=${Y:-'a } b c'}|$Z")]));
        assert_eq!(words("A=(b c) d#e \"${a:-it's}\" f"), all(&[("", "A=(b c)|d#e|${a:-it's}|f")]));
        let text = "a && sleep 1 ; b";
        let places: Vec<&str> =
            simple_commands(text).into_iter().map(|command| &text[command.place]).collect();
        assert_eq!(places, ["a", "sleep 1", "b"]);
    }
}
