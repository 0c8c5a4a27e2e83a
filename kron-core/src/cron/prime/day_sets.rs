//! The days on which a primed schedule fires, as sets that day fields of cron can name.
//!
//! A cron expression selects days by whole classes: `(month, day of month)` and `(month, day of week)`. Whether a day
//! `k` days before a matching day is selected depends on its month, day of month, day of week and on whether its year is
//! a leap year, and on nothing else, because `k` is at most 31. All of these combinations occur in the years 1970 to
//! 2099, so the tables below cover the whole compared span.

use super::super::Cron;
use crate::time::civil::{Date, days_in_month, is_leap, weekday};

/// Days of the week as a mask, all of them.
pub(super) const WEEK: u8 = 0x7f;

/// A common year and a leap year, for month lengths.
const YEARS: [i32; 2] = [2001, 2000];

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
    // OK because months are 0 to 11.
    u32::MAX >> (31 - days_in_month(YEARS[1], month as u8 + 1)) & !1
}

/// A day that makes a set impossible to name, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BreakingDays {
    /// In the set.
    pub(super) needed: Date,
    /// Not in the set, on the same day of the same month.
    pub(super) same_day_of_month: Date,
    /// Not in the set, on the same day of the week in the same month.
    pub(super) same_day_of_week: Date,
}

impl ShiftedDays {
    /// The days that lie `shift` days before the days of an expression. The shift is at most 31.
    pub(super) fn new(cron: &Cron, shift: u8) -> ShiftedDays {
        let mut tables = [[[0; 31]; 12]; 2];
        for (table, year) in tables.iter_mut().zip(YEARS) {
            for month in 1..=12u8 {
                for day in 1..=days_in_month(year, month) {
                    let shifted = Date::from_day(Date::new(year, month, day).to_day() + i64::from(shift));
                    let week = cron.days_of_week_on(shifted.month, shifted.day);
                    // `week` holds days of the week of the later day; the earlier ones are `shift` before.
                    let turn = u32::from(shift % 7);
                    let week = (week >> turn | week << (7 - turn)) & WEEK;
                    table[usize::from(month - 1)][usize::from(day - 1)] = week;
                }
            }
        }
        ShiftedDays(tables)
    }

    /// No days.
    pub(super) fn none() -> ShiftedDays {
        ShiftedDays([[[0; 31]; 12]; 2])
    }

    /// Whether a day is in the set.
    fn contains(&self, date: Date) -> bool {
        let table = &self.0[usize::from(is_leap(date.year))];
        let week = table[usize::from(date.month - 1)][usize::from(date.day - 1)];
        week >> weekday(date.to_day()) & 1 == 1
    }

    /// The same days, if day fields of cron can name them.
    pub(super) fn exact(&self) -> Option<DaySet> {
        let [common, leap] = &self.0;
        let days = DaySet::inside(common, leap);
        let named = (0..12).all(|month| {
            (0..31).all(|day| {
                let named = days.days_of_week_on(month, day);
                let exists = |year| i32::from(day as u8) < i32::from(days_in_month(year, month as u8 + 1));
                (!exists(YEARS[0]) || common[month][day] == named)
                    && (!exists(YEARS[1]) || leap[month][day] == named)
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
                // OK because months are 0 to 11.
                let mut days_of_month = 0u32;
                let mut size = 0;
                for day in 0..usize::from(days_in_month(YEARS[1], month as u8 + 1)) {
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
        for year in 1970..2100 {
            for month in 1..=12u8 {
                let first = weekday(Date::new(year, month, 1).to_day());
                months[usize::from(is_leap(year))][usize::from(month - 1)][usize::from(first)] += 1;
            }
        }
        let mut surplus = 0;
        for (leap, months) in months.iter().enumerate() {
            for (month, firsts) in months.iter().enumerate() {
                // OK because months are 0 to 11.
                for day in 0..usize::from(days_in_month(YEARS[leap], month as u8 + 1)) {
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
        let missing = |same: &dyn Fn(Date) -> bool| {
            days_from(2000)
                .take(YEARS_OF_ALL_DATES)
                .find(|day| day.month == needed.month && same(*day) && !self.contains(*day))
        };
        let day_of_week = weekday(needed.to_day());
        Some(BreakingDays {
            needed,
            same_day_of_month: missing(&|day| day.day == needed.day)?,
            same_day_of_week: missing(&|day| weekday(day.to_day()) == day_of_week)?,
        })
    }
}

/// Days in 28 years: all combinations of date and day of the week occur in them.
const YEARS_OF_ALL_DATES: usize = 28 * 1461 / 4;

/// All days from a year on.
fn days_from(year: i32) -> impl Iterator<Item = Date> {
    (Date::new(year, 1, 1).to_day()..).map(Date::from_day)
}

impl DaySet {
    /// The classes that lie wholly inside a set.
    fn inside(common: &Days, leap: &Days) -> DaySet {
        let mut days = DaySet { days_of_month: [0; 12], days_of_week: [WEEK; 12] };
        for (table, year) in [common, leap].into_iter().zip(YEARS) {
            for (month, table) in table.iter().enumerate() {
                // OK because months are 0 to 11.
                let length = days_in_month(year, month as u8 + 1);
                for week in &table[..usize::from(length)] {
                    days.days_of_week[month] &= week;
                }
            }
        }
        for month in 0..12 {
            let whole = |table: &Days, year, day: usize| {
                day >= usize::from(days_in_month(year, month as u8 + 1)) || table[month][day] == WEEK
            };
            for day in 0..31 {
                if whole(common, YEARS[0], day) && whole(leap, YEARS[1], day) {
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
    fn contains(&self, date: Date) -> bool {
        let week = self.days_of_week_on(usize::from(date.month - 1), usize::from(date.day - 1));
        week >> weekday(date.to_day()) & 1 == 1
    }
}

impl Cron {
    /// The days of the week on which a day of a month, both from 1, matches.
    fn days_of_week_on(&self, month: u8, day: u8) -> u8 {
        if self.months >> month & 1 == 0 {
            return 0;
        }
        let of_month = self.days_of_month >> day & 1 == 1;
        match (self.day_of_month_restricted(), self.day_of_week_restricted()) {
            (true, true) if of_month => WEEK,
            (true, true) => self.days_of_week,
            _ if of_month => self.days_of_week,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shifted(cron: &str, shift: u8) -> ShiftedDays {
        ShiftedDays::new(&Cron::parse(cron).unwrap(), shift)
    }

    #[test]
    fn days_before_the_first_of_march_depend_on_the_year() {
        let days = shifted("0 0 1 3 *", 1);
        assert!(days.exact().is_none());
        let broken = days.breaking_days().unwrap();
        assert_eq!(broken.needed, Date::new(2001, 2, 28));
        assert_eq!(broken.same_day_of_month, Date::new(2000, 2, 28));
        assert_eq!(broken.same_day_of_week, Date::new(2000, 2, 2));
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
            for day in Date::new(1995, 1, 1).to_day()..Date::new(2025, 1, 1).to_day() {
                let later = Date::from_day(day + i64::from(shift));
                let matches = later.month % 2 == 1
                    && later.month <= 11
                    && (matches!(later.day, 7 | 31) || weekday(later.to_day()) == 3);
                assert_eq!(days.contains(Date::from_day(day)), matches);
            }
        }
    }
}
