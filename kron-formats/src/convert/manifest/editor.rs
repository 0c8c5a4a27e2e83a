//! A document whose text is edited.

use crate::convert::finding::ConvertFinding;
use crate::convert::options::Options;
use crate::convert::yaml::{Document, Lines, Node, read};
use crate::error::convert::source as messages;

/// The documents of a text that can be edited.
pub(crate) fn documents(source: usize, text: &str) -> Result<Vec<Document>, Box<ConvertFinding>> {
    if text.replace("\r\n", "\n").contains('\r') {
        return Err(Box::new(ConvertFinding::new(source, messages::carriage_returns())));
    }
    read(text).map_err(|broken| broken.of_source(source))
}

/// A document of a source, whose text is edited.
pub(crate) struct Editor<'a> {
    pub(crate) text: &'a str,
    pub(crate) lines: &'a Lines<'a>,
    pub(crate) document: &'a Document,
    pub(crate) options: &'a Options,
    pub(crate) source: usize,
}

impl<'a> Editor<'a> {
    /// The list of the document, if it is one, and its objects.
    pub(crate) fn objects(&self) -> (Option<&'a Node>, Vec<&'a Node>) {
        let root = &self.document.root;
        let list = root
            .get("items")
            .filter(|_| self.text_of(root, "kind").is_some_and(|kind| kind.ends_with("List")));
        let objects = list.and_then(Node::items).map_or_else(|| vec![root], |items| items.iter().collect());
        (list, objects)
    }

    pub(crate) fn text_of(&self, map: &'a Node, key: &str) -> Option<&'a str> {
        self.document.scalar(map.get(key)?).map(|(text, _)| text)
    }

    pub(crate) fn name(&self, object: &'a Node) -> Option<String> {
        let metadata = object.get("metadata")?;
        let name = self.text_of(metadata, "name").or_else(|| self.text_of(metadata, "generateName"))?;
        let namespace = self.text_of(metadata, "namespace").or(self.options.namespace.as_deref());
        Some(namespace.map_or(name.to_string(), |namespace| format!("{namespace}/{name}")))
    }
}
