//! Messages about expressions of Quartz, Spring, AWS EventBridge, croner, node-cron and APScheduler.

use kron_core::Finding;
use kron_core::cron::CronField;

use super::times::wrong_with_help;
use super::{ConvertCode, note, refusal, shown};

fn bad(text: &str, what: &str) -> Finding {
    refusal(ConvertCode::BadSchedule, format!("`{}` {what}", shown(text)))
}

pub(crate) fn no_command() -> Finding {
    note(ConvertCode::NoCommand, "an expression has no command")
        .with_help("add `command=\"...\"` to the jobs")
}

pub(crate) fn late_starts() -> Finding {
    note(
        ConvertCode::LateStarts,
        "an expression does not say how late a start may be, and whether runs may overlap",
    )
    .with_help("the jobs start within a minute, and not while the last run is active: `@policy` changes that")
}

pub(crate) fn fields(text: &str, (least, most): (usize, usize), names: &str) -> Finding {
    let count = match most - least {
        0 => format!("{least}"),
        1 => format!("{least} or {most}"),
        _ => format!("{least} to {most}"),
    };
    bad(text, &format!("does not have {count} fields")).with_help(format!("write {names}"))
}

/// Seconds that are not 0.
pub(crate) fn seconds(text: &str) -> Finding {
    let message = format!("second: `{}` is not 0, and Kron's expressions have no seconds", shown(text));
    let help = match text.parse::<u32>() {
        Ok(second @ 1..=59) => format!("write `0`, and the job starts {second} s earlier"),
        _ => "write `0`: `* * * * *` starts once in each minute".to_string(),
    };
    refusal(ConvertCode::NotExpressible, message).with_help(help)
}

pub(crate) fn one_question_mark(of_month: &str, of_week: &str) -> Finding {
    let (message, help) = if of_month == "?" {
        ("both day fields are `?`", "write `*` in the day of month".to_string())
    } else if of_week == "*" {
        ("neither day field is `?`", "write `?` in the day of week".to_string())
    } else if of_month == "*" {
        ("neither day field is `?`", "write `?` in the day of month".to_string())
    } else {
        ("neither day field is `?`", "write `?` in one of them, or an expression for each".to_string())
    };
    refusal(ConvertCode::BadSchedule, message).with_help(help)
}

/// `?` in a day field of croner.
pub(crate) fn today(field: CronField) -> Finding {
    wrong_with_help(
        field,
        "?",
        "write `*`: `?` is the day on which the program starts, or any day, by the version of croner",
    )
}

pub(crate) fn open_step(field: CronField, item: &str, first: &str, high: u32, step: u32) -> Finding {
    wrong_with_help(field, item, &format!("write `{}-{high}/{step}`", shown(first)))
}

/// A step behind a name, which the program does not read.
pub(crate) fn step_of_names(field: CronField, item: &str) -> Finding {
    wrong_with_help(
        field,
        item,
        "a step behind a name is ignored there: write numbers, or leave the step out",
    )
}

pub(crate) fn backwards(field: CronField, item: &str) -> Finding {
    wrong_with_help(field, item, "the range runs backwards: write two ranges, such as `22-23,0-3` for `22-3`")
}

/// `range` is the first and the last day, with their numbers.
pub(crate) fn weekday(item: &str, range: &str) -> Finding {
    let help =
        format!("write days from {range} or names such as `FRI`, for example `FRI`, `MON-FRI`, `FRI#2`");
    wrong_with_help(CronField::DayOfWeek, item, &help)
}

pub(crate) fn nth(item: &str) -> Finding {
    wrong_with_help(CronField::DayOfWeek, item, "write a number from 1 to 5 after `#`, as in `FRI#2`")
}

pub(crate) fn listed_weekday(text: &str) -> Finding {
    wrong_with_help(
        CronField::DayOfWeek,
        text,
        "a day with `L` or `#` stands alone: write an expression for each day",
    )
}

pub(crate) fn day_of_month(item: &str) -> Finding {
    wrong_with_help(CronField::DayOfMonth, item, "write days from 1 to 31, `L`, `LW` or `15W`")
}

/// `L-n` with a greater `n` than the program reads as a day of the same month.
pub(crate) fn offset(item: &str, offset: u32, most: u32) -> Finding {
    let nearest = match offset + 1 {
        last @ ..=31 => format!("`@days(last={last})` is this day of the months that have it"),
        _ => "no month has such a day".to_string(),
    };
    wrong_with_help(CronField::DayOfMonth, item, &format!("write `L` or `L-1` to `L-{most}`; {nearest}"))
}

/// `L-nW` that may be the first day of a month.
pub(crate) fn far_workday(item: &str, offset: u32) -> Finding {
    let message = format!("day of month: `{}` may be the first day of a month, and a Saturday", shown(item));
    let help = match offset + 1 {
        last @ ..=31 => {
            format!("`@days(last={last};roll=nearest)` comes nearest: it then chooses the Friday before")
        }
        _ => "no month has such a day; write `L-1W` to `L-26W`".to_string(),
    };
    refusal(ConvertCode::NotExpressible, message).with_help(help)
}

/// `nW` for which Spring finds no day in a month that ends with this day, if that is a Sunday.
pub(crate) fn near_the_end(item: &str, day: u32) -> Finding {
    let message = format!(
        "day of month: for `{}`, Spring finds no day in a month whose last day is day {day} and a Sunday",
        shown(item)
    );
    refusal(ConvertCode::NotExpressible, message).with_help(format!(
        "write `LW` for the last workday; `@days(near={day})` comes nearest: it then chooses the Friday before"
    ))
}

pub(crate) fn year(text: &str) -> Finding {
    refusal(ConvertCode::BadSchedule, format!("year: `{}` is not a list of years", shown(text)))
        .with_help("write for example `2027`, `2027-2029` or `*`")
}

/// Steps of `*` count from different years in different versions of a program.
pub(crate) fn step_of_any_year(text: &str, first: u32, last: u32) -> Finding {
    let message = format!("year: `{}` counts from another year in another version of croner", shown(text));
    refusal(ConvertCode::NotExpressible, message)
        .with_help(format!("name the first year and the last one, from {first} to {last}: `2028-{last}/4`"))
}

/// None of the years is one in which jobs of Kron start.
pub(crate) fn no_year(text: &str, (first, last): (u32, u32)) -> Finding {
    let message = format!("year: `{}` has no year from {first} to {last}", shown(text));
    refusal(ConvertCode::NotExpressible, message).with_help("write `*` for any year")
}
