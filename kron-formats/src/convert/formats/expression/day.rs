//! Day fields of expressions, with `L`, `W` and `#`.

use kron_core::Finding;
use kron_core::cron::CronField;

use super::dialect::{BothDays, Dialect, QuestionMark};
use crate::convert::cron_field::number;
use crate::convert::days::{DayClause, Workday, both};
use crate::error::convert::{days as day_messages, expression as messages};

/// The days of a field: of one of the clauses.
struct DayField {
    clauses: Vec<DayClause>,
    /// Whether the field is `*` or `?`.
    is_open: bool,
}

impl DayField {
    fn open() -> DayField {
        DayField { clauses: vec![DayClause::EVERY_DAY], is_open: true }
    }
}

impl Dialect {
    /// The days of both day fields: of one of the clauses.
    pub(super) fn days(&self, of_month: &str, of_week: &str) -> Result<Vec<DayClause>, Finding> {
        let (of_week, is_and) = match of_week.strip_prefix('+') {
            Some(rest) if self.both_days == BothDays::Or => (rest, true),
            _ => (of_week, self.both_days == BothDays::And),
        };
        if self.both_days == BothDays::One && (of_month == "?") == (of_week == "?") {
            return Err(messages::one_question_mark(of_month, of_week));
        }
        let month = self.days_of_month(of_month)?;
        let week = self.days_of_week(of_week)?;
        let clauses = match (month.is_open, week.is_open) {
            (true, _) => week.clauses,
            (_, true) => month.clauses,
            (false, false) if is_and => both(&month.clauses, &week.clauses)?,
            (false, false) => [month.clauses, week.clauses].concat(),
        };
        if clauses.is_empty() { Err(day_messages::no_day()) } else { Ok(clauses) }
    }

    /// Whether a field is open; an error if it has a `?` that is none here.
    fn is_open(&self, field: CronField, text: &str) -> Result<bool, Finding> {
        match (text, self.question_mark) {
            ("*", _) | ("?", QuestionMark::NoValue | QuestionMark::Star) => Ok(true),
            ("?", QuestionMark::Today) => Err(messages::today(field)),
            _ => Ok(false),
        }
    }

    fn days_of_month(&self, text: &str) -> Result<DayField, Finding> {
        let field = CronField::DayOfMonth;
        if self.is_open(field, text)? {
            return Ok(DayField::open());
        }
        let (mut plain, mut last, mut near, mut near_last, mut last_workday) = (0, 0, 0, 0, false);
        for item in text.split(',') {
            let upper = item.to_ascii_uppercase();
            let is_special = upper.contains(['L', 'W']);
            match upper.strip_prefix('L') {
                _ if !is_special => plain |= self.item(field, item)?,
                Some("") => last |= 1 << 1,
                Some("W") => last_workday = true,
                Some(rest) => {
                    let (offset, is_workday) = match rest.strip_suffix('W') {
                        Some(offset) => (offset, true),
                        None => (rest, false),
                    };
                    let offset = offset.strip_prefix('-').and_then(digits);
                    let most = self.offsets.filter(|_| !is_workday || self.workday_offsets);
                    let (Some(offset), Some(most)) = (offset, most) else {
                        return Err(messages::day_of_month(item));
                    };
                    match (offset, is_workday) {
                        (0, true) => last_workday = true,
                        // Farther from the end, it can be the first day of a month, and the nearest workday one of the month before.
                        (1..=26, true) => near_last |= 1 << (offset + 1),
                        (_, true) => return Err(messages::far_workday(item, offset)),
                        (offset, false) if offset > most => return Err(messages::offset(item, offset, most)),
                        (offset, false) => last |= 1 << (offset + 1),
                    }
                }
                None => {
                    let day = upper.strip_suffix('W').and_then(digits);
                    let day = day.filter(|day| (1..=31).contains(day));
                    let day = day.ok_or_else(|| messages::day_of_month(item))?;
                    if day > self.most_near {
                        return Err(messages::near_the_end(item, day));
                    }
                    near |= 1 << day;
                }
            }
        }
        let clauses = [
            (plain != 0).then(|| DayClause::of_month(plain)),
            (last != 0).then(|| DayClause::last(last)),
            (near != 0).then(|| DayClause::workday(Workday::Near(near))),
            (near_last != 0).then(|| DayClause::workday(Workday::NearLast(near_last))),
            last_workday.then(|| DayClause::workday(Workday::Last)),
        ];
        Ok(DayField { clauses: clauses.into_iter().flatten().collect(), is_open: false })
    }

    fn days_of_week(&self, text: &str) -> Result<DayField, Finding> {
        let field = CronField::DayOfWeek;
        if self.is_open(field, text)? {
            return Ok(DayField::open());
        }
        let (mut plain, mut last) = (0, 0);
        // The days of the week that are the first, the second and so on of their month.
        let mut nth = [0_u64; 5];
        for item in text.split(',') {
            let marked = item.split_once('#');
            let is_last = item.ends_with(['L', 'l']);
            if marked.is_none() && !is_last {
                plain |= self.item(field, item)?;
                continue;
            }
            if item.eq_ignore_ascii_case("L") && self.last_weekday && item == text {
                plain |= 1 << 6;
                continue;
            }
            if !self.listed_weekdays && item != text {
                return Err(messages::listed_weekday(text));
            }
            // OK because `L` is ASCII.
            let (days, which) = marked.unwrap_or_else(|| item.split_at(item.len() - 1));
            let days = self.weekdays(days, item)?;
            let is_last = which.eq_ignore_ascii_case("L") && (marked.is_none() || self.ranges_of_nth);
            match digits(which) {
                _ if is_last => last |= days,
                Some(which @ 1..=5) => nth[which as usize - 1] |= days,
                _ => return Err(messages::nth(item)),
            }
        }
        let mut clauses = Vec::new();
        clauses.extend((plain != 0).then(|| DayClause::of_week(plain)));
        for (which, days) in (1..).zip(nth).filter(|(_, days)| *days != 0) {
            DayClause::add(&mut clauses, DayClause::nth_of_week(days, which));
        }
        clauses.extend((last != 0).then(|| DayClause::last_of_week(last)));
        Ok(DayField { clauses, is_open: false })
    }
}

/// One or two digits, as a number.
fn digits(text: &str) -> Option<u32> {
    (1..=2).contains(&text.len()).then(|| number(text)).flatten()
}
