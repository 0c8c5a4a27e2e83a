//! Civil calendar on integers: days, dates, weekdays and ISO weeks, without time zones.
//!
//! A *day* is a count of days since 1970-01-01 in the proleptic Gregorian calendar. A *civil minute* or *civil second*
//! counts minutes or seconds from 1970-01-01T00:00 on a clock without time zone. The conversions are those of Cassio Neri
//! and Lorenz Schneider, "Euclidean affine functions and their application to calendar algorithms" (2022), in which the year
//! begins in March and every division is by a constant.

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
        // From here on the year begins in March, and months count from 3 to 14.
        let early = self.month <= 2;
        let year = (self.year + CYCLES * 400) as u32 - early as u32;
        let month = self.month as u32 + 12 * early as u32;
        let century = year / 100;
        let year_days = 1461 * year / 4 - century + century / 4;
        let month_days = (979 * month - 2919) / 32;
        (year_days + month_days + self.day as u32 - 1) as i64 - DAYS_BEFORE
    }

    /// The date of a count of days since 1970-01-01.
    #[inline]
    pub(crate) const fn from_day(day: i64) -> Date {
        let days = (day + DAYS_BEFORE) as u32;
        // Century, then year of the century, then day of the year, each by one division of `4n + 3`.
        let quarters = 4 * days + 3;
        let (century, day_of_century) = (quarters / 146_097, quarters % 146_097 / 4);
        let product = 2_939_745 * (4 * day_of_century + 3) as u64;
        let (year_of_century, day_of_year) = ((product >> 32) as u32, product as u32 / 2_939_745 / 4);
        let month_and_day = 2141 * day_of_year + 197_913;
        let (month, day) = (month_and_day >> 16, (month_and_day & 0xffff) / 2141);
        let early = day_of_year >= 306;
        Date {
            year: (100 * century + year_of_century) as i32 - CYCLES * 400 + early as i32,
            month: (month - 12 * early as u32) as u8,
            day: day as u8 + 1,
        }
    }
}

/// Cycles of 400 years that are added first and subtracted afterwards, so that nothing is negative. The conversions
/// hold from the year -32800 to 32767 at least.
const CYCLES: i32 = 82;
/// Days from the 1st of March of year `-400 * CYCLES` to 1970-01-01.
const DAYS_BEFORE: i64 = 719_468 + 146_097 * CYCLES as i64;

#[inline]
pub(crate) const fn is_leap(year: i32) -> bool {
    // A multiple of 4 that is one of 25 is one of 100; one of 100 and of 16 is one of 400.
    year & 3 == 0 && (year % 25 != 0 || year & 15 == 0)
}

/// Days of a month, 28 to 31. The month is 1 to 12.
#[inline]
pub(crate) const fn days_in_month(year: i32, month: u8) -> u8 {
    match month {
        2 => 28 + is_leap(year) as u8,
        // Odd months have 31 days up to July, even ones from August on.
        _ => 30 + (month + (month >> 3)) % 2,
    }
}

/// Day of the week, 0 is Sunday.
#[inline]
pub(crate) const fn weekday(day: i64) -> u8 {
    // 1970-01-01 was a Thursday. Whole weeks are added so that the remainder is of a positive number of 32 bits.
    ((day + 4 + 7_000_000) as u32 % 7) as u8
}

/// The day and the minute of the day of a civil minute, in the years 0 to 9999.
#[inline]
pub(crate) const fn day_and_minute(minute: i64) -> (i64, u32) {
    // Whole days are added so that the division is of a positive number of 64 bits.
    let minutes = (minute + DAYS_BEFORE * DAY_MINUTES) as u64;
    let day = minutes / DAY_MINUTES as u64;
    (day as i64 - DAYS_BEFORE, (minutes - day * DAY_MINUTES as u64) as u32)
}

/// The first civil minute at or after a civil second, in the years 0 to 9999.
#[inline]
pub(crate) const fn ceil_minute(second: i64) -> i64 {
    ((second + DAYS_BEFORE * DAY + 59) as u64 / 60) as i64 - DAYS_BEFORE * DAY_MINUTES
}

/// Year and number of the ISO 8601 week that holds the day: weeks begin on Monday and belong to the year of their
/// Thursday.
#[inline]
pub(crate) const fn iso_week(day: i64) -> (i32, u8) {
    let monday_based = (weekday(day) + 6) % 7;
    let thursday = day - monday_based as i64 + 3;
    let year = Date::from_day(thursday).year;
    let day_of_year = (thursday - Date::new(year, 1, 1).to_day()) as u32;
    (year, (day_of_year / 7 + 1) as u8)
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
