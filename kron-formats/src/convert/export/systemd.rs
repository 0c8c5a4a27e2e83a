//! Jobs as timers and services of systemd.

use std::collections::BTreeSet;

use kron_core::cron::CronField;
use kron_core::{Concurrency, Finding};

use super::days::{Dates, values};
use super::exported::Exported;
use super::wait::{Host, begins_on_another_day, check_line, command_line, window_starts};
use crate::convert::duration::short;
use crate::error::convert::export as messages;
use crate::load::LoadedJob;

pub(super) fn export(jobs: &[LoadedJob], out: &mut Exported) {
    let mut names = BTreeSet::new();
    for (index, job) in jobs.iter().enumerate() {
        let name = unit_name(job.job.name());
        let made = units(job).and_then(|units| {
            if names.insert(name.clone()) { Ok(units) } else { Err(messages::repeated_unit(&name)) }
        });
        match made {
            Err(finding) => out.report_of(index, job, finding),
            Ok((timer, service)) => {
                out.files.push((format!("{name}.timer"), timer));
                out.files.push((format!("{name}.service"), service));
                if job.job.spec().policy().concurrency() != Concurrency::Forbid {
                    out.report_of(index, job, messages::systemd_starts_none_while_active());
                }
                out.report_fields(index, job);
            }
        }
    }
}

/// A name of a unit: letters, digits, `-`, `_` and `.`, with `-` for `/`. Other bytes are escaped as systemd does it, and so is a
/// leading dot, which would hide the file.
fn unit_name(name: &str) -> String {
    let mut unit = String::new();
    for byte in name.bytes() {
        let escaped = match byte {
            b'/' => "-".to_string(),
            b'.' if unit.is_empty() => "\\x2e".to_string(),
            b'-' | b'_' | b'.' => char::from(byte).to_string(),
            byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
            byte => format!("\\x{byte:02x}"),
        };
        // The name of a unit has at most 255 bytes.
        if unit.len() + escaped.len() > 200 {
            break;
        }
        unit.push_str(&escaped);
    }
    unit
}

fn units(job: &LoadedJob) -> Result<(String, String), Finding> {
    let spec = job.job.spec();
    let starts = window_starts(job)?;
    if !spec.days().is_empty() && begins_on_another_day(job) {
        return Err(messages::window_on_another_day());
    }
    let window = spec.window().duration();
    // OK because durations are never negative.
    if !window.is_zero() && spec.schedule().most_nominal_times_in(window.as_secs() as u64) > 1 {
        return Err(messages::window_longer_than_gap(&short(window)));
    }
    let zone = spec.timezone().name();
    let mut calendars = String::new();
    for cron in &starts {
        for dates in Dates::of(cron, spec.days())? {
            calendars += &format!(
                "OnCalendar={} {}:{}:00 {zone}\n",
                dates.text(),
                values(CronField::Hour, cron.values(CronField::Hour)),
                values(CronField::Minute, cron.values(CronField::Minute))
            );
        }
    }
    let is_persistent = spec.policy().deadline().as_secs() > 60;
    let host = Host { makes_late_starts: is_persistent, chooses_days: true };
    let command = command_line(job, host)?;
    check_line(&command, "unit")?;
    let persistent = if is_persistent { "Persistent=true\n" } else { "" };
    let timer = format!(
        "[Unit]\nDescription=Start of {job_name} by its schedule\n\n[Timer]\n{calendars}AccuracySec=1s\n{persistent}\n[Install]\nWantedBy=timers.target\n",
        job_name = description(job.job.name()),
    );
    let user = job
        .fields
        .iter()
        .find(|(key, _)| key == "user")
        .map_or(String::new(), |(_, user)| format!("User={}\n", description(user)));
    let service = format!(
        "[Unit]\nDescription={}\n\n[Service]\nType=oneshot\n{user}ExecStart=/bin/sh -c {}\n",
        description(job.job.name()),
        exec_word(&command),
    );
    Ok((timer, service))
}

/// A text in which `%` is not a specifier.
fn description(text: &str) -> String {
    text.replace('%', "%%")
}

/// One word of `ExecStart=`.
fn exec_word(word: &str) -> String {
    let word = word.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%").replace('$', "$$");
    format!("\"{word}\"")
}

#[cfg(test)]
mod tests {
    use super::unit_name;

    #[test]
    fn a_unit_keeps_what_is_in_a_name() {
        assert_eq!(unit_name("prod/db-backup_1.daily"), "prod-db-backup_1.daily");
        assert_eq!(unit_name(".hidden"), "\\x2ehidden");
        assert_eq!(unit_name("caf\u{e9} 1"), "caf\\xc3\\xa9\\x201");
        assert_eq!(unit_name(&"\u{e9}".repeat(100)).len(), 200);
    }
}
