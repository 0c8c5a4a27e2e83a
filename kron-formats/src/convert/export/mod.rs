//! Jobs of Kron as crontabs and units of systemd, which wait for the chosen second with `kron wait`.

mod cron_days;
mod crontab;
mod systemd;

use crate::LoadedJob;
use kron_core::{Duration, WindowMode};

use crate::convert::job_line::shell_word;
use crate::convert::message::{Message, Refusal, Severity, shown};
use crate::convert::options::short;

pub(crate) use cron_days::overlap;

/// cron and systemd start a command a moment after the time; a start that is due in that moment needs a deadline.
const LEAST_DEADLINE: &str = "1m";

/// What jobs are exported to.
///
/// ```
/// use kron_formats::convert::Target;
/// assert_eq!(Target::ALL.map(Target::word), ["crontab", "systemd"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A user's crontab, for a cron that knows `CRON_TZ`.
    Crontab,
    /// A timer and a service for each job.
    Systemd,
}

impl Target {
    /// All targets.
    pub const ALL: [Target; 2] = [Target::Crontab, Target::Systemd];

    /// Its word on the command line.
    ///
    /// ```
    /// assert_eq!(kron_formats::convert::Target::Crontab.word(), "crontab");
    /// ```
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Target::Crontab => "crontab",
            Target::Systemd => "systemd",
        }
    }
}

/// The result of an export.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Exported {
    /// Names and contents of files: `crontab`, or two units for each job.
    pub files: Vec<(String, String)>,
    /// How many jobs are not in them; a message of severity [`Severity::Refusal`] gives each reason.
    pub refused: usize,
    /// What to know about them. The source of each message is the index of its job.
    pub messages: Vec<Message>,
}

/// Exports the jobs of a job file, whose fields `command`, `cwd`, `env.NAME` and `timeout` say what runs.
///
/// ```
/// use kron_core::Parser;
/// use kron_formats::convert::{Target, export};
/// let file = "0 1 * * * @tz(Europe/Paris) @win(after,3h) @policy(concurrency=allow,deadline=5m) name=db/backup command=backup";
/// let jobs = kron_formats::load(&Parser::new(), file, &kron_formats::LoadOptions::default()).unwrap().jobs;
/// let exported = export(&jobs, Target::Crontab);
/// assert_eq!(
///     exported.files[0].1,
///     "CRON_TZ=Europe/Paris\n\
///      0 1 * * * kron wait '0 1 * * * @tz(Europe/Paris) @win(after,3h0m0s) @policy(concurrency=allow,deadline=5m0s)' \
///      --name db/backup && backup\n"
/// );
/// ```
#[must_use]
pub fn export(jobs: &[LoadedJob], target: Target) -> Exported {
    let mut out = Exported::default();
    match target {
        Target::Crontab => crontab::export(jobs, &mut out),
        Target::Systemd => systemd::export(jobs, &mut out),
    }
    out
}

impl Exported {
    fn say(&mut self, severity: Severity, index: usize, job: &LoadedJob, refusal: Refusal) {
        self.refused += usize::from(severity == Severity::Refusal);
        let message = Message::new(severity, index, refusal.reason);
        let help = refusal.help;
        self.messages.push(Message {
            line: job.line,
            job: Some(job.job.name().to_string()),
            help,
            ..message
        });
    }
}

/// When the window of a job begins: five fields each, and how they are read.
fn window_starts(job: &LoadedJob) -> Result<Vec<String>, Refusal> {
    let spec = job.job.spec();
    let (window, cron) = (spec.window(), spec.schedule());
    let nanos = window.duration().as_nanos();
    let lead = match window.mode() {
        WindowMode::After => 0,
        WindowMode::Around => nanos / 2,
        WindowMode::Before => nanos,
    };
    if lead == 0 {
        return Ok(vec![cron.to_string()]);
    }
    let lead = Duration::parse(&format!("{lead}ns")).map_err(|error| Refusal::from(&error))?;
    let primed = cron.prime(lead).map_err(|error| {
        let reason = format!("the window begins {} before the schedule: {}", short(lead), error.reason());
        Refusal::new(reason).help("use a window `after` the time of the schedule")
    })?;
    Ok(primed.expressions().iter().map(ToString::to_string).collect())
}

/// The text of a job for `kron wait`; its deadline covers the moment that a start takes.
fn text_for_wait(job: &LoadedJob) -> Result<String, Refusal> {
    let spec = job.job.spec();
    if let Some(calendar) = spec.constraints().calendars().first() {
        let refusal = Refusal::new(format!(
            "the job names the calendar `{}`, which is in another file",
            calendar.name()
        ));
        return Err(refusal.help("write its dates into the job, as `@avoid(dates=...)`"));
    }
    let least = Duration::parse(LEAST_DEADLINE).map_err(|error| Refusal::from(&error))?;
    let policy = spec.policy();
    if policy.deadline().as_nanos() >= least.as_nanos() {
        return Ok(spec.to_string());
    }
    let policy = policy.with_deadline(least);
    let spec = spec.to_builder().policy(policy).build().map_err(|error| Refusal::from(&error))?;
    Ok(spec.to_string())
}

/// The shell command of a job: it waits, where there is a window, and runs the command with its directory and variables.
///
/// `checks_deadline`: the host makes up for missed starts, however late, so a job that has a deadline waits, too.
fn command_line(job: &LoadedJob, checks_deadline: bool) -> Result<String, Refusal> {
    let field =
        |key: &str| job.fields.iter().find(|(found, _)| found == key).map(|(_, value)| value.as_str());
    let Some(command) = field("command") else {
        return Err(Refusal::new("the job has no command").help("add `command=\"...\"` to its line"));
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
            let refusal = Refusal::new(format!("the shell cannot set the variable `{}`", shown(name)));
            return Err(refusal.help("put the command into a script that sets it with `env`"));
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
    let is_plain =
        spec.window().duration().is_zero() && spec.constraints().is_empty() && !spec.policy().suspend();
    if is_plain && !checks_deadline {
        return Ok(command);
    }
    let name = job.job.name();
    if name.contains("{host}") {
        let refusal =
            Refusal::new("the name has `{host}`, which `kron wait` replaces by the name of the machine");
        return Err(refusal.help("give the job another name"));
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
fn check_line(command: &str, line: &str) -> Result<(), Refusal> {
    if command.contains('\0') {
        return Err(Refusal::new("the command contains a NUL character").help("remove `\\u{0}`"));
    }
    if command.contains(['\n', '\r']) {
        let refusal = Refusal::new(format!("the command has several lines, and a line of a {line} has one"));
        return Err(refusal.help("put it into a script"));
    }
    Ok(())
}

/// What no host but Kron's own does.
fn warn(index: usize, job: &LoadedJob, out: &mut Exported) {
    let known = |key: &str| ["command", "cwd", "timeout", "user"].contains(&key) || key.starts_with("env.");
    for (key, _) in job.fields.iter().filter(|(key, _)| !known(key)) {
        out.say(Severity::Warning, index, job, Refusal::new(format!("the field `{key}=` is left out")));
    }
}

/// The whole seconds of `timeout=`.
fn whole_seconds(text: &str) -> Result<i64, Refusal> {
    let duration =
        Duration::parse(text).map_err(|error| Refusal::new(format!("timeout: {}", error.reason())))?;
    if duration.as_nanos() % 1_000_000_000 != 0 || duration.is_zero() {
        return Err(Refusal::new(format!("timeout: `{}` is not whole seconds from 1s on", shown(text))));
    }
    Ok(duration.as_secs())
}
