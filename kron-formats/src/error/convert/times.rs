//! Messages about the fields of schedules, and about what a window of Kron cannot express.

use kron_core::Finding;
use kron_core::cron::CronField;

use super::{ConvertCode, refusal, shown};

fn bad(field: CronField, text: &str, what: &str) -> Finding {
    refusal(ConvertCode::BadSchedule, format!("{}: `{}` {what}", field.name(), shown(text)))
}

/// A text that is not a value of the field.
pub(crate) fn wrong(field: CronField, text: &str) -> Finding {
    let range = field.range();
    let help = format!("write values from {} to {}", range.start(), range.end());
    wrong_with_help(field, text, &help)
}

/// The same, with another help.
pub(crate) fn wrong_with_help(field: CronField, text: &str, help: &str) -> Finding {
    bad(field, text, "is not a value of this field").with_help(help)
}

/// A text whose step is not from 1 to a number.
pub(crate) fn wrong_step(field: CronField, text: &str, most: u32) -> Finding {
    bad(field, text, "has a wrong step").with_help(format!("write a step from 1 to {most}"))
}

/// A range that runs backwards, and another way to write it.
pub(crate) fn backwards(field: CronField, text: &str, instead: &str) -> Finding {
    bad(field, text, "runs backwards").with_help(format!("write `{instead}`"))
}

/// A random range that runs backwards: the two spans that are meant, and the one with the other values.
pub(crate) fn backwards_random(field: CronField, text: &str, spans: &[String; 2], others: &str) -> Finding {
    let [one, two] = spans;
    bad(field, text, "runs backwards")
        .with_help(format!("write `{one}` or `{two}`; `{others}` has the other values"))
}

/// A random value, written as this sign, in a list.
pub(crate) fn random_in_list(field: CronField, text: &str, sign: &str) -> Finding {
    bad(field, text, &format!("has `{sign}` in a list")).with_help("write a line for each item")
}

pub(crate) fn random_hour_of_some_minutes() -> Finding {
    let message = "the hour is random, and the minute is random in a part of the hour: a window has no gaps";
    refusal(ConvertCode::NotExpressible, message)
        .with_help("let the minute be any minute, or choose the hour")
}

fn random_day(message: &str) -> Finding {
    refusal(ConvertCode::NotExpressible, message)
        .with_help("choose the day, and let the time of day be random")
}

pub(crate) fn random_day_of_some_minutes() -> Finding {
    random_day("the day is random, and the minute is not any minute of the hour")
}

pub(crate) fn random_day_of_several_hours() -> Finding {
    random_day("the day is random, and there are several hours")
}

pub(crate) fn random_days_apart() -> Finding {
    random_day("the random days are not the days of a window")
}
