//! Clauses of workdays that some months do not have.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use chrono::Datelike as _;
use kron_core::cron::CronField;
use kron_core::days::{DayRules, DaysPart};
use kron_core::time::to_utc;
use kron_core::{Finding, Job, Severity};

use super::LintOptions;
use super::code::LintCode;
use super::days::days_of_schedule;
use super::months::first_of;
use super::periods::end;
use super::schedule::{DAYS_AHEAD, date_text};
use super::words::enumeration;
use crate::DAY;

/// Each month has so many days from Monday to Friday.
const IN_EACH_MONTH: u8 = 20;

/// `@days(workday=22)`: many months have it, some do not.
pub(super) fn months_of_few_workdays(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    let (rules, cron) = (job.spec().days(), job.spec().schedule());
    // Other clauses may have days of these months, and other parts and fields are about single days.
    let [clause] = rules.days() else { return None };
    let part = [DaysPart::Workday, DaysPart::LastWorkday]
        .into_iter()
        .find(|part| clause.parts().any(|has| has == *part))?;
    let is_alone = clause.parts().all(|other| other == part || other == DaysPart::Holidays);
    if !is_alone || cron.restricts(CronField::DayOfMonth) || cron.restricts(CronField::DayOfWeek) {
        return None;
    }
    let values = clause.canonical().find(|(other, _)| *other == part).map(|(_, values)| values)?;
    let first = first_of(&values).filter(|first| *first > IN_EACH_MONTH)?;
    let left = DayRules::from_clauses(Vec::new(), rules.nodays().to_vec()).ok()?;
    let chosen = |rules: &DayRules, day: i64| rules.judge(day * DAY).is_chosen();
    let of_month = |day: i64| (to_utc(day * DAY).year(), to_utc(day * DAY).month());
    // From the next month on, since this one has begun.
    let today = at.div_euclid(DAY);
    let days: Vec<i64> =
        days_of_schedule(job, at, (today + DAYS_AHEAD) * DAY).filter(|day| chosen(&left, *day)).collect();
    let mut months = days.chunk_by(|a, b| of_month(*a) == of_month(*b)).skip(1);
    // The last month has not ended.
    months.next_back();
    months.find(|month| !month.iter().any(|day| chosen(rules, *day)))?;
    let next = days_of_schedule(job, at, end(at, options)).filter(|day| chosen(rules, *day));
    let next: Vec<String> = next.take(3).map(date_text).collect();
    if next.is_empty() {
        return None;
    }
    let message = format!(
        "a month with fewer than {first} workdays has no start: the next days are {}",
        enumeration(&next)
    );
    let other = if part == DaysPart::Workday { "lastworkday" } else { "workday" };
    let end = if part == DaysPart::Workday { "last" } else { "first" };
    let finding = Finding::new(Severity::Warning, LintCode::ShortMonthsSkipped, message);
    Some(finding.with_help(format!("for the {end} workday of each month, write `@days({other}=1)`")))
}
