//! Schedules under the keys by which YAML, TOML and JSON files name them.

use std::ops::Range;

use super::judge::{self, Judged};
use super::site::{Found, Site, SiteName, comment_above_value, said};
use super::value::Value;
use crate::convert::yaml::Lines;
use crate::error::place::LeftReason;
use crate::place::expression::{key, of_value};

/// The keys of a schedule.
const KEYS: [&str; 5] = ["schedule", "schedules", "cron", "crons", "cronSchedule"];

/// Whether a key is that of a schedule.
pub(super) fn is_schedule(key: &str) -> bool {
    KEYS.contains(&key)
}

/// Finds the schedules of a text.
pub(super) struct Keys<'t, 'f> {
    pub(super) text: &'t str,
    pub(super) lines: &'f Lines<'t>,
    /// What opens a comment.
    pub(super) mark: &'static str,
    /// Why the schedules that keys have are left alone.
    pub(super) refused: Option<LeftReason>,
    /// Whether it is a workflow of GitHub, where `timezone` stands beside `cron`, and UTC holds without it.
    pub(super) is_workflow: bool,
    pub(super) found: &'f mut Found,
}

impl Keys<'_, '_> {
    /// Takes the schedules of a value. `path` is its key path.
    pub(super) fn take(&mut self, value: &Value<'_>, path: &str) {
        match value {
            Value::Map(entries) => {
                let has = |key: &str| entries.iter().any(|(name, _)| name == key);
                let opens_window = has("duration") || has("end");
                let zone = entries.iter().find_map(|(name, value)| match value {
                    Value::Text { value, .. } if name == "timezone" => Some(*value),
                    _ => None,
                });
                let zone = self.is_workflow.then_some(zone.unwrap_or("UTC"));
                for (key, value) in entries {
                    let path = below(path, key);
                    if is_schedule(key) {
                        self.schedule(value, &path, opens_window, zone);
                    }
                    self.take(value, &path);
                }
            }
            Value::List { items, .. } => {
                for (index, item) in items.iter().enumerate() {
                    self.take(item, &below(path, &index.to_string()));
                }
            }
            Value::Text { .. } | Value::Other => {}
        }
    }

    /// The value of a key of a schedule.
    fn schedule(&mut self, value: &Value<'_>, path: &str, opens_window: bool, zone: Option<&str>) {
        match value {
            Value::Text { value, start, bytes } => {
                let refused = opens_window.then_some(LeftReason::OpensWindow);
                self.text_of(value, (*start, bytes.clone()), path, refused, zone);
            }
            Value::List { bracket, items } => {
                for (index, item) in items.iter().enumerate() {
                    if let Value::Text { value, start, bytes } = item {
                        let path = below(path, &index.to_string());
                        let is_one_line =
                            bracket.is_some_and(|at| self.lines.of(at) == self.lines.of(*start));
                        let list = is_one_line.then_some(LeftReason::OneLineList);
                        let refused = list.or(opens_window.then_some(LeftReason::OpensWindow));
                        self.text_of(value, (*start, bytes.clone()), &path, refused, zone);
                    }
                }
            }
            Value::Map(_) | Value::Other => {}
        }
    }

    fn text_of(
        &mut self,
        value: &str,
        (start, bytes): (usize, Option<Range<usize>>),
        path: &str,
        refused: Option<LeftReason>,
        zone: Option<&str>,
    ) {
        let line = self.lines.of(start);
        let reason = match judge::of_value(value) {
            Judged::NoSchedule => return,
            Judged::Left(reason) => Err(reason),
            Judged::Plain => self.refused.or(refused).map_or(Ok(()), Err),
        };
        let site = reason.and_then(|()| {
            let schedule = bytes.ok_or(LeftReason::NotItsBytes)?;
            let insertion = comment_above_value(self.lines, &schedule, self.mark)?;
            let zone = zone.map(str::to_string);
            Ok(Site { schedule, line: line + 1, name: SiteName::Key(path.to_string()), zone, insertion })
        });
        match site {
            Ok(site) => self.found.sites.push(site),
            Err(reason) => self.found.leave(line + 1, value, reason),
        }
    }
}

pub(super) fn below(path: &str, key: &str) -> String {
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
