//! Kinds of objects of Kubernetes, found without reading the text.

/// Whether a text in YAML or JSON has an object of a kind, or a list of them.
pub(crate) fn has_kind(text: &str, kind: &str) -> bool {
    text.match_indices(kind).any(|(at, _)| {
        let key = text[..at].trim_end_matches([' ', '"', '\'']).strip_suffix(':');
        key.is_some_and(|key| key.trim_end_matches(['"', '\'', ' ']).ends_with("kind"))
    })
}
