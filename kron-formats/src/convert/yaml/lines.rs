//! The lines of a text.

use std::ops::Range;

/// Where the lines of a text begin.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t str) -> Lines<'t> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Lines { text, starts: std::iter::once(0).chain(breaks).collect() }
    }

    /// The line of an offset, from 0.
    pub(crate) fn of(&self, offset: usize) -> usize {
        // OK because the first line starts at 0.
        self.starts.partition_point(|start| *start <= offset) - 1
    }

    /// The bytes of a line with its line break; those of the end of the text after the last line.
    pub(crate) fn range(&self, line: usize) -> Range<usize> {
        let start = |line: usize| self.starts.get(line).copied().unwrap_or(self.text.len());
        start(line)..start(line + 1)
    }

    /// A line without its line break; empty after the last line.
    pub(crate) fn text(&self, line: usize) -> &'t str {
        self.text[self.range(line)].trim_end_matches(['\n', '\r'])
    }

    /// Whether an offset is the first on its line, apart from blanks.
    pub(crate) fn is_first(&self, offset: usize) -> bool {
        let start = self.range(self.of(offset)).start;
        self.text[start..offset].chars().all(|c| c == ' ')
    }

    /// How far an offset is from the start of its line, in characters.
    pub(crate) fn column(&self, offset: usize) -> usize {
        let start = self.range(self.of(offset)).start;
        self.text[start..offset].chars().count()
    }

    /// The line break of the text: that of its first line.
    pub(crate) fn line_break(&self) -> &'static str {
        if self.text[self.range(0)].ends_with("\r\n") { "\r\n" } else { "\n" }
    }
}
