//! Which old value belongs to a new one, and whether errors of what did not change are forgiven.

use serde_json::Value;

use crate::node::{ListType, Node};

/// The old value of a place, if there is one to compare with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correlation<'o> {
    old: Option<&'o Value>,
    /// Whether something around this place is as it was: then so is this.
    unchanged: bool,
}

impl<'o> Correlation<'o> {
    /// Of a whole object; on creation there is no old one.
    pub(crate) fn of(old: Option<&'o Value>) -> Correlation<'o> {
        Correlation { old, unchanged: false }
    }

    /// The old value.
    pub(crate) fn old(self) -> Option<&'o Value> {
        self.old
    }

    /// Whether the value is what it was.
    pub(crate) fn is(self, value: &Value) -> bool {
        self.unchanged || self.old == Some(value)
    }

    /// This place, known to be as it was or not.
    pub(crate) fn seen(self, value: &Value) -> Correlation<'o> {
        Correlation { unchanged: self.is(value), ..self }
    }

    /// The place of a field.
    pub(crate) fn field(self, node: &Node, name: &str) -> Correlation<'o> {
        let old = if node.atomic_map { None } else { self.old.and_then(|old| old.get(name)) };
        Correlation { old, ..self }
    }

    /// The place of an item: only lists that are maps know which old item belongs to a new one.
    pub(crate) fn item(self, node: &Node, item: &Value) -> Correlation<'o> {
        let old = match &node.list_type {
            ListType::Map(keys) => self.old.and_then(Value::as_array).and_then(|items| {
                items.iter().find(|old| keys.iter().all(|key| old.get(key) == item.get(key)))
            }),
            ListType::Atomic | ListType::Set => None,
        };
        Correlation { old, ..self }
    }
}
