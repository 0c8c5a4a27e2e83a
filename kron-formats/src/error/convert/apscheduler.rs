//! Messages about triggers of APScheduler.

use kron_core::Finding;

use super::{ConvertCode, refusal, shown};

fn bad(message: String) -> Finding {
    refusal(ConvertCode::BadSchedule, message)
}

pub(crate) fn no_keyword(text: &str) -> Finding {
    bad(format!("`{}` is not a keyword with a value", shown(text)))
        .with_help("write for example `day='last fri', hour=3`, with numbers, and with texts in quotes")
}

pub(crate) fn unknown_keyword(name: &str, known: &str) -> Finding {
    bad(format!("`{}` is not a keyword of a CronTrigger", shown(name))).with_help(format!("write {known}"))
}

pub(crate) fn repeated_keyword(name: &str) -> Finding {
    bad(format!("`{}` is written twice", shown(name))).with_help("remove one of them")
}

pub(crate) fn no_time() -> Finding {
    bad("the trigger has no time".to_string()).with_help("write for example `hour=3`")
}

pub(crate) fn weeks(text: &str) -> Finding {
    let message = format!("week: `{}` counts weeks of the year, of which there are 52 or 53", shown(text));
    refusal(ConvertCode::NotExpressible, message).with_help(
        "leave `week` out, and add `@days(every=2w;from=2026-01-05)` to the job for every other week",
    )
}

pub(crate) fn limit_of_dates(name: &str) -> Finding {
    refusal(
        ConvertCode::NotExpressible,
        format!("{}: an expression has no first and no last time", shown(name)),
    )
    .with_help("leave it out, and add `@days(dates=2027-01-01..2027-12-31)` to the job")
}

pub(crate) fn jitter(text: &str) -> Finding {
    bad(format!("jitter: `{}` is not a number of seconds", shown(text)))
        .with_help("write for example `jitter=120`")
}

/// A weekday with its place in the month.
pub(crate) fn position(item: &str) -> Finding {
    bad(format!("day: `{}` is not a day of the month", shown(item)))
        .with_help("write days from 1 to 31, `last`, or `1st mon` to `5th sun` and `last fri`")
}
