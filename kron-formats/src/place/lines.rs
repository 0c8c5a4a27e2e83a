//! Declarations in the comments of a text, line by line.

use std::ops::Range;

use kron_core::place::Declaration;
use kron_core::{Cron, Finding, Zone};

use super::comment::{Says, comment, words};
use super::expression::{NoExpression, of_crontab, of_value};
use super::source::{Kind, Mode, Options, Source};
use super::{Placed, PlacedSchedule};
use crate::convert::ConvertFinding;
use crate::error::place as messages;

/// Replaces bytes of a text.
struct Edit {
    at: Range<usize>,
    text: String,
}

/// A declaration, the line that it governs and the line that it is on, each with its place in the text.
struct Place<'a> {
    declared: &'a str,
    /// The comment with what goes with it when it is taken away.
    comment: Range<usize>,
    line: &'a str,
    line_start: usize,
    /// From 1: of the schedule, and of the comment.
    line_number: usize,
    comment_line: usize,
}

/// The text of a source with placed or with declared schedules. What is found is added to `out`.
pub(super) fn place(index: usize, source: &Source<'_>, options: &Options, out: &mut Placed) -> String {
    let text = source.text;
    if !text.contains("kron:") {
        return text.to_string();
    }
    let kind = source.kind();
    let mut pass = Pass { index, source, kind, options, zone: None, governed: 0, edits: Vec::new(), out };
    let mut lines = Lines::of(text).peekable();
    while let Some(line) = lines.next() {
        pass.read_zone(line.text);
        let Some(found) = comment(line.text) else { continue };
        match found.says {
            Says::Keep => {}
            Says::Prose { almost: false } => {}
            Says::Prose { almost: true } => pass.find(messages::no_declaration(), line.number),
            Says::Declaration(declared) if found.own_line => {
                let next = lines.peek().map(|next| (next.text, next.start, next.number));
                let (governed, line_start, line_number) = next.unwrap_or(("", text.len(), line.number));
                pass.declaration(Place {
                    declared,
                    comment: line.start..line.end,
                    line: before_comment(governed),
                    line_start,
                    line_number,
                    comment_line: line.number,
                });
            }
            Says::Declaration(_) if kind == Kind::Crontab && of_crontab(line.text).is_ok() => {
                pass.find(messages::behind_command(), line.number);
            }
            Says::Declaration(declared) => {
                let before = line.text[..found.start].trim_end_matches([' ', '\t']);
                pass.declaration(Place {
                    declared,
                    comment: line.start + before.len()..line.start + line.text.len(),
                    line: before,
                    line_start: line.start,
                    line_number: line.number,
                    comment_line: line.number,
                });
            }
        }
    }
    let edits = pass.edits;
    edited(text, edits)
}

/// A line without a comment of ours behind it, which is another declaration or prose.
fn before_comment(line: &str) -> &str {
    comment(line).map_or(line, |found| &line[..found.start])
}

/// A text with edits, which do not overlap.
fn edited(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| edit.at.start);
    let mut out = String::with_capacity(text.len() + 16 * edits.len());
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.at.start]);
        out.push_str(&edit.text);
        at = edit.at.end;
    }
    out.push_str(&text[at..]);
    out
}

struct Pass<'a, 'o> {
    index: usize,
    source: &'a Source<'a>,
    kind: Kind,
    options: &'a Options,
    /// The zone of the lines that follow, from a crontab's `CRON_TZ`.
    zone: Option<Zone>,
    /// The line of the last declaration's schedule.
    governed: usize,
    edits: Vec<Edit>,
    out: &'o mut Placed,
}

impl Pass<'_, '_> {
    fn find(&mut self, finding: Finding, line: usize) {
        self.out.findings.push(ConvertFinding::new(self.index, finding).at(line));
    }

    fn read_zone(&mut self, line: &str) {
        if self.kind == Kind::Crontab
            && let Some(zone) = line.trim_start_matches([' ', '\t']).strip_prefix("CRON_TZ")
            && let Some(zone) = zone.trim_start_matches([' ', '\t']).strip_prefix('=')
        {
            let zone = zone.trim_matches([' ', '\t', '\r', '"', '\'']);
            self.zone = self.options.parser.tz_database().zone(zone).ok();
        }
    }

    fn declaration(&mut self, place: Place<'_>) {
        if let Err(finding) = self.placed(&place) {
            self.find(*finding, place.comment_line);
        }
    }

    fn placed(&mut self, place: &Place<'_>) -> Result<(), Box<Finding>> {
        let fail = |finding| Err(Box::new(finding));
        if self.kind == Kind::Workflow
            && ["event.schedule", "payload.schedule"].iter().any(|it| self.source.text.contains(it))
        {
            return fail(messages::compared_text());
        }
        if std::mem::replace(&mut self.governed, place.line_number) == place.line_number {
            return fail(messages::several_declarations());
        }
        let range = match self.kind {
            Kind::Crontab => of_crontab(place.line),
            Kind::Workflow | Kind::Other => of_value(place.line),
        };
        let range = match range {
            Ok(range) => range,
            Err(NoExpression::Missing) => return fail(messages::no_schedule()),
            Err(NoExpression::Several) => return fail(messages::several_schedules()),
            Err(NoExpression::SixFields) => return fail(messages::six_fields()),
        };
        let present = &place.line[range.clone()];
        let at = place.line_start + range.start..place.line_start + range.end;
        if self.options.mode == Mode::Undo {
            return self.undo(place, present, at);
        }
        let Some(declaration) = self.read(place.declared)? else { return Ok(()) };
        self.check(&declaration)?;
        let candidates = declaration.candidates().map_err(|error| messages::declaration(&error))?;
        let placed = candidates.place(declaration.job()).map_err(|error| messages::declaration(&error))?;
        let (name, declared) = (declaration.job().name(), declaration.expression());
        if 2 * candidates.shifts().len() < candidates.window_minutes() as usize {
            let why = candidates.taken().most();
            let (places, window) = (candidates.shifts().len(), candidates.window_minutes());
            self.find(messages::few_places(name, places, window, why), place.comment_line);
        }
        let is = |expression: &str| words(present).eq(words(expression));
        let mut written = placed.expression();
        if is(written) {
            // Its blanks stay.
            written = present;
        } else if !is(declared) && !self.options.force.contains(name) {
            return fail(messages::edited_by_hand(name, present, declared, placed.expression()));
        }
        self.out.schedules.push(PlacedSchedule {
            source: self.index,
            line: place.line_number,
            name: name.to_string(),
            declared: declared.to_string(),
            present: present.to_string(),
            placed: written.to_string(),
            shift_minutes: placed.shift_minutes(),
            candidates: placed.candidates(),
        });
        if written != present {
            self.edits.push(Edit { at, text: written.to_string() });
        }
        Ok(())
    }

    /// The declaration of a text, or nothing if it is for a host that is not known.
    fn read(&mut self, text: &str) -> Result<Option<Declaration>, Box<Finding>> {
        let error = |error| Box::new(messages::declaration(&error));
        let declaration = self.options.parser.declaration(text, None).map_err(error)?;
        let name = declaration.job().name().to_string();
        if !name.contains("{host}") {
            return Ok(Some(declaration));
        }
        match self.source.host {
            Some(host) => Ok(Some(declaration.with_name(&name.replace("{host}", host)).map_err(error)?)),
            None => {
                self.out.findings.push(ConvertFinding::new(self.index, messages::host_unknown(&name)));
                Ok(None)
            }
        }
    }

    /// Refuses what the other system would read otherwise.
    fn check(&self, declaration: &Declaration) -> Result<(), Box<Finding>> {
        let zone = self.zone.as_ref().or(self.options.timezone.as_ref());
        let declared = declaration.job().spec().timezone();
        if declaration.names_zone() && zone != Some(declared) {
            return Err(Box::new(messages::other_zone(declared.name(), zone.map(Zone::name))));
        }
        if self.kind == Kind::Crontab
            && let Some(item) = open_step(declaration.expression())
        {
            return Err(Box::new(messages::crons_differ(item)));
        }
        Ok(())
    }

    /// Puts the declared schedule back, and takes the declaration away.
    fn undo(&mut self, place: &Place<'_>, present: &str, at: Range<usize>) -> Result<(), Box<Finding>> {
        let error = |error| Box::new(messages::declaration(&error));
        // The name does not matter here.
        let declaration = self.options.parser.declaration(place.declared, Some("kron")).map_err(error)?;
        let candidates = declaration.candidates().map_err(error)?;
        let declared = declaration.expression();
        let is = |expression: &str| words(present).eq(words(expression));
        let is_place = is(declared)
            || candidates.shifts().iter().any(|shift| is(&candidates.expression((*shift).into())));
        if !is_place && !self.options.force.contains(declaration.job().name()) {
            return Err(Box::new(messages::not_to_undo(present, declared)));
        }
        self.out.schedules.push(PlacedSchedule {
            source: self.index,
            line: place.line_number,
            name: declaration.job().name().to_string(),
            declared: declared.to_string(),
            present: present.to_string(),
            placed: declared.to_string(),
            shift_minutes: 0,
            candidates: candidates.shifts().len(),
        });
        if present != declared {
            self.edits.push(Edit { at, text: declared.to_string() });
        }
        self.edits.push(Edit { at: place.comment.clone(), text: String::new() });
        Ok(())
    }
}

/// An item `n/s`, which some crons read as a range and others as one value.
fn open_step(expression: &str) -> Option<&str> {
    let items = Cron::parse_items(expression).ok()?.1;
    let texts = items.into_iter().filter_map(|item| expression.get(item.span));
    texts.into_iter().find(|text| text.contains('/') && !text.contains(['*', '?', '-']))
}

/// A line of a text.
struct Line<'a> {
    /// Without its end.
    text: &'a str,
    start: usize,
    /// The first byte after its end.
    end: usize,
    /// From 1.
    number: usize,
}

struct Lines;

impl Lines {
    fn of(text: &str) -> impl Iterator<Item = Line<'_>> {
        let mut start = 0;
        text.split_inclusive('\n').enumerate().map(move |(index, whole)| {
            let mut line = whole.trim_end_matches('\n');
            line = line.strip_suffix('\r').unwrap_or(line);
            let mut from = start;
            start += whole.len();
            // A byte order mark stays where it is.
            if index == 0 && line.starts_with('\u{feff}') {
                from += '\u{feff}'.len_utf8();
                line = &line['\u{feff}'.len_utf8()..];
            }
            Line { text: line, start: from, end: start, number: index + 1 }
        })
    }
}
