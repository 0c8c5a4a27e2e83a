//! Edits of a text, each of which replaces a range of bytes.

use std::ops::Range;

use super::lines::Lines;
use super::tree::{Entry, Node};

/// Edits of one text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces a range. Insertions at one place keep their order, and come before what is deleted from there on.
    pub(crate) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.0.push((range, text.into()));
    }

    pub(crate) fn append(&mut self, mut other: Edits) {
        self.0.append(&mut other.0);
    }

    /// The edited part of a text; `None` if two edits overlap, or one crosses the end of the part.
    pub(crate) fn apply(&self, text: &str, part: Range<usize>) -> Option<String> {
        let mut edits: Vec<&(Range<usize>, String)> = self.0.iter().collect();
        edits.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut out, mut at) = (String::new(), part.start);
        for (range, replacement) in edits {
            if range.start < at || range.end > part.end {
                return None;
            }
            out.push_str(text.get(at..range.start)?);
            out.push_str(replacement);
            at = range.end;
        }
        out.push_str(text.get(at..part.end)?);
        Some(out)
    }

    /// Removes entries from a map, of which at least one must remain. The lines of a block map are removed as a whole,
    /// with their comments.
    pub(crate) fn remove_entries(&mut self, map: &Node, lines: &Lines<'_>, gone: impl Fn(&Entry) -> bool) {
        let entries = map.entries();
        if map.is_flow() {
            let last_kept = entries.iter().rposition(|entry| !gone(entry));
            for (index, entry) in entries.iter().enumerate().filter(|(_, entry)| gone(entry)) {
                match (entries.get(index + 1), last_kept) {
                    (Some(next), Some(kept)) if index < kept => {
                        self.replace(entry.key.start..next.key.start, "");
                    }
                    _ => {}
                }
            }
            if let (Some(kept), Some(last)) = (last_kept, entries.last())
                && kept + 1 < entries.len()
            {
                self.replace(entries[kept].value.end..last.value.end, "");
            }
            return;
        }
        let mut moves_up = false;
        for (index, entry) in entries.iter().enumerate() {
            let first = index == 0 && !lines.is_first(entry.key.start);
            if !gone(entry) {
                moves_up = false;
            } else if first || moves_up {
                // The next key takes its place behind a `- `.
                moves_up = true;
                if let Some(next) = entries.get(index + 1) {
                    self.replace(entry.key.start..next.key.start, "");
                }
            } else {
                self.replace(lines_of(entry, lines), "");
            }
        }
    }
}

/// The lines of an entry of a block map.
fn lines_of(entry: &Entry, lines: &Lines<'_>) -> Range<usize> {
    let end = lines.of(entry.value.end.max(entry.key.end));
    lines.range(lines.of(entry.key.start)).start..lines.range(end).end
}

#[cfg(test)]
mod tests {
    use super::super::tree::read;
    use super::*;

    fn without(text: &str, keys: &[&str]) -> String {
        let documents = read(text).unwrap();
        let root = &documents[0].root;
        let map = root.items().map_or(root, |items| &items[0]);
        let mut edits = Edits::default();
        edits.remove_entries(map, &Lines::new(text), |entry| {
            entry.name().is_some_and(|name| keys.contains(&name))
        });
        edits.apply(text, 0..text.len()).unwrap()
    }

    #[test]
    fn ok_entries_of_block_maps() {
        let text =
            "a: 1 # one\n# about b\nb:\n- 1\n- 2\n# about c\nc: |\n  x\n\n# about d\nd: {x: [\n  1]}\n";
        assert_eq!(without(text, &["b"]), text.replace("b:\n- 1\n- 2\n", ""));
        assert_eq!(without(text, &["c"]), text.replace("c: |\n  x\n", ""));
        assert_eq!(
            without(text, &["d", "a"]),
            text.replace("d: {x: [\n  1]}\n", "").replace("a: 1 # one\n", "")
        );
        assert_eq!(without("- a: 1\n  b: 2\n  c: 3\n- d", &["a", "b"]), "- c: 3\n- d");
        assert_eq!(without("- a: 1\n  b: 2", &["b"]), "- a: 1\n");
    }

    #[test]
    fn ok_entries_of_flow_maps() {
        let text = r#"{"a": 1, "b": [2], "c": 3}"#;
        assert_eq!(without(text, &["a"]), r#"{"b": [2], "c": 3}"#);
        assert_eq!(without(text, &["b"]), r#"{"a": 1, "c": 3}"#);
        assert_eq!(without(text, &["c"]), r#"{"a": 1, "b": [2]}"#);
        assert_eq!(without(text, &["b", "c"]), r#"{"a": 1}"#);
        assert_eq!(without(text, &["a", "c"]), r#"{"b": [2]}"#);
        assert_eq!(without("{\n  \"a\": 1,\n  \"b\": 2\n}\n", &["b"]), "{\n  \"a\": 1\n}\n");
    }

    #[test]
    fn err_overlaps() {
        let mut edits = Edits::default();
        edits.replace(1..3, "x");
        assert_eq!(edits.apply("abcd", 0..4).as_deref(), Some("axd"));
        assert_eq!(edits.apply("abcd", 0..2), None);
        edits.replace(2..4, "y");
        assert_eq!(edits.apply("abcd", 0..4), None);
    }
}
