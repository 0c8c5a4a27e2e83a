//! Declarations in the comments of a text, line by line.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use kron_core::{Finding, Zone};

use super::comment::{Says, comment};
use super::expression::{NoExpression, of_crontab, of_value};
use super::pass::{Found, Pass};
use super::source::Kind;
use super::workflow;
use crate::convert::yaml::Edits;
use crate::error::place as messages;

/// A declaration in a comment, and the line that it governs.
struct Comment<'a> {
    declared: &'a str,
    /// The bytes that go with it when it is taken away.
    bytes: Range<usize>,
    /// From 1.
    number: usize,
    governed: &'a str,
    /// The first byte of the governed line, and its number.
    start: usize,
    governed_number: usize,
}

/// Takes the declarations of a text's comments.
pub(super) fn take_all(pass: &mut Pass<'_, '_>) {
    let text = pass.source.text;
    let of_workflow = match pass.kind {
        Kind::Workflow if text.contains("kron:") => workflow::zones(text),
        _ => BTreeMap::new(),
    };
    let mut zone = None;
    let mut lines = lines(text).peekable();
    while let Some(line) = lines.next() {
        if pass.kind == Kind::Crontab
            && let Some(name) = zone_of_lines_below(line.text)
        {
            zone = pass.options.parser.tz_database().zone(name).ok();
        }
        let Some(found) = comment(line.text) else { continue };
        let governed = line.number + usize::from(found.own_line);
        if let Some(name) = of_workflow.get(&governed) {
            zone = pass.options.parser.tz_database().zone(name).ok();
        }
        match found.says {
            Says::Keep | Says::Prose { almost: false } => {}
            Says::Prose { almost: true } => pass.find(messages::no_declaration(), line.number),
            Says::Declaration(declared) if found.own_line => {
                let next = lines.peek();
                let comment = Comment {
                    declared,
                    bytes: line.start..line.end,
                    number: line.number,
                    governed: next.map_or("", |next| before_comment(next.text)),
                    start: next.map_or(text.len(), |next| next.start),
                    governed_number: next.map_or(line.number, |next| next.number),
                };
                take(pass, &comment, zone.as_ref());
            }
            Says::Declaration(_) if pass.kind == Kind::Crontab && of_crontab(line.text).is_ok() => {
                pass.find(messages::behind_command(), line.number);
            }
            Says::Declaration(declared) => {
                let before = line.text[..found.start].trim_end_matches([' ', '\t']);
                let comment = Comment {
                    declared,
                    bytes: line.start + before.len()..line.start + line.text.len(),
                    number: line.number,
                    governed: before,
                    start: line.start,
                    governed_number: line.number,
                };
                take(pass, &comment, zone.as_ref());
            }
        }
    }
}

fn take(pass: &mut Pass<'_, '_>, comment: &Comment<'_>, zone: Option<&Zone>) {
    let schedule = match pass.kind {
        Kind::Crontab => of_crontab(comment.governed),
        Kind::Workflow | Kind::Other => of_value(comment.governed),
    };
    match schedule {
        Ok(range) => {
            let mut removal = Edits::default();
            removal.replace(comment.bytes.clone(), "");
            pass.take(Found {
                declared: Cow::Borrowed(comment.declared),
                bytes: Some(bytes_of(pass.source.text, comment.declared)),
                name: None,
                schedule: comment.start + range.start..comment.start + range.end,
                line: comment.governed_number,
                declaration_line: comment.number,
                zone: zone.cloned(),
                removal,
            });
        }
        Err(why) => pass.find(no_schedule(why), comment.number),
    }
}

/// Where a part of a text is in it.
fn bytes_of(text: &str, part: &str) -> Range<usize> {
    // OK because the part is a slice of the text.
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

fn no_schedule(why: NoExpression) -> Finding {
    match why {
        NoExpression::Missing => messages::no_schedule(),
        NoExpression::Several => messages::several_schedules(),
        NoExpression::SixFields => messages::six_fields(),
    }
}

/// The zone that a setting of a crontab gives to the lines below it.
pub(super) fn zone_of_lines_below(line: &str) -> Option<&str> {
    let value = line.trim_start_matches([' ', '\t']).strip_prefix("CRON_TZ")?;
    let value = value.trim_start_matches([' ', '\t']).strip_prefix('=')?;
    Some(value.trim_matches([' ', '\t', '\r', '"', '\'']))
}

/// A line without a comment of ours behind it, which is another declaration or prose.
pub(super) fn before_comment(line: &str) -> &str {
    comment(line).map_or(line, |found| &line[..found.start])
}

/// A line of a text.
pub(super) struct Line<'a> {
    /// Without its end.
    pub(super) text: &'a str,
    pub(super) start: usize,
    /// The first byte after its end.
    pub(super) end: usize,
    /// From 1.
    pub(super) number: usize,
}

/// The lines of a text. A byte order mark before one is not in it: files that are joined have some.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split_inclusive('\n').enumerate().map(move |(index, whole)| {
        let mut line = whole.trim_end_matches('\n');
        line = line.strip_suffix('\r').unwrap_or(line);
        let mut from = start;
        start += whole.len();
        if let Some(behind) = line.strip_prefix('\u{feff}') {
            from += line.len() - behind.len();
            line = behind;
        }
        Line { text: line, start: from, end: start, number: index + 1 }
    })
}
