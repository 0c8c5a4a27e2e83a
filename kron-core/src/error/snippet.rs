//! Parts of messages: quoted text, its place, the nearest word and lists of words.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

/// Writes ` at column N` behind the quoted text, if there is a column.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub(super) Option<usize>);

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(column) => write!(f, " at column {column}"),
            None => Ok(()),
        }
    }
}

/// Untrusted text for a message: control characters are escaped, it is cut at 64 characters and put in backticks.
///
/// ```
/// use kron_core::error::Snippet;
/// assert_eq!(Snippet::of("a\tb").to_string(), "`a\\tb`");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snippet(Box<str>);

impl Snippet {
    const CHARS: usize = 64;

    /// A message of another crate about untrusted text, unchanged except for control characters.
    ///
    /// ```
    /// use kron_core::error::Snippet;
    /// assert_eq!(Snippet::text("expected `b`\n").as_str(), "expected `b`\\n");
    /// ```
    pub fn text(sentence: &str) -> Snippet {
        let mut clean = String::new();
        for c in sentence.chars().take(300) {
            if c.is_control() { clean.extend(c.escape_default()) } else { clean.push(c) }
        }
        Snippet(clean.into())
    }

    /// The escaped text, without backticks.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as a message quotes it.
    ///
    /// ```
    /// use kron_core::error::Snippet;
    /// assert_eq!(Snippet::of(&"x".repeat(100)).to_string().chars().count(), 64 + 3);
    /// ```
    #[cold]
    pub fn of(text: &str) -> Snippet {
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
///
/// ```
/// use kron_core::error::nearest;
/// assert_eq!(nearest("dists", ["tz", "win", "dist"]), Some("dist"));
/// assert_eq!(nearest("nonsense", ["tz", "win"]), None);
/// ```
pub fn nearest<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = text.to_lowercase();
    // A longer text is not a typing error. The time of the function below grows with the product of both lengths.
    if lower.len() > 64 {
        return None;
    }
    let mut row = Vec::new();
    words
        .into_iter()
        .filter_map(|word| {
            let known = word.to_lowercase();
            row.resize(known.chars().count() + 1, 0);
            let wrong = distance_within(lower.chars(), known.chars(), &mut row, word.len().max(3) / 3)?;
            Some((wrong, word))
        })
        .min_by_key(|(wrong, _)| *wrong)
        .map(|(_, word)| word)
}

/// Levenshtein's distance, if it is at most `most`: insertions, deletions and replacements of characters from `a` to `b`. `row` has
/// one number more than `b` has characters. The function allocates nothing, and stops where the distance is too large: a file
/// of unknown names calls it very often.
pub(crate) fn distance_within(
    a: impl Iterator<Item = char>,
    b: impl Iterator<Item = char> + Clone,
    row: &mut [usize],
    most: usize,
) -> Option<usize> {
    for (column, cell) in row.iter_mut().enumerate() {
        *cell = column;
    }
    for (i, ca) in a.enumerate() {
        let mut diagonal = core::mem::replace(&mut row[0], i + 1);
        let mut least = i + 1;
        for (j, cb) in b.clone().enumerate() {
            let replaced = diagonal + usize::from(ca != cb);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
            least = least.min(row[j + 1]);
        }
        if least > most {
            return None;
        }
    }
    row.last().copied().filter(|distance| *distance <= most)
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
    }

    #[test]
    fn distances_are_levenshteins() {
        let full = [
            ("kitten", "sitting", 3),
            ("", "abc", 3),
            ("abc", "", 3),
            ("zürich", "zurich", 1),
            ("europe/pariss", "europe/paris", 1),
            ("asia/kolkata", "utc", 11),
            ("x", "x", 0),
        ];
        for (a, b, full) in full {
            for most in 0..20 {
                let mut row = alloc::vec![7; b.chars().count() + 1];
                let found = distance_within(a.chars(), b.chars(), &mut row, most);
                assert_eq!(found, Some(full).filter(|full| *full <= most), "{a} {b} {most}");
            }
        }
    }
}
