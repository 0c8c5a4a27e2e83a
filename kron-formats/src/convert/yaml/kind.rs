//! Kinds of objects of Kubernetes.

use super::tree::{Document, Node, read};

/// Whether a text in YAML or JSON seems to have an object of a kind, or a list of them. It is not read.
pub(crate) fn has_kind(text: &str, kind: &str) -> bool {
    text.match_indices(kind).any(|(at, _)| {
        let key = text[..at].trim_end_matches([' ', '"', '\'']).strip_suffix(':');
        key.is_some_and(|key| key.trim_end_matches(['"', '\'', ' ']).ends_with("kind"))
    })
}

/// Whether a text has an object of a kind, or may have one: it names the kind and cannot be read, as a template.
pub(crate) fn may_have_object(text: &str, kind: &str) -> bool {
    has_kind(text, kind) && (read(text).is_err() || has_object(text, kind))
}

/// Whether a text has an object of a kind, or a list of them. A text that cannot be read has none.
pub(crate) fn has_object(text: &str, kind: &str) -> bool {
    let is_kind = |document: &Document, object: &Node| {
        let found = object.get("kind").and_then(|kind| document.scalar(kind));
        found.is_some_and(|(found, _)| found.strip_suffix("List").unwrap_or(found) == kind)
    };
    read(text).unwrap_or_default().iter().any(|document| {
        let items = document.root.get("items").and_then(Node::items).unwrap_or_default();
        std::iter::once(&document.root).chain(items).any(|object| is_kind(document, object))
    })
}
