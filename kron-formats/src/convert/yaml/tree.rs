//! The tree of a YAML text.

use std::collections::{BTreeMap, BTreeSet};

use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle, options};
use kron_core::Finding;

use super::lines::Lines;
use crate::convert::finding::ConvertFinding;
use crate::error::convert::yaml as messages;

/// The most nodes of a text.
const NODES: usize = 4_000_000;
/// The most levels of a text.
const DEPTH: usize = 64;

/// A document: its root, and the scalars that aliases of it name.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) root: Node,
    anchored: BTreeMap<usize, (String, bool)>,
    /// The anchors that aliases name.
    named: Vec<usize>,
}

/// A node and its place. Anchors and tags lie before it.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    /// The first byte after it. A block collection begins and ends with its nodes.
    pub(crate) end: usize,
    anchor: usize,
}

#[derive(Debug)]
pub(crate) enum Kind {
    Scalar {
        value: String,
        /// Not quoted and no block: it may be a number, a boolean or null.
        plain: bool,
    },
    Alias(usize),
    List {
        flow: bool,
        items: Vec<Node>,
    },
    Map {
        flow: bool,
        entries: Vec<Entry>,
    },
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) key: Node,
    pub(crate) value: Node,
}

impl Entry {
    /// Whether its key is this text.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.name() == Some(name)
    }

    /// The text of its key.
    pub(crate) fn name(&self) -> Option<&str> {
        match &self.key.kind {
            Kind::Scalar { value, .. } => Some(value),
            _ => None,
        }
    }
}

impl Node {
    /// The entries of a map.
    pub(crate) fn entries(&self) -> &[Entry] {
        match &self.kind {
            Kind::Map { entries, .. } => entries,
            _ => &[],
        }
    }

    /// The items of a list.
    pub(crate) fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::List { items, .. } => Some(items),
            _ => None,
        }
    }

    /// The value of a key of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.is(key)).map(|entry| &entry.value)
    }

    /// The anchors in it, and how often its aliases name each anchor.
    fn names(&self, anchors: &mut BTreeSet<usize>, aliases: &mut BTreeMap<usize, usize>) {
        if self.anchor != 0 {
            anchors.insert(self.anchor);
        }
        match &self.kind {
            Kind::Scalar { .. } => {}
            Kind::Alias(anchor) => *aliases.entry(*anchor).or_default() += 1,
            Kind::List { items, .. } => items.iter().for_each(|item| item.names(anchors, aliases)),
            Kind::Map { entries, .. } => entries.iter().for_each(|entry| {
                entry.key.names(anchors, aliases);
                entry.value.names(anchors, aliases);
            }),
        }
    }

    /// The first key of a map that an earlier entry has, too. Merge keys may be repeated.
    fn repeated_key(&self) -> Option<&Entry> {
        let mut names = BTreeSet::new();
        let mut entries = self.entries().iter().filter(|entry| !entry.is("<<"));
        entries.find(|entry| entry.name().is_some_and(|name| !names.insert(name)))
    }

    pub(crate) fn is_map(&self) -> bool {
        matches!(self.kind, Kind::Map { .. })
    }

    /// Whether it is a list or map between brackets.
    pub(crate) fn is_flow(&self) -> bool {
        matches!(self.kind, Kind::List { flow: true, .. } | Kind::Map { flow: true, .. })
    }
}

impl Document {
    /// The text of a scalar, also by an alias, and whether it is plain.
    pub(crate) fn scalar<'d>(&'d self, node: &'d Node) -> Option<(&'d str, bool)> {
        match &node.kind {
            Kind::Scalar { value, plain } => Some((value, *plain)),
            Kind::Alias(anchor) => self.anchored.get(anchor).map(|(value, plain)| (value.as_str(), *plain)),
            _ => None,
        }
    }

    /// Whether a value is null.
    pub(crate) fn is_null(&self, node: &Node) -> bool {
        matches!(self.scalar(node), Some(("" | "~" | "null" | "Null" | "NULL", true)))
    }

    /// Whether the node has an alias whose anchor is elsewhere, so that it cannot be read by itself.
    pub(crate) fn needs_others(&self, node: &Node) -> bool {
        let (mut anchors, mut aliases) = (BTreeSet::new(), BTreeMap::new());
        node.names(&mut anchors, &mut aliases);
        aliases.keys().any(|alias| !anchors.contains(alias))
    }

    /// Whether an alias elsewhere names an anchor in this node, so that the node cannot be taken out.
    pub(crate) fn is_needed_elsewhere(&self, node: &Node) -> bool {
        let (mut anchors, mut aliases) = (BTreeSet::new(), BTreeMap::new());
        node.names(&mut anchors, &mut aliases);
        anchors.iter().any(|anchor| {
            let all = self.named.partition_point(|named| named <= anchor)
                - self.named.partition_point(|named| named < anchor);
            all > aliases.get(anchor).copied().unwrap_or_default()
        })
    }

    /// Whether an alias names the anchor of this node.
    pub(crate) fn is_named(&self, node: &Node) -> bool {
        node.anchor != 0 && self.named.binary_search(&node.anchor).is_ok()
    }

    /// Whether an alias names an anchor in this node, so that the node cannot be changed by itself.
    pub(crate) fn is_shared(&self, node: &Node) -> bool {
        let within = |nodes: &[Node]| nodes.iter().any(|node| self.is_shared(node));
        self.is_named(node)
            || match &node.kind {
                Kind::Scalar { .. } | Kind::Alias(_) => false,
                Kind::List { items, .. } => within(items),
                Kind::Map { entries, .. } => {
                    entries.iter().any(|entry| self.is_shared(&entry.key) || self.is_shared(&entry.value))
                }
            }
    }
}

/// A collection that is not complete yet.
struct Open {
    list: bool,
    flow: bool,
    start: usize,
    anchor: usize,
    nodes: Vec<Node>,
}

impl Open {
    fn close(self, end: usize) -> Node {
        let Open { list, flow, start, anchor, nodes } = self;
        let end = if flow { end } else { nodes.last().map_or(start, |node| node.end.max(start)) };
        let kind = if list {
            Kind::List { flow, items: nodes }
        } else {
            let mut entries = Vec::with_capacity(nodes.len() / 2);
            let mut nodes = nodes.into_iter();
            while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
                entries.push(Entry { key, value });
            }
            Kind::Map { flow, entries }
        };
        Node { kind, start, end, anchor }
    }
}

/// Why a text was not read, and its line, from 1.
#[derive(Debug)]
pub(crate) struct Broken {
    finding: Finding,
    line: Option<usize>,
}

impl Broken {
    /// The finding about a source.
    pub(crate) fn of_source(self, source: usize) -> Box<ConvertFinding> {
        Box::new(ConvertFinding::new(source, self.finding).at(self.line))
    }
}

/// Reads the documents of a text.
pub(crate) fn read(text: &str) -> Result<Vec<Document>, Broken> {
    let lines = Lines::new(text);
    let options = options! {
        emit_comments: false,
        flow_nesting_limit: DEPTH,
        block_nesting_limit: DEPTH,
    };
    let (mut documents, mut open): (Vec<Document>, Vec<Open>) = (Vec::new(), Vec::new());
    let (mut anchored, mut named, mut count) = (BTreeMap::new(), Vec::new(), 0);
    // Where the node before ends.
    let mut before = 0;
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| {
            let line = error.marker().line();
            let finding = messages::syntax(error.kind(), lines.text(line.saturating_sub(1)));
            Broken { finding, line: Some(line) }
        })?;
        let (start, end) = place(&span);
        count += 1;
        if count > NODES {
            return Err(Broken { finding: messages::too_many_nodes(NODES), line: None });
        }
        let node = match event {
            Event::Scalar(value, style, anchor, _) => {
                let plain = style == ScalarStyle::Plain;
                if anchor != 0 {
                    anchored.insert(anchor, (value.to_string(), plain));
                }
                let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                let (start, end) = if block {
                    (start_of_block(text, before, start), end_of_block(&lines, text, start, end))
                } else {
                    (start, end)
                };
                Some(Node { kind: Kind::Scalar { value: value.into_owned(), plain }, start, end, anchor })
            }
            Event::Alias(anchor) => {
                named.push(anchor);
                Some(Node { kind: Kind::Alias(anchor), start, end, anchor: 0 })
            }
            Event::SequenceStart(style, anchor, _) => {
                let flow = style == StructureStyle::Flow;
                open.push(Open { list: true, flow, start, anchor, nodes: Vec::new() });
                None
            }
            Event::MappingStart(style, anchor, _) => {
                let flow = style == StructureStyle::Flow;
                open.push(Open { list: false, flow, start, anchor, nodes: Vec::new() });
                None
            }
            Event::SequenceEnd | Event::MappingEnd => open.pop().map(|open| open.close(end)),
            _ => None,
        };
        before = node.as_ref().map_or(start, |node| node.end);
        let Some(node) = node else { continue };
        if let Some(entry) = node.repeated_key() {
            let finding = messages::repeated_key(entry.name().unwrap_or_default());
            return Err(Broken { finding, line: Some(lines.of(entry.key.start) + 1) });
        }
        match open.last_mut() {
            Some(parent) => {
                if parent.nodes.is_empty() && !parent.flow {
                    parent.start = node.start;
                }
                parent.nodes.push(node);
            }
            None => {
                let mut named = std::mem::take(&mut named);
                named.sort_unstable();
                documents.push(Document { root: node, anchored: std::mem::take(&mut anchored), named });
            }
        }
    }
    Ok(documents)
}

fn place(span: &Span) -> (usize, usize) {
    // OK because a parser of a string knows the bytes.
    (span.start.byte_offset().unwrap_or_default(), span.end.byte_offset().unwrap_or_default())
}

/// The `|` or `>` of a block scalar, whose content starts at a place.
fn start_of_block(text: &str, before: usize, content: usize) -> usize {
    let between = text.get(before..content).unwrap_or_default();
    let header = between
        .match_indices(['|', '>'])
        .map(|(at, _)| at)
        .find(|at| between[..*at].is_empty() || between[..*at].ends_with([' ', '\t', '\n', ':']));
    header.map_or(content, |at| before + at)
}

/// The end of the last line of a block scalar that is not blank. The parser may have read on to the next key.
fn end_of_block(lines: &Lines<'_>, text: &str, start: usize, end: usize) -> usize {
    let first = lines.of(start);
    let mut last = lines.of(end.min(text.len()));
    if last > first && lines.range(last).start + lines.text(last).len() > end {
        // The parser stopped within this line, before its content.
        last -= 1;
    }
    while last > first && lines.text(last).trim().is_empty() {
        last -= 1;
    }
    lines.range(last).start + lines.text(last).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of the value of a top-level key.
    fn value<'t>(text: &'t str, key: &str) -> &'t str {
        let documents = read(text).unwrap();
        let node = documents[0].root.get(key).unwrap();
        &text[node.start..node.end]
    }

    #[test]
    fn ok_places() {
        let text = "a: x # c\nb: 'q r'\nc: {d: [1, 2]}\ne:\n- f: 1\n  g: 2\n\n# end\nh: |\n  one\n   two\n\n\n# not in it\ni: >-\n  x\nj:\nk: a\n  b\n";
        assert_eq!(value(text, "a"), "x");
        assert_eq!(value(text, "b"), "'q r'");
        assert_eq!(value(text, "c"), "{d: [1, 2]}");
        assert_eq!(value(text, "e"), "f: 1\n  g: 2");
        assert_eq!(value(text, "h"), "|\n  one\n   two");
        assert_eq!(value(text, "i"), ">-\n  x");
        assert_eq!(value(text, "j"), "");
        assert_eq!(value(text, "k"), "a\n  b");
        let windows = text.replace('\n', "\r\n");
        assert_eq!(value(&windows, "h"), "|\r\n  one\r\n   two");
        assert_eq!(value(&windows, "e"), "f: 1\r\n  g: 2");
        assert_eq!(value("h: |\n  one\n   # two", "h"), "|\n  one\n   # two");
        assert_eq!(value("é: ü\nh: |2+\n   one\n  two\n\nz: 1", "h"), "|2+\n   one\n  two");
    }

    #[test]
    fn ok_shared_nodes() {
        let documents = read("a: &x 1\nb: &y 2\nc: [*y]\n---\nd: &y 1").unwrap();
        let shared = |document: usize, key| {
            let document: &Document = &documents[document];
            document.is_shared(document.root.get(key).unwrap())
        };
        assert_eq!(
            (shared(0, "a"), shared(0, "b"), shared(0, "c"), shared(1, "d")),
            (false, true, false, false)
        );
    }

    #[test]
    fn err_texts() {
        assert_eq!(read("a: [").unwrap_err().line, Some(1));
        assert!(read(&"[".repeat(100_000)).is_err());
        assert!(read("a: *b").is_err());
    }
}
