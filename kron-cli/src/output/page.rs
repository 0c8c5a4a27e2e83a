//! A page of paragraphs, each with its heading at the left.

use super::terminal::{width, wrapped};

/// The text of a page.
pub(crate) struct Page(String);

impl Page {
    /// The columns before the text.
    pub(crate) const INDENT: usize = 13;

    /// A page with a title.
    pub(crate) fn new(title: &str) -> Page {
        Page(format!("{title}\n"))
    }

    /// Begins a paragraph after an empty line.
    pub(crate) fn head(&mut self, heading: &str, line: &str) {
        self.0.push('\n');
        self.entry(heading, line);
    }

    /// Begins a paragraph.
    pub(crate) fn entry(&mut self, heading: &str, line: &str) {
        let entry = format!("{heading:<width$}{line}", width = Page::INDENT);
        self.0.push_str(entry.trim_end());
        self.0.push('\n');
    }

    /// Adds a line to the paragraph.
    pub(crate) fn line(&mut self, line: &str) {
        self.entry("", line);
    }

    pub(crate) fn into_text(self) -> String {
        self.0
    }
}

/// The text of a page for a terminal of so many columns: longer lines are broken between words, and go on further to the right.
pub(crate) fn fitted(text: &str, columns: usize) -> String {
    let fit = |line: &str| -> String {
        if width(line) <= columns {
            return format!("{line}\n");
        }
        let rest = line.trim_start_matches(' ');
        let lead = line.len() - rest.len();
        let further = if lead == 0 { Page::INDENT + 2 } else { 2 };
        let parts = wrapped(rest, columns.saturating_sub(lead), &" ".repeat(further));
        parts.iter().map(|part| format!("{}{}\n", " ".repeat(lead), part.trim_end())).collect()
    };
    text.lines().map(fit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::terminal::Ink;

    #[test]
    fn long_lines_go_on_further_to_the_right() {
        let mut page = Page::new("a title");
        page.head("Window", "three words and more");
        page.line("  first second third");
        let want = "a title\n\nWindow       three words\n               and more\n               first\n                 second\n                 third\n";
        assert_eq!(fitted(&page.into_text(), 24), want);
        // Colours have no columns.
        let row = format!("   {}  {}", Ink::After.paint(true, "####"), Ink::Chosen.paint(true, "^ start"));
        assert_eq!(fitted(&row, 24), format!("{row}\n"));
    }
}
