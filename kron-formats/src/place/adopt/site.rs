//! A schedule that stands in a text, and what would be written beside it.

use std::ops::Range;

use super::judge;
use crate::convert::yaml::Lines;
use crate::error::place::LeftReason;
use crate::place::comment::{Says, comment};
use crate::place::expression::{NoExpression, of_crontab, of_value};

/// A schedule that can have a declaration.
#[derive(Debug)]
pub(super) struct Site {
    /// The bytes of the expression.
    pub(super) schedule: Range<usize>,
    /// From 1.
    pub(super) line: usize,
    pub(super) name: SiteName,
    /// The zone in which it is read, if the text says it.
    pub(super) zone: Option<String>,
    pub(super) insertion: Insertion,
}

/// What the text says about the name of a schedule.
#[derive(Debug)]
pub(super) enum SiteName {
    /// Of an object with its namespace, `namespace/name`: the declaration needs no name.
    Whole(String),
    /// Of an object without a namespace.
    Object(String),
    /// A key path, or the name that a command gives.
    Key(String),
}

/// Where a declaration is written, and what stands around it.
#[derive(Debug)]
pub(super) struct Insertion {
    pub(super) at: usize,
    pub(super) before: String,
    pub(super) after: String,
    /// Whether it is written as a string of JSON.
    pub(super) quoted: bool,
}

/// A schedule that is left alone.
#[derive(Debug)]
pub(super) struct Left {
    /// From 1.
    pub(super) line: usize,
    pub(super) text: String,
    pub(super) reason: LeftReason,
}

/// What is found in a text, in the order of its lines.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) sites: Vec<Site>,
    pub(super) left: Vec<Left>,
}

impl Found {
    pub(super) fn leave(&mut self, line: usize, text: &str, reason: LeftReason) {
        self.left.push(Left { line, text: text.to_string(), reason });
    }

    /// Leaves what was found for a reason.
    pub(super) fn leave_where(&mut self, text: &str, reason: impl Fn(&Site) -> Option<LeftReason>) {
        for site in std::mem::take(&mut self.sites) {
            match reason(&site) {
                Some(reason) => self.leave(site.line, &text[site.schedule], reason),
                None => self.sites.push(site),
            }
        }
    }
}

/// What was found on the line that was looked at last: many values can be on one line.
#[derive(Debug, Default)]
pub(super) struct LastLine {
    said: Option<(usize, Option<LeftReason>)>,
    value: Option<(usize, Result<Range<usize>, NoExpression>)>,
}

impl LastLine {
    /// What a comment about a line says already.
    pub(super) fn said(&mut self, lines: &Lines<'_>, line: usize) -> Option<LeftReason> {
        match self.said {
            Some((known, reason)) if known == line => reason,
            _ => {
                let reason = said(lines, line);
                self.said = Some((line, reason));
                reason
            }
        }
    }

    /// The one expression of a line.
    fn value(&mut self, lines: &Lines<'_>, line: usize) -> Result<Range<usize>, NoExpression> {
        match &self.value {
            Some((known, value)) if *known == line => value.clone(),
            _ => {
                let value = of_value(text_of(lines, line));
                self.value = Some((line, value.clone()));
                value
            }
        }
    }
}

/// What a comment about a line says already: one above it, or one of ours behind it.
pub(super) fn said(lines: &Lines<'_>, line: usize) -> Option<LeftReason> {
    let reason = |says: &Says<'_>| match says {
        Says::Declaration(_) => Some(LeftReason::Declared),
        Says::Keep => Some(LeftReason::Kept),
        Says::Prose { .. } => None,
    };
    let above = line.checked_sub(1).and_then(|above| comment(text_of(lines, above)));
    let above = above.filter(|found| found.own_line).and_then(|found| reason(&found.says));
    above.or_else(|| comment(text_of(lines, line)).and_then(|found| reason(&found.says)))
}

/// A comment above the line of an expression, in YAML, TOML and JSON with comments.
pub(super) fn comment_above_value(
    lines: &Lines<'_>,
    last: &mut LastLine,
    schedule: &Range<usize>,
    mark: &str,
) -> Result<Insertion, LeftReason> {
    let line = lines.of(schedule.start);
    if let Some(reason) = last.said(lines, line) {
        return Err(reason);
    }
    let start = start_of(lines, line);
    match last.value(lines, line) {
        Ok(range) if (start + range.start..start + range.end) == *schedule => {
            Ok(comment_above(lines, line, mark))
        }
        _ => Err(LeftReason::NotItsLine),
    }
}

/// The expression at the beginning of a line of a crontab, and a comment above it.
pub(super) fn comment_above_entry(
    lines: &Lines<'_>,
    line: usize,
) -> Result<(Range<usize>, Insertion), LeftReason> {
    let (start, text) = (start_of(lines, line), text_of(lines, line));
    let range = of_crontab(text).map_err(|error| match error {
        NoExpression::SixFields | NoExpression::Several => LeftReason::NotPlain,
        NoExpression::Missing => judge::of_words(text).unwrap_or(LeftReason::NotPlain),
    })?;
    if let Some(reason) = said(lines, line) {
        return Err(reason);
    }
    Ok((start + range.start..start + range.end, comment_above(lines, line, "#")))
}

fn comment_above(lines: &Lines<'_>, line: usize, mark: &str) -> Insertion {
    let (at, text) = (start_of(lines, line), text_of(lines, line));
    let indentation = &text[..text.len() - text.trim_start_matches([' ', '\t']).len()];
    Insertion {
        at,
        before: format!("{indentation}{mark} kron: "),
        after: lines.line_break().to_string(),
        quoted: false,
    }
}

/// The first byte of a line, behind a byte order mark.
fn start_of(lines: &Lines<'_>, line: usize) -> usize {
    lines.range(line).start + lines.text(line).len() - text_of(lines, line).len()
}

/// A line without a byte order mark.
fn text_of<'t>(lines: &Lines<'t>, line: usize) -> &'t str {
    let text = lines.text(line);
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
