//! Parts of messages: quoted text, its place, the nearest word and lists of words.

use alloc::{boxed::Box, string::String};
use core::fmt;

/// Writes ` at column N` behind the quoted text, if there is a column.
#[derive(Clone, Copy)]
pub(crate) struct Place(pub(super) Option<usize>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(column) => write!(f, " at column {column}"),
            None => Ok(()),
        }
    }
}

/// Untrusted text for a message: control characters are escaped, it is cut at 64 characters and put in backticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snippet(Box<str>);

impl Snippet {
    const CHARS: usize = 64;

    /// A message of another crate about untrusted text, unchanged except for control characters.
    pub(crate) fn text(sentence: &str) -> Snippet {
        let mut clean = String::new();
        for c in sentence.chars().take(300) {
            if c.is_control() { clean.extend(c.escape_default()) } else { clean.push(c) }
        }
        Snippet(clean.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    #[cold]
    pub(crate) fn of(text: &str) -> Snippet {
        let mut short = String::new();
        for (i, c) in text.chars().enumerate() {
            if i == Snippet::CHARS {
                short.push('…');
                break;
            }
            if c == '`' {
                short.extend(c.escape_unicode());
            } else if c.is_control() {
                short.extend(c.escape_default());
            } else {
                short.push(c);
            }
        }
        Snippet(short.into())
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0)
    }
}

/// The word of `words` nearest to `text`, if at most a third of its letters are wrong.
pub(crate) fn nearest<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = text.to_lowercase();
    // A longer text is no typing error. The time of the function below grows with the product of both lengths.
    if lower.len() > 64 {
        return None;
    }
    words
        .into_iter()
        .map(|word| (distance(&lower, &word.to_lowercase()), word))
        .filter(|(wrong, word)| *wrong <= word.len().max(3) / 3)
        .min_by_key(|(wrong, _)| *wrong)
        .map(|(_, word)| word)
}

/// Levenshtein's distance: insertions, deletions and replacements of characters from one to the other.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: alloc::vec::Vec<char> = b.chars().collect();
    let mut row: alloc::vec::Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        for (j, cb) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Words as a list for a message: `a`, `b` or `c`.
pub(crate) struct Alternatives<'a>(pub(crate) &'a [&'a str]);

impl fmt::Display for Alternatives<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, word) in self.0.iter().enumerate() {
            let glue = match i {
                0 => "",
                _ if i + 1 == self.0.len() => " or ",
                _ => ", ",
            };
            write!(f, "{glue}`{word}`")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn snippets_are_short_and_printable() {
        assert_eq!(Snippet::of("a\0b`c\n").to_string(), "`a\\u{0}b\\u{60}c\\n`");
        assert_eq!(Snippet::of(&"x".repeat(1000)).to_string().chars().count(), 64 + 3);
    }

    #[test]
    fn nearest_words() {
        assert_eq!(nearest("dists", ["tz", "win", "dist"]), Some("dist"));
        assert_eq!(nearest("EUROPE/PARIS", ["Europe/Paris", "Europe/Rome"]), Some("Europe/Paris"));
        assert_eq!(nearest("nonsense", ["tz", "win"]), None);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
