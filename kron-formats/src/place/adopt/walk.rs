//! The texts of YAML, TOML and JSON files, and what their keys say about them.

use std::ops::Range;

use super::value::Value;
use crate::convert::yaml::Lines;

/// The keys of a schedule.
const KEYS: [&str; 5] = ["schedule", "schedules", "cron", "crons", "cronSchedule"];

/// Whether a key is that of a schedule, or one of these.
pub(super) fn is_schedule(key: &str, more: &[String]) -> bool {
    KEYS.contains(&key) || more.iter().any(|one| one == key)
}

/// What the keys above a text say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It has a key of schedules.
    Schedule,
    /// It has another key, which speaks of a schedule, or has a sibling that does.
    LikeSchedule,
    /// It has any other key.
    Other,
    /// It is the value of a JSON patch.
    JsonPatch,
}

/// A text of a file.
pub(super) struct Entry<'v> {
    pub(super) value: &'v str,
    /// The first byte of it, quotes included.
    pub(super) start: usize,
    /// The bytes of its value, if it stands there as it is.
    pub(super) bytes: Option<Range<usize>>,
    /// The keys that lead to it, and the last of them that is no number.
    pub(super) path: String,
    pub(super) key: &'v str,
    /// The value of `timezone` in the same map.
    pub(super) zone: Option<&'v str>,
    /// Whether the same map has a duration or an end, so that nothing starts by it: a window opens.
    pub(super) opens_window: bool,
    pub(super) role: Role,
    /// Whether it is in a list on one line.
    pub(super) is_one_line: bool,
}

/// Takes the texts of a value. `path` is its key path, `more` are further keys of schedules.
pub(super) fn walk<'v>(
    value: &'v Value<'_>,
    path: &str,
    lines: &Lines<'_>,
    more: &[String],
    take: &mut dyn FnMut(Entry<'v>),
) {
    match value {
        Value::Map(entries) => {
            let has = |key: &str| entries.iter().any(|(name, _)| name == key);
            let text = |keys: [&str; 2]| {
                entries.iter().find_map(|(name, value)| match value {
                    Value::Text { value, .. } if keys.contains(&name.as_str()) => Some(*value),
                    _ => None,
                })
            };
            let opens_window = has("duration") || has("end");
            let zone = text(["timezone", "timeZone"]);
            let named = text(["name", "path"]);
            let is_patch = has("op") && has("path");
            for (key, value) in entries {
                let path = below(path, key);
                let role = match key.as_str() {
                    key if is_schedule(key, more) => Role::Schedule,
                    "value" if is_patch => Role::JsonPatch,
                    "value" if named.is_some_and(speaks_of_schedules) => Role::LikeSchedule,
                    key if speaks_of_schedules(key) => Role::LikeSchedule,
                    _ => Role::Other,
                };
                let texts = texts(value, &path, lines);
                texts.into_iter().for_each(|text| take(Entry { key, zone, opens_window, role, ..text }));
                walk(value, &path, lines, more, take);
            }
        }
        Value::List { items, .. } => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &below(path, &index.to_string()), lines, more, take);
            }
        }
        Value::Text { .. } | Value::Other => {}
    }
}

/// Whether a name has one of the words.
fn speaks_of_schedules(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["schedule", "cron"].iter().any(|word| name.contains(word))
}

/// The texts of a key: its value, or the items of its list.
fn texts<'v>(value: &'v Value<'_>, path: &str, lines: &Lines<'_>) -> Vec<Entry<'v>> {
    let text = |value: &'v Value<'_>, path: String, bracket: Option<usize>| match value {
        Value::Text { value, start, bytes } => Some(Entry {
            value,
            start: *start,
            bytes: bytes.clone(),
            path,
            key: "",
            zone: None,
            opens_window: false,
            role: Role::Other,
            is_one_line: bracket.is_some_and(|at| lines.of(at) == lines.of(*start)),
        }),
        _ => None,
    };
    match value {
        Value::List { bracket, items } => {
            let items = items.iter().enumerate();
            items.filter_map(|(index, item)| text(item, below(path, &index.to_string()), *bracket)).collect()
        }
        value => text(value, path.to_string(), None).into_iter().collect(),
    }
}

fn below(path: &str, key: &str) -> String {
    let point = if path.is_empty() || path.ends_with('/') { "" } else { "." };
    format!("{path}{point}{key}")
}
