//! Messages about timers and services of systemd.

use kron_core::Finding;
use kron_core::cron::CronField;

use super::{ConvertCode, note, refusal, shown, warning};

pub(crate) fn no_section(unit: &str) -> Finding {
    let message = format!("`{}` has no section [Timer] or [Service]", shown(unit));
    refusal(ConvertCode::NothingToConvert, message)
}

pub(crate) fn service_without_timer(unit: &str) -> Finding {
    note(ConvertCode::LeftOut, format!("no timer starts `{}`: it is ignored", shown(unit)))
}

/// A key that starts a unit, but not at times of a calendar.
pub(crate) fn trigger(key: &str) -> Finding {
    refusal(ConvertCode::NotATime, format!("{key}= is not a time of a calendar"))
        .with_help("keep this trigger in systemd")
}

/// `stem` is the name of a template without `.timer`.
pub(crate) fn template(stem: &str) -> Finding {
    let message = "this is a template: systemd starts its instances, and it has no instance";
    refusal(ConvertCode::NotExpressible, message).with_help(format!(
        "convert a copy that has an instance in its name: `{}INSTANCE.timer`",
        shown(stem)
    ))
}

pub(crate) fn no_calendar() -> Finding {
    refusal(ConvertCode::NothingToConvert, "the timer has no OnCalendar=")
        .with_help("write for example `OnCalendar=*-*-* 03:00`")
}

pub(crate) fn too_many_calendars(max: usize) -> Finding {
    let message = format!("the timer has more than {max} different lines OnCalendar=");
    refusal(ConvertCode::TooLong, message).with_help("split it into several timers")
}

pub(crate) fn same_time(one: usize, other: usize) -> Finding {
    let message = format!("lines {one} and {other} can match the same time, and two jobs would start twice");
    refusal(ConvertCode::StartsTwice, message)
        .with_help("write lines that have no time in common, in one time zone")
}

pub(crate) fn bad_span(key: &str, text: &str) -> Finding {
    let message = format!("{key}: `{}` is not a time span of whole seconds", shown(text));
    refusal(ConvertCode::BadValue, message).with_help("write for example `30min` or `1h 30s`")
}

pub(crate) fn two_windows() -> Finding {
    let message = "RandomizedDelaySec= and RandomizedOffsetSec= together are two windows";
    refusal(ConvertCode::Conflict, message).with_help("keep one of them")
}

pub(crate) fn accuracy() -> Finding {
    let message = "AccuracySec= is left out: Kron starts at the second, and at most a minute late";
    warning(ConvertCode::LeftOut, message)
}

/// A span in which systemd places a timer that has no random delay. `stem` is the name of the timer without `.timer`.
pub(crate) fn stable_place(span: &str, stem: &str) -> Finding {
    let message = format!(
        "AccuracySec= is left out: systemd starts the timer at one place in a span of {span}, which stays and differs by \
         machine; Kron starts at the second"
    );
    warning(ConvertCode::LeftOut, message).with_help(format!(
        "for such a place, add `@win(after,{span}) @seed(fixed)`, and `{{host}}` to the name in \
         `kron wait --name {{host}}/{}`",
        shown(stem)
    ))
}

pub(crate) fn wakes_no_machine() -> Finding {
    warning(ConvertCode::LeftOut, "WakeSystem= is left out: Kron wakes no machine")
}

pub(crate) fn reactivation() -> Finding {
    let message = "DeferReactivation= is left out: a start is skipped while the job runs";
    warning(ConvertCode::ActiveRun, message)
}

/// A setting of the section [Unit], such as a condition.
pub(crate) fn unit_setting(key: &str) -> Finding {
    let message =
        format!("{}= of the section [Unit] is left out: Kron starts the command without it", shown(key));
    warning(ConvertCode::LeftOut, message)
}

/// A setting of the section [Service].
pub(crate) fn service_setting(key: &str) -> Finding {
    let message = format!("{}= is left out: the job runs the command alone", shown(key));
    warning(ConvertCode::LeftOut, message)
}

pub(crate) fn user() -> Finding {
    let message = "`kron run` starts commands as its own user; `User=` is kept as `user=`";
    warning(ConvertCode::User, message)
}

pub(crate) fn environment(text: &str) -> Finding {
    let message = format!("Environment= is left out: `{}` is not understood", shown(text));
    warning(ConvertCode::LeftOut, message)
}

/// A limit of a service that does not limit its command, by the type of the service.
pub(crate) fn limit(key: &str, is_oneshot: bool) -> Finding {
    let why = if is_oneshot {
        "it limits no service with Type=oneshot"
    } else {
        "it limits only the start of a service without Type=oneshot"
    };
    warning(ConvertCode::LeftOut, format!("{key}= is left out: {why}"))
}

pub(crate) fn limit_span(key: &str) -> Finding {
    let message = format!("{key}= is left out: it is not a time span of whole seconds");
    warning(ConvertCode::LeftOut, message)
}

/// A command line that only systemd can run.
fn command(message: impl Into<String>) -> Finding {
    refusal(ConvertCode::BadCommand, message)
        .with_help("leave the service out, and the job asks systemd to start it")
}

pub(crate) fn command_prefix(prefix: &str) -> Finding {
    command(format!("ExecStart: the prefix `{prefix}` has no meaning for a shell"))
}

pub(crate) fn command_syntax() -> Finding {
    command(
        "ExecStart: specifiers (`%`), escapes, `;`, and quotes that are within a word or not closed are systemd's own",
    )
}

pub(crate) fn no_command() -> Finding {
    command("ExecStart has no command")
}

fn calendar(code: ConvertCode, text: &str, what: &str) -> Finding {
    refusal(code, format!("OnCalendar: `{}` {what}", shown(text)))
}

pub(crate) fn calendar_syntax(word: &str) -> Finding {
    calendar(ConvertCode::BadSchedule, word, "is not understood")
        .with_help("write weekdays, date, time and time zone, such as `Mon *-*-* 03:00 Europe/Paris`")
}

pub(crate) fn weekday(text: &str) -> Finding {
    calendar(ConvertCode::BadSchedule, text, "is not a weekday")
        .with_help("write names such as `Mon` or `Monday`")
}

/// A range of weekdays that does not run from Monday on, and its days as a list.
pub(crate) fn weekday_range(range: &str, days: &str) -> Finding {
    calendar(ConvertCode::BadSchedule, range, "is not a range of weekdays from Monday to Sunday")
        .with_help(format!("write `{days}`"))
}

pub(crate) fn last_days(text: &str) -> Finding {
    calendar(ConvertCode::BadSchedule, text, "is not a list of days from the end of the month").with_help(
        "write values from 1 to 28, such as `*-*~01` for the last day and `*-*~01..07` for the last week",
    )
}

pub(crate) fn year(text: &str) -> Finding {
    calendar(ConvertCode::BadSchedule, text, "is not a list of years")
        .with_help("write for example `2027`, `2027..2029` or `2027/2`")
}

/// None of the years is one in which jobs of Kron start.
pub(crate) fn no_year(text: &str, (first, last): (u32, u32)) -> Finding {
    calendar(ConvertCode::NotExpressible, text, &format!("names no year from {first} to {last}"))
        .with_help("write `*` for the year, or keep it in systemd")
}

pub(crate) fn date(text: &str) -> Finding {
    calendar(ConvertCode::BadSchedule, text, "is not a date")
        .with_help("write for example `*-*-01`, or `*-*~01` for the last day of the month")
}

pub(crate) fn time(text: &str) -> Finding {
    calendar(ConvertCode::BadSchedule, text, "is not a time such as `03:00`")
}

pub(crate) fn seconds(text: &str) -> Finding {
    let message = format!("OnCalendar: the second `{}` is not 0", shown(text));
    refusal(ConvertCode::NotExpressible, message).with_help("cron has no seconds; write `:00`")
}

/// A text that is not a value of the field.
pub(crate) fn value(field: CronField, text: &str) -> Finding {
    let range = field.range();
    calendar(ConvertCode::BadSchedule, text, &format!("is not a value of the {}", field.name()))
        .with_help(format!("write values from {} to {}", range.start(), range.end()))
}

/// `*` with a repetition, which systemd does not have.
pub(crate) fn repeated_star(field: CronField, text: &str, step: u32) -> Finding {
    calendar(ConvertCode::BadSchedule, text, &format!("is not a value of the {}", field.name()))
        .with_help(format!("write `{}/{step}`", field.range().start()))
}
