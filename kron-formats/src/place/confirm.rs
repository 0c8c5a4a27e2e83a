//! The second reading: a text that was changed has exactly the intended change.

use std::collections::BTreeSet;

use jsonc_parser::ast;
use serde_json::Value;
use toml_edit::{Item, TableLike};

use super::PlacedSchedule;
use super::json;
use super::objects::ANNOTATION;
use super::source::{Kind, Mode, Source, Syntax};

/// Whether a changed text, read again in its own syntax, differs from its source in the schedules alone.
///
/// A source that is not in the syntax that its path names, such as a template, has no second reader.
pub(super) fn is_confirmed(
    source: &Source<'_>,
    text: &str,
    schedules: &[PlacedSchedule],
    mode: Mode,
) -> bool {
    match (readings(source, source.text), readings(source, text)) {
        (Some(old), Some(new)) => differ_in(old, new, schedules, mode),
        (None, _) => true,
        (Some(_), None) => false,
    }
}

/// Whether a text, read again in its own syntax, differs from its source in declarations alone. A crontab has no other reader.
pub(super) fn has_more_declarations(source: &Source<'_>, text: &str) -> bool {
    if source.kind() == Kind::Crontab {
        return true;
    }
    match (readings(source, source.text), readings(source, text)) {
        (Some(old), Some(new)) => differ_in(old, new, &[], Mode::Undo),
        _ => false,
    }
}

/// The values of a text, as a second library reads it.
fn readings(source: &Source<'_>, text: &str) -> Option<Vec<Value>> {
    match source.syntax()? {
        Syntax::Yaml => yaml(text),
        Syntax::Json => json(text),
        Syntax::Toml => toml_edit::Document::parse(text).ok().map(|document| vec![toml(document.as_item())]),
    }
}

/// YAML of any size that a file may have; parts that aliases repeat have the limits of the library.
fn yaml(text: &str) -> Option<Vec<Value>> {
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_events: 3 * text.len().max(1000),
            max_nodes: 2 * text.len().max(1000),
            max_documents: text.len().max(1000),
        },
        // `.nan` and `.inf` are read as their texts.
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::AsString,
    };
    serde_saphyr::from_multiple_with_options(text, options).ok()
}

/// JSON; with comments only if it is not read without them.
fn json(text: &str) -> Option<Vec<Value>> {
    let value = serde_json::from_str(text).ok().or_else(|| {
        let parsed = json::parse(text)?;
        parsed.root.as_ref().map(with_comments)
    });
    value.map(|value| vec![value])
}

fn with_comments(value: &ast::Value<'_>) -> Value {
    match value {
        ast::Value::StringLit(text) => Value::String(text.value.to_string()),
        ast::Value::NumberLit(number) => Value::String(format!("number {}", number.value)),
        ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(array) => Value::Array(array.elements.iter().map(with_comments).collect()),
        ast::Value::Object(object) => {
            let entries = object.properties.iter();
            Value::Object(
                entries.map(|entry| (entry.name.as_str().to_string(), with_comments(&entry.value))).collect(),
            )
        }
    }
}

fn toml(item: &Item) -> Value {
    let table = |table: &dyn TableLike| {
        Value::Object(table.iter().map(|(key, item)| (key.to_string(), toml(item))).collect())
    };
    match item {
        Item::None => Value::Null,
        Item::Table(it) => table(it),
        Item::ArrayOfTables(tables) => Value::Array(tables.iter().map(|it| table(it)).collect()),
        Item::Value(toml_edit::Value::String(text)) => Value::String(text.value().clone()),
        Item::Value(toml_edit::Value::Array(items)) => {
            Value::Array(items.iter().map(|value| toml(&Item::Value(value.clone()))).collect())
        }
        Item::Value(toml_edit::Value::InlineTable(it)) => table(it),
        Item::Value(toml_edit::Value::Integer(number)) => Value::from(*number.value()),
        Item::Value(toml_edit::Value::Float(number)) => Value::String(number.value().to_string()),
        Item::Value(toml_edit::Value::Boolean(value)) => Value::Bool(*value.value()),
        Item::Value(toml_edit::Value::Datetime(time)) => Value::String(time.value().to_string()),
    }
}

/// Whether two readings differ in texts that are schedules, and in nothing else. Declarations that are taken away do not count.
fn differ_in(mut old: Vec<Value>, mut new: Vec<Value>, schedules: &[PlacedSchedule], mode: Mode) -> bool {
    if mode == Mode::Undo {
        old.iter_mut().chain(&mut new).for_each(without_annotation);
    }
    let seeds = schedules.iter().map(|it| (&*it.old_declaration, &*it.declaration));
    let seeds = seeds.filter(|(old, new)| old != new);
    let changes: Changes<'_> = schedules.iter().map(|it| (&*it.present, &*it.placed)).chain(seeds).collect();
    old.len() == new.len() && old.iter().zip(&new).all(|(old, new)| same(old, new, &changes))
}

/// Schedules, and what is written in their places, each pair once.
type Changes<'a> = BTreeSet<(&'a str, &'a str)>;

/// Takes our annotation out of all objects in a value, and annotations that it leaves empty.
fn without_annotation(value: &mut Value) {
    match value {
        Value::Object(map) => {
            let annotations = map.get_mut("annotations").and_then(Value::as_object_mut);
            if annotations.is_some_and(|all| all.remove(ANNOTATION).is_some() && all.is_empty()) {
                map.remove("annotations");
            }
            map.values_mut().for_each(without_annotation);
        }
        Value::Array(items) => items.iter_mut().for_each(without_annotation),
        _ => {}
    }
}

fn same(old: &Value, new: &Value, changes: &Changes<'_>) -> bool {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let pairs = old.iter().zip(new);
            old.len() == new.len()
                && pairs
                    .into_iter()
                    .all(|((name, old), (other, new))| name == other && same(old, new, changes))
        }
        (Value::Array(old), Value::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| same(old, new, changes))
        }
        (Value::String(old), Value::String(new)) if old != new => {
            // A schedule can be a part of a text, such as that of a block scalar, in which a comment goes, too.
            let is_part = |(present, placed): &(&str, &str)| old.contains(present) && new.contains(placed);
            changes.contains(&(&**old, &**new)) || changes.iter().any(is_part)
        }
        _ => old == new,
    }
}
