//! Columns aligned by display width.

use std::io::{self, Write};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr};

/// A wider cell overflows its column, so that it does not widen all rows.
const WIDEST: usize = 48;

/// The columns of a table: their widths are known before the first row, so that rows can be written as they come.
#[derive(Debug)]
pub(crate) struct Table<const N: usize> {
    widths: [usize; N],
}

impl<const N: usize> Table<N> {
    /// A table whose columns are at least as wide as their headings.
    pub(crate) fn new(headings: [&str; N]) -> Table<N> {
        Table { widths: headings.map(UnicodeWidthStr::width) }
    }

    /// Makes room for a cell.
    pub(crate) fn fit(mut self, column: usize, cell: &str) -> Table<N> {
        self.widths[column] = self.widths[column].max(cell.width().min(WIDEST));
        self
    }

    /// The columns of a row. One without a heading and cells has none.
    pub(crate) fn width(&self) -> usize {
        let widths = self.widths.iter().filter(|width| **width > 0);
        widths.map(|width| width + 2).sum::<usize>().saturating_sub(2)
    }

    /// Writes one row.
    pub(crate) fn row(&self, out: &mut dyn Write, cells: [&str; N]) -> io::Result<()> {
        writeln!(out, "{}", self.line(cells))
    }

    /// One row, without blanks at its end.
    pub(crate) fn line(&self, cells: [&str; N]) -> String {
        let mut line = String::new();
        for (cell, width) in cells.iter().zip(self.widths) {
            line.push_str(cell);
            // Two blanks separate the columns.
            line.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.width()) + 2));
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// A text in at most so many columns. What does not fit is left out of its middle: names of jobs differ at their ends.
pub(crate) fn shortened(text: &str, columns: usize, unicode: bool) -> String {
    if text.width() <= columns {
        return text.to_string();
    }
    let dots = if unicode { "\u{2026}" } else { "..." };
    let room = columns.saturating_sub(dots.width());
    let within = |columns: usize| {
        let mut taken = 0;
        move |c: &char| {
            taken += c.width().unwrap_or(0);
            taken <= columns
        }
    };
    let begin: String = text.chars().take_while(within(room / 2)).collect();
    let end: Vec<char> = text.chars().rev().take_while(within(room - room / 2)).collect();
    begin + dots + &end.iter().rev().collect::<String>()
}

/// A text for a terminal: characters that move the cursor or change the writing direction are escaped.
pub(crate) fn printable(text: &str) -> String {
    let odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut clean = String::with_capacity(text.len());
    for c in text.chars() {
        if odd(c) { clean.extend(c.escape_default()) } else { clean.push(c) }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_characters_take_two_columns() {
        let table = Table::new(["A", "B"]).fit(0, "日本");
        let mut out = Vec::new();
        table.row(&mut out, ["A", "B"]).unwrap();
        table.row(&mut out, ["日本", "x"]).unwrap();
        table.row(&mut out, ["é", ""]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "A     B\n日本  x\né\n");
    }

    #[test]
    fn an_empty_column_has_no_width() {
        assert_eq!(Table::new(["A", "BC", ""]).width(), 5);
        assert_eq!(Table::new(["A", "BC", ""]).fit(0, "abc").fit(2, "x").width(), 10);
        assert_eq!(Table::new([""]).width(), 0);
    }

    #[test]
    fn long_texts_lose_their_middle() {
        let p = |columns, unicode| shortened("prod/database/backup-7", columns, unicode);
        assert_eq!([p(22, true), p(40, false)], ["prod/database/backup-7"; 2]);
        assert_eq!([p(12, true), p(12, false)], ["prod/\u{2026}ckup-7", "prod...kup-7"]);
        assert_eq!(shortened("日本日本日本", 8, true), "日\u{2026}日本");
        assert_eq!(shortened("abc", 0, true), "\u{2026}");
    }

    #[test]
    fn odd_characters_are_escaped() {
        assert_eq!(printable("a\u{202e}b\u{1b}[31m"), "a\\u{202e}b\\u{1b}[31m");
    }
}
