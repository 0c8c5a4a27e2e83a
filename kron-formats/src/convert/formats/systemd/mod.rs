//! Timers of systemd, with the services that they start.

mod calendar;
mod command;
mod span;
mod unit;

use std::collections::HashSet;

use kron_core::Finding;

use self::calendar::{Calendar, calendar};
use self::unit::{Unit, is_true};
use crate::convert::conversion::{Conversion, Input};
use crate::convert::duration::short_seconds;
use crate::convert::finding::ConvertFinding;
use crate::convert::job_line::{JobLine, WITHIN_THE_MINUTE};
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::times::overlap;
use crate::error::convert::systemd as messages;
use crate::limits::TIMER_LINES;

pub(super) const READER: Reader =
    Reader { evidence: Evidence::Section, recognizes: is_unit, convert: Convert::Together(convert) };

/// What makes up for starts while the machine was off: the newest one, however late.
const PERSISTENT: &str = "8784h";
/// Triggers that are not times of a calendar.
const TRIGGERS: [&str; 7] = [
    "OnActiveSec",
    "OnBootSec",
    "OnStartupSec",
    "OnUnitActiveSec",
    "OnUnitInactiveSec",
    "OnClockChange",
    "OnTimezoneChange",
];

/// Whether a text has a section of a timer or a service, or begins with that of any unit.
fn is_unit(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.clone().next() == Some("[Unit]") || lines.any(|line| line == "[Timer]" || line == "[Service]")
}

/// Refuses a text that is neither a timer nor a service.
pub(super) fn check_text(name: &str, text: &str) -> Result<(), Finding> {
    check(name, &Unit::read(text))
}

fn check(name: &str, unit: &Unit<'_>) -> Result<(), Finding> {
    if unit.has("Timer") || unit.has("Service") { Ok(()) } else { Err(messages::no_section(name)) }
}

/// Converts the timers among the sources; the services among them give the commands.
fn convert(inputs: &[Input<'_>], conversion: &mut Conversion<'_>) -> Result<(), Box<ConvertFinding>> {
    let units: Vec<(usize, &str, Unit<'_>)> =
        inputs.iter().map(|input| (input.index, input.name, Unit::read(input.text))).collect();
    for (index, name, unit) in &units {
        check(name, unit).map_err(|finding| ConvertFinding::new(*index, finding))?;
    }
    let mut used = Vec::new();
    for (index, name, unit) in units.iter().filter(|(_, _, unit)| unit.has("Timer")) {
        let stem = name.strip_suffix(".timer").unwrap_or(name);
        let target = unit
            .last("Timer", "Unit")
            .map_or_else(|| format!("{stem}.service"), |(value, _)| value.to_string());
        let service = units.iter().find(|(_, name, unit)| *name == target && unit.has("Service"));
        used.extend(service.map(|(index, ..)| *index));
        let timer = Timer {
            source: *index,
            stem,
            unit,
            target: &target,
            service: service.map(|(index, _, unit)| (*index, unit)),
        };
        conversion.one_job(|conversion| timer.convert(conversion))?;
    }
    for (index, name, _) in
        units.iter().filter(|(index, _, unit)| !unit.has("Timer") && !used.contains(index))
    {
        conversion.report(*index, messages::service_without_timer(name));
    }
    Ok(())
}

/// Makes one line of two where one has all times of both.
fn merge(calendars: Vec<(Calendar, usize)>) -> Vec<(Calendar, usize)> {
    let mut merged: Vec<(Calendar, usize)> = Vec::new();
    for (mut calendar, mut line) in calendars {
        let mut place = merged.len();
        // What it is now may be a part of another one, or have one as a part.
        while let Some((at, times)) = merged.iter().enumerate().find_map(|(at, (other, _))| {
            let same = other.timezone == calendar.timezone;
            Some((at, other.times.union(&calendar.times).filter(|_| same)?))
        }) {
            let (_, first) = merged.remove(at);
            calendar.times = times;
            (place, line) = (place.min(at), line.min(first));
        }
        merged.insert(place, (calendar, line));
    }
    merged
}

/// Settings of the section [Unit] that do not decide whether or when a command runs.
const WITHOUT_EFFECT: [&str; 6] =
    ["Description", "Documentation", "SourcePath", "After", "Before", "DefaultDependencies"];

struct Timer<'a> {
    source: usize,
    stem: &'a str,
    unit: &'a Unit<'a>,
    target: &'a str,
    service: Option<(usize, &'a Unit<'a>)>,
}

impl Timer<'_> {
    fn convert(&self, conversion: &mut Conversion<'_>) -> Result<(), Box<ConvertFinding>> {
        for (key, _, line) in self.unit.entries("Timer").filter(|(key, ..)| TRIGGERS.contains(key)) {
            conversion.report_at((self.source, line), messages::trigger(key));
        }
        if self.stem.ends_with('@') || self.target.ends_with("@.service") {
            let example = if self.stem.ends_with('@') { self.stem } else { "NAME@" };
            conversion.report(self.source, messages::template(example));
            return Ok(());
        }
        let (delay, fixed) = match self.delay() {
            Ok(delay) => delay,
            Err((finding, line)) => {
                conversion.report_at((self.source, line), finding);
                return Ok(());
            }
        };
        self.warn(delay.is_some(), conversion);
        let mut calendars: Vec<(Calendar, usize)> = Vec::new();
        let mut known = HashSet::new();
        for (value, line) in self.unit.list("Timer", "OnCalendar") {
            match calendar(value, &conversion.options.parser) {
                Ok(calendar) if known.insert(calendar.clone()) => calendars.push((calendar, line)),
                // The same times again.
                Ok(_) => {}
                Err(finding) => conversion.report_at((self.source, line), finding),
            }
        }
        if calendars.len() > TIMER_LINES {
            conversion.report(self.source, messages::too_many_calendars(TIMER_LINES));
            return Ok(());
        }
        if self.unit.list("Timer", "OnCalendar").is_empty()
            && !self.unit.entries("Timer").any(|(key, ..)| TRIGGERS.contains(&key))
        {
            conversion.report(self.source, messages::no_calendar());
            return Ok(());
        }
        let calendars = merge(calendars);
        // systemd starts once where two lines match the same time; two jobs would start twice.
        for (at, (calendar, line)) in calendars.iter().enumerate() {
            let same = |(other, _): &&(Calendar, usize)| {
                overlap(&other.times, &calendar.times) || other.timezone != calendar.timezone
            };
            if let Some((_, other)) = calendars[..at].iter().find(same) {
                let place = (self.source, *line);
                conversion.report_at(place, messages::same_time(*other, *line));
                return Ok(());
            }
        }
        let mut without_zone = false;
        let command = match command::of(self.target, self.service, conversion) {
            Ok(fields) => fields,
            Err((finding, place)) => {
                conversion.report_at(place, finding);
                return Ok(());
            }
        };
        let persistent = self.unit.last("Timer", "Persistent").is_some_and(|(value, _)| is_true(value));
        for (calendar, line) in calendars {
            let kron = match calendar.times.in_kron() {
                Ok(kron) => kron,
                Err(finding) => {
                    conversion.report_at((self.source, line), finding);
                    continue;
                }
            };
            let mut job = JobLine::at(kron);
            (job.window, job.fixed) = (delay, fixed);
            without_zone |= calendar.timezone.is_none();
            job.timezone = calendar.timezone.or_else(|| conversion.zone_of_host());
            job.policy = format!("deadline={}", if persistent { PERSISTENT } else { WITHIN_THE_MINUTE });
            job.name = conversion.free_name(self.stem);
            job.fields.clone_from(&command);
            conversion.write(&job, (self.source, line))?;
        }
        if without_zone {
            conversion.report_zone_of_host(self.source);
        }
        Ok(())
    }

    /// The window in seconds that the timer gives, and whether the place in it is fixed.
    fn delay(&self) -> Result<(Option<u64>, bool), (Finding, usize)> {
        let read = |key: &str| match self.unit.last("Timer", key) {
            None => Ok(None),
            Some((value, line)) => match span::seconds(value) {
                Some(0) => Ok(None),
                Some(seconds) => Ok(Some((seconds, line))),
                None => Err((messages::bad_span(key, value), line)),
            },
        };
        let fixed = self.unit.last("Timer", "FixedRandomDelay").is_some_and(|(value, _)| is_true(value));
        match (read("RandomizedDelaySec")?, read("RandomizedOffsetSec")?) {
            (Some(_), Some((_, line))) => Err((messages::two_windows(), line)),
            (None, None) => Ok((None, false)),
            (Some((delay, _)), None) => Ok((Some(delay), fixed)),
            (None, Some((offset, _))) => Ok((Some(offset), true)),
        }
    }

    fn warn(&self, has_delay: bool, conversion: &mut Conversion<'_>) {
        for (key, value, line) in self.unit.entries("Timer") {
            let warning = match key {
                "AccuracySec" if span::seconds(value).is_none_or(|seconds| seconds > 60) => {
                    match span::seconds(value).filter(|_| !has_delay) {
                        Some(seconds) => messages::stable_place(&short_seconds(seconds), self.stem),
                        None => messages::accuracy(),
                    }
                }
                "WakeSystem" if is_true(value) => messages::wakes_no_machine(),
                "DeferReactivation" if is_true(value) => messages::reactivation(),
                _ => continue,
            };
            conversion.report_at((self.source, line), warning);
        }
        let service = self.service.into_iter();
        for (source, unit) in [(self.source, self.unit)].into_iter().chain(service) {
            for (key, _, line) in unit.entries("Unit").filter(|(key, ..)| !WITHOUT_EFFECT.contains(key)) {
                conversion.report_at((source, line), messages::unit_setting(key));
            }
        }
    }
}
