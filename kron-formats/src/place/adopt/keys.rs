//! Schedules under the keys by which YAML, TOML and JSON files name them.

use std::ops::Range;

use super::judge::{self, Judged};
use super::site::{Found, LastLine, Site, SiteName, comment_above_value, said};
use super::value::Value;
use crate::convert::yaml::Lines;
use crate::error::place::LeftReason;
use crate::place::expression::{key, of_value};

/// The keys of a schedule.
const KEYS: [&str; 5] = ["schedule", "schedules", "cron", "crons", "cronSchedule"];

/// Whether a key is that of a schedule.
fn is_schedule(key: &str) -> bool {
    KEYS.contains(&key)
}

/// A text that a key of a schedule has.
pub(super) struct Entry<'v> {
    pub(super) value: &'v str,
    /// The first byte of it, quotes included.
    pub(super) start: usize,
    /// The bytes of its value, if it stands there as it is.
    pub(super) bytes: Option<Range<usize>>,
    /// The keys that lead to it.
    pub(super) path: String,
    /// The value of `timezone` in the same map.
    pub(super) zone: Option<&'v str>,
    /// Whether the same map has a duration or an end, so that a window begins then.
    opens_window: bool,
    /// Whether it is in a list on one line.
    is_one_line: bool,
}

impl Entry<'_> {
    /// Whether nothing starts by it: a window opens.
    pub(super) fn opens_window(&self) -> bool {
        self.opens_window
    }
}

/// Takes the texts of all keys of schedules in a value. `path` is its key path.
pub(super) fn walk<'v>(value: &'v Value<'_>, path: &str, lines: &Lines<'_>, take: &mut dyn FnMut(Entry<'v>)) {
    match value {
        Value::Map(entries) => {
            let has = |key: &str| entries.iter().any(|(name, _)| name == key);
            let opens_window = has("duration") || has("end");
            let zone = entries.iter().find_map(|(name, value)| match value {
                Value::Text { value, .. } if matches!(name.as_str(), "timezone" | "timeZone") => Some(*value),
                _ => None,
            });
            for (key, value) in entries {
                let path = below(path, key);
                if is_schedule(key) {
                    let texts = texts(value, &path, lines);
                    texts.into_iter().for_each(|text| take(Entry { zone, opens_window, ..text }));
                }
                walk(value, &path, lines, take);
            }
        }
        Value::List { items, .. } => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &below(path, &index.to_string()), lines, take);
            }
        }
        Value::Text { .. } | Value::Other => {}
    }
}

/// The texts of a key: its value, or the items of its list.
fn texts<'v>(value: &'v Value<'_>, path: &str, lines: &Lines<'_>) -> Vec<Entry<'v>> {
    let text = |value: &'v Value<'_>, path: String, bracket: Option<usize>| match value {
        Value::Text { value, start, bytes } => Some(Entry {
            value,
            start: *start,
            bytes: bytes.clone(),
            path,
            zone: None,
            opens_window: false,
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

/// Finds the schedules of a text.
pub(super) struct Keys<'t, 'f> {
    pub(super) text: &'t str,
    pub(super) lines: &'f Lines<'t>,
    /// What opens a comment.
    pub(super) mark: &'static str,
    /// Why the schedules that keys have are left alone.
    pub(super) refused: Option<LeftReason>,
    /// Whether it is a workflow of GitHub, whose schedules are read in their `timezone`, or in UTC without one.
    pub(super) is_workflow: bool,
    pub(super) last: LastLine,
    pub(super) found: &'f mut Found,
}

impl Keys<'_, '_> {
    /// Takes the schedules of a value. `path` is its key path.
    pub(super) fn take(&mut self, value: &Value<'_>, path: &str) {
        let lines = self.lines;
        walk(value, path, lines, &mut |entry| self.entry(entry));
    }

    fn entry(&mut self, entry: Entry<'_>) {
        let line = self.lines.of(entry.start);
        let refused = self
            .refused
            .or(entry.is_one_line.then_some(LeftReason::OneLineList))
            .or(entry.opens_window.then_some(LeftReason::OpensWindow));
        let reason = match judge::of_value(entry.value) {
            Judged::NoSchedule => return,
            Judged::Left(reason) => Err(reason),
            Judged::Plain => refused.map_or(Ok(()), Err),
        };
        let site = reason.and_then(|()| {
            let schedule = entry.bytes.ok_or(LeftReason::NotItsBytes)?;
            let insertion = comment_above_value(self.lines, &mut self.last, &schedule, self.mark)?;
            let zone = self.is_workflow.then(|| entry.zone.unwrap_or("UTC").to_string());
            Ok(Site { schedule, line: line + 1, name: SiteName::Key(entry.path), zone, insertion })
        });
        match site {
            Ok(site) => self.found.sites.push(site),
            Err(reason) => self.found.leave(line + 1, entry.value, reason),
        }
    }
}

fn below(path: &str, key: &str) -> String {
    let point = if path.is_empty() || path.ends_with('/') { "" } else { "." };
    format!("{path}{point}{key}")
}

/// Names the schedules of a text that cannot be read, by its lines.
pub(super) fn leave_lines(lines: &Lines<'_>, text: &str, reason: LeftReason, found: &mut Found) {
    for (index, line) in text.lines().enumerate() {
        let Some(name) = key(line).filter(|name| is_schedule(name)) else { continue };
        let value = line[line.find(name).map_or(0, |at| at + name.len())..]
            .trim_matches([':', '=', ' ', '\t', '"', '\'']);
        let is_template = judge::is_template(value);
        if is_template || of_value(line).is_ok() {
            let reason = if is_template { LeftReason::Template } else { reason };
            found.leave(index + 1, value, said(lines, index).unwrap_or(reason));
        }
    }
}
