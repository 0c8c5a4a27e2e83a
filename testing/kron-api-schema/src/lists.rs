//! Lists that are sets or maps have no duplicates.

use serde_json::{Map, Value};

use crate::error::{ErrorKind, FieldError};
use crate::node::{ListType, Node, child};

/// Finds duplicate items in all lists of an object.
pub(crate) fn duplicates(node: &Node, value: &Value, path: &str, errors: &mut Vec<FieldError>) {
    match value {
        Value::Object(map) => {
            for (name, value) in map {
                if let Some(node) = node.properties.get(name).or(node.additional.as_deref()) {
                    duplicates(node, value, &child(path, name), errors);
                }
            }
        }
        Value::Array(items) => {
            let mut seen: Vec<Value> = Vec::with_capacity(items.len());
            for (i, item) in items.iter().enumerate() {
                let path = format!("{path}[{i}]");
                if let Some(key) = key(&node.list_type, item) {
                    if seen.contains(&key) {
                        errors.push(FieldError::new(ErrorKind::Duplicate, &path, Some(key.clone()), ""));
                    }
                    seen.push(key);
                }
                if let Some(node) = node.items.as_deref() {
                    duplicates(node, item, &path, errors);
                }
            }
        }
        _ => {}
    }
}

/// What distinguishes an item from the others.
fn key(list: &ListType, item: &Value) -> Option<Value> {
    match list {
        ListType::Atomic => None,
        ListType::Set => Some(item.clone()),
        ListType::Map(keys) => {
            let map = item.as_object()?;
            let found = keys.iter().filter_map(|key| Some((key.clone(), map.get(key)?.clone())));
            Some(Value::Object(found.collect::<Map<_, _>>()))
        }
    }
}
