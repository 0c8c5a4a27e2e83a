//! Clauses of days that some months do not have.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use chrono::Datelike as _;
use kron_core::cron::CronField;
use kron_core::days::{DayRules, Days, DaysPart};
use kron_core::time::to_utc;
use kron_core::{Finding, Job, Severity};

use super::LintOptions;
use super::code::LintCode;
use super::days::{days_of_schedule, with_clause};
use super::periods::{end, has_start};
use super::schedule::{DAYS_AHEAD, date_text, days_of_month};
use super::words::enumeration;
use crate::DAY;

/// `@days(dom=31)`: most months have it, some do not.
pub(super) fn short_months_of_clauses(job: &Job, at: i64, options: &LintOptions) -> Vec<Finding> {
    let cron = job.spec().schedule();
    // Together with a day field, the day is one of few.
    if cron.restricts(CronField::DayOfMonth) || cron.restricts(CronField::DayOfWeek) {
        return Vec::new();
    }
    let clauses = 0..job.spec().days().days().len();
    clauses.filter_map(|index| short_months(job, index, at, options)).collect()
}

fn short_months(job: &Job, index: usize, at: i64, options: &LintOptions) -> Option<Finding> {
    let (rules, cron) = (job.spec().days(), job.spec().schedule());
    let clause = &rules.days()[index];
    let value = |wanted| clause.canonical().find(|(part, _)| *part == wanted).map(|(_, value)| value);
    // Other parts are about single days, such as the fifth Monday.
    let by_day = [
        DaysPart::DayOfMonth,
        DaysPart::Last,
        DaysPart::Near,
        DaysPart::Months,
        DaysPart::Roll,
        DaysPart::Week,
        DaysPart::Holidays,
    ];
    if !clause.parts().all(|part| by_day.contains(&part)) {
        return None;
    }
    let (part, values) = by_day[..3].iter().find_map(|part| Some((*part, value(*part)?)))?;
    let first = first_of(&values)?;
    let has_month = |month: u8| {
        let of_clause = value(DaysPart::Months).is_none_or(|months| is_in(&months, month));
        cron.values(CronField::Month) >> month & 1 == 1 && of_clause
    };
    // The other clauses may have days of these months, or leave them out.
    let others = rules.days().iter().enumerate().filter(|(other, _)| *other != index);
    let others: Vec<Days> = others.map(|(_, clause)| clause.clone()).collect();
    let alone = others.is_empty();
    let left = DayRules::from_clauses(Vec::new(), rules.nodays().to_vec()).ok()?;
    let others = DayRules::from_clauses(others, rules.nodays().to_vec()).ok()?;
    let days = at.div_euclid(DAY)..at.div_euclid(DAY) + DAYS_AHEAD;
    let has_day = |rules: &DayRules, month: u8| {
        let in_month = |day: &i64| to_utc(day * DAY).month() == u32::from(month);
        days.clone().filter(in_month).any(|day| rules.judge(day * DAY).is_chosen())
    };
    let is_missed = |month: &u8| {
        days_of_month(*month) < first
            && has_month(*month)
            && has_day(&left, *month)
            && (alone || !has_day(&others, *month))
    };
    (1..=12).find(is_missed)?;
    let next = days_of_schedule(job, at, end(at, options)).filter(|day| rules.judge(day * DAY).is_chosen());
    let next: Vec<String> = next.take(3).map(date_text).collect();
    if next.is_empty() {
        return None;
    }
    let what = match part {
        DaysPart::Last => format!("with fewer than {first} days"),
        _ => format!("without a day {first}"),
    };
    let message = format!("a month {what} has no start: the next days are {}", enumeration(&next));
    let finding = Finding::new(Severity::Warning, LintCode::ShortMonthsSkipped, message);
    let last = match (part, &*values) {
        (DaysPart::DayOfMonth, "31") => "last=1",
        (DaysPart::Near, "31") => "lastworkday=1",
        (DaysPart::DayOfMonth, "29" | "30") if clause.parts().eq([DaysPart::DayOfMonth]) => {
            return Some(
                finding.with_help("for the last day of February, too, add `@days(last=1;months=FEB)`"),
            );
        }
        _ => return Some(finding),
    };
    let replaced = |(other, value): (DaysPart, String)| match other {
        _ if other == part => String::from(last),
        _ => format!("{other}={value}"),
    };
    let written = clause.canonical().map(replaced).collect::<Vec<_>>().join(";");
    let meant = with_clause(job, index, &written).filter(|_| alone);
    let is_fine = meant.is_some_and(|job| has_start(&job, at, options));
    Some(match is_fine {
        true => finding.with_help(format!(
            "for the last {}of each of these months, write `@days({written})`",
            if part == DaysPart::Near { "workday " } else { "day " }
        )),
        false => finding,
    })
}

/// The first number of a list such as `29-31`.
pub(super) fn first_of(list: &str) -> Option<u8> {
    list.split([',', '-']).next()?.parse().ok()
}

/// Whether a list of months, whose ranges may run over the end of the year, has a month.
fn is_in(list: &str, month: u8) -> bool {
    list.split(',').any(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        match (first.parse::<u8>(), last.parse::<u8>()) {
            (Ok(first), Ok(last)) if first <= last => (first..=last).contains(&month),
            (Ok(first), Ok(last)) => month >= first || month <= last,
            _ => false,
        }
    })
}
