//! Writing and removing fields in the text of an object, with their comments.

use std::ops::Range;

use kron_core::Finding;

use super::editor::Editor;
use crate::convert::yaml::{Edits, Entry, Node};
use crate::error::convert::cronjob as messages;

/// The comments of an entry that moves.
#[derive(Default)]
pub(crate) struct Comments<'a> {
    pub(crate) above: Vec<&'a str>,
    pub(crate) right: Option<&'a str>,
}

/// A field that is written into a spec.
pub(crate) struct Field<'a> {
    pub(crate) name: &'static str,
    pub(crate) value: Value<'a>,
}

pub(crate) enum Value<'a> {
    Text(String),
    Fields(Vec<(&'static str, String, Comments<'a>)>),
}

impl<'a> Editor<'a> {
    /// A text as a value of a map: in JSON it has quotes.
    pub(crate) fn quoted(&self, map: &Node, text: &str) -> String {
        let plain = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "_/.-+".contains(c));
        if map.is_flow() || text.contains(|c: char| c.is_control()) {
            // OK because a string is always JSON.
            serde_json::to_string(text).unwrap_or_default()
        } else if plain {
            text.to_string()
        } else {
            format!("'{}'", text.replace('\'', "''"))
        }
    }

    /// Removes a node: its lines, or its bytes.
    pub(crate) fn remove(&self, node: &Node, edits: &mut Edits) {
        edits.replace(self.range(node), "");
    }

    /// The bytes of an object, with the rest of its last line if it is a block.
    pub(crate) fn range(&self, object: &Node) -> Range<usize> {
        let end = if object.is_flow() { object.end } else { self.lines.range(self.lines.of(object.end)).end };
        object.start..end
    }

    /// Removes items from a list, of which at least one remains. `None` if their places are not clear.
    pub(crate) fn remove_items(&self, list: &Node, gone: &[&Node], edits: &mut Edits) -> Option<()> {
        let items = list.items()?;
        if gone.iter().any(|item| self.document.is_needed_elsewhere(item)) {
            return None;
        }
        let gone = |item: &Node| gone.iter().any(|node| std::ptr::eq(*node, item));
        if list.is_flow() {
            let last_kept = items.iter().rposition(|item| !gone(item))?;
            for pair in items[..=last_kept].windows(2).filter(|pair| gone(&pair[0])) {
                edits.replace(pair[0].start..pair[1].start, "");
            }
            if last_kept + 1 < items.len() {
                edits.replace(items[last_kept].end..items.last()?.end, "");
            }
            return Some(());
        }
        for item in items.iter().filter(|item| gone(item)) {
            let dash = self.text[..item.start].trim_end_matches(' ').strip_suffix('-')?.len();
            if !self.lines.is_first(dash) {
                return None;
            }
            edits.replace(
                self.lines.range(self.lines.of(dash)).start..self.lines.range(self.lines.of(item.end)).end,
                "",
            );
        }
        Some(())
    }

    /// The comments of an entry that is taken out. Those above it are taken out here; the one on its right goes with it.
    pub(crate) fn take_comments(&self, map: &'a Node, entry: &'a Entry, edits: &mut Edits) -> Comments<'a> {
        if map.is_flow() || !self.lines.is_first(entry.key.start) {
            return Comments::default();
        }
        let before = map.entries().iter().rev().find(|other| other.key.start < entry.key.start);
        let floor = before.map_or(0, |before| self.lines.of(before.value.end.max(before.key.end)) + 1);
        let line = self.lines.of(entry.key.start);
        let column = self.lines.column(entry.key.start);
        let is_comment = |line: usize| {
            let text = self.lines.text(line);
            let trimmed = text.trim_start_matches(' ');
            trimmed.starts_with('#') && text.len() - trimmed.len() == column
        };
        let first = (floor..line).rev().take_while(|line| is_comment(*line)).last().unwrap_or(line);
        if first < line {
            edits.replace(self.lines.range(first).start..self.lines.range(line).start, "");
        }
        let end = entry.value.end.max(entry.key.end);
        let last = self.lines.range(self.lines.of(end));
        // A value that is null may have no text, so the `:` of its key is left.
        let right = self.text.get(end..last.end).map(|text| text.trim().trim_start_matches([':', ' ']));
        let right = right.filter(|text| text.starts_with('#'));
        Comments { above: (first..line).map(|line| self.lines.text(line).trim()).collect(), right }
    }

    /// Writes fields after an entry of a map.
    pub(crate) fn insert(&self, map: &Node, after: &Entry, fields: &[Field<'_>], edits: &mut Edits) {
        let end = after.value.end.max(after.key.end);
        let line_break = self.lines.line_break();
        let indent = || " ".repeat(self.lines.column(after.key.start));
        if map.is_flow() {
            let separator = if self.lines.is_first(after.key.start) {
                format!(",{line_break}{}", indent())
            } else {
                ", ".to_string()
            };
            let text: String =
                fields.iter().map(|field| format!("{separator}{}", field.flow(self, map))).collect();
            edits.replace(end..end, text);
            return;
        }
        let (at, indent) = (self.lines.range(self.lines.of(end)).end, indent());
        let mut text = String::new();
        if !self.text[..at].ends_with('\n') {
            text.push_str(line_break);
        }
        for line in fields.iter().flat_map(|field| field.block(self, map)) {
            text = text + &indent + &line + line_break;
        }
        edits.replace(at..at, text);
    }

    pub(crate) fn remove_entries(
        &self,
        map: &Node,
        names: &[&str],
        edits: &mut Edits,
    ) -> Result<(), Finding> {
        let gone = |entry: &Entry| entry.name().is_some_and(|name| names.contains(&name));
        for entry in map.entries().iter().filter(|entry| gone(entry)) {
            self.changeable(entry.name().unwrap_or_default(), &entry.value)?;
        }
        edits.remove_entries(map, self.lines, gone);
        Ok(())
    }

    /// Removes the comments of entries that are removed. Those above the first entry are also those of the map.
    pub(crate) fn remove_comments(&self, map: &'a Node, names: &[&str], edits: &mut Edits) {
        let [first, rest @ ..] = map.entries() else { return };
        let gone = |entry: &Entry| entry.name().is_some_and(|name| names.contains(&name));
        // Behind a `- `, all up to the first entry that stays is removed.
        if gone(first) && !self.lines.is_first(first.key.start) {
            return;
        }
        for entry in rest.iter().filter(|entry| gone(entry)) {
            self.take_comments(map, entry, edits);
        }
    }

    /// Merge keys bring fields from elsewhere, which edits do not reach.
    pub(crate) fn writable(&self, name: &str, map: &Node) -> Result<(), Finding> {
        match entry(map, "<<") {
            None => Ok(()),
            Some(_) => Err(messages::merge_key(name)),
        }
    }

    pub(crate) fn changeable(&self, name: &str, node: &Node) -> Result<(), Finding> {
        if self.document.is_shared(node) {
            return Err(messages::repeated_by_alias(name));
        }
        Ok(())
    }
}

impl Field<'_> {
    fn block(&self, editor: &Editor<'_>, map: &Node) -> Vec<String> {
        match &self.value {
            Value::Text(text) => vec![format!("{}: {}", self.name, editor.quoted(map, text))],
            Value::Fields(fields) => {
                let mut lines = vec![format!("{}:", self.name)];
                for (name, text, comments) in fields {
                    lines.extend(comments.above.iter().map(|comment| format!("  {comment}")));
                    let right = comments.right.map_or(String::new(), |comment| format!("  {comment}"));
                    // Booleans and durations need no quotes in a block.
                    lines.push(format!("  {name}: {text}{right}"));
                }
                lines
            }
        }
    }

    fn flow(&self, editor: &Editor<'_>, map: &Node) -> String {
        match &self.value {
            Value::Text(text) => format!("\"{}\": {}", self.name, editor.quoted(map, text)),
            Value::Fields(fields) => {
                let fields: Vec<String> = fields
                    .iter()
                    .map(|(name, text, _)| {
                        let text = if *name == "suspend" { text.clone() } else { editor.quoted(map, text) };
                        format!("\"{name}\": {text}")
                    })
                    .collect();
                format!("\"{}\": {{{}}}", self.name, fields.join(", "))
            }
        }
    }
}

pub(crate) fn entry<'n>(map: &'n Node, key: &str) -> Option<&'n Entry> {
    map.entries().iter().find(|entry| entry.is(key))
}
