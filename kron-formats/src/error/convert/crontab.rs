//! Messages about crontabs.

use kron_core::cron::CronField;
use kron_core::{Error, Finding};

use super::{ConvertCode, note, refusal, shown, warning};

pub(crate) fn not_a_variable(name: &str) -> Finding {
    let message = format!("`{}` is left out: it is not the name of an environment variable", shown(name));
    warning(ConvertCode::LeftOut, message)
        .with_help("a name has letters, digits and `_`, and begins with a letter or `_`")
}

pub(crate) fn users() -> Finding {
    let message = "`kron run` starts commands as its own user; the user of each line is kept as `user=`";
    warning(ConvertCode::User, message).with_help("give each user a file and a `kron run`")
}

pub(crate) fn home() -> Finding {
    let message = "cron starts commands in the home directory of the user, `kron run` in its own directory";
    note(ConvertCode::WorkingDirectory, message)
        .with_help("add `cwd=` to the jobs, or start `kron run` there")
}

/// The jobs after a `CRON_TZ` that names no time zone.
pub(crate) fn zone_of_line(zone: &str, line: usize) -> Finding {
    let message = format!("`CRON_TZ={}` in line {line} names no time zone", shown(zone));
    refusal(ConvertCode::BadValue, message).with_help("correct that line")
}

pub(crate) fn empty_zone() -> Finding {
    warning(ConvertCode::BadValue, "CRON_TZ is empty")
        .with_help("write for example `CRON_TZ=Europe/Paris`, or remove the line")
}

pub(crate) fn unknown_zone(error: &Error) -> Finding {
    let mut finding = warning(ConvertCode::BadValue, format!("CRON_TZ: {}", error.reason()));
    finding.help = error.help();
    finding
}

pub(crate) fn empty_shell() -> Finding {
    warning(ConvertCode::BadValue, "SHELL is empty")
        .with_help("it is ignored, so `/bin/sh` runs the commands")
}

pub(crate) fn bad_delay(text: &str) -> Finding {
    let message = format!("RANDOM_DELAY: `{}` is not a number of minutes up to 1440", shown(text));
    warning(ConvertCode::BadValue, message).with_help("it is ignored")
}

pub(crate) fn delay_of_random_time() -> Finding {
    let message = "RANDOM_DELAY is left out here: the line has a random time already";
    warning(ConvertCode::LeftOut, message)
}

/// A random delay before a command, as it is written.
pub(crate) fn delay_became_window(text: &str, window: &str) -> Finding {
    let message = format!("`{}` became a window of {window}: Kron chooses the second", shown(text));
    warning(ConvertCode::RandomTime, message)
}

/// What FreeBSD reads behind the name of a user.
pub(crate) fn login_class(class: &str) -> Finding {
    let message =
        format!("`{}` behind the user is left out: Kron sets no group and no login class", shown(class));
    warning(ConvertCode::LeftOut, message)
}

pub(crate) fn mail(setting: &str) -> Finding {
    warning(ConvertCode::LeftOut, format!("{setting} is left out: Kron sends no mail"))
}

pub(crate) fn flag(flag: &str) -> Finding {
    let message = format!("the flag `{flag}` is left out: Kron sends no mail and has its own log");
    warning(ConvertCode::LeftOut, message)
}

pub(crate) fn no_user_or_command() -> Finding {
    refusal(ConvertCode::NoCommand, "the line has no user or no command")
        .with_help("convert it with `--format crontab` if it has no column of users")
}

pub(crate) fn no_command() -> Finding {
    refusal(ConvertCode::NoCommand, "the line has no command")
}

pub(crate) fn reboot() -> Finding {
    refusal(ConvertCode::NotATime, "`@reboot` is not a time")
        .with_help("start the command by the system's service manager")
}

/// A word after `@` that is no time.
pub(crate) fn not_a_time(name: &str) -> Finding {
    refusal(ConvertCode::NotATime, format!("`{}` is not a time", shown(name)))
}

/// A range of weekdays that ends on `sun`, which some crons refuse.
pub(crate) fn range_to_sunday(range: &str, days: &str) -> Finding {
    let message = format!(
        "day of week: `{}` is read as `{days}`, as cronie and systemd-cron read it; other crons refuse it",
        shown(range)
    );
    warning(ConvertCode::BadSchedule, message)
}

pub(crate) fn too_few_fields() -> Finding {
    refusal(ConvertCode::BadSchedule, "the line has fewer than five fields")
}

/// `first/step`, which some crons read as a range to the greatest value, and others as the one value.
pub(crate) fn step_of_one_value(field: CronField, item: &str, first: &str, step: u32) -> Finding {
    let last = field.range().end().to_string();
    let message = format!("{}: crons read `{}` in different ways", field.name(), shown(item));
    refusal(ConvertCode::BadSchedule, message)
        .with_help(format!("write `{first}-{last}/{step}` or `{first}`"))
}
