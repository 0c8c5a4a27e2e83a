//! Jobs of Jenkins, whose `H` is a hash of the job's name: schedules, Jenkinsfiles and `config.xml`.

mod config;
mod groovy;
mod pipeline;
mod schedule;
mod trigger;

use self::trigger::Trigger;
use crate::convert::conversion::{Conversion, Input};
use crate::convert::finding::ConvertFinding;
use crate::convert::job_line::{JobLine, WITHIN_THE_MINUTE};
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::times::{Times, overlap};
use crate::error::convert::{jenkins as messages, source as source_messages};
use crate::limits::TRIGGER_LINES;

pub(super) const READER: Reader =
    Reader { evidence: Evidence::Syntax, recognizes: is_jenkins, convert: Convert::Each(convert) };

/// Converts a schedule, a Jenkinsfile or a `config.xml`. The jobs are named after the file.
fn convert(input: &Input<'_>, conversion: &mut Conversion<'_>) -> Result<(), Box<ConvertFinding>> {
    let Input { index: source, name, text, .. } = *input;
    let (triggers, disabled) = if is_xml(text) {
        match config::read(text) {
            Ok(config) => (config.triggers, config.disabled),
            Err((line, finding)) => {
                conversion.report_at((source, line), finding);
                return Ok(());
            }
        }
    } else if let Some(triggers) = pipeline::read(text) {
        (triggers, false)
    } else {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.to_string()));
        (vec![Trigger { line: 1, schedule: Ok(lines.collect()) }], false)
    };
    let start = conversion.out.text.len();
    let before = (conversion.out.converted, conversion.out.refused, conversion.never);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut jobs = Jobs { source, stem, disabled, ..Jobs::default() };
    for trigger in triggers {
        match trigger.schedule {
            Ok(lines) => jobs.write(&lines, conversion)?,
            Err(finding) => conversion.report_at((source, trigger.line), finding),
        }
    }
    if conversion.out.converted == before.0 {
        conversion.out.text.truncate(start);
        if (conversion.out.refused, conversion.never) == (before.1, before.2) {
            conversion.report(source, source_messages::no_schedule());
        }
        return Ok(());
    }
    if jobs.without_zone {
        conversion.report_no_zone(source);
    }
    if disabled {
        conversion.report(source, messages::disabled());
    }
    conversion.report_random(source, jobs.random);
    conversion.report_once(source, messages::queue());
    conversion.report_once(source, messages::no_command());
    Ok(())
}

/// Whether a text is a Jenkinsfile or a `config.xml`, or has a line that only Jenkins reads.
fn is_jenkins(text: &str) -> bool {
    let is_job = || ["hudson", "jenkins", "<triggers"].into_iter().any(|part| text.contains(part));
    if is_xml(text) {
        return is_job();
    }
    let mut lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    lines.any(schedule::is_jenkins) || pipeline::read(text).is_some()
}

fn is_xml(text: &str) -> bool {
    text.trim_start().starts_with('<')
}

/// The jobs of one source.
#[derive(Debug, Default)]
struct Jobs<'t> {
    source: usize,
    stem: &'t str,
    disabled: bool,
    /// The times of the schedules so far, with their lines.
    seen: Vec<(Times, usize)>,
    /// How many jobs have a random time.
    random: usize,
    /// Whether a schedule names no time zone.
    without_zone: bool,
}

impl Jobs<'_> {
    /// Writes a job for each line of a trigger. A time zone is that of the lines after it.
    fn write(
        &mut self,
        lines: &[(usize, String)],
        conversion: &mut Conversion<'_>,
    ) -> Result<(), Box<ConvertFinding>> {
        let mut timezone = None;
        for (number, line) in lines {
            let (line, place) = (line.trim(), (self.source, *number));
            if line.is_empty() || line.starts_with('#') {
                conversion.out.line(line);
                continue;
            }
            if let Some(zone) = line.strip_prefix("TZ=") {
                timezone = Some(zone.trim().to_string());
                continue;
            }
            let made = schedule::times(line).and_then(|times| Ok((times.in_kron()?, times)));
            let (kron, times) = match made {
                Ok(made) => made,
                Err(finding) => {
                    conversion.report_at(place, finding);
                    continue;
                }
            };
            if self.seen.len() >= TRIGGER_LINES {
                conversion.report_at(place, messages::too_many_lines(TRIGGER_LINES));
                return Ok(());
            }
            if let Some((_, other)) = self.seen.iter().find(|(other, _)| overlap(other, &times)) {
                conversion.report_at(place, messages::same_minute(*other));
            }
            for (field, step, least, most) in times.uneven() {
                conversion.report_at(place, messages::uneven_step(field, step, least, most));
            }
            self.seen.push((times, place.1));
            let mut job = JobLine::at(kron);
            self.random += usize::from(job.window.is_some());
            self.without_zone |= timezone.is_none();
            job.timezone.clone_from(&timezone);
            job.policy = format!("deadline={WITHIN_THE_MINUTE}");
            if self.disabled {
                job.policy += ",suspend=true";
            }
            job.name = conversion.free_name(self.stem);
            conversion.write(&job, place)?;
        }
        Ok(())
    }
}
