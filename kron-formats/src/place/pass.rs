//! What becomes of the declarations of one text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use kron_core::place::{ClockChange, Declaration, WantedWindow, adopt};
use kron_core::{Cron, Finding, Seed, Zone};

use super::comment::words;
use super::source::{Kind, Mode, Options, Source};
use super::{Placed, PlacedSchedule};
use crate::convert::ConvertFinding;
use crate::convert::yaml::Edits;
use crate::error::place as messages;

/// A declaration and the schedule that it is about.
pub(super) struct Found<'a> {
    pub(super) declared: Cow<'a, str>,
    /// The bytes of the declaration in the text, if they are its value.
    pub(super) bytes: Option<Range<usize>>,
    /// The name, where the text may leave it out.
    pub(super) name: Option<String>,
    /// Bytes of the schedule in the text.
    pub(super) schedule: Range<usize>,
    /// Lines from 1: of the schedule, and of the declaration.
    pub(super) line: usize,
    pub(super) declaration_line: usize,
    /// The zone in which the schedule is read, if the text says it.
    pub(super) zone: Option<Zone>,
    /// Takes the declaration away.
    pub(super) removal: Edits,
}

/// One text, and what is found and changed in it.
pub(super) struct Pass<'a, 'o> {
    pub(super) index: usize,
    pub(super) source: &'a Source<'a>,
    pub(super) kind: Kind,
    pub(super) options: &'a Options,
    /// The seeds that declarations get, by name.
    seeds: &'a BTreeMap<String, Seed>,
    pub(super) edits: Edits,
    pub(super) out: &'o mut Placed,
    /// Where the schedules are that have a declaration.
    governed: BTreeSet<usize>,
    /// Whether the text compares the texts of its schedules.
    pub(super) compares: bool,
}

impl<'a, 'o> Pass<'a, 'o> {
    pub(super) fn new(
        index: usize,
        source: &'a Source<'a>,
        options: &'a Options,
        seeds: &'a BTreeMap<String, Seed>,
        out: &'o mut Placed,
    ) -> Pass<'a, 'o> {
        let kind = source.kind();
        let (edits, governed) = (Edits::default(), BTreeSet::new());
        Pass { index, source, kind, options, seeds, edits, out, governed, compares: false }
    }

    pub(super) fn find(&mut self, finding: Finding, line: usize) {
        self.out.findings.push(ConvertFinding::new(self.index, finding).at(line));
    }

    /// Places a schedule, or undoes it.
    pub(super) fn take(&mut self, found: Found<'_>) {
        let line = found.declaration_line;
        let is_new = self.governed.insert(found.schedule.start);
        let taken = match self.options.mode {
            _ if !is_new => Err(Box::new(messages::several_declarations())),
            Mode::Place => self.place(&found),
            Mode::Undo => self.undo(&found),
        };
        if let Err(finding) = taken {
            self.find(*finding, line);
        }
    }

    fn place(&mut self, found: &Found<'_>) -> Result<(), Box<Finding>> {
        let present = &self.source.text[found.schedule.clone()];
        if self.compares {
            return Err(Box::new(messages::compared_text()));
        }
        let Some(declaration) = self.read(found)? else { return Ok(()) };
        self.check(&declaration, found)?;
        let candidates = declaration.candidates().map_err(|error| messages::declaration(&error))?;
        let placed = candidates.place(declaration.job()).map_err(|error| messages::declaration(&error))?;
        let (name, declared) = (declaration.job().name(), declaration.expression());
        if 2 * candidates.shifts().len() < candidates.window_minutes() as usize
            && !self.is_as_adopted(found, &declaration)
        {
            let (places, window) = (candidates.shifts().len(), candidates.window_minutes());
            self.find(
                messages::few_places(name, places, window, candidates.taken().main_reason()),
                found.declaration_line,
            );
        }
        let is = |expression: &str| words(present).eq(words(expression));
        let mut written = placed.expression();
        if is(written) {
            // Its blanks stay.
            written = present;
        } else if !is(declared) && !self.options.force.contains(name) {
            return Err(Box::new(messages::edited_by_hand(name, present, declared, placed.expression())));
        }
        if let Some(seed) = self.seeds.get(name) {
            return self.place_with_seed(found, &declaration, seed);
        }
        self.warn_of_clocks(found, &declaration, written);
        let place = (placed.shift_minutes(), placed.candidates());
        self.write(found, &declaration, &found.declared, written, place);
        Ok(())
    }

    /// Gives a declaration another seed, and places its schedule by it.
    fn place_with_seed(
        &mut self,
        found: &Found<'_>,
        declaration: &Declaration,
        seed: &Seed,
    ) -> Result<(), Box<Finding>> {
        let error = |error| Box::new(messages::declaration(&error));
        let Some(bytes) = found.bytes.clone() else { return Err(Box::new(messages::seed_not_editable())) };
        let parser = &self.options.parser;
        let text = parser.declaration_with_seed(&self.source.text[bytes.clone()], seed).map_err(error)?;
        let name = declaration.job().name();
        let declaration =
            parser.declaration(&text, Some(name)).and_then(|it| it.with_name(name)).map_err(error)?;
        let placed = declaration.placed().map_err(error)?;
        self.edits.replace(bytes, &text);
        self.warn_of_clocks(found, &declaration, placed.expression());
        let place = (placed.shift_minutes(), placed.candidates());
        self.write(found, &declaration, &text, placed.expression(), place);
        Ok(())
    }

    /// Lists a schedule, and writes it if another one stands there. `written` is the text of its declaration, `place` its shift and the number of candidates.
    fn write(
        &mut self,
        found: &Found<'_>,
        declaration: &Declaration,
        written: &str,
        text: &str,
        place: (i64, usize),
    ) {
        let present = &self.source.text[found.schedule.clone()];
        self.out.schedules.push(PlacedSchedule {
            source: self.index,
            line: found.line,
            name: declaration.job().name().to_string(),
            declaration: written.to_string(),
            old_declaration: found.declared.to_string(),
            declared: declaration.expression().to_string(),
            present: present.to_string(),
            placed: text.to_string(),
            shift_minutes: place.0,
            candidates: place.1,
        });
        if text != present {
            self.edits.replace(found.schedule.clone(), text);
        }
    }

    /// The declaration of a text, or nothing if it is for a host that is not known.
    fn read(&mut self, found: &Found<'_>) -> Result<Option<Declaration>, Box<Finding>> {
        let error = |error| Box::new(messages::declaration(&error));
        let declaration =
            self.options.parser.declaration(&found.declared, found.name.as_deref()).map_err(error)?;
        let name = declaration.job().name().to_string();
        if !name.contains("{host}") {
            return Ok(Some(declaration));
        }
        match self.source.host {
            Some(host) => Ok(Some(declaration.with_name(&name.replace("{host}", host)).map_err(error)?)),
            None => {
                self.find(messages::host_unknown(&name), found.declaration_line);
                Ok(None)
            }
        }
    }

    /// Refuses what the other system would read otherwise.
    fn check(&self, declaration: &Declaration, found: &Found<'_>) -> Result<(), Box<Finding>> {
        let zone = found.zone.as_ref().or(self.options.timezone.as_ref());
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

    /// Whether a declaration is what adopting writes, which leaves out minutes that a change of the clocks meets.
    fn is_as_adopted(&self, found: &Found<'_>, declaration: &Declaration) -> bool {
        let zone = found.zone.as_ref().or(self.options.timezone.as_ref());
        let window = declaration.job().spec().window();
        let wanted = WantedWindow::Long(window.duration());
        let adopted = adopt(declaration.expression(), window.mode(), wanted, zone.zip(self.options.from));
        adopted.is_ok_and(|text| found.declared.starts_with(&text))
    }

    /// Warns of a change of the clocks that meets the placed schedule alone.
    fn warn_of_clocks(&mut self, found: &Found<'_>, declaration: &Declaration, placed: &str) {
        let zone = found.zone.as_ref().or(self.options.timezone.as_ref());
        let (Some(zone), Some(from)) = (zone, self.options.from) else { return };
        if let Some(change) = ClockChange::first(declaration.expression(), placed, zone, from) {
            let finding = messages::clock_change(declaration.job().name(), placed, &change, zone.name());
            self.find(finding, found.declaration_line);
        }
    }

    /// Puts the declared schedule back, and takes the declaration away.
    fn undo(&mut self, found: &Found<'_>) -> Result<(), Box<Finding>> {
        let present = &self.source.text[found.schedule.clone()];
        let error = |error| Box::new(messages::declaration(&error));
        // The name does not matter here.
        let name = found.name.as_deref().unwrap_or("kron");
        let declaration = self.options.parser.declaration(&found.declared, Some(name)).map_err(error)?;
        let candidates = declaration.candidates().map_err(error)?;
        let declared = declaration.expression();
        let is = |expression: &str| words(present).eq(words(expression));
        let is_place = is(declared)
            || candidates.shifts().iter().any(|shift| is(&candidates.expression((*shift).into())));
        if !is_place && !self.options.force.contains(declaration.job().name()) {
            return Err(Box::new(messages::not_to_undo(declaration.job().name(), present, declared)));
        }
        self.write(found, &declaration, &found.declared, declared, (0, candidates.shifts().len()));
        self.edits.append(found.removal.clone());
        Ok(())
    }
}

/// An item `n/s`, which some crons read as a range and others as one value.
pub(super) fn open_step(expression: &str) -> Option<&str> {
    let items = Cron::parse_items(expression).ok()?.1;
    let mut texts = items.into_iter().filter_map(|item| expression.get(item.span));
    texts.find(|text| text.contains('/') && !text.contains(['*', '?', '-']))
}
