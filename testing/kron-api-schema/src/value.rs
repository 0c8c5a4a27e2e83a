//! JSON values as CEL sees them, by their schema: what the schema does not name is not there.

use std::collections::HashMap;
use std::sync::Arc;

use cel::objects::{Key, Map};
use serde_json::Value;

use crate::node::{Format, Node, Type};

/// Words that CEL keeps for itself; a field of such a name is written `__word__`.
const RESERVED: [&str; 22] = [
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
    "__proto__",
];

/// The value of a place of the schema.
pub(crate) fn to_cel(node: &Node, value: &Value) -> cel::Value {
    match value {
        Value::Null => cel::Value::Null,
        Value::Bool(value) => cel::Value::Bool(*value),
        Value::Number(number) if node.kind == Type::Integer => {
            let number = number.as_i64().or_else(|| number.as_f64().map(|number| number as i64));
            cel::Value::Int(number.unwrap_or_default())
        }
        Value::Number(number) => cel::Value::Float(number.as_f64().unwrap_or_default()),
        Value::String(text) => match node.format {
            Some(Format::DateTime) => match chrono::DateTime::parse_from_rfc3339(text) {
                Ok(time) => cel::Value::Timestamp(time),
                Err(_) => string(text),
            },
            _ => string(text),
        },
        Value::Array(items) => {
            let items = items.iter().filter_map(|item| Some(to_cel(node.items.as_deref()?, item)));
            cel::Value::List(Arc::new(items.collect()))
        }
        Value::Object(map) => {
            // The map of `cel`, in no order: a rule looks fields up, or asks about all or any of them.
            let mut fields: HashMap<Key, cel::Value> = HashMap::with_capacity(map.len());
            for (name, value) in map {
                if let Some(below) = node.properties.get(name) {
                    fields.insert(Key::from(escape(name)), to_cel(below, value));
                } else if let Some(below) = node.additional.as_deref() {
                    fields.insert(Key::from(name.as_str()), to_cel(below, value));
                }
            }
            if node.embedded {
                fields.extend(identity(map));
            }
            cel::Value::Map(Map { map: Arc::new(fields) })
        }
    }
}

/// What rules see of the head of an object: its version, kind, name and generated name.
fn identity(map: &serde_json::Map<String, Value>) -> Vec<(Key, cel::Value)> {
    let mut fields = Vec::new();
    for name in ["apiVersion", "kind"] {
        if let Some(text) = map.get(name).and_then(Value::as_str) {
            fields.push((Key::from(name), string(text)));
        }
    }
    let metadata = map.get("metadata");
    let names = ["name", "generateName"].into_iter().filter_map(|name| {
        let text = metadata?.get(name)?.as_str()?;
        Some((Key::from(name), string(text)))
    });
    fields.push((Key::from("metadata"), cel::Value::Map(Map { map: Arc::new(names.collect()) })));
    fields
}

fn string(text: &str) -> cel::Value {
    cel::Value::String(Arc::new(text.to_owned()))
}

/// The name of a field in an expression.
fn escape(name: &str) -> String {
    if RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    name.replace("__", "__underscores__")
        .replace('.', "__dot__")
        .replace('-', "__dash__")
        .replace('/', "__slash__")
}
