//! YAML as a tree of nodes with their places in the text, and edits of the text by these places.

mod boolean;
pub(crate) mod edit;
mod kind;
mod lines;
mod tree;

pub(crate) use boolean::boolean;
pub(crate) use edit::Edits;
pub(crate) use kind::{has_kind, has_object, may_have_object};
pub(crate) use lines::Lines;
pub(crate) use tree::{Document, Entry, Kind, Node, read};
