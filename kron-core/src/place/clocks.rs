//! Civil minutes that changes of the clocks skip or repeat, for places that are the same on every day.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use super::expression::Fields;
use crate::cron::Cron;
use crate::time::Zone;
use crate::time::civil::{DAY, DAY_MINUTES, Date};

/// How far the changes of the clocks are looked at: three years.
const YEARS: i64 = 3;

/// Minutes of a civil day that a change of the clocks skips or repeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Changed {
    /// Days since 1970-01-01.
    pub(super) day: i64,
    pub(super) minutes: RangeInclusive<i64>,
    pub(super) skipped: bool,
}

/// The changed minutes of a zone in the three years from a Unix time on.
pub(super) fn changed(zone: &Zone, from: i64) -> Vec<Changed> {
    let until = from.saturating_add(YEARS * 366 * DAY);
    let mut out = Vec::new();
    for change in zone.changes(from).take_while(|change| change.timestamp < until) {
        let (before, after) = (i64::from(change.offset_before), i64::from(change.offset_after));
        let skipped = after > before;
        let (start, end) = (change.timestamp + before.min(after), change.timestamp + before.max(after));
        // A minute counts if a second of it is changed.
        let (mut minute, last) = (start.div_euclid(60), (end - 1).div_euclid(60));
        while minute <= last {
            let day = minute.div_euclid(DAY_MINUTES);
            let end = last.min((day + 1) * DAY_MINUTES - 1);
            out.push(Changed { day, minutes: minute - day * DAY_MINUTES..=end - day * DAY_MINUTES, skipped });
            minute = end + 1;
        }
    }
    out
}

/// A change of the clocks that meets a placed schedule, and not the declared one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockChange {
    date: Date,
    minute: i64,
    skipped: bool,
}

impl ClockChange {
    /// The first change in the three years from a Unix time on that skips or repeats a time of a placed expression on one of its days,
    /// and no time of the declared expression. `None` also where one of them is no expression.
    ///
    /// ```
    /// use kron_core::{Zone, place::ClockChange};
    /// let berlin = Zone::parse("Europe/Berlin")?;
    /// let change = ClockChange::first("0 1 * * *", "30 2 * * *", &berlin, 1_767_225_600).unwrap();
    /// assert_eq!((change.civil_time().as_str(), change.is_skipped()), ("2026-03-29 02:30", true));
    /// assert_eq!(ClockChange::first("0 2 * * *", "30 2 * * *", &berlin, 1_767_225_600), None);
    /// assert_eq!(ClockChange::first("0 1 * * *", "30 2 * * *", &Zone::UTC, 1_767_225_600), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn first(declared: &str, placed: &str, zone: &Zone, from: i64) -> Option<ClockChange> {
        let (before, after) = (Cron::parse(declared).ok()?, Cron::parse(placed).ok()?);
        let declared: Vec<i64> = Fields::new(declared, before).times().collect();
        let placed: Vec<i64> = Fields::new(placed, after).times().collect();
        changed(zone, from).into_iter().find_map(|Changed { day, minutes, skipped }| {
            let is_met = after.matches_day(day) && !declared.iter().any(|time| minutes.contains(time));
            let minute = placed.iter().copied().find(|time| is_met && minutes.contains(time))?;
            Some(ClockChange { date: Date::from_day(day), minute, skipped })
        })
    }

    /// The civil time.
    ///
    /// ```
    /// use kron_core::{Zone, place::ClockChange};
    /// let london = Zone::parse("Europe/London")?;
    /// let change = ClockChange::first("0 0 * * *", "5 1 * * *", &london, 1_767_225_600).unwrap();
    /// assert_eq!(change.civil_time(), "2026-03-29 01:05");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn civil_time(&self) -> String {
        let ClockChange { date, minute, .. } = self;
        let Date { year, month, day } = date;
        alloc::format!("{year:04}-{month:02}-{day:02} {}", clock(*minute))
    }

    /// Whether the time does not exist on that day. Otherwise it exists twice.
    pub const fn is_skipped(&self) -> bool {
        self.skipped
    }
}

/// `HH:MM`.
pub(super) fn clock(minute: i64) -> String {
    alloc::format!("{:02}:{:02}", minute / 60, minute % 60)
}
