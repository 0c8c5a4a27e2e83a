//! Jobs of Jenkins, whose `H` is a hash of the job's name: schedules, Jenkinsfiles and `config.xml`.

mod config;
mod groovy;
mod pipeline;
mod schedule;
mod trigger;

use crate::convert::job_line::{JobFile, JobLine, WITHIN_THE_MINUTE, note_random, note_zone};
use crate::convert::message::{Message, Severity};
use crate::convert::options::Options;
use crate::convert::output::Converted;
use crate::convert::times::{Times, overlap};
use trigger::Trigger;

/// Converts a schedule, a Jenkinsfile or a `config.xml`. The jobs are named after the file.
pub(crate) fn convert(
    source: usize,
    name: &str,
    text: &str,
    options: &Options,
    file: &mut JobFile,
    out: &mut Converted,
) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (triggers, disabled) = if is_xml(text) {
        match config::read(text) {
            Ok(config) => (config.triggers, config.disabled),
            Err((line, refusal)) => {
                out.say(refusal.message(source, line));
                return;
            }
        }
    } else if let Some(triggers) = pipeline::read(text) {
        (triggers, false)
    } else {
        let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.to_string()));
        (vec![Trigger { line: 1, schedule: Ok(lines.collect()) }], false)
    };
    let start = out.text.len();
    let before = (out.converted, out.refused);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let mut jobs = Jobs { source, stem, disabled, ..Jobs::default() };
    for trigger in triggers {
        match trigger.schedule {
            Ok(lines) => jobs.write(&lines, options, file, out),
            Err(refusal) => out.say(refusal.message(source, trigger.line)),
        }
    }
    if out.converted == before.0 {
        out.text.truncate(start);
        if out.refused == before.1 {
            out.say(Message::new(Severity::Note, source, "it has no schedule, so nothing is converted"));
        }
        return;
    }
    if jobs.without_zone {
        note_zone(source, options, out);
    }
    if disabled {
        let reason = "the job is disabled in Jenkins, so it is suspended here";
        out.say(Message::new(Severity::Warning, source, reason));
    }
    note_random(source, jobs.random, out);
    let reason =
        "Jenkins puts a build in its queue, or runs both, while an earlier one runs; Kron skips the start";
    out.say(
        Message::new(Severity::Note, source, reason)
            .help("add `concurrency=allow` to `@policy(...)` for jobs that may overlap"),
    );
    let reason = "a schedule of Jenkins has no command";
    out.say(Message::new(Severity::Note, source, reason).help("add `command=\"...\"` to the jobs"));
}

/// Whether a text is a Jenkinsfile or a `config.xml`, or has a line that only Jenkins reads.
pub(crate) fn is_jenkins(text: &str) -> bool {
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
        options: &Options,
        file: &mut JobFile,
        out: &mut Converted,
    ) {
        let source = self.source;
        let window = options.window.map_or(0, |window| window.as_secs().max(0) as u64);
        let mut timezone = None;
        for (number, line) in lines {
            let (line, number) = (line.trim(), *number);
            if line.is_empty() || line.starts_with('#') {
                out.line(line);
                continue;
            }
            if let Some(zone) = line.strip_prefix("TZ=") {
                timezone = Some(zone.trim().to_string());
                continue;
            }
            let made = schedule::times(line).and_then(|times| Ok((times.in_kron(window)?, times)));
            let (kron, times) = match made {
                Ok(made) => made,
                Err(refusal) => {
                    out.say(refusal.message(source, number));
                    continue;
                }
            };
            if let Some((_, other)) = self.seen.iter().find(|(other, _)| overlap(other, &times)) {
                let reason = format!(
                    "this line and line {other} can match the same minute: Jenkins then builds once, Kron starts two jobs"
                );
                out.say(Message::new(Severity::Warning, source, reason).at(number));
            }
            for (part, step, least, most) in times.uneven() {
                let reason = format!(
                    "the step {step} does not divide the range of the {}: Jenkins builds {least} or {most} times in it, by a \
                     hash of the name, and Kron starts {most} times",
                    part.name()
                );
                out.say(Message::new(Severity::Warning, source, reason).at(number));
            }
            self.seen.push((times, number));
            let mut job = JobLine::at(kron);
            self.random += usize::from(job.window.is_some());
            self.without_zone |= timezone.is_none();
            job.timezone.clone_from(&timezone);
            job.policy = format!("deadline={WITHIN_THE_MINUTE}");
            if self.disabled {
                job.policy += ",suspend=true";
            }
            job.name = file.name(options, self.stem);
            file.write(&job, (source, number), options, out);
        }
    }
}
