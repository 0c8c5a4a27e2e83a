//! Unknown fields, nulls and defaults: what a server does to an object before it looks at its values.

use serde_json::{Map, Value};

use crate::node::{Node, child};

/// Fields that every object has; they are not those of its schema.
const META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// Takes out the fields that the schema does not name, and collects their paths.
pub(crate) fn prune(node: &Node, value: &mut Value, path: &str, pruned: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let keeps = node.preserve;
            let embedded = node.embedded;
            map.retain(|name, value| {
                if embedded && META.contains(&name.as_str()) {
                    return true;
                }
                let path = child(path, name);
                match node.properties.get(name).or(node.additional.as_deref()) {
                    Some(node) => prune(node, value, &path, pruned),
                    None if keeps => {}
                    None => {
                        pruned.push(path);
                        return false;
                    }
                }
                true
            });
        }
        Value::Array(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                if let Some(node) = node.items.as_deref() {
                    prune(node, item, &format!("{path}[{i}]"), pruned);
                }
            }
        }
        _ => {}
    }
}

/// Puts defaults where nothing is, or a null that may not be; takes out all other nulls that may not be, but for those in
/// lists, which stay and are refused.
pub(crate) fn default(node: &Node, value: &mut Value) {
    match value {
        Value::Object(map) => {
            for (name, property) in &node.properties {
                let Some(default) = &property.default else { continue };
                let missing = map.get(name).is_none_or(|value| value.is_null() && !property.nullable);
                if missing {
                    map.insert(name.clone(), default.clone());
                }
            }
            drop_nulls(node, map);
            for (name, value) in map.iter_mut() {
                if let Some(node) = node.properties.get(name).or(node.additional.as_deref()) {
                    default(node, value);
                }
            }
        }
        Value::Array(items) => {
            let Some(node) = node.items.as_deref() else { return };
            for item in items {
                if let (Some(default), true) = (&node.default, item.is_null() && !node.nullable) {
                    *item = default.clone();
                }
                default(node, item);
            }
        }
        _ => {}
    }
}

fn drop_nulls(node: &Node, map: &mut Map<String, Value>) {
    map.retain(|name, value| {
        let node = node.properties.get(name).or(node.additional.as_deref());
        !(value.is_null() && node.is_some_and(|node| !node.nullable))
    });
}
