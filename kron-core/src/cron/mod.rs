//! Cron expressions: what is parsed, kept and printed. The parser is in `parse.rs`, the search in `search.rs`,
//! the iteration in `iterate.rs`, the counting in `count.rs`, the days of rules in `on_days.rs`.

pub(crate) mod clock_changes;
mod count;
pub(crate) mod dialects;
pub(crate) mod fields;
mod hashed;
mod item;
pub(crate) mod iterate;
pub(crate) mod nominal_times;
mod on_days;
mod parse;
mod print;
mod search;

use core::str::FromStr;

use crate::days::DayRules;
use crate::error::Error;
use crate::time::calendar_field;
use crate::time::zone::Zone;

pub use self::clock_changes::ClockChange;
pub use self::fields::{CronField, CronItem};
pub use self::hashed::{HashedItem, HashedItemError};
pub use self::iterate::NominalSeries;
pub use self::nominal_times::NominalTimes;
pub use crate::limits::{NOMINAL_MAX, NOMINAL_MIN};

pub(crate) use parse::{macro_meaning, parse};

/// A five-field cron expression: minute, hour, day of month, month, day of week.
///
/// Parsing keeps the set of values of each field as a bit mask, and for the two day fields whether they were restricted
/// (a day field with `*`, `?`, `*/1` or `?/1` among its items is not). If both are restricted a day matches when either
/// does, otherwise both must match. Printing gives the canonical form, which parses to an equal value.
///
/// ```
/// let cron: kron_core::Cron = "0,30 9-17 ? * MON-FRI".parse()?;
/// assert_eq!(cron.to_string(), "0,30 9-17 * * 1-5");
/// assert_eq!("@daily".parse::<kron_core::Cron>()?.to_string(), "0 0 * * *");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cron {
    /// Bits 0 to 59, the lower half first; never empty, as every mask here. In two halves, so that the type has the
    /// alignment of four bytes and takes less memory.
    minutes: [u32; 2],
    /// Bits 0 to 23.
    hours: u32,
    /// Bits 1 to 31.
    days_of_month: u32,
    /// Bits 1 to 12.
    months: u16,
    /// Bits 0 to 6, Sunday is 0.
    days_of_week: u8,
    restricted: RestrictedDays,
}

/// Which of the two day fields are restricted.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum RestrictedDays {
    Neither,
    OfMonth,
    OfWeek,
    Both,
}

impl Cron {
    /// Parses five fields or one of the macros `@yearly @annually @monthly @weekly @daily @midnight @hourly`.
    ///
    /// # Errors
    ///
    /// Names the field, the column, the text and the help; see [`Error`].
    ///
    /// ```
    /// let error = kron_core::Cron::parse("0 0 30 2 *").unwrap_err();
    /// assert_eq!(error.code(), kron_core::ErrorCode::CronNeverMatches);
    /// ```
    pub fn parse(text: &str) -> Result<Cron, Error> {
        parse(text, &mut |_| {}).map_err(|error| error.located(text))
    }

    /// The schedule of this expression read in a zone.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let schedule = Cron::parse("30 2 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// // 02:30 is skipped on the last Sunday of March 2026.
    /// let next = schedule.next(chrono::DateTime::parse_from_rfc3339("2026-03-28T12:00:00Z").unwrap());
    /// assert_eq!(next.unwrap().to_rfc3339(), "2026-03-30T00:30:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub const fn in_zone(self, zone: Zone) -> Schedule {
        Schedule { cron: self, zone, days: DayRules::EVERY_DAY }
    }

    /// The most nominal times that a closed interval of that many seconds can hold, counted as if every day matched.
    ///
    /// This bounds how many windows of that length can overlap.
    ///
    /// ```
    /// let cron = kron_core::Cron::parse("*/15 * * * *")?;
    /// assert_eq!(cron.most_nominal_times_in(3600), 5);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn most_nominal_times_in(&self, seconds: u64) -> u64 {
        let per_day = u64::from(self.hours.count_ones()) * u64::from(self.minutes().count_ones());
        let minutes = seconds / 60;
        let (days, rest) = (minutes / 1440, minutes % 1440);
        let mut most = 0;
        // With all hours the count is the same from each of them.
        let first_hours = if self.every_hour() { 1 } else { self.hours };
        for hour in calendar_field::values(first_hours.into()) {
            for minute in calendar_field::values(self.minutes()) {
                let start = u64::from(hour) * 60 + u64::from(minute);
                most = most.max(self.times_before(start + rest + 1) - self.times_before(start));
            }
        }
        days * per_day + most
    }

    /// Bits 0 to 59.
    #[inline]
    fn minutes(&self) -> u64 {
        u64::from(self.minutes[0]) | u64::from(self.minutes[1]) << 32
    }

    #[inline]
    fn day_of_month_restricted(&self) -> bool {
        matches!(self.restricted, RestrictedDays::OfMonth | RestrictedDays::Both)
    }

    #[inline]
    fn day_of_week_restricted(&self) -> bool {
        matches!(self.restricted, RestrictedDays::OfWeek | RestrictedDays::Both)
    }

    /// Whether no hour is left out.
    fn every_hour(&self) -> bool {
        u64::from(self.hours) == calendar_field::HOUR.all()
    }

    /// Matching minutes of the day in `0..end`. Minutes from 1440 on belong to the next day.
    fn times_before(&self, end: u64) -> u64 {
        let per_hour = u64::from(self.minutes().count_ones());
        if end >= 1440 {
            let per_day = u64::from(self.hours.count_ones()) * per_hour;
            return per_day + if end > 1440 { self.times_before(end - 1440) } else { 0 };
        }
        let (hour, minute) = (end / 60, end % 60);
        let whole_hours = (self.hours & ((1u32 << hour) - 1)).count_ones();
        let rest = (self.minutes() & ((1 << minute) - 1)).count_ones() * (self.hours >> hour & 1);
        u64::from(whole_hours) * per_hour + u64::from(rest)
    }
}

impl FromStr for Cron {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cron, Error> {
        Cron::parse(text)
    }
}

/// A cron expression read in a time zone: it yields *nominal times*.
///
/// Nominal times are the instants, at whole minutes of civil time, whose civil time in the zone matches the expression,
/// in the years 1970 to 2099. A civil time that a change of offset skips yields none, one that occurs twice yields two.
///
/// ```
/// use kron_core::{Cron, Zone};
/// let schedule = Cron::parse("0 0 * * *")?.in_zone(Zone::parse("Asia/Kathmandu")?);
/// assert_eq!(schedule.next_timestamp(0), Some(66_600)); // 1970-01-02 00:00 at +05:30
/// assert_eq!(schedule.prev_timestamp(66_600), Some(66_600));
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Schedule {
    pub(crate) cron: Cron,
    pub(crate) zone: Zone,
    pub(crate) days: DayRules,
}

impl Schedule {
    /// The expression.
    pub const fn cron(&self) -> Cron {
        self.cron
    }

    /// The zone.
    pub const fn zone(&self) -> &Zone {
        &self.zone
    }

    /// The rules of its days.
    pub const fn days(&self) -> &DayRules {
        &self.days
    }

    /// The same schedule on the days that rules choose.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let daily = Cron::parse("0 9 * * *")?.in_zone(Zone::UTC);
    /// let last_days = daily.on_days("@days(last=1)".parse()?);
    /// assert_eq!(last_days.next(0).unwrap().to_rfc3339(), "1970-01-31T09:00:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn on_days(self, days: DayRules) -> Schedule {
        Schedule { days, ..self }
    }
}

#[cfg(feature = "serde")]
crate::serde_support::serde_by_text!(Cron);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_nominal_times_in_an_interval_are_those_of_the_fullest_interval() {
        for text in
            ["* * * * *", "*/7 * * * *", "3,4,50 * * * *", "*/20 8-17 * * *", "0 0,23 * * *", "59 23 * * *"]
        {
            let cron = Cron::parse(text).unwrap();
            let matches = |minute: u64| {
                let (hour, minute) = (minute / 60 % 24, minute % 60);
                u64::from(cron.hours >> hour & 1) & (cron.minutes() >> minute & 1)
            };
            for minutes in [0, 1, 6, 59, 60, 61, 600, 1439, 1440, 1500, 4000] {
                let fullest =
                    (0..1440).map(|start| (start..=start + minutes).map(matches).sum::<u64>()).max();
                assert_eq!(Some(cron.most_nominal_times_in(minutes * 60 + 59)), fullest, "{text} {minutes}");
            }
        }
    }
}
