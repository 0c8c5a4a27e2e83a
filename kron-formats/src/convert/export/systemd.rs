//! Jobs as timers and services of systemd.

use std::collections::BTreeSet;

use crate::LoadedJob;
use kron_core::Concurrency;

use super::cron_days::sets;
use super::{Exported, check_line, command_line, warn, window_starts};
use crate::convert::message::{Refusal, Severity};
use crate::convert::options::short;
use crate::convert::times::Part;

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

pub(super) fn export(jobs: &[LoadedJob], out: &mut Exported) {
    let mut names = BTreeSet::new();
    for (index, job) in jobs.iter().enumerate() {
        let name = unit_name(job.job.name());
        let made = units(job).and_then(|units| {
            if names.insert(name.clone()) {
                Ok(units)
            } else {
                let refusal = Refusal::new(format!("another job has the unit `{name}`"));
                Err(refusal.help("give it a name of other letters and digits"))
            }
        });
        match made {
            Err(refusal) => out.say(Severity::Refusal, index, job, refusal),
            Ok((timer, service)) => {
                out.files.push((format!("{name}.timer"), timer));
                out.files.push((format!("{name}.service"), service));
                if job.job.spec().policy().concurrency() != Concurrency::Forbid {
                    let reason = "systemd starts no service that is active, as `concurrency=forbid` does";
                    out.say(Severity::Warning, index, job, Refusal::new(reason));
                }
                warn(index, job, out);
            }
        }
    }
}

/// A name of a unit: letters, digits, `-`, `_` and `.`.
fn unit_name(name: &str) -> String {
    let clean = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    name.chars().take(200).map(clean).collect()
}

fn units(job: &LoadedJob) -> Result<(String, String), Refusal> {
    let starts = window_starts(job)?;
    let spec = job.job.spec();
    let window = spec.window().duration();
    // OK because durations are never negative.
    if !window.is_zero() && spec.schedule().most_nominal_times_in(window.as_secs() as u64) > 1 {
        let refusal = Refusal::new(format!(
            "its window of {} is as long as a gap of its schedule or longer: systemd starts no service that still waits, so \
             starts would be lost",
            short(window)
        ));
        return Err(refusal.help("give it a shorter window, or use `-o crontab`"));
    }
    let zone = spec.timezone().name();
    let mut calendars = String::new();
    for start in &starts {
        let (sets, both) =
            sets(start).ok_or_else(|| Refusal::new("the schedule is not in canonical form"))?;
        let [minute, hour, dom, month, dow] = sets;
        // A timer starts once where two of its lines match.
        let days = if both {
            vec![(dom, dow)]
        } else {
            vec![(dom, Part::DayOfWeek.all()), (Part::DayOfMonth.all(), dow)]
        };
        for (dom, dow) in days {
            let week = (1..=7).map(|day| day % 7).filter(|day| dow >> day & 1 == 1).map(|day| DAYS[day]);
            let week = if dow == Part::DayOfWeek.all() {
                String::new()
            } else {
                week.collect::<Vec<_>>().join(",") + " "
            };
            calendars += &format!(
                "OnCalendar={week}*-{}-{} {}:{}:00 {zone}\n",
                values(month, Part::Month),
                values(dom, Part::DayOfMonth),
                values(hour, Part::Hour),
                values(minute, Part::Minute)
            );
        }
    }
    let is_persistent = spec.policy().deadline().as_secs() > 60;
    let command = command_line(job, is_persistent)?;
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

/// The values of a set as systemd writes lists.
fn values(set: u64, part: Part) -> String {
    crate::convert::times::list(set, part)
        .split(',')
        .map(|item| item.replace('-', ".."))
        .collect::<Vec<_>>()
        .join(",")
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
