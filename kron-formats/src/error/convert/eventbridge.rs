//! Messages about schedules of AWS EventBridge.

use kron_core::Finding;

use super::{ConvertCode, refusal, shown};

pub(crate) fn no_call(text: &str) -> Finding {
    let message = format!("`{}` is not a schedule of EventBridge", shown(text));
    refusal(ConvertCode::BadSchedule, message).with_help("write for example `cron(0 3 * * ? *)`")
}

pub(crate) fn no_time(text: &str) -> Finding {
    refusal(ConvertCode::BadSchedule, format!("at: `{}` is not a time", shown(text)))
        .with_help("write for example `at(2027-01-31T03:00:00)`")
}

pub(crate) fn second(text: &str) -> Finding {
    let message =
        format!("at: the second of `{}` is not 0, and Kron's expressions have no seconds", shown(text));
    refusal(ConvertCode::NotExpressible, message).with_help("write `00` for the second")
}

/// A rate, which counts from the moment at which the schedule was made.
pub(crate) fn rate(text: &str) -> Finding {
    let mut words = text.split_whitespace();
    let number = words.next().and_then(|number| number.parse::<u32>().ok()).filter(|number| *number > 0);
    let unit = words.next().map(|unit| unit.strip_suffix('s').unwrap_or(unit));
    let nearest = match (number, unit, words.next()) {
        (Some(number), Some("minute"), None) => minutes(number.into()),
        (Some(number), Some("hour"), None) => minutes(u64::from(number) * 60),
        (Some(number), Some("day"), None) => minutes(u64::from(number) * 1440),
        _ => {
            let message = format!("rate: `{}` is not a number of minutes, hours or days", shown(text));
            return refusal(ConvertCode::BadSchedule, message)
                .with_help("write for example `rate(5 minutes)`");
        }
    };
    let message = format!("`rate({})` counts from the time at which the schedule was made", shown(text));
    refusal(ConvertCode::NotATime, message).with_help(format!("`{nearest}` comes nearest"))
}

/// The job whose starts are as far apart, or nearer to each other: those of the clock, or those of the calendar.
fn minutes(every: u64) -> String {
    let divisor =
        |of: u64, most: u64| (1..=most.min(of)).rev().find(|step| of.is_multiple_of(*step)).unwrap_or(1);
    match every {
        0..60 => match divisor(60, every) {
            1 => "* * * * *".to_string(),
            step => format!("*/{step} * * * *"),
        },
        60..1440 => match divisor(24, every / 60) {
            1 => "0 * * * *".to_string(),
            step => format!("0 */{step} * * *"),
        },
        1440..2880 => "0 0 * * *".to_string(),
        // The longest distance that a clause can have.
        _ => format!("0 0 * * * @days(every={}d;from=2026-01-01)", (every / 1440).min(3660)),
    }
}
