//! Comments that begin with `kron:`.

use crate::convert::can_be_field;

/// What opens a comment of one line, in the languages that are read.
const MARKS: [&str; 4] = ["//", "--", "#", ";"];

/// A comment of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Comment<'a> {
    /// The first byte of its mark in the line.
    pub(super) start: usize,
    /// Whether nothing but blanks stands before it.
    pub(super) own_line: bool,
    /// What follows `kron:`.
    pub(super) says: Says<'a>,
}

/// What a comment says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says<'a> {
    Declaration(&'a str),
    /// The schedule stays as it is.
    Keep,
    /// A sentence, and whether it looks as if a declaration were meant.
    Prose {
        almost: bool,
    },
}

/// The comment of a line without its end, if it has one.
pub(super) fn comment(line: &str) -> Option<Comment<'_>> {
    let mut from = 0;
    while let Some(at) = line[from..].find("kron:") {
        let at = from + at;
        let before = line[..at].trim_end_matches([' ', '\t']);
        if let Some(mark) = MARKS.iter().find(|mark| before.ends_with(**mark)) {
            let start = before.len() - mark.len();
            let own_line = line[..start].trim_matches([' ', '\t']).is_empty();
            let text = line[at + "kron:".len()..].trim_matches([' ', '\t', '\r']);
            return Some(Comment { start, own_line, says: says(text) });
        }
        from = at + "kron:".len();
    }
    None
}

fn says(text: &str) -> Says<'_> {
    if begins_with_schedule(text) {
        return Says::Declaration(text);
    }
    if text.split([' ', '\t']).next() == Some("keep") {
        return Says::Keep;
    }
    // `0 0 * * @win(after,1h)` has a field too few.
    Says::Prose { almost: text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '*' | '@')) }
}

/// Whether a text begins with a macro or with five words that could be fields of cron.
pub(super) fn begins_with_schedule(text: &str) -> bool {
    let mut words = words(text);
    match words.next() {
        Some(word) if word.starts_with('@') => kron_core::Cron::parse(word).is_ok(),
        Some(word) => can_be_field(word) && words.take(4).filter(|word| can_be_field(word)).count() == 4,
        None => false,
    }
}

/// The words between blanks.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_of_several_languages() {
        let declared = |line| match comment(line) {
            Some(Comment { says: Says::Declaration(text), start, own_line }) => Some((start, own_line, text)),
            _ => None,
        };
        let text = "0 0 * * * @win(after,2h) name=a";
        assert_eq!(declared("# kron: 0 0 * * * @win(after,2h) name=a"), Some((0, true, text)));
        assert_eq!(declared("\t //kron:0 0 * * * @win(after,2h) name=a \r"), Some((2, true, text)));
        assert_eq!(declared("; kron: @daily name=a"), Some((0, true, "@daily name=a")));
        assert_eq!(declared("x = '0 0 * * *', -- kron: @daily name=a"), Some((17, false, "@daily name=a")));
        assert_eq!(declared("k: 0 0 * jan sun # kron: 0 0 * jan sun name=a").map(|found| found.0), Some(17));
        assert_eq!(comment("the word kron: 0 0 * * *"), None);
        assert_eq!(comment("http://kron:8080").map(|found| found.says), Some(Says::Prose { almost: true }));
        assert_eq!(comment("# kron: keep").map(|found| found.says), Some(Says::Keep));
        assert_eq!(
            comment("# kron: we run it at night").map(|found| found.says),
            Some(Says::Prose { almost: false })
        );
        assert_eq!(
            comment("# kron: 0 0 * * @win(after,1h)").map(|found| found.says),
            Some(Says::Prose { almost: true })
        );
        // The parser says what is wrong with it.
        assert_eq!(declared("# kron: 61 0 * * * name=a"), Some((0, true, "61 0 * * * name=a")));
    }
}
