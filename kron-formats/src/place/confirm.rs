//! The second reading: a text that was changed has exactly the intended change.

use std::collections::BTreeSet;

use serde_json::Value;

use super::PlacedSchedule;
use super::objects::ANNOTATION;
use super::source::{Mode, Source};

/// Whether a changed text, read again in its own syntax, differs from its source in the schedules alone.
///
/// A source that is not in the syntax that its path names, such as a template, has no second reader.
pub(super) fn is_confirmed(
    source: &Source<'_>,
    text: &str,
    schedules: &[PlacedSchedule],
    mode: Mode,
) -> bool {
    let (old, new) = match source.path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "yaml" | "yml" => (yaml(source.text), yaml(text)),
        "json" => (json(source.text), json(text)),
        _ => return true,
    };
    match (old, new) {
        (Some(old), Some(new)) => differ_in(old, new, schedules, mode),
        (None, _) => true,
        (Some(_), None) => false,
    }
}

fn json(text: &str) -> Option<Vec<Value>> {
    serde_json::from_str(text).ok().map(|value| vec![value])
}

fn yaml(text: &str) -> Option<Vec<Value>> {
    serde_saphyr::from_multiple(text).ok()
}

/// Whether two readings differ in texts that are schedules, and in nothing else. Declarations that are taken away do not count.
fn differ_in(mut old: Vec<Value>, mut new: Vec<Value>, schedules: &[PlacedSchedule], mode: Mode) -> bool {
    if mode == Mode::Undo {
        old.iter_mut().chain(&mut new).for_each(without_annotation);
    }
    let changes: Changes<'_> = schedules.iter().map(|it| (&*it.present, &*it.placed)).collect();
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
