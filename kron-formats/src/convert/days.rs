//! Days of months and years as sets, and what they are in Kron: the day fields of an expression, or clauses of `@days`.

use std::collections::BTreeSet;

use kron_core::Finding;
use kron_core::cron::CronField;

use crate::convert::sets::{bits, list};
use crate::error::convert::days as messages;

const ALL_DAYS_OF_MONTH: u64 = CronField::DayOfMonth.all_values();
const ALL_DAYS_OF_WEEK: u64 = CronField::DayOfWeek.all_values();

/// Days that match all parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DayClause {
    /// Sunday is 0. All values if the part is absent, here and below.
    pub(crate) days_of_week: u64,
    pub(crate) days_of_month: u64,
    /// Days from the end of the month: 1 is the last one.
    pub(crate) last: u64,
    pub(crate) workday: Option<Workday>,
}

/// Days that are workdays, from Monday to Friday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Workday {
    /// The last one of the month.
    Last,
    /// The ones that are nearest to days of the month, in this month.
    Near(u64),
    /// The ones that are nearest to days from the end of the month, of which none is the last or the first day of the month.
    NearLast(u64),
}

impl DayClause {
    pub(crate) const EVERY_DAY: DayClause = DayClause {
        days_of_week: ALL_DAYS_OF_WEEK,
        days_of_month: ALL_DAYS_OF_MONTH,
        last: ALL_DAYS_OF_MONTH,
        workday: None,
    };

    pub(crate) const fn of_week(days_of_week: u64) -> DayClause {
        DayClause { days_of_week, ..DayClause::EVERY_DAY }
    }

    pub(crate) const fn of_month(days_of_month: u64) -> DayClause {
        DayClause { days_of_month, ..DayClause::EVERY_DAY }
    }

    pub(crate) const fn last(last: u64) -> DayClause {
        DayClause { last, ..DayClause::EVERY_DAY }
    }

    pub(crate) const fn workday(workday: Workday) -> DayClause {
        DayClause { workday: Some(workday), ..DayClause::EVERY_DAY }
    }

    /// The last days of the week of a month.
    pub(crate) fn last_of_week(days_of_week: u64) -> DayClause {
        DayClause { days_of_week, last: bits(1, 7, 1), ..DayClause::EVERY_DAY }
    }

    /// The days of the week that are the first ones of a month, the second ones and so on, up to the fifth.
    pub(crate) fn nth_of_week(days_of_week: u64, nth: u32) -> DayClause {
        let days_of_month = bits(nth * 7 - 6, (nth * 7).min(31), 1);
        DayClause { days_of_week, days_of_month, ..DayClause::EVERY_DAY }
    }

    /// Adds a clause. One that differs from another in one part, which is no part of workdays, becomes a part of that one.
    pub(crate) fn add(clauses: &mut Vec<DayClause>, clause: DayClause) {
        for other in clauses.iter_mut() {
            let both = DayClause {
                days_of_week: other.days_of_week | clause.days_of_week,
                days_of_month: other.days_of_month | clause.days_of_month,
                last: other.last | clause.last,
                workday: other.workday,
            };
            let differences = [
                other.days_of_week != clause.days_of_week,
                other.days_of_month != clause.days_of_month,
                other.last != clause.last,
            ];
            if other.workday == clause.workday && differences.iter().filter(|differs| **differs).count() <= 1
            {
                *other = both;
                return;
            }
        }
        clauses.push(clause);
    }

    /// The days that match both clauses; two parts of workdays are no clause.
    fn and(&self, other: &DayClause) -> Option<DayClause> {
        let workday = match (self.workday, other.workday) {
            (Some(_), Some(_)) => return None,
            (one, two) => one.or(two),
        };
        let clause = DayClause {
            days_of_week: self.days_of_week & other.days_of_week,
            days_of_month: self.days_of_month & other.days_of_month,
            last: self.last & other.last,
            workday,
        };
        // With `roll`, all parts of a clause are about the due day, and not about the workday.
        let is_due = matches!(workday, Some(Workday::NearLast(_)))
            && DayClause { workday: None, ..clause.clone() } != DayClause::EVERY_DAY;
        (!is_due).then_some(clause)
    }

    /// Whether a day can match the parts of months and weeks.
    fn can_match(&self) -> bool {
        if self.last == ALL_DAYS_OF_MONTH || self.days_of_month == ALL_DAYS_OF_MONTH {
            return self.days_of_week != 0 && self.days_of_month != 0 && self.last != 0;
        }
        let lengths = bits(28, 31, 1);
        // The k-th day from the end is day `length + 1 - k`.
        let meets = |day: u32| {
            self.days_of_month >> day & 1 == 1
                && (1..=31).any(|k| self.last >> k & 1 == 1 && lengths >> (day + k - 1) & 1 == 1)
        };
        self.days_of_week != 0 && (1..=31).any(meets)
    }

    /// Whether a day can match both clauses.
    pub(crate) fn overlaps(&self, other: &DayClause) -> bool {
        let own = DayClause { workday: None, ..self.clone() };
        own.and(&DayClause { workday: None, ..other.clone() }).is_some_and(|both| both.can_match())
    }

    /// Whether all days that match the other clause match this one.
    pub(crate) fn contains(&self, other: &DayClause) -> bool {
        let within = |one: u64, two: u64| one & !two == 0;
        within(other.days_of_week, self.days_of_week)
            && within(other.days_of_month, self.days_of_month)
            && within(other.last, self.last)
            && (self.workday.is_none() || self.workday == other.workday)
    }

    /// The text of the clause in `@days`.
    fn text(&self, years: Option<(u32, u32)>) -> String {
        let days = |set| list(CronField::DayOfMonth, set);
        let mut parts = Vec::new();
        if self.days_of_week != ALL_DAYS_OF_WEEK {
            parts.push(format!("dow={}", list(CronField::DayOfWeek, self.days_of_week)));
        }
        if self.days_of_month != ALL_DAYS_OF_MONTH {
            parts.push(format!("dom={}", days(self.days_of_month)));
        }
        if let Some((first, last)) = years {
            parts.push(format!("dates={first}-01-01..{last}-12-31"));
        }
        if self.last != ALL_DAYS_OF_MONTH {
            parts.push(format!("last={}", days(self.last)));
        }
        match self.workday {
            None => {}
            Some(Workday::Last) => parts.push("lastworkday=1".to_string()),
            Some(Workday::Near(set)) => parts.push(format!("near={}", days_within(set))),
            Some(Workday::NearLast(set)) => parts.push(format!("last={};roll=nearest", days_within(set))),
        }
        parts.join(";")
    }
}

/// Days of the month as a list that is never `*`.
fn days_within(set: u64) -> String {
    CronField::DayOfMonth.list(set)
}

/// The days that match a clause of each side. None is left if no day matches both sides.
pub(crate) fn both(one: &[DayClause], other: &[DayClause]) -> Result<Vec<DayClause>, Finding> {
    let mut clauses = Vec::new();
    for (first, second) in one.iter().flat_map(|first| other.iter().map(move |second| (first, second))) {
        let clause = first.and(second).ok_or_else(messages::workday_and_days)?;
        if clause.can_match() {
            clauses.push(clause);
        }
    }
    Ok(clauses)
}

/// The years of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Years {
    /// `None` for any year.
    chosen: Option<BTreeSet<u32>>,
}

impl Years {
    /// The years in which jobs of Kron start.
    pub(crate) const RANGE: (u32, u32) = (1970, 2099);

    pub(crate) const ANY: Years = Years { chosen: None };

    pub(crate) fn of(years: BTreeSet<u32>) -> Years {
        Years { chosen: Some(years) }
    }

    /// Whether a year is one of both.
    pub(crate) fn overlap(&self, other: &Years) -> bool {
        match (&self.chosen, &other.chosen) {
            (Some(one), Some(other)) => !one.is_disjoint(other),
            (None, _) | (_, None) => true,
        }
    }

    /// The years in ranges; one without bounds for any year.
    fn ranges(&self) -> Vec<Option<(u32, u32)>> {
        let Some(years) = &self.chosen else { return vec![None] };
        let mut ranges: Vec<Option<(u32, u32)>> = Vec::new();
        for year in years {
            match ranges.last_mut() {
                Some(Some((_, last))) if *last + 1 == *year => *last = *year,
                _ => ranges.push(Some((*year, *year))),
            }
        }
        ranges
    }
}

/// What chooses the days of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobDays {
    /// The day fields of the expression.
    pub(crate) days_of_month: u64,
    pub(crate) days_of_week: u64,
    /// The texts of clauses of `@days`.
    pub(crate) clauses: Vec<String>,
}

/// The days that match one of the clauses, in these years.
pub(crate) fn in_kron(clauses: &[DayClause], years: &Years) -> Result<JobDays, Finding> {
    let mut job =
        JobDays { days_of_month: ALL_DAYS_OF_MONTH, days_of_week: ALL_DAYS_OF_WEEK, clauses: Vec::new() };
    let is_of_month = |clause: &DayClause| {
        *clause == DayClause::of_month(clause.days_of_month) && clause.days_of_month != 0
    };
    let is_of_week =
        |clause: &DayClause| *clause == DayClause::of_week(clause.days_of_week) && clause.days_of_week != 0;
    let mut rest: Vec<DayClause> = clauses.to_vec();
    match clauses {
        _ if clauses.contains(&DayClause::EVERY_DAY) => rest.clear(),
        [one] if is_of_month(one) || is_of_week(one) => {
            (job.days_of_month, job.days_of_week) = (one.days_of_month, one.days_of_week);
            rest.clear();
        }
        // A day of the month or a day of the week: what an expression means by both fields.
        [one, two] if is_of_month(one) && is_of_week(two) || is_of_week(one) && is_of_month(two) => {
            job.days_of_month = one.days_of_month & two.days_of_month;
            job.days_of_week = one.days_of_week & two.days_of_week;
            rest.clear();
        }
        _ => {}
    }
    if rest.is_empty() {
        rest.push(DayClause::EVERY_DAY);
    }
    let ranges = years.ranges();
    let texts = rest.iter().flat_map(|clause| ranges.iter().map(|years| clause.text(*years)));
    job.clauses = texts.filter(|text| !text.is_empty()).collect();
    Ok(job)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(clauses: &[DayClause], years: &[u32]) -> (String, String, Vec<String>) {
        let years = if years.is_empty() { Years::ANY } else { Years::of(years.iter().copied().collect()) };
        let job = in_kron(clauses, &years).unwrap();
        let (month, week) = (CronField::DayOfMonth, CronField::DayOfWeek);
        (list(month, job.days_of_month), list(week, job.days_of_week), job.clauses)
    }

    fn fields(dom: &str, dow: &str, clauses: &[&str]) -> (String, String, Vec<String>) {
        (dom.to_string(), dow.to_string(), clauses.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn fields_say_what_they_can() {
        let (first, friday) = (DayClause::of_month(bits(1, 7, 1)), DayClause::of_week(1 << 5));
        assert_eq!(texts(&[DayClause::EVERY_DAY], &[]), fields("*", "*", &[]));
        assert_eq!(texts(std::slice::from_ref(&first), &[]), fields("1-7", "*", &[]));
        assert_eq!(texts(&[first.clone(), friday.clone()], &[]), fields("1-7", "5", &[]));
        assert_eq!(texts(&[first.clone(), DayClause::EVERY_DAY], &[]), fields("*", "*", &[]));
        assert_eq!(texts(&both(&[first], &[friday]).unwrap(), &[]), fields("*", "*", &["dow=5;dom=1-7"]));
        assert_eq!(
            texts(&[DayClause::of_week(1 << 5)], &[2027, 2028, 2030]),
            fields("*", "5", &["dates=2027-01-01..2028-12-31", "dates=2030-01-01..2030-12-31"])
        );
    }

    #[test]
    fn workdays_are_about_the_day_and_its_month() {
        let rolled = DayClause::workday(Workday::NearLast(1 << 4));
        assert_eq!(
            texts(std::slice::from_ref(&rolled), &[2027]),
            fields("*", "*", &["dates=2027-01-01..2027-12-31;last=4;roll=nearest"])
        );
        assert!(both(&[rolled], &[DayClause::nth_of_week(2, 1)]).is_err());
    }

    #[test]
    fn clauses_that_no_day_matches_are_left_out() {
        let first = DayClause::of_month(bits(1, 7, 1));
        assert_eq!(both(std::slice::from_ref(&first), &[DayClause::last(bits(1, 21, 1))]), Ok(Vec::new()));
        assert_eq!(both(std::slice::from_ref(&first), &[DayClause::last(bits(1, 22, 1))]).unwrap().len(), 1);
        assert!(!first.overlaps(&DayClause::of_month(1 << 8)));
        assert!(first.contains(&DayClause::nth_of_week(2, 1)) && !DayClause::of_week(2).contains(&first));
    }
}
