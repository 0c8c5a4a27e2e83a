//! Schedules of AWS EventBridge: `cron(...)`, `at(...)` and `rate(...)`.

use chrono::{NaiveDateTime, Timelike};
use kron_core::Finding;

use super::dialect::Dialect;
use super::lines::{Line, convert};
use crate::convert::days::{DayClause, Years};
use crate::convert::reader::{Convert, Evidence, Reader};
use crate::convert::times::kron_times;
use crate::error::convert::eventbridge as messages;

pub(in crate::convert::formats) const READER: Reader = Reader {
    evidence: Evidence::Lines,
    recognizes: is_eventbridge,
    convert: Convert::Each(|input, conversion| convert(input, conversion, line)),
};

/// Whether all lines are schedules of EventBridge.
fn is_eventbridge(text: &str) -> bool {
    let mut lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    let is_one = |line: &str| match call(line) {
        Some(("cron", fields)) => fields.split_whitespace().count() == 6,
        Some((name, _)) => name == "rate" || name == "at",
        None => false,
    };
    lines.peek().is_some() && lines.all(is_one)
}

/// The name of a line `name(text)`, and the text.
fn call(line: &str) -> Option<(&str, &str)> {
    line.strip_suffix(')')?.split_once('(')
}

fn line(text: &str) -> Result<Line, Finding> {
    match call(text) {
        Some(("cron", fields)) => Dialect::EVENTBRIDGE.expression(fields).map(Line::at),
        Some(("at", time)) => at(time),
        Some(("rate", rate)) => Err(messages::rate(rate)),
        _ => Err(messages::no_call(text)),
    }
}

/// One time.
fn at(text: &str) -> Result<Line, Finding> {
    let time = NaiveDateTime::parse_from_str(text.trim(), "%Y-%m-%dT%H:%M:%S");
    let time = time.map_err(|_| messages::no_time(text))?;
    if time.second() != 0 {
        return Err(messages::second(text));
    }
    let sets = [1 << time.minute(), 1 << time.hour(), kron_core::cron::CronField::Month.all_values()];
    let mut times = kron_times(sets, &[DayClause::EVERY_DAY], &Years::ANY, None)?;
    times.days.push(format!("date={}", time.date()));
    Ok(Line::at(times))
}
