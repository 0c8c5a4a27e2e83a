//! Messages about jobs that are exported.

use kron_core::{Error, Finding};

use super::{ConvertCode, refusal, shown, warning};

/// `lead` is how long before the schedule the window begins.
pub(crate) fn window_before(lead: &str, error: &Error) -> Finding {
    let message = format!("the window begins {lead} before the schedule: {}", error.reason());
    refusal(ConvertCode::NotExpressible, message).with_help("use a window `after` the time of the schedule")
}

pub(crate) fn expressions_overlap() -> Finding {
    let message = "the window begins at times that several expressions have in common";
    refusal(ConvertCode::NotExpressible, message).with_help("use a window `after` the time of the schedule")
}

pub(crate) fn calendar(name: &str) -> Finding {
    let message = format!("the job names the calendar `{name}`, which is in another file");
    refusal(ConvertCode::NotExpressible, message)
        .with_help("write its dates into the job, as `@avoid(dates=...)`")
}

const WAIT: &str =
    "export it to a crontab, whose line asks `kron wait` whether the day is chosen, or run it by `kron run`";

/// `part` is the part of the clause that systemd does not have.
pub(crate) fn days(part: &str, clause: &str) -> Finding {
    let message = format!("no calendar of systemd says `{part}` of `{clause}`");
    refusal(ConvertCode::NotExpressible, message).with_help(WAIT)
}

/// Days counted from both ends of a month.
pub(crate) fn both_ends() -> Finding {
    let message = "no calendar of systemd counts days from the beginning and from the end of the month";
    refusal(ConvertCode::NotExpressible, message).with_help(WAIT)
}

pub(crate) fn no_day() -> Finding {
    refusal(ConvertCode::NotExpressible, "its clauses of days leave no day").with_help("change its `@days`")
}

pub(crate) fn too_many_calendars(max: usize) -> Finding {
    let message = format!("its clauses of days need more than {max} calendars of systemd");
    refusal(ConvertCode::TooLong, message).with_help(WAIT)
}

/// The window begins before the day that the rules of days are about.
pub(crate) fn window_on_another_day() -> Finding {
    let message = "the window begins on the day before the one that its clauses of days choose";
    refusal(ConvertCode::NotExpressible, message).with_help("use a window `after` the time of the schedule")
}

pub(crate) fn no_command() -> Finding {
    refusal(ConvertCode::NoCommand, "the job has no command").with_help("add `command=\"...\"` to its line")
}

pub(crate) fn variable(name: &str) -> Finding {
    refusal(ConvertCode::BadCommand, format!("the shell cannot set the variable `{}`", shown(name)))
        .with_help("put the command into a script that sets it with `env`")
}

pub(crate) fn name_with_host() -> Finding {
    let message = "the name has `{host}`, which `kron wait` replaces by the name of the machine";
    refusal(ConvertCode::NotExpressible, message).with_help("give the job another name")
}

pub(crate) fn nul() -> Finding {
    refusal(ConvertCode::BadCommand, "the command contains a NUL character").with_help("remove `\\u{0}`")
}

/// `target` is a crontab or a unit.
pub(crate) fn several_lines(target: &str) -> Finding {
    let message = format!("the command has several lines, and a line of a {target} has one");
    refusal(ConvertCode::BadCommand, message).with_help("put it into a script")
}

pub(crate) fn escaped_percent() -> Finding {
    refusal(ConvertCode::BadCommand, "the command has `\\%`, which a line of a crontab cannot contain")
        .with_help("put it into a script")
}

pub(crate) fn field(key: &str) -> Finding {
    warning(ConvertCode::LeftOut, format!("the field `{key}=` is left out"))
}

pub(crate) fn timeout_syntax(error: &Error) -> Finding {
    refusal(ConvertCode::BadValue, format!("timeout: {}", error.reason()))
}

pub(crate) fn timeout(text: &str) -> Finding {
    let message = format!("timeout: `{}` is not whole seconds from 1s on", shown(text));
    refusal(ConvertCode::BadValue, message)
}

pub(crate) fn user(name: &str) -> Finding {
    warning(ConvertCode::User, format!("the command belongs to the user `{}`", shown(name)))
        .with_help("install the line in the crontab of this user")
}

pub(crate) fn cron_starts_while_active(jobs: usize, all: usize) -> Finding {
    let message =
        format!("cron starts a command while the last one runs; {jobs} of {all} jobs do not allow that");
    warning(ConvertCode::ActiveRun, message).with_help("put `flock -n FILE` before their commands")
}

pub(crate) fn cron_makes_no_late_starts(jobs: usize, all: usize) -> Finding {
    let message = format!(
        "cron makes up for no start that it missed; {jobs} of {all} jobs have a deadline longer than a minute"
    );
    warning(ConvertCode::LateStarts, message)
        .with_help("export to systemd, which makes up for the last one, or use `kron run`")
}

/// The times of the job's zone, in that of the machine, are on days that no expression says.
pub(crate) fn other_days(zone: &str, host: &str) -> Finding {
    let message = format!(
        "times of `{zone}` fall on other days in `{host}`, the time zone of the machine, which cron cannot say"
    );
    refusal(ConvertCode::NotExpressible, message).with_help(
        "use `--cron cronie` if cron knows `CRON_TZ`, or give the job the time zone of the machine",
    )
}

/// When the difference of the clocks of two zones changes, and by how much.
pub(crate) fn clocks_differ(zone: &str, host: &str, at: &str, minutes: u32) -> Finding {
    let message = format!(
        "cron reads its line in `{host}`, the time zone of the machine: from {at} on, when clocks change, it starts {minutes} minutes \
         off the times of `{zone}`"
    );
    warning(ConvertCode::TimeZoneAssumed, message)
        .with_help("export it again then, or use `--cron cronie` if cron knows `CRON_TZ`")
}

pub(crate) fn repeated_unit(name: &str) -> Finding {
    refusal(ConvertCode::RepeatedName, format!("another job has the unit `{name}`"))
        .with_help("give it a name of other letters and digits")
}

pub(crate) fn systemd_starts_none_while_active() -> Finding {
    let message = "systemd starts no service that is active, as `concurrency=forbid` does";
    warning(ConvertCode::ActiveRun, message)
}

pub(crate) fn window_longer_than_gap(window: &str) -> Finding {
    let message = format!(
        "its window of {window} is as long as a gap of its schedule or longer: systemd starts no service that still waits, so \
         starts would be lost"
    );
    refusal(ConvertCode::OverlappingWindow, message)
        .with_help("give it a shorter window, or use `-o crontab`")
}
