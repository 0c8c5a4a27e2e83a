//! Parts of clauses from typed values: hours, weekdays, days, months, times and dates of Rust, chrono and jiff.
//!
//! Values become the text of their part, so that there is one parser and one set of errors.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;
use core::ops::{Range, RangeInclusive};

use chrono::{Datelike, Month, NaiveDate, Weekday};

use super::{Calendar, Clause, ClauseBuilder, ClausePart};

/// Sunday.
pub const SUN: Weekday = Weekday::Sun;
/// Monday.
pub const MON: Weekday = Weekday::Mon;
/// Tuesday.
pub const TUE: Weekday = Weekday::Tue;
/// Wednesday.
pub const WED: Weekday = Weekday::Wed;
/// Thursday.
pub const THU: Weekday = Weekday::Thu;
/// Friday.
pub const FRI: Weekday = Weekday::Fri;
/// Saturday.
pub const SAT: Weekday = Weekday::Sat;

pub(crate) mod sealed {
    pub trait Value: Copy {
        /// The value as it is written in a clause.
        fn word(self) -> alloc::string::String;
        /// The value before it, for a range that excludes its end.
        fn before(self) -> alloc::string::String;
    }

    pub trait Values<T> {
        /// The list as it is written in a clause.
        fn text(&self, to: &str) -> alloc::string::String;
    }
}

use sealed::Values as _;

/// A weekday of chrono, or with the feature `jiff_1` of jiff.
pub trait WeekdayValue: sealed::Value {}
/// A month: a number from 1 to 12, or one of chrono.
pub trait MonthValue: sealed::Value {}
/// A date of chrono, or with the feature `jiff_1` of jiff.
pub trait DateValue: sealed::Value {}

/// Values of a part of a clause: one, a range with or without its end, an array, a slice or a vector.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not one value or a list of values of a clause",
    note = "give one value, a range such as `9..=17` or `MON..=FRI`, or an array such as `[1, 15]`"
)]
pub trait Values<T>: sealed::Values<T> {}

impl<T: sealed::Value> sealed::Values<T> for T {
    fn text(&self, _: &str) -> String {
        self.word()
    }
}

impl<T: sealed::Value> Values<T> for T {}

impl<T: sealed::Value> sealed::Values<T> for RangeInclusive<T> {
    fn text(&self, to: &str) -> String {
        format!("{}{to}{}", self.start().word(), self.end().word())
    }
}

impl<T: sealed::Value> Values<T> for RangeInclusive<T> {}

impl<T: sealed::Value> sealed::Values<T> for Range<T> {
    fn text(&self, to: &str) -> String {
        // Without a value; the parser refuses the empty text.
        if self.start.word() == self.end.word() {
            return String::new();
        }
        format!("{}{to}{}", self.start.word(), self.end.before())
    }
}

impl<T: sealed::Value> Values<T> for Range<T> {}

impl<T: sealed::Value> sealed::Values<T> for [T] {
    fn text(&self, _: &str) -> String {
        let texts: Vec<String> = self.iter().map(|value| value.word()).collect();
        texts.join(",")
    }
}

impl<T: sealed::Value, const N: usize> sealed::Values<T> for [T; N] {
    fn text(&self, to: &str) -> String {
        self.as_slice().text(to)
    }
}

impl<T: sealed::Value, const N: usize> Values<T> for [T; N] {}

impl<T: sealed::Value> sealed::Values<T> for &[T] {
    fn text(&self, to: &str) -> String {
        (**self).text(to)
    }
}

impl<T: sealed::Value> Values<T> for &[T] {}

impl<T: sealed::Value> sealed::Values<T> for Vec<T> {
    fn text(&self, to: &str) -> String {
        self.as_slice().text(to)
    }
}

impl<T: sealed::Value> Values<T> for Vec<T> {}

/// The text of a number one lower; below 0 there is none, and the parser says so.
fn one_less(number: impl Into<i32>) -> String {
    (number.into() - 1).to_string()
}

impl sealed::Value for u8 {
    fn word(self) -> String {
        self.to_string()
    }

    fn before(self) -> String {
        one_less(self)
    }
}

impl MonthValue for u8 {}

impl sealed::Value for Month {
    fn word(self) -> String {
        self.number_from_month().to_string()
    }

    fn before(self) -> String {
        self.pred().word()
    }
}

impl MonthValue for Month {}

impl sealed::Value for Weekday {
    fn word(self) -> String {
        self.num_days_from_sunday().to_string()
    }

    fn before(self) -> String {
        self.pred().word()
    }
}

impl WeekdayValue for Weekday {}

/// A date outside the years of four digits is written as the parser refuses it.
impl sealed::Value for NaiveDate {
    fn word(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year(), self.month(), self.day())
    }

    fn before(self) -> String {
        self.pred_opt().unwrap_or(self).word()
    }
}

impl DateValue for NaiveDate {}

#[cfg(feature = "jiff_1")]
impl sealed::Value for jiff::civil::Weekday {
    fn word(self) -> String {
        self.to_sunday_zero_offset().to_string()
    }

    fn before(self) -> String {
        self.previous().word()
    }
}

#[cfg(feature = "jiff_1")]
impl WeekdayValue for jiff::civil::Weekday {}

#[cfg(feature = "jiff_1")]
impl sealed::Value for jiff::civil::Date {
    fn word(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year(), self.month(), self.day())
    }

    fn before(self) -> String {
        self.yesterday().unwrap_or(self).word()
    }
}

#[cfg(feature = "jiff_1")]
impl DateValue for jiff::civil::Date {}

impl ClauseBuilder {
    fn typed(self, part: ClausePart, value: impl Display) -> ClauseBuilder {
        self.part(part.as_str(), &value.to_string())
    }

    /// Hours of the day, 0 to 23. For hours that pass midnight, write the part as text, `part("hours", "22-5")`: the range `22..=5` means
    /// the same here, but Rust's lints take it for an empty range.
    ///
    /// ```
    /// use kron_core::Clause;
    /// assert_eq!(Clause::hours(9..=17).build()?.to_string(), "hours=9-17"); // up to 17:59
    /// assert_eq!(Clause::hours(9..17).build()?.to_string(), "hours=9-16"); // up to 16:59
    /// assert_eq!(Clause::hours([1, 3]).build()?.to_string(), "hours=1,3");
    /// assert!(Clause::hours(24).build().is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn hours(self, hours: impl Values<u8>) -> ClauseBuilder {
        self.typed(ClausePart::Hours, hours.text("-"))
    }

    /// Weekdays of chrono, such as [`MON`]; with the feature `jiff_1` also of jiff. A range may pass Saturday: `FRI..=MON`.
    ///
    /// ```
    /// use kron_core::Clause;
    /// use kron_core::constraint::{FRI, MON, SAT, SUN};
    /// assert_eq!(Clause::weekdays(MON..=FRI).build()?.to_string(), "dow=1-5");
    /// assert_eq!(Clause::weekdays([SAT, SUN]).build()?.to_string(), "dow=0,6");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "dow")]
    pub fn weekdays<W: WeekdayValue>(self, weekdays: impl Values<W>) -> ClauseBuilder {
        self.typed(ClausePart::DayOfWeek, weekdays.text("-"))
    }

    /// Days of the month, 1 to 31.
    ///
    /// ```
    /// use kron_core::Clause;
    /// assert_eq!(Clause::days(1..=7).months(12).build()?.to_string(), "dom=1-7;months=12");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    #[doc(alias = "dom")]
    pub fn days(self, days: impl Values<u8>) -> ClauseBuilder {
        self.typed(ClausePart::DayOfMonth, days.text("-"))
    }

    /// Months, 1 to 12 or chrono's. A range may pass December.
    ///
    /// ```
    /// use kron_core::Clause;
    /// use chrono::Month;
    /// assert_eq!(Clause::months(6..=8).build()?.to_string(), "months=6-8");
    /// assert_eq!(Clause::months(Month::November..=Month::February).build()?.to_string(), "months=11-2");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn months<M: MonthValue>(self, months: impl Values<M>) -> ClauseBuilder {
        self.typed(ClausePart::Months, months.text("-"))
    }

    /// Times of day as text, both minutes included, with commas between ranges.
    ///
    /// ```
    /// use kron_core::Clause;
    /// assert_eq!(Clause::between("09:00-17:30").build()?.to_string(), "between=09:00-17:30");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn between(self, times: &str) -> ClauseBuilder {
        self.typed(ClausePart::Between, times)
    }

    /// One date, of chrono or with the feature `jiff_1` of jiff.
    ///
    /// ```
    /// use chrono::NaiveDate;
    /// use kron_core::Clause;
    /// let christmas = NaiveDate::from_ymd_opt(2026, 12, 25).unwrap();
    /// assert_eq!(Clause::date(christmas).build()?.to_string(), "date=2026-12-25");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn date(self, date: impl DateValue) -> ClauseBuilder {
        self.typed(ClausePart::Date, date.word())
    }

    /// Dates from one to another.
    ///
    /// ```
    /// use chrono::NaiveDate;
    /// use kron_core::Clause;
    /// let date = |month, day| NaiveDate::from_ymd_opt(2026, month, day).unwrap();
    /// assert_eq!(
    ///     Clause::dates(date(12, 24)..=date(12, 26)).build()?.to_string(),
    ///     "dates=2026-12-24..2026-12-26",
    /// );
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn dates<T: DateValue>(self, dates: RangeInclusive<T>) -> ClauseBuilder {
        self.typed(ClausePart::Dates, dates.text(".."))
    }
}

/// Clauses begun with a part. [`ClauseBuilder`] has the same methods, so further parts follow, all of which must match; whatever
/// takes a clause takes the builder.
impl Clause {
    /// Begins a clause with [hours](ClauseBuilder::hours).
    ///
    /// ```
    /// use kron_core::Clause;
    /// assert_eq!(Clause::hours(9..=17).days(1).build()?.to_string(), "hours=9-17;dom=1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn hours(hours: impl Values<u8>) -> ClauseBuilder {
        Clause::builder().hours(hours)
    }

    /// Begins a clause with [weekdays](ClauseBuilder::weekdays).
    ///
    /// ```
    /// use kron_core::Clause;
    /// use kron_core::constraint::{FRI, MON};
    /// assert_eq!(Clause::weekdays(MON..=FRI).build()?.to_string(), "dow=1-5");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn weekdays<W: WeekdayValue>(weekdays: impl Values<W>) -> ClauseBuilder {
        Clause::builder().weekdays(weekdays)
    }

    /// Begins a clause with [days of the month](ClauseBuilder::days).
    ///
    /// ```
    /// assert_eq!(kron_core::Clause::days([1, 15]).build()?.to_string(), "dom=1,15");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn days(days: impl Values<u8>) -> ClauseBuilder {
        Clause::builder().days(days)
    }

    /// Begins a clause with [months](ClauseBuilder::months).
    ///
    /// ```
    /// assert_eq!(kron_core::Clause::months(12).build()?.to_string(), "months=12");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn months<M: MonthValue>(months: impl Values<M>) -> ClauseBuilder {
        Clause::builder().months(months)
    }

    /// Begins a clause with [times of day](ClauseBuilder::between).
    ///
    /// ```
    /// assert_eq!(kron_core::Clause::between("22:30-05:59").build()?.to_string(), "between=22:30-05:59");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn between(times: &str) -> ClauseBuilder {
        Clause::builder().between(times)
    }

    /// Begins a clause with [one date](ClauseBuilder::date).
    ///
    /// ```
    /// let date = chrono::NaiveDate::from_ymd_opt(2026, 12, 25).unwrap();
    /// assert_eq!(kron_core::Clause::date(date).build()?.to_string(), "date=2026-12-25");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn date(date: impl DateValue) -> ClauseBuilder {
        Clause::builder().date(date)
    }

    /// Begins a clause with [dates](ClauseBuilder::dates).
    ///
    /// ```
    /// let date = |day| chrono::NaiveDate::from_ymd_opt(2026, 12, day).unwrap();
    /// assert_eq!(kron_core::Clause::dates(date(24)..=date(26)).build()?.to_string(), "dates=2026-12-24..2026-12-26");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn dates<T: DateValue>(dates: RangeInclusive<T>) -> ClauseBuilder {
        Clause::builder().dates(dates)
    }

    /// Begins a clause with [the dates of a calendar](ClauseBuilder::calendar).
    ///
    /// ```
    /// use kron_core::{Calendars, Clause};
    /// let calendars = Calendars::parse("holidays-fr = 2026-12-25")?;
    /// let clause = Clause::calendar(calendars.get("holidays-fr").unwrap()).build()?;
    /// assert_eq!(clause.to_string(), "calendar=holidays-fr");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn calendar(calendar: &Calendar) -> ClauseBuilder {
        Clause::builder().calendar(calendar)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(builder: ClauseBuilder) -> String {
        builder.build().map_or_else(|error| error.to_string(), |clause| clause.to_string())
    }

    #[test]
    fn ranges_and_lists() {
        let (evening, morning) = (22, 5);
        assert_eq!(text(Clause::hours(evening..=morning)), "hours=22-5");
        assert_eq!(text(Clause::hours(0..24)), text(Clause::hours(0..=23)));
        assert_eq!(text(Clause::hours(alloc::vec![1, 2, 3])), "hours=1-3");
        assert_eq!(text(Clause::weekdays(FRI..=MON)), "dow=5-1");
        assert_eq!(text(Clause::weekdays(MON..SAT)), "dow=1-5");
        assert_eq!(text(Clause::months(Month::November..=Month::February)), "months=11-2");
    }

    #[test]
    fn what_has_no_values_is_an_error() {
        assert!(text(Clause::hours(0..0)).contains("not an hour"), "{}", text(Clause::hours(0..0)));
        assert!(text(Clause::hours([0u8; 0])).contains("not an hour"));
        assert!(text(Clause::hours(9..9)).contains("not an hour"));
        assert!(text(Clause::weekdays(MON..MON)).contains("not a day"));
        let (evening, morning) = (22, 5);
        assert!(text(Clause::hours(9..=24)).contains("0 to 23"));
        assert!(text(Clause::days(evening..=morning)).contains("backwards"));
        assert!(text(Clause::hours(1).hours(2)).contains("twice"));
        let date = NaiveDate::from_ymd_opt(12_026, 1, 1).unwrap();
        assert!(Clause::date(date).build().is_err());
    }

    #[cfg(feature = "jiff_1")]
    #[test]
    fn values_of_jiff() {
        use jiff::civil::{Weekday as JiffWeekday, date};
        assert_eq!(text(Clause::weekdays(JiffWeekday::Monday..=JiffWeekday::Friday)), "dow=1-5");
        assert_eq!(text(Clause::date(date(2026, 12, 25))), "date=2026-12-25");
        assert_eq!(
            text(Clause::dates(date(2026, 12, 24)..=date(2026, 12, 26))),
            "dates=2026-12-24..2026-12-26"
        );
    }
}
