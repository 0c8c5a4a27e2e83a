//! The days on which a primed schedule fires, as sets that day fields of cron can name.
//!
//! A cron expression selects days by whole classes: `(month, day of month)` and `(month, day of week)`. Whether a day
//! `k` days before a matching day is selected depends on its month, day of month, day of week and on whether its year is
//! a leap year, and on nothing else, because `k` is at most 31. All of these combinations occur in the years 1970 to
//! 2099, so the tables below cover the whole compared span.

use chrono::{Datelike, Days as DayCount, NaiveDate};
use kron_core::Cron;
use kron_core::cron::CronField;

/// Days of the week as a mask, all of them.
pub(super) const WEEK: u8 = 0x7f;

/// A common year and a leap year.
const YEARS: [i32; 2] = [2001, 2000];

/// Their days in each month (from 0).
const LENGTHS: [[u8; 12]; 2] =
    [[31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]];

/// For each month (from 0) and day of month (from 0) the days of the week on which it is in the set.
pub(super) type Days = [[u8; 31]; 12];

/// Days in the set, for common years and for leap years.
pub(super) struct ShiftedDays([Days; 2]);

/// Days that day fields of cron can name.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct DaySet {
    /// For each month the days of the month that are in the set on every day of the week. Bits 1 to 31.
    pub(super) days_of_month: [u32; 12],
    /// For each month the days of the week that are in the set on every day of the month. Bits 0 to 6.
    pub(super) days_of_week: [u8; 12],
}

/// Days of the month that exist in a month of some year. Bits 1 to 31.
pub(super) fn existing_days(month: usize) -> u32 {
    u32::MAX >> (31 - LENGTHS[1][month]) & !1
}

/// A day that makes a set impossible to name, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BreakingDays {
    /// In the set.
    pub(super) needed: NaiveDate,
    /// Not in the set, on the same day of the same month.
    pub(super) same_day_of_month: NaiveDate,
    /// Not in the set, on the same day of the week in the same month.
    pub(super) same_day_of_week: NaiveDate,
}

impl ShiftedDays {
    /// The days that lie `shift` days before the days of an expression. The shift is at most 31.
    pub(super) fn new(cron: &Cron, shift: u8) -> ShiftedDays {
        let mut tables = [[[0; 31]; 12]; 2];
        for (table, year) in tables.iter_mut().zip(YEARS) {
            for date in days_from(year).take_while(|date| date.year() == year) {
                let week = days_of_week_on(cron, date + DayCount::new(shift.into()));
                // `week` holds days of the week of the later day; the earlier ones are `shift` before.
                let turn = u32::from(shift % 7);
                let (month, day) = place(date);
                table[month][day] = (week >> turn | week << (7 - turn)) & WEEK;
            }
        }
        ShiftedDays(tables)
    }

    /// No days.
    pub(super) fn none() -> ShiftedDays {
        ShiftedDays([[[0; 31]; 12]; 2])
    }

    /// Whether a day is in the set.
    fn contains(&self, date: NaiveDate) -> bool {
        let (month, day) = place(date);
        self.0[usize::from(date.leap_year())][month][day] >> weekday(date) & 1 == 1
    }

    /// The same days, if day fields of cron can name them.
    pub(super) fn exact(&self) -> Option<DaySet> {
        let [common, leap] = &self.0;
        let days = DaySet::inside(common, leap);
        let named = (0..12).all(|month| {
            (0..31).all(|day| {
                let named = days.days_of_week_on(month, day);
                let exists = |leap: usize| day < usize::from(LENGTHS[leap][month]);
                (!exists(0) || common[month][day] == named) && (!exists(1) || leap[month][day] == named)
            })
        });
        named.then_some(days)
    }

    /// The smallest set that day fields of cron can name and that holds these days: for each month the days of the week
    /// are tried out, which leaves no choice for the days of the month. Of equally small sets, the one that names the
    /// fewest days of the week.
    pub(super) fn cover(&self) -> DaySet {
        let [common, leap] = &self.0;
        let mut cover = DaySet { days_of_month: [0; 12], days_of_week: [0; 12] };
        for month in 0..12 {
            let best = (0..=WEEK).map(|week| {
                let mut days_of_month = 0u32;
                let mut size = 0;
                for day in 0..usize::from(LENGTHS[1][month]) {
                    // 29 February comes in a quarter of the years.
                    let weight = if (month, day) == (1, 28) { 1 } else { 4 };
                    if (common[month][day] | leap[month][day]) & !week != 0 {
                        days_of_month |= 2 << day;
                        size += weight * 7;
                    } else {
                        size += weight * week.count_ones();
                    }
                }
                (size, week.count_ones(), week, days_of_month)
            });
            if let Some((_, _, week, days_of_month)) = best.min() {
                cover.days_of_week[month] = week;
                cover.days_of_month[month] = days_of_month;
            }
        }
        cover.normalized()
    }

    /// How many days in the years 1970 to 2099 a cover has beyond this set.
    pub(super) fn surplus(&self, cover: &DaySet) -> u64 {
        // Months of the span by what they look like: common or leap year, month, and day of the week of the first.
        let mut months = [[[0u64; 7]; 12]; 2];
        let firsts = |year| (1..=12).filter_map(move |month| NaiveDate::from_ymd_opt(year, month, 1));
        for first in (1970..2100).flat_map(firsts) {
            months[usize::from(first.leap_year())][place(first).0][weekday(first)] += 1;
        }
        let mut surplus = 0;
        for (leap, months) in months.iter().enumerate() {
            for (month, firsts) in months.iter().enumerate() {
                for day in 0..usize::from(LENGTHS[leap][month]) {
                    let added = cover.days_of_week_on(month, day) & !self.0[leap][month][day];
                    let on = (0..7).filter(|first| added >> ((first + day) % 7) & 1 == 1);
                    surplus += on.map(|first| firsts[first]).sum::<u64>();
                }
            }
        }
        surplus
    }

    /// Dates that show why no day fields name this set: the first ones from the year 2000 on.
    pub(super) fn breaking_days(&self) -> Option<BreakingDays> {
        let [common, leap] = &self.0;
        let inside = DaySet::inside(common, leap);
        let needed = days_from(2000)
            .take(YEARS_OF_ALL_DATES)
            .find(|day| self.contains(*day) && !inside.contains(*day))?;
        let missing = |same: &dyn Fn(NaiveDate) -> bool| {
            days_from(2000)
                .take(YEARS_OF_ALL_DATES)
                .find(|day| day.month() == needed.month() && same(*day) && !self.contains(*day))
        };
        Some(BreakingDays {
            needed,
            same_day_of_month: missing(&|day| day.day() == needed.day())?,
            same_day_of_week: missing(&|day| day.weekday() == needed.weekday())?,
        })
    }
}

/// Days in 28 years: all combinations of date and day of the week occur in them.
const YEARS_OF_ALL_DATES: usize = 28 * 1461 / 4;

/// All days from a year on.
fn days_from(year: i32) -> impl Iterator<Item = NaiveDate> {
    NaiveDate::from_yo_opt(year, 1).into_iter().flat_map(|first| first.iter_days())
}

/// The month and the day of the month of a date, both from 0.
fn place(date: NaiveDate) -> (usize, usize) {
    (date.month0() as usize, date.day0() as usize)
}

/// Day of the week, 0 is Sunday.
fn weekday(date: NaiveDate) -> usize {
    date.weekday().num_days_from_sunday() as usize
}

impl DaySet {
    /// The classes that lie wholly inside a set.
    fn inside(common: &Days, leap: &Days) -> DaySet {
        let mut days = DaySet { days_of_month: [0; 12], days_of_week: [WEEK; 12] };
        for (table, lengths) in [common, leap].into_iter().zip(LENGTHS) {
            for (month, table) in table.iter().enumerate() {
                for week in &table[..usize::from(lengths[month])] {
                    days.days_of_week[month] &= week;
                }
            }
        }
        for month in 0..12 {
            let whole = |table: &Days, leap: usize, day: usize| {
                day >= usize::from(LENGTHS[leap][month]) || table[month][day] == WEEK
            };
            for day in 0..31 {
                if whole(common, 0, day) && whole(leap, 1, day) {
                    days.days_of_month[month] |= 2 << day;
                }
            }
            days.days_of_month[month] &= existing_days(month);
        }
        days.normalized()
    }

    /// The same set, with every class that it holds named: a month is full in both ways or in neither.
    fn normalized(mut self) -> DaySet {
        for month in 0..12 {
            let existing = existing_days(month);
            self.days_of_month[month] &= existing;
            if self.days_of_month[month] == existing || self.days_of_week[month] == WEEK {
                self.days_of_month[month] = existing;
                self.days_of_week[month] = WEEK;
            }
        }
        self
    }

    /// Whether every day of a month, from 0, is in the set.
    pub(super) fn is_full(&self, month: usize) -> bool {
        self.days_of_week[month] == WEEK
    }

    /// The days of the week on which a day of a month, both from 0, is in the set.
    pub(super) fn days_of_week_on(&self, month: usize, day: usize) -> u8 {
        if self.days_of_month[month] >> (day + 1) & 1 == 1 { WEEK } else { self.days_of_week[month] }
    }

    /// Whether a day is in the set.
    fn contains(&self, date: NaiveDate) -> bool {
        let (month, day) = place(date);
        self.days_of_week_on(month, day) >> weekday(date) & 1 == 1
    }
}

/// The days of the week on which the day of the month of a date matches an expression.
fn days_of_week_on(cron: &Cron, date: NaiveDate) -> u8 {
    let has = |field, value: u32| cron.values(field) >> value & 1 == 1;
    if !has(CronField::Month, date.month()) {
        return 0;
    }
    let of_month = has(CronField::DayOfMonth, date.day());
    let both = cron.restricts(CronField::DayOfMonth) && cron.restricts(CronField::DayOfWeek);
    match (of_month, both) {
        (true, true) => WEEK,
        // OK because days of the week have seven bits.
        (true, false) | (false, true) => cron.values(CronField::DayOfWeek) as u8,
        (false, false) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).unwrap()
    }

    fn shifted(cron: &str, shift: u8) -> ShiftedDays {
        ShiftedDays::new(&Cron::parse(cron).unwrap(), shift)
    }

    #[test]
    fn days_before_the_first_of_march_depend_on_the_year() {
        let days = shifted("0 0 1 3 *", 1);
        assert!(days.exact().is_none());
        let broken = days.breaking_days().unwrap();
        assert_eq!(broken.needed, date(2001, 2, 28));
        assert_eq!(broken.same_day_of_month, date(2000, 2, 28));
        assert_eq!(broken.same_day_of_week, date(2000, 2, 2));
        let cover = days.cover();
        assert_eq!(cover.days_of_month[1], 1 << 28 | 1 << 29);
        // 28 February of the 32 leap years.
        assert_eq!(days.surplus(&cover), 32);
    }

    #[test]
    fn days_that_can_be_named_are() {
        for (cron, shift) in [("0 0 13 * FRI", 1), ("0 0 1 5 *", 1), ("0 0 * * *", 31), ("0 0 */2 * 1", 0)] {
            let days = shifted(cron, shift);
            let exact = days.exact().unwrap();
            assert!(days.breaking_days().is_none());
            assert_eq!(days.surplus(&exact), 0, "{cron}");
            assert!(days.cover() == exact, "{cron}");
        }
        assert!(shifted("0 0 * 5 MON", 1).exact().is_none());
        assert!(shifted("0 0 * 3 *", 1).exact().is_none());
    }

    #[test]
    fn the_tables_agree_with_the_calendar() {
        let cron = Cron::parse("0 0 7,31 1-11/2 3").unwrap();
        for shift in [0, 1, 6, 30, 31] {
            let days = ShiftedDays::new(&cron, shift);
            for day in days_from(1995).take_while(|day| day.year() < 2025) {
                let later = day + DayCount::new(shift.into());
                let matches = later.month() % 2 == 1
                    && later.month() <= 11
                    && (matches!(later.day(), 7 | 31) || weekday(later) == 3);
                assert_eq!(days.contains(day), matches);
            }
        }
    }
}
