//! Findings about clauses of nominal days.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use chrono::Datelike as _;
use kron_core::cron::{CronField, NominalTimes as _};
use kron_core::days::{DayRules, Days, DaysPart};
use kron_core::{Cron, Error, Finding, Job, JobSpec, Severity};

use super::LintOptions;
use super::code::LintCode;
use super::periods::{end, has_start};
use crate::DAY;

/// A calendar that ends within this time of the instant of lint.
const YEAR: i64 = 366 * DAY;
/// Days of the schedule that are looked at for clauses that change nothing: those of seven years, if all match.
const LOOKED_AT: usize = 2562;

/// A clause that was probably meant otherwise.
pub(super) fn misread_parts(job: &Job, at: i64, options: &LintOptions) -> Vec<Finding> {
    let rules = job.spec().days();
    let mut findings = Vec::new();
    for (index, (modifier, clause)) in clauses(rules).enumerate() {
        let value = |wanted| clause.canonical().find(|(part, _)| *part == wanted).map(|(_, value)| value);
        let single = value(DaysPart::Last).filter(|last| last.parse::<u8>().is_ok_and(|last| last > 1));
        // `last=7` of Fridays is the Friday that is the seventh day from the end.
        if let Some(last) = single.filter(|last| value(DaysPart::DayOfWeek).is_some() || last == "7") {
            let message = format!("`last={last}` is one day of the month, not its last {last} days");
            let finding = Finding::new(Severity::Warning, LintCode::OneDayFromTheEnd, message);
            let written = clause.to_string().replace(&format!("last={last}"), &format!("last=1-{last}"));
            let meant = with_clause(job, index, &written);
            findings.push(match meant.is_some_and(|job| has_start(&job, at, options)) {
                true => finding.with_help(format!("for the last {last} days, write `last=1-{last}`")),
                false => finding,
            });
        }
        // Who names a week or holidays beside it knows what a workday is.
        let others = |part| matches!(part, DaysPart::Workday | DaysPart::Months | DaysPart::DayOfMonth);
        if value(DaysPart::Workday).is_some_and(|days| days == "1-5") && clause.parts().all(others) {
            let message =
                "`workday=1-5` is the first five workdays of the month, not Monday to Friday".to_string();
            let finding = Finding::new(Severity::Note, LintCode::WorkdayNotWeekday, message);
            findings.push(finding.with_help("for Monday to Friday, write `dow=MON-FRI`"));
        }
        if clause.parts().any(|part| part == DaysPart::Roll) {
            findings.extend(roll_without_due_days(rules, modifier, clause));
            findings.extend(roll_beside_day_fields(job, modifier, clause));
            let holidays =
                |text: &str| with_clause(job, index, text).is_some_and(|job| has_start(&job, at, options));
            findings.extend(roll_from_workdays(modifier, clause, holidays));
        }
    }
    findings
}

/// The parts of a clause as `@nodays` joins them: `dow=MON&dom=1-7`.
fn joined(clause: &Days) -> String {
    clause.to_string().replace(';', "&")
}

/// A clause as it is written in its modifier: `@nodays(dow=MON&dom=1-7)`.
fn written(modifier: &str, clause: &Days) -> String {
    let parts = if modifier == "@nodays" { joined(clause) } else { clause.to_string() };
    format!("{modifier}({parts})")
}

/// Without other parts every day is due, and rolls to a workday.
fn roll_without_due_days(rules: &DayRules, modifier: &str, clause: &Days) -> Option<Finding> {
    let rolls = |part| matches!(part, DaysPart::Roll | DaysPart::Week | DaysPart::Holidays);
    if !clause.parts().all(rolls) {
        return None;
    }
    let message = format!("`{}` has no due days, so it matches every workday", written(modifier, clause));
    let finding = Finding::new(Severity::Warning, LintCode::RollWithoutDueDays, message);
    // Parts that `;` separates are clauses of their own in `@nodays`.
    let due = rules.nodays().iter().find(|other| modifier == "@nodays" && !other.parts().any(rolls));
    Some(finding.with_help(match due {
        Some(due) => {
            let (due, clause) = (joined(due), joined(clause));
            format!("for the day that the due one rolls to, write `@nodays({due}&{clause})`")
        }
        None if modifier == "@nodays" => {
            format!("add the due days, for example `@nodays(dom=25&{})`", joined(clause))
        }
        None => format!("add the due days, for example `@days(dom=25;{clause})`"),
    }))
}

/// Two clauses of `@nodays` that together name the n-th weekday of a month, or the last one.
pub(super) fn nth_weekday_apart(job: &Job) -> Option<Finding> {
    let clauses = job.spec().days().nodays();
    let single = |clause: &Days| {
        let mut parts = clause.canonical();
        parts.next().filter(|_| parts.next().is_none())
    };
    let weeks = ["1-7", "8-14", "15-21", "22-28", "29-31"];
    let of_week =
        clauses.iter().find(|clause| single(clause).is_some_and(|(part, _)| part == DaysPart::DayOfWeek))?;
    let of_month = clauses.iter().find(|clause| {
        single(clause).is_some_and(|(part, value)| {
            matches!(part, DaysPart::DayOfMonth | DaysPart::Last) && weeks.contains(&&*value)
        })
    })?;
    let message = format!("`{of_week}` and `{of_month}` each leave days out by themselves");
    let finding = Finding::new(Severity::Warning, LintCode::NodaysClausesApart, message);
    Some(
        finding.with_help(format!(
            "to leave out only days that meet both, write `@nodays({of_week}&{of_month})`"
        )),
    )
}

/// The clauses with their modifiers.
fn clauses(rules: &DayRules) -> impl Iterator<Item = (&'static str, &Days)> {
    let days = rules.days().iter().map(|clause| ("@days", clause));
    days.chain(rules.nodays().iter().map(|clause| ("@nodays", clause)))
}

/// Cron's day fields judge the rolled day, not the due one.
fn roll_beside_day_fields(job: &Job, modifier: &str, clause: &Days) -> Option<Finding> {
    let cron = job.spec().schedule();
    let (of_month, of_week) = (CronField::DayOfMonth, CronField::DayOfWeek);
    if !cron.restricts(of_month) && !cron.restricts(of_week) {
        return None;
    }
    let message = format!(
        "the day fields of the schedule judge the day that `{}` rolls to, not the due day",
        written(modifier, clause)
    );
    let finding = Finding::new(Severity::Warning, LintCode::RollBesideDayFields, message);
    Some(finding.with_help(
        "to choose the due days, write `*` in both day fields, and `dow=` or `dom=` in the clause",
    ))
}

/// Dates of a calendar that roll, where they are workdays themselves: the clause then matches most of them.
fn roll_from_workdays(modifier: &str, clause: &Days, leaves_start: impl Fn(&str) -> bool) -> Option<Finding> {
    let has = |wanted| clause.parts().any(|part| part == wanted);
    if !has(DaysPart::Calendar) || has(DaysPart::Holidays) {
        return None;
    }
    let name = clause.calendars().next()?.name();
    let message = format!(
        "`{}` counts the dates of `{name}` as workdays, so one from Monday to Friday is matched itself",
        written(modifier, clause)
    );
    let finding = Finding::new(Severity::Warning, LintCode::HolidaysAsWorkdays, message);
    let text = format!("{clause};holidays={name}");
    if !leaves_start(&text) {
        return Some(finding);
    }
    let text = if modifier == "@nodays" { text.replace(';', "&") } else { text };
    Some(finding.with_help(format!("to roll from each of its dates, write `{modifier}({text})`")))
}

/// `workday` and the like without `holidays`, where `@nodays` leaves out the dates of a calendar: the first workday is no start at all
/// if it is a holiday.
pub(super) fn workdays_without_holidays(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    let rules = job.spec().days();
    let left_out = rules.nodays().iter().find(|clause| clause.parts().eq([DaysPart::Calendar]))?;
    let calendar = left_out.calendars().next()?;
    let asks = [DaysPart::Workday, DaysPart::LastWorkday, DaysPart::Near, DaysPart::Roll];
    let (index, clause) = rules.days().iter().enumerate().find(|(_, clause)| {
        clause.parts().any(|part| asks.contains(&part))
            && !clause.parts().any(|part| part == DaysPart::Holidays)
    })?;
    let name = calendar.name();
    let message = format!(
        "`@days({clause})` counts the dates of `{name}` as workdays, and `@nodays(calendar={name})` then leaves them out"
    );
    let finding = Finding::new(Severity::Warning, LintCode::HolidaysAsWorkdays, message);
    let meant = with_clause(job, index, &format!("{clause};holidays={name}"));
    Some(match meant.is_some_and(|job| has_start(&job, at, options)) {
        true => finding.with_help(format!(
            "to count only workdays that are no holidays, write `@days({clause};holidays={name})`"
        )),
        false => finding,
    })
}

/// Calendars of these clauses whose last date is near or past.
pub(super) fn calendars_that_end(job: &Job, at: i64) -> Vec<Finding> {
    job.spec()
        .days()
        .calendars()
        .into_iter()
        .filter_map(|calendar| {
            let last = calendar.dates().map(|dates| *dates.end()).max()?;
            let day = i64::from(last.num_days_from_ce() - 719_163);
            let message = match day * DAY - at {
                ..0 => format!("calendar `{}` has no date after {last}", calendar.name()),
                0..YEAR => format!("calendar `{}` ends within a year, on {last}", calendar.name()),
                _ => return None,
            };
            let finding = Finding::new(Severity::Warning, LintCode::CalendarEnds, message);
            Some(finding.with_help("add the dates of the years that follow"))
        })
        .collect()
}

/// The first clause without which the same days would be chosen.
pub(super) fn clauses_that_change_nothing(job: &Job, at: i64, options: &LintOptions) -> Option<Finding> {
    let rules = job.spec().days();
    if rules.is_empty() {
        return None;
    }
    let alone = |clause: &Days| DayRules::from_clauses(alloc::vec![clause.clone()], Vec::new());
    // OK because the clauses are valid together.
    let days = rules.days().iter().map(alone).collect::<Result<Vec<_>, _>>().ok()?;
    let nodays = rules.nodays().iter().map(alone).collect::<Result<Vec<_>, _>>().ok()?;
    let mut days_matter = alloc::vec![false; days.len()];
    let mut nodays_matter = alloc::vec![false; nodays.len()];
    for day in days_of_schedule(job, at, end(at, options)).take(LOOKED_AT) {
        let has = |rules: &DayRules| rules.judge(day * DAY).is_chosen();
        // The first two that match are enough to know whether one alone does.
        let first_two = |rules: &[DayRules]| {
            let mut found = rules.iter().enumerate().filter(|(_, rules)| has(rules)).map(|(index, _)| index);
            (found.next(), found.next())
        };
        let (on, off) = (first_two(&days), first_two(&nodays));
        match (on, &*days) {
            // A clause that stands alone matters on a day that it leaves out.
            ((None, _), [_]) if off.0.is_none() => days_matter[0] = true,
            ((Some(index), None), [_, _, ..]) if off.0.is_none() => days_matter[index] = true,
            _ => {}
        }
        if (on.0.is_some() || days.is_empty())
            && let (Some(index), None) = off
        {
            nodays_matter[index] = true;
        }
    }
    let matter = days_matter.into_iter().chain(nodays_matter);
    // Two clauses can stand in for each other: without the first of them, the second is needed.
    let first = clauses(rules).zip(matter).find(|(_, matters)| !matters);
    first.map(|((modifier, clause), _)| {
        let message =
            format!("`{}` changes no day of the schedule in the years ahead", written(modifier, clause));
        Finding::new(Severity::Warning, LintCode::UnusedDaysClause, message)
            .with_help("leave it out, or correct it")
    })
}

/// The job with another clause of days in the place of one, which is counted over `@days` and `@nodays`.
pub(super) fn with_clause(job: &Job, index: usize, clause: &str) -> Option<Job> {
    let rules = job.spec().days();
    let (mut days, mut nodays) = (rules.days().to_vec(), rules.nodays().to_vec());
    let count = days.len();
    *days.get_mut(index).or_else(|| nodays.get_mut(index.checked_sub(count)?))? = clause_of(rules, clause)?;
    with_rules(job, *job.spec().schedule(), DayRules::from_clauses(days, nodays).ok()?).ok()
}

/// A clause whose calendars are those of some rules.
fn clause_of(rules: &DayRules, text: &str) -> Option<Days> {
    let calendars = rules.calendars();
    let named = |name: &str| calendars.iter().find(|calendar| calendar.name() == name).copied();
    let mut builder = Days::builder();
    for part in text.split(';') {
        let (name, value) = part.split_once('=')?;
        builder = match name {
            "calendar" => builder.calendar(named(value)?),
            "holidays" => builder.holidays(named(value)?),
            _ => builder.part(name, value),
        };
    }
    builder.build().ok()
}

/// The job with another schedule and other rules of days.
pub(super) fn with_rules(job: &Job, cron: Cron, rules: DayRules) -> Result<Job, Error> {
    let spec = job.spec();
    let changed = JobSpec::builder(cron)
        .timezone(spec.timezone().clone())
        .days(rules)
        .window(spec.window())
        .distribution(*spec.distribution())
        .seed(spec.seed().clone())
        .constraints(spec.constraints().clone())
        .algorithm(spec.algorithm())
        .build()?;
    Job::new(job.name(), changed)
}

/// The civil days that the day fields of a schedule match, from an instant to another, counted from 1970-01-01.
pub(super) fn days_of_schedule(job: &Job, at: i64, until: i64) -> impl Iterator<Item = i64> {
    let (cron, zone) = (job.spec().schedule(), job.spec().timezone());
    let civil = |at: i64| at.saturating_add(i64::from(zone.offset_at(at)));
    let field = |field: CronField| match cron.restricts(field) {
        true => field.list(cron.values(field)),
        false => "*".to_string(),
    };
    let fields = [CronField::DayOfMonth, CronField::Month, CronField::DayOfWeek].map(field);
    let midnights: Cron = Cron::parse(&format!("0 0 {}", fields.join(" "))).unwrap_or(*cron);
    let next = move |at: i64| midnights.next_nominal(&kron_core::Zone::UTC, at);
    let until = civil(until);
    core::iter::successors(next(civil(at).saturating_sub(1)), move |day| next(*day))
        .take_while(move |day| *day <= until)
        .map(|midnight| midnight.div_euclid(DAY))
}
