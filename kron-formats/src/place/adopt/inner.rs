//! Schedules in a text within a file: the values of a chart in an Argo CD application, a patch of kustomize, a crontab in a ConfigMap.

use super::judge::{self, Judged};
use super::value;
use super::walk::{Role, walk};
use crate::convert::crontab;
use crate::convert::yaml::{Document, Lines, read};
use crate::error::place::LeftReason;
use crate::place::expression::of_crontab;
use crate::place::source::is_crontab;

/// How deep texts within texts are read.
const DEPTH: usize = 3;

/// A schedule in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Inner {
    /// Its line in the text, from 0.
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) reason: LeftReason,
}

/// Whether a value is a text of several lines, or of one line that is a list or a map.
pub(super) fn is_inner(value: &str) -> bool {
    let text = value.trim_end_matches(['\n', '\r']);
    let is_one = ["- ", "[", "{"].iter().any(|open| text.starts_with(open)) || value.len() > text.len();
    text.contains('\n') || is_one && text.contains(':') && !text.starts_with("{{")
}

/// The schedules in a text. `more` are further keys of schedules.
pub(super) fn schedules(text: &str, more: &[String]) -> Vec<Inner> {
    let mut out = Vec::new();
    take(text, more, DEPTH, &mut out);
    out
}

fn take(text: &str, more: &[String], depth: usize, out: &mut Vec<Inner>) {
    if depth == 0 {
        return;
    }
    if is_crontab(text) {
        for (line, text) in text.lines().enumerate() {
            if of_crontab(text).is_ok() && crontab::has_command(text, false) {
                out.push(Inner { line, text: text.trim().to_string(), reason: LeftReason::InText });
            }
        }
        return;
    }
    // Scripts and prose are one text, and have no keys.
    let documents: Vec<Document> = read(text).unwrap_or_default();
    let lines = Lines::new(text);
    for document in &documents {
        let value = value::of_yaml(text, document, &document.root, &|_| false);
        walk(&value, "", &lines, more, &mut |entry| {
            let at = lines.of(entry.start);
            if is_inner(entry.value) {
                let first = out.len();
                take(entry.value, more, depth - 1, out);
                let inner = Lines::new(entry.value);
                for found in &mut out[first..] {
                    found.line = line(&lines, at, &inner, found.line);
                }
                return;
            }
            let reason = match (judge::of_value(entry.value), entry.role) {
                _ if entry.opens_window => return,
                (Judged::Plain, Role::JsonPatch) => LeftReason::JsonPatch,
                (Judged::Plain, Role::Schedule | Role::LikeSchedule) => LeftReason::InText,
                (Judged::Plain, Role::Other) if entry.value.contains(['*', '?', '@']) => LeftReason::InText,
                (Judged::Left(reason), Role::Schedule | Role::JsonPatch) => reason,
                _ => return,
            };
            out.push(Inner { line: at, text: entry.value.to_string(), reason });
        });
    }
}

/// The line of a file on which a line of a text in it stands: that of a block, whose first line is below its mark. Other texts have the
/// line on which they begin. All lines are from 0.
pub(super) fn line(lines: &Lines<'_>, start: usize, text: &Lines<'_>, inner: usize) -> usize {
    let wanted = text.text(inner).trim();
    let is_there = |line: &usize| lines.text(*line).trim() == wanted;
    [start + inner, start + inner + 1].into_iter().find(is_there).unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, &'static str)> {
        schedules(text, &[]).iter().map(|found| (found.line, found.reason.as_str())).collect()
    }

    #[test]
    fn values_patches_and_crontabs() {
        assert_eq!(
            found("a:\n  schedule: \"0 1 * * *\"\n  nightly: 0 2 * * *\n"),
            [(1, "in-text"), (2, "in-text")]
        );
        assert_eq!(
            found(
                "- op: replace\n  path: /spec/schedule\n  value: 0 4 * * *\n- {op: add, path: /spec/schedule, value: '@daily'}\n"
            ),
            [(2, "json-patch"), (3, "json-patch")]
        );
        assert_eq!(found("# c\n0 4 * * * /usr/bin/report\n@reboot x\n"), [(1, "in-text")]);
        assert_eq!(found("set -e\nschedule=\"0 3 * * *\"\nrun\n"), []);
        assert_eq!(found("a: |\n  b:\n    schedule: 0 5 * * *\n"), [(2, "in-text")]);
        assert_eq!(found("a:\n  schedule: 0 5 * * *\n  duration: 1h\n"), []);
    }
}
