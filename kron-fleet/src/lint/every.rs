//! Clauses that count weeks from a date, beside weekdays of the schedule.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use chrono::{Datelike as _, NaiveDate};
use kron_core::cron::CronField;
use kron_core::days::{Days, DaysPart};
use kron_core::{Finding, Job, Severity};

use super::LintOptions;
use super::code::LintCode;
use super::days::with_clause;
use super::periods::has_start;
use super::words::weekday_list;

/// `every=2w` without `dow` has only the weekday of its `from`, and the schedule names others.
pub(super) fn weekdays_that_never_come(job: &Job, at: i64, options: &LintOptions) -> Vec<Finding> {
    let cron = job.spec().schedule();
    // Otherwise a day of the month is enough.
    if !cron.restricts(CronField::DayOfWeek) || cron.restricts(CronField::DayOfMonth) {
        return Vec::new();
    }
    let named = cron.values(CronField::DayOfWeek);
    let clauses = job.spec().days().days();
    let found = clauses.iter().enumerate().filter_map(|(index, clause)| {
        let value = |wanted| clause.canonical().find(|(part, _)| *part == wanted).map(|(_, value)| value);
        if clause.parts().any(|part| matches!(part, DaysPart::DayOfWeek | DaysPart::Roll)) {
            return None;
        }
        let weeks = weeks_of(&value(DaysPart::Every)?)?;
        let from = value(DaysPart::From)?.parse::<NaiveDate>().ok()?;
        let weekday = 1 << from.weekday().num_days_from_sunday();
        if named & !weekday == 0 {
            return None;
        }
        let message = format!(
            "`{clause}` has only days of the weekday of its `from`, {}, and the schedule asks for {}",
            weekday_list(weekday),
            weekday_list(named)
        );
        let finding = Finding::new(Severity::Warning, LintCode::EveryOfOneWeekday, message);
        let written = format!("dow={};{}", weekday_list(named), with_weeks(clause, weeks));
        Some(match with_clause(job, index, &written).is_some_and(|job| has_start(&job, at, options)) {
            true => finding.with_help(format!(
                "for these days of every week that counts from that of `from` on, write `@days({written})`"
            )),
            false => finding,
        })
    });
    found.collect()
}

/// The number of weeks of `2w` or `14d`.
fn weeks_of(every: &str) -> Option<u32> {
    match every.strip_suffix('w') {
        Some(weeks) => weeks.parse().ok(),
        None => {
            every.strip_suffix('d')?.parse::<u32>().ok().filter(|days| days % 7 == 0).map(|days| days / 7)
        }
    }
}

/// The parts of a clause that counts weeks.
fn with_weeks(clause: &Days, weeks: u32) -> String {
    let part = |(part, value): (DaysPart, _)| match part {
        DaysPart::Every => format!("{part}={weeks}w"),
        _ => format!("{part}={value}"),
    };
    clause.canonical().map(part).collect::<Vec<_>>().join(";")
}
