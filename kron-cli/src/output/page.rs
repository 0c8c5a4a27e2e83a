//! A page of paragraphs, each with its heading at the left.

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
