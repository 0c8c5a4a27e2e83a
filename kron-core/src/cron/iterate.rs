//! Nominal times one after another.
//!
//! Forwards, bit masks hold the days of the month, the hours of the day and the minutes of the hour that are still to
//! come. The next civil minute is the lowest bit of the smallest unit whose mask is not empty. Within a span of
//! constant offset this is the next nominal time; beyond its end, `search.rs` finds it. Backwards, each step is a
//! search.

use chrono::{DateTime, Utc};

use super::search::{Month, Place};
use super::{Cron, Schedule};
use crate::limits::{NOMINAL_MAX, NOMINAL_MIN};
use crate::time::civil::{DAY_MINUTES, day_and_minute};
use crate::time::instant::{Instant, to_utc};
use crate::time::zone::Offsets;

impl Schedule {
    /// All nominal times after an instant, in order.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let leap_days = Cron::parse("0 0 29 2 *")?.in_zone(Zone::UTC);
    /// assert_eq!(leap_days.series(0).count(), 32);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn series(&self, after: impl Instant) -> NominalSeries {
        let after = after.floor();
        if after >= NOMINAL_MAX || !self.days.is_empty() {
            let search = (!self.days.is_empty()).then_some(Search::After(after));
            return NominalSeries { schedule: self.clone(), last: None, odometer: None, search };
        }
        let from = Place::at(self.zone.offsets(), after.max(NOMINAL_MIN - 1) + 1);
        let odometer = Some(Odometer::at(from, &self.cron));
        let last = Some(Step { index: from.index, minute: from.minute - 1 });
        NominalSeries { schedule: self.clone(), last, odometer, search: None }
    }

    /// All nominal times at or before an instant, latest first.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let leap_days = Cron::parse("0 0 29 2 *")?.in_zone(Zone::UTC);
    /// assert_eq!(leap_days.series_back(i64::MAX).next().unwrap().to_rfc3339(), "2096-02-29T00:00:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn series_back(&self, at: impl Instant) -> NominalSeries {
        let at = at.floor();
        if !self.days.is_empty() {
            let search = Some(Search::Until(at));
            return NominalSeries { schedule: self.clone(), last: None, odometer: None, search };
        }
        let last = (at >= NOMINAL_MIN).then(|| {
            let from = Place::until(self.zone.offsets(), at.min(NOMINAL_MAX));
            Step { index: from.index, minute: from.minute + 1 }
        });
        NominalSeries { schedule: self.clone(), last, odometer: None, search: None }
    }
}

/// Nominal times one after another, forwards or backwards. Made by [`Schedule::series`] and [`Schedule::series_back`].
#[derive(Clone, Debug)]
pub struct NominalSeries {
    schedule: Schedule,
    /// The last answer, or the minute before the first one; `None` at the end.
    last: Option<Step>,
    /// What follows it in civil time; `None` for a series that goes backwards.
    odometer: Option<Odometer>,
    /// How a series on the days of rules goes on, which has neither of the others.
    search: Option<Search>,
}

/// What a search is asked next.
#[derive(Clone, Copy, Debug)]
enum Search {
    After(i64),
    Until(i64),
}

/// A civil minute, and the index of its span in the zone.
#[derive(Clone, Copy, Debug)]
struct Step {
    index: usize,
    minute: i64,
}

impl Step {
    fn of(place: Place<'_>) -> Step {
        Step { index: place.index, minute: place.minute }
    }

    fn in_zone(self, zone: Offsets<'_>) -> Place<'_> {
        Place { zone, index: self.index, minute: self.minute }
    }
}

impl NominalSeries {
    /// The next nominal time in Unix seconds.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let mut series = Cron::parse("30 9 * * *")?.in_zone(Zone::UTC).series(0);
    /// assert_eq!(series.next_timestamp(), Some(9 * 3600 + 1800));
    /// assert_eq!(series.next_timestamp(), Some(86_400 + 9 * 3600 + 1800));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn next_timestamp(&mut self) -> Option<i64> {
        let Some(last) = &mut self.last else { return self.searched() };
        let Some(odometer) = &mut self.odometer else {
            let from = Step { minute: last.minute - 1, ..*last }.in_zone(self.schedule.zone.offsets());
            let found = from.down(&self.schedule.cron);
            self.last = found.map(Step::of);
            return found.map(Place::timestamp);
        };
        let from = last.minute + 1;
        if let Some(minute) = odometer.next(&self.schedule.cron) {
            last.minute = minute;
            let timestamp = minute * 60 - odometer.offset;
            if timestamp < odometer.end {
                return Some(timestamp);
            }
            return self.across(from);
        }
        self.last = None;
        None
    }

    /// The next nominal time of a series on the days of rules.
    #[inline(never)]
    fn searched(&mut self) -> Option<i64> {
        let found = match self.search? {
            Search::After(after) => self.schedule.next_timestamp(after),
            Search::Until(at) => self.schedule.prev_timestamp(at),
        };
        self.search = found.and_then(|found| match self.search? {
            Search::After(_) => Some(Search::After(found)),
            Search::Until(_) => Some(Search::Until(found - 1)),
        });
        found
    }

    /// The first nominal time from a civil minute on, if the next match in civil time, which is in `last`, lies beyond
    /// the span.
    #[inline(never)]
    fn across(&mut self, from: i64) -> Option<i64> {
        let cron = &self.schedule.cron;
        let (next, odometer) = (self.last?.in_zone(self.schedule.zone.offsets()), self.odometer.as_mut()?);
        let mut found = Place { index: next.index + odometer.stride, ..next };
        if !found.follows_far(next, from) {
            found = next.up_across(from, cron)?;
            if found.minute != next.minute {
                // The clocks went back, or skipped the minute that the masks gave.
                *odometer = Odometer::at(found, cron);
                odometer.next(cron);
            }
            odometer.stride = found.index - next.index;
        }
        odometer.enter(found);
        let timestamp = found.timestamp();
        self.last = (timestamp <= NOMINAL_MAX).then_some(Step::of(found));
        self.last.map(|_| timestamp)
    }
}

impl Iterator for NominalSeries {
    type Item = DateTime<Utc>;

    fn next(&mut self) -> Option<DateTime<Utc>> {
        self.next_timestamp().map(to_utc)
    }
}

/// The matching minutes from a civil minute on: the rest of its month, day and hour.
#[derive(Clone, Debug)]
struct Odometer {
    month: Month,
    /// The civil minute at which the day begins.
    day: i64,
    hours: u32,
    /// The civil minute at which the hour begins.
    hour: i64,
    minutes: u64,
    /// The offset of the span.
    offset: i64,
    /// The Unix second at which the span, or the time of nominal times, ends.
    end: i64,
    /// How many spans the last step over the end of a span crossed. Each step of a rare schedule crosses about as many.
    stride: usize,
}

impl Odometer {
    /// The matching minutes from a civil minute on.
    fn at(place: Place<'_>, cron: &Cron) -> Odometer {
        let (day, of_day) = day_and_minute(place.minute);
        let (hour, minute) = (of_day / 60, of_day % 60);
        let mut month = cron.month_from(day);
        let today = month.days.trailing_zeros() as i64 == day - month.start;
        let this_hour = today && cron.hours >> hour & 1 == 1;
        if today {
            take_lowest(&mut month.days);
        }
        let mut odometer = Odometer {
            month,
            day: day * DAY_MINUTES,
            hours: if today { cron.hours & (u32::MAX << hour << 1) } else { 0 },
            hour: place.minute - i64::from(minute),
            minutes: if this_hour { cron.minutes() & (u64::MAX << minute) } else { 0 },
            offset: 0,
            end: 0,
            stride: 1,
        };
        odometer.enter(place);
        odometer
    }

    /// Sets offset and end to those of a place's span.
    #[inline]
    fn enter(&mut self, place: Place<'_>) {
        self.offset = place.offset();
        self.end = place.zone.span_end(place.index).min(NOMINAL_MAX + 1);
    }

    /// The next matching minute.
    #[inline]
    fn next(&mut self, cron: &Cron) -> Option<i64> {
        if self.minutes == 0 {
            if self.hours == 0 {
                self.next_day(cron)?;
            }
            self.hour = self.day + i64::from(take_lowest(&mut self.hours)) * 60;
            self.minutes = cron.minutes();
        }
        let minute = self.minutes.trailing_zeros();
        self.minutes &= self.minutes - 1;
        Some(self.hour + i64::from(minute))
    }

    #[inline]
    fn next_day(&mut self, cron: &Cron) -> Option<()> {
        while self.month.days == 0 {
            cron.next_month(&mut self.month)?;
        }
        self.day = (self.month.start + i64::from(take_lowest(&mut self.month.days))) * DAY_MINUTES;
        self.hours = cron.hours;
        Some(())
    }
}

/// Removes the lowest bit of a mask that is not empty, and returns its number.
#[inline]
fn take_lowest(mask: &mut u32) -> u32 {
    let lowest = mask.trailing_zeros();
    *mask &= *mask - 1;
    lowest
}
