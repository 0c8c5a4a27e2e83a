//! When windows begin, and the commands that wait in them with `kron wait`.

use kron_core::cron::CronField;
use kron_core::{Cron, Duration, Finding, WindowMode};

use crate::convert::duration::short;
use crate::convert::job_line::shell_word;
use crate::error::convert::export as messages;
use crate::load::LoadedJob;
use crate::prime::Prime as _;

/// cron and systemd start a command a moment after the time; a start that is due in that moment needs a deadline.
pub(super) const LEAST_DEADLINE: &str = "1m";

/// When the window of a job begins.
pub(super) fn window_starts(job: &LoadedJob) -> Result<Vec<Cron>, Finding> {
    let spec = job.job.spec();
    let cron = spec.schedule();
    let lead = lead(job);
    if lead == 0 {
        return Ok(vec![*cron]);
    }
    let lead = Duration::parse(&format!("{lead}ns")).map_err(|error| Finding::from_error(&error))?;
    let primed = cron.prime(lead).map_err(|error| messages::window_before(&short(lead), &error))?;
    Ok(primed.expressions().to_vec())
}

/// How many nanoseconds before the time of the schedule the window of a job begins.
fn lead(job: &LoadedJob) -> i64 {
    let window = job.job.spec().window();
    let nanos = window.duration().as_nanos();
    match window.mode() {
        WindowMode::After => 0,
        WindowMode::Around => nanos / 2,
        WindowMode::Before => nanos,
    }
}

/// Whether the window of a job can begin on the day before that of the schedule.
pub(super) fn begins_on_another_day(job: &LoadedJob) -> bool {
    let cron = job.job.spec().schedule();
    let first = |field| i64::from(cron.values(field).trailing_zeros());
    let minutes = first(CronField::Hour) * 60 + first(CronField::Minute);
    lead(job) > minutes * 60_000_000_000
}

/// The text of a job for `kron wait`; its deadline covers the moment that a start takes.
fn text_for_wait(job: &LoadedJob) -> Result<String, Finding> {
    let spec = job.job.spec();
    if let Some(calendar) = spec.calendars().first() {
        return Err(messages::calendar(calendar.name()));
    }
    let least = Duration::parse(LEAST_DEADLINE).map_err(|error| Finding::from_error(&error))?;
    let policy = spec.policy();
    if policy.deadline().as_nanos() >= least.as_nanos() {
        return Ok(spec.to_string());
    }
    let policy = policy.with_deadline(least);
    let spec = spec.to_builder().policy(policy).build().map_err(|error| Finding::from_error(&error))?;
    Ok(spec.to_string())
}

/// What a host does by itself.
#[derive(Clone, Copy)]
pub(super) struct Host {
    /// It makes up for missed starts, however late, so that the command checks the deadline.
    pub(super) makes_late_starts: bool,
    /// It starts the command on the days of the job only, so that the command need not judge them.
    pub(super) chooses_days: bool,
}

/// The shell command of a job: it waits, where there is a window or something to check, and runs the command with its directory
/// and variables.
pub(super) fn command_line(job: &LoadedJob, host: Host) -> Result<String, Finding> {
    let field =
        |key: &str| job.fields.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str());
    let Some(command) = field("command") else {
        return Err(messages::no_command());
    };
    let mut command = command.to_string();
    let seconds = field("timeout").map(whole_seconds).transpose()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || " _-./:@%+,='\"".contains(c);
    if !command.chars().all(plain) || seconds.is_some() {
        command = format!("sh -c {}", shell_word(&command));
    }
    if let Some(seconds) = seconds {
        command = format!("timeout {seconds} {command}");
    }
    for name in job.fields.iter().filter_map(|(key, _)| key.strip_prefix("env.")) {
        let is_first = |c: char| c.is_ascii_alphabetic() || c == '_';
        if !name.starts_with(is_first) || !name.chars().all(|c| is_first(c) || c.is_ascii_digit()) {
            return Err(messages::variable(name));
        }
    }
    let variables: Vec<String> = job
        .fields
        .iter()
        .filter_map(|(key, value)| Some(format!("{}={}", key.strip_prefix("env.")?, shell_word(value))))
        .collect();
    if !variables.is_empty() {
        command = format!("export {} && {command}", variables.join(" "));
    }
    if let Some(cwd) = field("cwd") {
        command = format!("cd {} && {command}", shell_word(cwd));
    }
    let spec = job.job.spec();
    let is_plain = spec.window().duration().is_zero()
        && spec.constraints().is_empty()
        && (host.chooses_days || spec.days().is_empty())
        && !spec.policy().suspend();
    if is_plain && !host.makes_late_starts {
        return Ok(command);
    }
    let name = job.job.name();
    if name.contains("{host}") {
        return Err(messages::name_with_host());
    }
    // A name that begins with a hyphen would be an option.
    let separator = if name.starts_with('-') { '=' } else { ' ' };
    let wait = format!(
        "kron wait '{}' --name{separator}{}",
        text_for_wait(job)?.replace('\'', r"'\''"),
        shell_word(name)
    );
    Ok(format!("{wait} && {command}"))
}

/// Refuses a command that a line of this kind cannot have.
pub(super) fn check_line(command: &str, target: &str) -> Result<(), Finding> {
    if command.contains('\0') {
        return Err(messages::nul());
    }
    if command.contains(['\n', '\r']) {
        return Err(messages::several_lines(target));
    }
    Ok(())
}

/// The whole seconds of `timeout=`.
fn whole_seconds(text: &str) -> Result<i64, Finding> {
    let duration = Duration::parse(text).map_err(|error| messages::timeout_syntax(&error))?;
    if duration.as_nanos() % 1_000_000_000 != 0 || duration.is_zero() {
        return Err(messages::timeout(text));
    }
    Ok(duration.as_secs())
}
