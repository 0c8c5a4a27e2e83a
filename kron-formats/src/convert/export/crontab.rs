//! Jobs as lines of a crontab.

use crate::LoadedJob;
use kron_core::{Concurrency, Duration};

use super::cron_days::{for_crontab, overlap};
use super::{Exported, LEAST_DEADLINE, check_line, command_line, warn, window_starts};
use crate::convert::message::{Message, Refusal, Severity};

pub(super) fn export(jobs: &[LoadedJob], out: &mut Exported) {
    let (mut text, mut timezone, mut exclusive, mut late) = (String::new(), None, 0, 0);
    let minute = Duration::parse(LEAST_DEADLINE).map_or(0, Duration::as_nanos);
    for (index, job) in jobs.iter().enumerate() {
        let lines = match lines(job) {
            Ok(lines) => lines,
            Err(refusal) => {
                out.say(Severity::Refusal, index, job, refusal);
                continue;
            }
        };
        let zone = job.job.spec().timezone().name();
        if timezone.replace(zone) != Some(zone) {
            text += &format!("CRON_TZ={zone}\n");
        }
        lines.iter().for_each(|line| text += &format!("{line}\n"));
        exclusive += usize::from(job.job.spec().policy().concurrency() != Concurrency::Allow);
        late += usize::from(job.job.spec().policy().deadline().as_nanos() > minute);
        if let Some((_, user)) = job.fields.iter().find(|(key, _)| key == "user") {
            let refusal = Refusal::new(format!(
                "the command belongs to the user `{}`",
                crate::convert::message::shown(user)
            ));
            out.say(
                Severity::Warning,
                index,
                job,
                refusal.help("install the line in the crontab of this user"),
            );
        }
        warn(index, job, out);
    }
    if exclusive > 0 {
        let reason = format!(
            "cron starts a command while the last one runs; {exclusive} of {} jobs do not allow that",
            jobs.len()
        );
        out.messages.push(
            Message::new(Severity::Warning, 0, reason).help("put `flock -n FILE` before their commands"),
        );
    }
    if late > 0 {
        let reason = format!(
            "cron makes up for no start that it missed; {late} of {} jobs have a deadline longer than a minute",
            jobs.len()
        );
        let help = "export to systemd, which makes up for the last one, or use `kron run`";
        out.messages.push(Message::new(Severity::Warning, 0, reason).help(help));
    }
    if !text.is_empty() {
        out.files.push(("crontab".to_string(), text));
    }
}

fn lines(job: &LoadedJob) -> Result<Vec<String>, Refusal> {
    let starts = window_starts(job)?;
    for (at, start) in starts.iter().enumerate() {
        if starts[..at].iter().any(|other| overlap(other, start)) {
            let refusal = Refusal::new("the window begins at times that several expressions have in common");
            return Err(refusal.help("use a window `after` the time of the schedule"));
        }
    }
    let command = command_line(job, false)?;
    check_line(&command, "crontab")?;
    // A backslash before `%` would belong to cron, and the `%` would end the command.
    let mut rest = command.as_str();
    while let Some((before, after)) = rest.split_once('%') {
        let backslashes = before.len() - before.trim_end_matches('\\').len();
        if backslashes % 2 == 1 {
            let refusal = Refusal::new("the command has `\\%`, which a line of a crontab cannot contain");
            return Err(refusal.help("put it into a script"));
        }
        rest = after;
    }
    // Elsewhere, `%` is the end of the command.
    let command = command.replace('%', "\\%");
    let cron = |start: &String| for_crontab(start).map(|cron| format!("{cron} {command}"));
    starts
        .iter()
        .map(cron)
        .collect::<Option<_>>()
        .ok_or_else(|| Refusal::new("the schedule is not in canonical form"))
}
