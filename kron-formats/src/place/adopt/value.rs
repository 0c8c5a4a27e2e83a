//! Values of YAML, TOML and JSON alike, as far as schedules are found in them.

use std::ops::Range;

use jsonc_parser::ast;
use toml_edit::{Item, TableLike};

use crate::convert::yaml::{Document, Kind, Node};
use crate::place::objects::bytes_of_value;

/// A value of a file.
pub(super) enum Value<'t> {
    Text {
        value: &'t str,
        /// The first byte of it, quotes included.
        start: usize,
        /// The bytes of its value, if it stands there as it is.
        bytes: Option<Range<usize>>,
    },
    List {
        /// The opening bracket, if it has one.
        bracket: Option<usize>,
        items: Vec<Value<'t>>,
    },
    Map(Vec<(String, Value<'t>)>),
    Other,
}

/// The value of a node of YAML. `skip` says which nodes are read elsewhere.
pub(super) fn of_yaml<'t>(
    text: &'t str,
    document: &'t Document,
    node: &'t Node,
    skip: &impl Fn(&Node) -> bool,
) -> Value<'t> {
    Yaml { text, document, skip }.value(node, false, false)
}

struct Yaml<'t, 'a, S> {
    text: &'t str,
    document: &'t Document,
    skip: &'a S,
}

impl<'t, S: Fn(&Node) -> bool> Yaml<'t, '_, S> {
    /// `shared`: an alias names what holds the node. `flow`: it is between brackets.
    fn value(&self, node: &'t Node, shared: bool, flow: bool) -> Value<'t> {
        if (self.skip)(node) {
            return Value::Other;
        }
        let shared = shared || self.document.is_named(node);
        match &node.kind {
            Kind::Scalar { value, plain } => {
                let bytes = bytes_of_value(self.text, self.document, node);
                let bytes = bytes.filter(|_| !(shared || *plain && flow));
                Value::Text { value, start: node.start, bytes }
            }
            Kind::Alias(_) => match self.document.scalar(node) {
                Some((value, _)) => Value::Text { value, start: node.start, bytes: None },
                None => Value::Other,
            },
            Kind::List { flow, items } => Value::List {
                bracket: flow.then_some(node.start),
                items: items.iter().map(|item| self.value(item, shared, *flow)).collect(),
            },
            // A template that is YAML by chance.
            Kind::Map { flow: true, .. } if self.text[node.start..].starts_with("{{") => {
                let end =
                    self.text[node.start..].find(['\n', '\r']).map_or(self.text.len(), |at| node.start + at);
                Value::Text { value: self.text[node.start..end].trim_end(), start: node.start, bytes: None }
            }
            Kind::Map { flow, entries } => {
                let entries = entries.iter().filter_map(|entry| {
                    Some((entry.name()?.to_string(), self.value(&entry.value, shared, *flow)))
                });
                Value::Map(entries.collect())
            }
        }
    }
}

/// The value of an item of TOML.
pub(super) fn of_toml<'t>(text: &str, item: &'t Item) -> Value<'t> {
    if let Some(table) = item.as_table_like() {
        return of_table(text, table);
    }
    if let Some(tables) = item.as_array_of_tables() {
        let items = tables.iter().map(|table| of_table(text, table)).collect();
        return Value::List { bracket: None, items };
    }
    item.as_value().map_or(Value::Other, |value| of_toml_value(text, value))
}

fn of_table<'t>(text: &str, table: &'t dyn TableLike) -> Value<'t> {
    Value::Map(table.iter().map(|(key, item)| (key.to_string(), of_toml(text, item))).collect())
}

fn of_toml_value<'t>(text: &str, value: &'t toml_edit::Value) -> Value<'t> {
    match value {
        toml_edit::Value::String(string) => {
            let span = value.span().unwrap_or_default();
            Value::Text {
                value: string.value(),
                start: span.start,
                bytes: quoted(text, span, string.value()),
            }
        }
        toml_edit::Value::Array(items) => {
            let bracket = value.span().map(|span| span.start);
            Value::List { bracket, items: items.iter().map(|item| of_toml_value(text, item)).collect() }
        }
        toml_edit::Value::InlineTable(table) => {
            Value::Map(table.iter().map(|(key, item)| (key.to_string(), of_toml_value(text, item))).collect())
        }
        _ => Value::Other,
    }
}

/// The value of a node of JSON with comments.
pub(super) fn of_json<'t>(text: &str, node: &'t ast::Value<'_>) -> Value<'t> {
    match node {
        ast::Value::StringLit(string) => {
            let span = string.range.start..string.range.end;
            Value::Text { value: &string.value, start: span.start, bytes: quoted(text, span, &string.value) }
        }
        ast::Value::Array(array) => {
            let bracket = Some(array.range.start);
            Value::List { bracket, items: array.elements.iter().map(|item| of_json(text, item)).collect() }
        }
        ast::Value::Object(object) => {
            let entries = object.properties.iter();
            Value::Map(
                entries.map(|entry| (entry.name.as_str().to_string(), of_json(text, &entry.value))).collect(),
            )
        }
        _ => Value::Other,
    }
}

/// The bytes between the quotes of a string, if they are its value.
fn quoted(text: &str, span: Range<usize>, value: &str) -> Option<Range<usize>> {
    let inner = span.start + 1..span.end.checked_sub(1)?;
    (text.get(inner.clone()) == Some(value)).then_some(inner)
}
