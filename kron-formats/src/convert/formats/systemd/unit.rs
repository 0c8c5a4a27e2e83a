//! Unit files: sections, keys and values.

/// A unit file.
#[derive(Debug)]
pub(crate) struct Unit<'t> {
    /// Section, key, value and line, from 1.
    entries: Vec<(&'t str, &'t str, String, usize)>,
    sections: Vec<&'t str>,
}

impl<'t> Unit<'t> {
    pub(crate) fn read(text: &'t str) -> Unit<'t> {
        let mut unit = Unit { entries: Vec::new(), sections: Vec::new() };
        let mut section = "";
        let mut lines = text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
                unit.sections.push(name);
                continue;
            }
            let Some((key, first)) = trimmed.split_once('=') else { continue };
            let mut value = first.trim().to_string();
            // A backslash at the end of a line joins the next one, comments in between are skipped.
            while value.ends_with('\\') {
                value.pop();
                value.push(' ');
                let next =
                    lines.by_ref().map(|(_, line)| line.trim()).find(|line| !line.starts_with(['#', ';']));
                let Some(next) = next else { break };
                value.push_str(next);
            }
            unit.entries.push((section, key.trim(), value.trim().to_string(), index + 1));
        }
        unit
    }

    /// Whether it has a section.
    pub(crate) fn has(&self, section: &str) -> bool {
        self.sections.contains(&section)
    }

    /// The keys of a section, with values and lines.
    pub(crate) fn entries<'u>(
        &'u self,
        section: &'u str,
    ) -> impl Iterator<Item = (&'t str, &'u str, usize)> + 'u {
        let entries = self.entries.iter().filter(move |(found, ..)| *found == section);
        entries.map(|(_, key, value, line)| (*key, value.as_str(), *line))
    }

    /// The last value of a key and its line; an empty value takes it back.
    pub(crate) fn last(&self, section: &str, key: &str) -> Option<(&str, usize)> {
        self.list(section, key).pop()
    }

    /// The values of a key that may repeat; an empty value takes back those before it.
    pub(crate) fn list(&self, section: &str, key: &str) -> Vec<(&str, usize)> {
        let mut values = Vec::new();
        for (found, known, value, line) in &self.entries {
            if *found != section || *known != key {
                continue;
            }
            if value.is_empty() {
                values.clear();
            } else {
                values.push((value.as_str(), *line));
            }
        }
        values
    }
}

/// Whether a value is a boolean that is set.
pub(crate) fn is_true(value: &str) -> bool {
    ["1", "yes", "y", "true", "t", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
}
