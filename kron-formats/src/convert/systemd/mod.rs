//! Timers of systemd, with the services that they start.

mod calendar;
mod command;
mod span;
mod unit;

use crate::convert::job_line::{JobFile, JobLine, WITHIN_THE_MINUTE, note_zone};
use crate::convert::message::{Message, Refusal, Severity, shown};
use crate::convert::options::{Options, Source};
use crate::convert::output::Converted;
use crate::convert::times::overlap;
use calendar::{Calendar, calendar};
use unit::{Unit, is_true};

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

/// Converts the timers among the sources; the services among them give the commands.
pub(crate) fn convert(
    sources: &[(usize, Source<'_>)],
    options: &Options,
    file: &mut JobFile,
    out: &mut Converted,
) -> Result<(), Message> {
    let units: Vec<(usize, &str, Unit<'_>)> =
        sources.iter().map(|(index, source)| (*index, source.name, Unit::read(source.text))).collect();
    if let Some((index, name, _)) =
        units.iter().find(|(_, _, unit)| !unit.has("Timer") && !unit.has("Service"))
    {
        let reason = format!("`{}` has no section [Timer] or [Service]", shown(name));
        return Err(Message::new(Severity::Refusal, *index, reason));
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
        timer.convert(options, file, out);
    }
    for (index, name, _) in
        units.iter().filter(|(index, _, unit)| !unit.has("Timer") && !used.contains(index))
    {
        let reason = format!("no timer starts `{}`: it is ignored", shown(name));
        out.say(Message::new(Severity::Note, *index, reason));
    }
    Ok(())
}

/// Makes one line of two where one has all times of both.
fn merge(calendars: &mut Vec<(Calendar, usize)>) {
    let mut at = 0;
    while at < calendars.len() {
        let (before, rest) = calendars.split_at_mut(at);
        let ((calendar, _), known) = (&rest[0], &mut before.iter_mut());
        let union = known.find_map(|(other, _)| {
            let same = other.timezone == calendar.timezone;
            Some((other.times.union(&calendar.times).filter(|_| same)?, other))
        });
        match union {
            Some((times, other)) => {
                other.times = times;
                calendars.remove(at);
                // What it is now may be a part of another one, or have one as a part.
                at = 0;
            }
            None => at += 1,
        }
    }
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
    fn convert(&self, options: &Options, file: &mut JobFile, out: &mut Converted) {
        for (key, _, line) in self.unit.entries("Timer").filter(|(key, ..)| TRIGGERS.contains(key)) {
            let refusal = Refusal::new(format!("{key}= is not a time of a calendar"));
            out.say(refusal.help("keep this trigger in systemd").message(self.source, line));
        }
        if self.stem.ends_with('@') || self.target.ends_with("@.service") {
            let reason = "this is a template: systemd starts its instances, and it has no instance";
            let message = Message::new(Severity::Refusal, self.source, reason);
            let example = if self.stem.ends_with('@') { self.stem } else { "NAME@" };
            return out.say(message.help(format!(
                "convert a copy that has an instance in its name: `{}INSTANCE.timer`",
                shown(example)
            )));
        }
        let (delay, fixed) = match self.delay() {
            Ok(delay) => delay,
            Err((refusal, line)) => return out.say(refusal.message(self.source, line)),
        };
        self.warn(out);
        let mut calendars: Vec<(Calendar, usize)> = Vec::new();
        for (value, line) in self.unit.list("Timer", "OnCalendar") {
            match calendar(value, &options.parser) {
                Ok(calendar) => calendars.push((calendar, line)),
                Err(refusal) => out.say(refusal.message(self.source, line)),
            }
        }
        if self.unit.list("Timer", "OnCalendar").is_empty()
            && !self.unit.entries("Timer").any(|(key, ..)| TRIGGERS.contains(&key))
        {
            let message = Message::new(Severity::Refusal, self.source, "the timer has no OnCalendar=");
            return out.say(message.help("write for example `OnCalendar=*-*-* 03:00`"));
        }
        merge(&mut calendars);
        // systemd starts once where two lines match the same time; two jobs would start twice.
        for (at, (calendar, line)) in calendars.iter().enumerate() {
            let same = |(other, _): &&(Calendar, usize)| {
                overlap(&other.times, &calendar.times) || other.timezone != calendar.timezone
            };
            if let Some((_, other)) = calendars[..at].iter().find(same) {
                let refusal = Refusal::new(format!(
                    "lines {other} and {line} can match the same time, and two jobs would start twice"
                ));
                return out.say(
                    refusal
                        .help("write lines that have no time in common, in one time zone")
                        .message(self.source, *line),
                );
            }
        }
        let mut without_zone = false;
        let command = match command::of(self.target, self.service, out) {
            Ok(fields) => fields,
            Err((refusal, source, line)) => return out.say(refusal.message(source, line)),
        };
        for (calendar, line) in calendars {
            let window =
                delay.unwrap_or_else(|| options.window.map_or(0, |window| window.as_secs().max(0) as u64));
            let kron = match calendar.times.in_kron(window) {
                Ok(kron) => kron,
                Err(refusal) => {
                    out.say(refusal.message(self.source, line));
                    continue;
                }
            };
            let mut job = JobLine::at(kron);
            (job.window, job.fixed) = (delay, fixed);
            without_zone |= calendar.timezone.is_none();
            job.timezone = calendar.timezone;
            let persistent = self.unit.last("Timer", "Persistent").is_some_and(|(value, _)| is_true(value));
            job.policy = format!("deadline={}", if persistent { PERSISTENT } else { WITHIN_THE_MINUTE });
            job.name = file.name(options, self.stem);
            job.fields.clone_from(&command);
            file.write(&job, (self.source, line), options, out);
        }
        if without_zone {
            note_zone(self.source, options, out);
        }
    }

    /// The window in seconds that the timer gives, and whether the place in it is fixed.
    fn delay(&self) -> Result<(Option<u64>, bool), (Refusal, usize)> {
        let read = |key: &str| match self.unit.last("Timer", key) {
            None => Ok(None),
            Some((value, line)) => match span::seconds(value) {
                Some(0) => Ok(None),
                Some(seconds) => Ok(Some((seconds, line))),
                None => {
                    let reason = format!("{key}: `{}` is not a time span of whole seconds", shown(value));
                    Err((Refusal::new(reason).help("write for example `30min` or `1h 30s`"), line))
                }
            },
        };
        let fixed = self.unit.last("Timer", "FixedRandomDelay").is_some_and(|(value, _)| is_true(value));
        match (read("RandomizedDelaySec")?, read("RandomizedOffsetSec")?) {
            (Some(_), Some((_, line))) => {
                let refusal =
                    Refusal::new("RandomizedDelaySec= and RandomizedOffsetSec= together are two windows");
                Err((refusal.help("keep one of them"), line))
            }
            (None, None) => Ok((None, false)),
            (Some((delay, _)), None) => Ok((Some(delay), fixed)),
            (None, Some((offset, _))) => Ok((Some(offset), true)),
        }
    }

    fn warn(&self, out: &mut Converted) {
        for (key, value, line) in self.unit.entries("Timer") {
            let reason = match key {
                "AccuracySec" if span::seconds(value).is_none_or(|seconds| seconds > 60) => {
                    "AccuracySec= is left out: Kron starts at the second, and at most a minute late"
                }
                "WakeSystem" if is_true(value) => "WakeSystem= is left out: Kron wakes no machine",
                "DeferReactivation" if is_true(value) => {
                    "DeferReactivation= is left out: a start is skipped while the job runs"
                }
                _ => continue,
            };
            out.say(Message::new(Severity::Warning, self.source, reason).at(line));
        }
        let service = self.service.into_iter();
        for (source, unit) in [(self.source, self.unit)].into_iter().chain(service) {
            for (key, _, line) in unit.entries("Unit").filter(|(key, ..)| !WITHOUT_EFFECT.contains(key)) {
                let key = shown(key);
                let reason =
                    format!("{key}= of the section [Unit] is left out: Kron starts the command without it");
                out.say(Message::new(Severity::Warning, source, reason).at(line));
            }
        }
    }
}
