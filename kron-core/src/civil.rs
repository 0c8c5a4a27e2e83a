//! Civil calendar on integers: days, dates, weekdays and ISO weeks, without time zones.
//!
//! A *day* is a count of days since 1970-01-01 in the proleptic Gregorian calendar. A *civil minute* or *civil second*
//! counts minutes or seconds from 1970-01-01T00:00 on a clock without time zone. The conversions are those of Howard
//! Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013), in which the year begins in March.

/// Seconds in a day.
pub(crate) const DAY: i64 = 86_400;
/// Minutes in a day.
pub(crate) const DAY_MINUTES: i64 = 1440;

/// A date of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date {
    pub(crate) year: i32,
    /// 1 to 12.
    pub(crate) month: u8,
    /// 1 to 31.
    pub(crate) day: u8,
}

impl Date {
    pub(crate) const fn new(year: i32, month: u8, day: u8) -> Date {
        Date { year, month, day }
    }

    /// The date, if there is such a day.
    pub(crate) fn checked(year: i32, month: u8, day: u8) -> Option<Date> {
        let exists = (1..=12).contains(&month) && day >= 1 && day <= days_in_month(year, month);
        exists.then_some(Date { year, month, day })
    }

    /// Days since 1970-01-01.
    #[inline]
    pub(crate) const fn to_day(self) -> i64 {
        let march_year = self.year as i64 - (self.month <= 2) as i64;
        let era = march_year.div_euclid(400);
        let year_of_era = march_year.rem_euclid(400);
        let month_from_march = (self.month as i64 + 9) % 12;
        let day_of_year = (153 * month_from_march + 2) / 5 + self.day as i64 - 1;
        let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
        era * 146_097 + day_of_era - 719_468
    }

    /// The date of a count of days since 1970-01-01.
    #[inline]
    pub(crate) const fn from_day(day: i64) -> Date {
        let shifted = day + 719_468;
        let era = shifted.div_euclid(146_097);
        // 32 bits from here on: the divisions by constants are cheaper.
        let day_of_era = shifted.rem_euclid(146_097) as u32;
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era as i32 * 400 + year_of_era as i32 + (month <= 2) as i32;
        Date { year, month: month as u8, day: day as u8 }
    }
}

pub(crate) const fn is_leap(year: i32) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days of a month, 28 to 31. The month is 1 to 12.
#[inline]
pub(crate) const fn days_in_month(year: i32, month: u8) -> u8 {
    match month {
        2 => 28 + is_leap(year) as u8,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Day of the week, 0 is Sunday.
#[inline]
pub(crate) const fn weekday(day: i64) -> u8 {
    // 1970-01-01 was a Thursday.
    (day + 4).rem_euclid(7) as u8
}

/// Year and number of the ISO 8601 week that holds the day: weeks begin on Monday and belong to the year of their
/// Thursday.
pub(crate) const fn iso_week(day: i64) -> (i32, u8) {
    let monday_based = (day + 3).rem_euclid(7);
    let thursday = day - monday_based + 3;
    let year = Date::from_day(thursday).year;
    let week = (thursday - Date::new(year, 1, 1).to_day()) / 7 + 1;
    (year, week as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{Datelike, NaiveDate};

    #[test]
    fn agrees_with_chrono_on_every_day_of_four_centuries() {
        let epoch = NaiveDate::from_ymd_opt(1970, 1, 1).unwrap();
        for day in -70_000..100_000 {
            let want = epoch + chrono::TimeDelta::days(day);
            let date = Date::from_day(day);
            assert_eq!(
                (date.year, date.month.into(), date.day.into()),
                (want.year(), want.month(), want.day())
            );
            assert_eq!(date.to_day(), day);
            assert_eq!(Date::checked(date.year, date.month, date.day), Some(date));
            assert_eq!(u32::from(weekday(day)), want.weekday().num_days_from_sunday());
            let iso = want.iso_week();
            assert_eq!(iso_week(day), (iso.year(), iso.week() as u8));
            assert_eq!(days_in_month(date.year, date.month), want.num_days_in_month());
        }
    }

    #[test]
    fn impossible_dates_are_none() {
        for (year, month, day) in [(2026, 2, 29), (2026, 0, 1), (2026, 13, 1), (2026, 4, 31), (2026, 1, 0)] {
            assert_eq!(Date::checked(year, month, day), None);
        }
        assert_eq!(Date::checked(0, 2, 29).map(Date::to_day), Some(-719_469));
    }
}
