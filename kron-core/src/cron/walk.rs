//! Nominal times one after another.
//!
//! Upwards an odometer steps: what is left of the current month's days, the day's hours and the hour's minutes are bit
//! masks, and the next civil minute is the lowest bit of the lowest mask that is not empty. Within a span of constant
//! offset that is the next nominal time; beyond its end the search of `search.rs` takes over. Downwards each step is a
//! search.

use chrono::{DateTime, Utc};

use super::search::{Month, Place};
use super::{Cron, Schedule};
use crate::bounds::{NOMINAL_MAX, NOMINAL_MIN};
use crate::civil::{DAY_MINUTES, Date, day_and_minute};
use crate::instant::{Instant, to_utc};

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
        let mut series = NominalSeries { cron: self.cron, place: None, odometer: None };
        if after < NOMINAL_MAX {
            let from = self.place_at(after.max(NOMINAL_MIN - 1) + 1);
            // A step leads from the minute before to the first answer.
            series.odometer = Some(Odometer::at(from, &self.cron));
            series.place = Some(Place { minute: from.minute - 1, ..from });
            series.next_timestamp();
        }
        series
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
        let place = if at < NOMINAL_MIN { None } else { self.walk_down(at.min(NOMINAL_MAX)) };
        NominalSeries { cron: self.cron, place, odometer: None }
    }
}

/// Nominal times one after another, forwards or backwards. Made by [`Schedule::series`] and [`Schedule::series_back`].
#[derive(Clone, Debug)]
pub struct NominalSeries {
    cron: Cron,
    /// The next answer, found ahead; `None` at the end.
    place: Option<Place>,
    /// What follows it in civil time; `None` downwards.
    odometer: Option<Odometer>,
}

impl NominalSeries {
    /// The next nominal time in Unix seconds.
    #[inline]
    pub fn next_timestamp(&mut self) -> Option<i64> {
        let place = self.place?;
        self.place = match &mut self.odometer {
            Some(odometer) => match odometer.next(&self.cron) {
                Some(minute) if Place { minute, ..place }.timestamp() < odometer.end => {
                    Some(Place { minute, ..place })
                }
                Some(minute) => self.across(place.minute + 1, Place { minute, ..place }),
                None => None,
            },
            None => Place { minute: place.minute - 1, ..place }.down(&self.cron),
        };
        Some(place.timestamp())
    }

    /// The first place from a civil minute on, where the next matching minute in civil time lies beyond the span.
    #[inline(never)]
    fn across(&mut self, from: i64, next: Place) -> Option<Place> {
        let found = match next.up_far(from) {
            Some(far) if far.timestamp() < far.zone.span_end(far.index) => far,
            _ => next.up_across(from, &self.cron)?,
        };
        if found.timestamp() > NOMINAL_MAX {
            return None;
        }
        match &mut self.odometer {
            // The search went the odometer's way.
            Some(odometer) if found.minute == next.minute => odometer.end = end_of(found),
            odometer => {
                let mut other = Odometer::at(found, &self.cron);
                other.next(&self.cron);
                *odometer = Some(other);
            }
        }
        Some(found)
    }
}

impl Iterator for NominalSeries {
    type Item = DateTime<Utc>;

    fn next(&mut self) -> Option<DateTime<Utc>> {
        self.next_timestamp().map(to_utc)
    }
}

/// The matching minutes from a civil minute on, as what is left of its month, day and hour.
#[derive(Clone, Debug)]
struct Odometer {
    month: Month,
    /// The civil minute at which the day begins.
    day: i64,
    hours: u32,
    /// The civil minute at which the hour begins.
    hour: i64,
    minutes: u64,
    /// The Unix second at which the span, or the time of nominal times, ends.
    end: i64,
}

/// The Unix second up to which the span of a place yields nominal times.
fn end_of(place: Place) -> i64 {
    place.zone.span_end(place.index).min(NOMINAL_MAX + 1)
}

impl Odometer {
    /// The matching minutes from a civil minute on.
    fn at(place: Place, cron: &Cron) -> Odometer {
        let (day, of_day) = day_and_minute(place.minute);
        let (hour, minute) = (of_day / 60, of_day % 60);
        let date = Date::from_day(day);
        let mut month = cron.month(date.year, date.month, u32::MAX << date.day);
        let today = month.days >> date.day & 1 == 1;
        let this_hour = today && cron.hours >> hour & 1 == 1;
        month.days &= u32::MAX << date.day << 1;
        Odometer {
            month,
            day: day * DAY_MINUTES,
            hours: if today { cron.hours & (u32::MAX << hour << 1) } else { 0 },
            hour: place.minute - i64::from(minute),
            minutes: if this_hour { cron.minutes & (u64::MAX << minute) } else { 0 },
            end: end_of(place),
        }
    }

    /// The next matching minute.
    #[inline]
    fn next(&mut self, cron: &Cron) -> Option<i64> {
        if self.minutes == 0 {
            if self.hours == 0 {
                self.next_day(cron)?;
            }
            self.hour = self.day + i64::from(take_lowest(&mut self.hours)) * 60;
            self.minutes = cron.minutes;
        }
        let minute = self.minutes.trailing_zeros();
        self.minutes &= self.minutes - 1;
        Some(self.hour + i64::from(minute))
    }

    #[inline]
    fn next_day(&mut self, cron: &Cron) -> Option<()> {
        while self.month.days == 0 {
            self.month = cron.month_after(self.month)?;
        }
        self.day = (self.month.start + i64::from(take_lowest(&mut self.month.days))) * DAY_MINUTES;
        self.hours = cron.hours;
        Some(())
    }
}

/// Takes the lowest bit off a mask that has one, and says which it was.
#[inline]
fn take_lowest(mask: &mut u32) -> u32 {
    let lowest = mask.trailing_zeros();
    *mask &= *mask - 1;
    lowest
}
