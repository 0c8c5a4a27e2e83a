//! Jobs as lines of a crontab.

use kron_core::cron::CronField;
use kron_core::{Concurrency, Cron, Duration, Finding};

use super::exported::Exported;
use super::options::{CronProgram, ExportOptions};
use super::shift::{differs, in_zone_of_host};
use super::wait::{Host, LEAST_DEADLINE, check_line, command_line, window_starts};
use crate::convert::times::{Times, overlap};
use crate::error::convert::export as messages;
use crate::load::LoadedJob;

pub(super) fn export(jobs: &[LoadedJob], options: &ExportOptions, out: &mut Exported) {
    let (mut text, mut timezone, mut exclusive, mut late) = (String::new(), None, 0, 0);
    let minute = Duration::parse(LEAST_DEADLINE).map_or(0, Duration::as_nanos);
    for (index, job) in jobs.iter().enumerate() {
        let lines = match lines(job, options) {
            Ok(lines) => lines,
            Err(finding) => {
                out.report_of(index, job, finding);
                continue;
            }
        };
        let zone = job.job.spec().timezone();
        if options.cron == CronProgram::Cronie {
            if timezone.replace(zone.name()) != Some(zone.name()) {
                text += &format!("CRON_TZ={}\n", zone.name());
            }
        } else if let Some(warning) = differs(zone, &options.timezone, options.now) {
            out.report_of(index, job, warning);
        }
        lines.iter().for_each(|line| text += &format!("{line}\n"));
        exclusive += usize::from(job.job.spec().policy().concurrency() != Concurrency::Allow);
        late += usize::from(job.job.spec().policy().deadline().as_nanos() > minute);
        if let Some((_, user)) = job.fields.iter().find(|(key, _)| key == "user") {
            out.report_of(index, job, messages::user(user));
        }
        out.report_fields(index, job);
    }
    if exclusive > 0 {
        out.report(messages::cron_starts_while_active(exclusive, jobs.len()));
    }
    if late > 0 {
        out.report(messages::cron_makes_no_late_starts(late, jobs.len()));
    }
    if !text.is_empty() {
        out.files.push(("crontab".to_string(), text));
    }
}

fn lines(job: &LoadedJob, options: &ExportOptions) -> Result<Vec<String>, Finding> {
    let mut starts = window_starts(job)?;
    if options.cron != CronProgram::Cronie {
        starts = in_zone_of_host(&starts, job.job.spec().timezone(), &options.timezone, options.now)?;
    }
    let times: Vec<Times> = starts.iter().map(Times::of_cron).collect();
    if times.iter().enumerate().any(|(at, one)| times[..at].iter().any(|other| overlap(other, one))) {
        return Err(messages::expressions_overlap());
    }
    let command = command_line(job, Host { makes_late_starts: false, chooses_days: false })?;
    check_line(&command, "crontab")?;
    // A backslash before `%` would belong to cron, and the `%` would end the command.
    let mut rest = command.as_str();
    while let Some((before, after)) = rest.split_once('%') {
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        if backslashes % 2 == 1 {
            return Err(messages::escaped_percent());
        }
        rest = after;
    }
    // Elsewhere, `%` is the end of the command.
    let command = command.replace('%', "\\%");
    Ok(starts.iter().map(|cron| format!("{} {command}", for_crontab(cron))).collect())
}

/// The expression for a crontab. There, a day field that begins with `*` counts as unrestricted, so it is spelled as a list.
fn for_crontab(cron: &Cron) -> String {
    let canonical = cron.to_string();
    let fields = canonical.split(' ').zip(CronField::ALL).map(|(text, field)| {
        if field.is_of_days() && text.starts_with("*/") {
            field.list(cron.values(field))
        } else {
            text.to_string()
        }
    });
    fields.collect::<Vec<_>>().join(" ")
}
