//! Schedules under the keys by which YAML, TOML and JSON files name them.

use super::inner;
use super::judge::{self, Judged};
use super::site::{Found, LastLine, Site, SiteName, comment_above_value, said};
use super::value::Value;
use super::walk::{Entry, Role, is_schedule, walk};
use crate::convert::yaml::Lines;
use crate::error::place::LeftReason;
use crate::place::expression::{key, of_value};

/// Finds the schedules of a text.
pub(super) struct Keys<'t, 'f> {
    pub(super) text: &'t str,
    pub(super) lines: &'f Lines<'t>,
    /// What opens a comment.
    pub(super) mark: &'static str,
    /// Further keys of schedules.
    pub(super) keys: &'f [String],
    /// Why the schedules that keys have are left alone.
    pub(super) refused: Option<LeftReason>,
    /// Whether all schedules open windows.
    pub(super) opens_windows: bool,
    /// Whether it is a workflow of GitHub, whose schedules are read in their `timezone`, or in UTC without one.
    pub(super) is_workflow: bool,
    pub(super) last: LastLine,
    pub(super) found: &'f mut Found,
}

impl Keys<'_, '_> {
    /// Takes the schedules of a value. `path` is its key path.
    pub(super) fn take(&mut self, value: &Value<'_>, path: &str) {
        let (lines, keys) = (self.lines, self.keys);
        walk(value, path, lines, keys, &mut |entry| match entry.role {
            Role::Schedule if !inner::is_inner(entry.value) => self.entry(entry),
            _ => self.other(&entry),
        });
    }

    fn entry(&mut self, entry: Entry<'_>) {
        let line = self.lines.of(entry.start);
        let opens_window = entry.opens_window || self.opens_windows;
        let refused = self
            .refused
            .or(entry.is_one_line.then_some(LeftReason::OneLineList))
            .or(opens_window.then_some(LeftReason::OpensWindow));
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

    /// Names a text that has no key of schedules and is one, and the schedules in a text of several lines.
    fn other(&mut self, entry: &Entry<'_>) {
        // What is in an object that other keys belong to is not the schedule of anything.
        if matches!(self.refused, Some(LeftReason::KronJob | LeftReason::NotLive)) {
            return;
        }
        let line = self.lines.of(entry.start);
        if inner::is_inner(entry.value) {
            let text = Lines::new(entry.value);
            for found in inner::schedules(entry.value, self.keys) {
                let line = inner::line(self.lines, line, &text, found.line);
                let reason = self.last.said(self.lines, line).unwrap_or(found.reason);
                self.found.leave(line + 1, &found.text, reason);
            }
            return;
        }
        let reason = match (judge::of_value(entry.value), entry.role) {
            (Judged::Plain, Role::JsonPatch) => LeftReason::JsonPatch,
            (Judged::Plain, Role::LikeSchedule) => LeftReason::OtherKey,
            // Five numbers may be anything.
            (Judged::Plain, _) if entry.value.contains(['*', '?', '@']) => LeftReason::OtherKey,
            (Judged::Left(reason), Role::LikeSchedule | Role::JsonPatch)
                if reason != LeftReason::Template =>
            {
                reason
            }
            _ => return,
        };
        let opens_window = entry.opens_window || self.opens_windows;
        let reason = self
            .refused
            .filter(|_| reason != LeftReason::JsonPatch)
            .or(opens_window.then_some(LeftReason::OpensWindow))
            .or_else(|| self.last.said(self.lines, line))
            .unwrap_or(reason);
        match reason {
            LeftReason::OtherKey => {
                self.found.leave(line + 1, &format!("{}: {}", entry.key, entry.value), reason);
            }
            _ => self.found.leave(line + 1, entry.value, reason),
        }
    }
}

/// Names the schedules of a text that cannot be read, by its lines.
pub(super) fn leave_lines(lines: &Lines<'_>, text: &str, reason: LeftReason, found: &mut Found) {
    for (index, line) in text.lines().enumerate() {
        let Some(name) = key(line).filter(|name| is_schedule(name, &[])) else { continue };
        let value = line[line.find(name).map_or(0, |at| at + name.len())..]
            .trim_matches([':', '=', ' ', '\t', '"', '\'']);
        let is_template = judge::is_template(value);
        if is_template && reason != LeftReason::OtherSyntax || of_value(line).is_ok() {
            let reason = if is_template { LeftReason::Template } else { reason };
            found.leave(index + 1, value, said(lines, index).unwrap_or(reason));
        }
    }
}
