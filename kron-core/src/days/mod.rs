//! Nominal days: rules that choose on which dates a schedule has periods.
//!
//! A clause has parts, all of which must match the civil date of a nominal time. If there are `days` clauses, at least one must match;
//! no `nodays` clause may match. Constraints judge the chosen time instead, and look alike on purpose. Parts are read in `builder.rs` and
//! printed in `print.rs`; the days of a month that a clause matches are found in `month.rs`, nominal times on them in
//! `cron/on_days.rs`.
//!
//! To add a part: a variant of [`DaysPart`] and a field of [`Days`]. The compiler names the other places.

mod builder;
mod month;
mod print;
mod rules;

use crate::constraint::{Calendar, DayRange};
use crate::word_enum;

pub use builder::DaysBuilder;
pub(crate) use month::CalendarMonth;
pub use rules::{DayMatch, DayRules, DayRulesBuilder};

word_enum! {
    in "kron_core::days";
    /// A part of a clause of nominal days, in the order of the canonical form.
    pub DaysPart {
        /// Days of the week.
        DayOfWeek = "dow",
        /// Days of the month.
        DayOfMonth = "dom",
        /// Months.
        Months = "months",
        /// One date.
        Date = "date",
        /// Dates from one to another.
        Dates = "dates",
        /// The dates of a named calendar.
        Calendar = "calendar",
        /// Days counted from the end of the month; 1 is the last one.
        Last = "last",
        /// Workdays counted from the start of the month.
        Workday = "workday",
        /// Workdays counted from the end of the month.
        LastWorkday = "lastworkday",
        /// The workdays nearest to days of the month.
        Near = "near",
        /// Every so many days or weeks.
        Every = "every",
        /// The date from which `every` counts.
        From = "from",
        /// What takes the place of a due day that is no workday.
        Roll = "roll",
        /// The days of the week that are workdays.
        Week = "week",
        /// The calendar whose dates are no workdays.
        Holidays = "holidays",
    }
}

word_enum! {
    in "kron_core::days";
    /// What takes the place of a due day that is no workday.
    pub Roll {
        /// The next workday.
        Next = "next",
        /// The workday before.
        Previous = "previous",
        /// The nearest workday, the earlier of two.
        Nearest = "nearest",
    }
}

/// Parts that choose nominal days; all of them must match. See [`DaysPart`].
///
/// ```
/// use kron_core::days::Days;
/// use kron_core::constraint::MON;
/// let first_monday = Days::weekdays(MON).days(1..=7).build()?;
/// assert_eq!(first_monday.to_string(), "dow=1;dom=1-7");
/// assert_eq!(first_monday, "dom=1-7;dow=MON".parse()?);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Days {
    /// An empty set (0) means that the part is absent, here and below.
    days_of_month: u32,
    last: u32,
    workdays: u32,
    last_workdays: u32,
    near: u32,
    months: u16,
    days_of_week: u8,
    /// The days of the week that are workdays, if they are given.
    week: u8,
    date: Option<i32>,
    dates: Option<DayRange>,
    calendar: Option<Calendar>,
    every: Option<Every>,
    from: Option<i32>,
    roll: Option<Roll>,
    holidays: Option<Calendar>,
}

/// A distance of dates, as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Every {
    /// From 1 to 3660.
    Days(u16),
    /// From 1 to 3660.
    Weeks(u16),
}

impl Days {
    /// Begins a clause without a part. [`weekdays`](Days::weekdays), [`last`](Days::last) and the like begin one with a part.
    ///
    /// ```
    /// use kron_core::days::Days;
    /// let clause = Days::builder().part("last", "1").part("months", "MAR,JUN,SEP,DEC").build()?;
    /// assert_eq!(clause.to_string(), "months=3,6,9,12;last=1");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn builder() -> DaysBuilder {
        DaysBuilder::default()
    }

    /// The parts that this clause has, in the order of the canonical form.
    ///
    /// ```
    /// use kron_core::days::{Days, DaysPart};
    /// let clause: Days = "dom=25;roll=previous".parse()?;
    /// assert!(clause.parts().eq([DaysPart::DayOfMonth, DaysPart::Roll]));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = DaysPart> {
        DaysPart::ALL.iter().copied().filter(|part| self.has(*part))
    }

    /// The calendars that the clause names: of its part `calendar`, then of its part `holidays`.
    ///
    /// ```
    /// use kron_core::{Calendars, days::Days};
    /// let calendars = Calendars::parse("de = 2026-12-25")?;
    /// let clause = Days::builder().part("workday", "1").holidays(calendars.get("de").unwrap()).build()?;
    /// assert_eq!(clause.calendars().map(|calendar| calendar.name()).collect::<Vec<_>>(), ["de"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn calendars(&self) -> impl Iterator<Item = &Calendar> {
        self.calendar.iter().chain(&self.holidays)
    }

    fn has(&self, part: DaysPart) -> bool {
        match part {
            DaysPart::DayOfWeek => self.days_of_week != 0,
            DaysPart::DayOfMonth => self.days_of_month != 0,
            DaysPart::Months => self.months != 0,
            DaysPart::Date => self.date.is_some(),
            DaysPart::Dates => self.dates.is_some(),
            DaysPart::Calendar => self.calendar.is_some(),
            DaysPart::Last => self.last != 0,
            DaysPart::Workday => self.workdays != 0,
            DaysPart::LastWorkday => self.last_workdays != 0,
            DaysPart::Near => self.near != 0,
            DaysPart::Every => self.every.is_some(),
            DaysPart::From => self.from.is_some(),
            DaysPart::Roll => self.roll.is_some(),
            DaysPart::Week => self.week != 0,
            DaysPart::Holidays => self.holidays.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DaysPart;
    use crate::constraint::{ClausePart, PARTS_OF_DAYS};

    /// Constraints name the other modifier for each part that they do not have.
    #[test]
    fn constraints_know_the_parts_that_they_lack() {
        let lacking = DaysPart::WORDS.iter().filter(|word| !ClausePart::WORDS.contains(word));
        assert!(lacking.eq(&PARTS_OF_DAYS));
    }
}
