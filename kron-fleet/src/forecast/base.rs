//! What is there already in each bucket, beside the starts of jobs.

use alloc::vec;
use alloc::vec::Vec;

use kron_core::{Error, Zone};

use crate::DAY_MINUTES;
use crate::error::ForecastError;
use crate::forecast::ForecastRange;
use crate::limits::BASE_MAX;

/// Values that hold from their time until the next one: load, price or carbon, as something else than the jobs makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Base {
    steps: Steps,
}

#[derive(Clone, Debug, PartialEq)]
enum Steps {
    /// From these Unix seconds on.
    Instants(Vec<(i64, f64)>),
    /// From these minutes of each civil day or week on; the number of its minutes.
    Civil(Vec<(u16, f64)>, u16),
}

impl Base {
    /// Values from these Unix seconds on. Before the first there is nothing; the last holds as long as the one before it, or to the
    /// end if it is the only one.
    ///
    /// ```
    /// use kron_core::{Duration, Zone};
    /// use kron_fleet::forecast::{Base, ForecastRange};
    /// let minutes = ForecastRange::new(0..240, Duration::from_secs(60))?;
    /// let base = Base::of_instants(vec![(60, 3.0), (120, 1.0)]);
    /// assert_eq!(base.starts(&minutes, &Zone::UTC, 1.0)?, [0, 3, 1, 0]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn of_instants(mut rows: Vec<(i64, f64)>) -> Base {
        rows.sort_by_key(|(time, _)| *time);
        Base { steps: Steps::Instants(rows) }
    }

    /// Values from these minutes of each civil day on. The last one holds until the first one of the next day.
    ///
    /// ```
    /// use kron_core::{Duration, Zone};
    /// use kron_fleet::forecast::{Base, ForecastRange};
    /// let hours = ForecastRange::new(0..3 * 3600, Duration::from_secs(3600))?;
    /// assert_eq!(Base::of_days(vec![(60, 3.0), (120, 1.0)]).starts(&hours, &Zone::UTC, 1.0)?, [1, 3, 1]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn of_days(rows: Vec<(u16, f64)>) -> Base {
        // OK because it is 1440.
        Base::of_civil(rows, DAY_MINUTES as u16)
    }

    /// Values from these minutes of each civil week on, which begins on Monday. The last one holds until the first one of the next week.
    ///
    /// ```
    /// use kron_core::{Duration, Zone};
    /// use kron_fleet::forecast::{Base, ForecastRange};
    /// // 1970-01-01 is a Thursday.
    /// let hours = ForecastRange::new(0..2 * 3600, Duration::from_secs(3600))?;
    /// let base = Base::of_weeks(vec![(3 * 1440, 2.0), (3 * 1440 + 60, 0.0)]);
    /// assert_eq!(base.starts(&hours, &Zone::UTC, 1.0)?, [2, 0]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn of_weeks(rows: Vec<(u16, f64)>) -> Base {
        // OK because it is 10,080.
        Base::of_civil(rows, 7 * DAY_MINUTES as u16)
    }

    fn of_civil(mut rows: Vec<(u16, f64)>, minutes: u16) -> Base {
        rows.sort_by_key(|(minute, _)| *minute);
        Base { steps: Steps::Civil(rows, minutes) }
    }

    /// The first second that has a value, and the one after the last. `None` if the values come again each day or week.
    ///
    /// ```
    /// use kron_fleet::forecast::Base;
    /// assert_eq!(Base::of_instants(vec![(60, 3.0), (120, 1.0)]).span(), Some((60, 180)));
    /// assert_eq!(Base::of_days(vec![(60, 3.0)]).span(), None);
    /// ```
    #[must_use]
    pub fn span(&self) -> Option<(i64, i64)> {
        let Steps::Instants(rows) = &self.steps else { return None };
        let (first, last) = (rows.first()?.0, rows.last()?.0);
        let before = rows.len().checked_sub(2).and_then(|index| rows.get(index));
        Some((first, before.map_or(i64::MAX, |(before, _)| last.saturating_add(last - before))))
    }

    /// The starts that each bucket has already. The value of a bucket is the greatest one that holds in it, divided by `unit`, which is what
    /// one start adds, and rounded up. `zone` is that of the civil times.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) if a bucket would have more than a billion starts.
    ///
    /// ```
    /// use kron_core::{Duration, Zone};
    /// use kron_fleet::forecast::{Base, ForecastRange};
    /// let hours = ForecastRange::new(0..4 * 3600, Duration::from_secs(3600))?;
    /// // From 01:30 to 02:00, and from 03:00 until the first row of the next day.
    /// let base = Base::of_days(vec![(90, 2.5), (120, 0.0), (180, 1.0)]);
    /// assert_eq!(base.starts(&hours, &Zone::UTC, 1.0)?, [1, 3, 0, 1]);
    /// assert_eq!(base.starts(&hours, &Zone::UTC, 0.5)?, [2, 5, 0, 2]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn starts(&self, range: &ForecastRange, zone: &Zone, unit: f64) -> Result<Vec<u32>, Error> {
        if unit.is_nan() || unit <= 0.0 {
            return Err(Error::new("", ForecastError::Base));
        }
        let mut values = vec![0.0_f64; range.len()];
        match &self.steps {
            Steps::Instants(rows) => {
                let end = self.span().map_or(i64::MAX, |(_, end)| end);
                let ends = rows.iter().skip(1).map(|(time, _)| *time).chain([end]);
                for ((time, value), end) in rows.iter().zip(ends) {
                    raise(&mut values, range, *time, end, *value);
                }
            }
            Steps::Civil(rows, minutes) => {
                let table = table(rows, *minutes);
                let first = range.from_timestamp().div_euclid(60);
                for minute in first..=(range.to_timestamp() - 1).div_euclid(60) {
                    let civil = (minute * 60 + i64::from(zone.offset_at(minute * 60))).div_euclid(60);
                    // 1970-01-01 is a Thursday. OK because the remainder is not negative.
                    let of_period = (civil + 3 * DAY_MINUTES).rem_euclid((*minutes).into()) as usize;
                    raise(&mut values, range, minute * 60, minute * 60 + 60, table[of_period]);
                }
            }
        }
        let starts = values.iter().map(|value| {
            // A quotient that is a whole number but for its last bits is this number.
            let starts = libm::ceil(value / unit * (1.0 - 1e-12));
            // OK because it is not above BASE_MAX.
            if starts <= f64::from(BASE_MAX) {
                Ok(starts as u32)
            } else {
                Err(Error::new("", ForecastError::Base))
            }
        });
        starts.collect()
    }
}

/// The value of each minute of a day or a week.
fn table(rows: &[(u16, f64)], minutes: u16) -> Vec<f64> {
    let mut value = rows.last().map_or(0.0, |(_, value)| *value);
    let mut rows = rows.iter().peekable();
    let value_of = |minute| {
        while let Some((_, next)) = rows.next_if(|(from, _)| *from <= minute) {
            value = *next;
        }
        value
    };
    (0..minutes).map(value_of).collect()
}

/// Raises the buckets that have a second from `from` until `end` to a value.
fn raise(values: &mut [f64], range: &ForecastRange, from: i64, end: i64, value: f64) {
    let (from, end) = (from.max(range.from_timestamp()), end.min(range.to_timestamp()));
    if from >= end {
        return;
    }
    // OK because both are in the range.
    let bucket = |second: i64| ((second - range.from_timestamp()) / range.per_seconds()) as usize;
    for held in &mut values[bucket(from)..=bucket(end - 1)] {
        *held = held.max(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kron_core::Duration;

    fn range(from: i64, to: i64, per: u32) -> ForecastRange {
        ForecastRange::new(from..to, Duration::from_secs(per)).unwrap()
    }

    #[test]
    fn instants_hold_until_the_next() {
        let base = Base::of_instants(vec![(0, 1.0), (90, 4.0), (120, 2.0)]);
        assert_eq!(base.starts(&range(-60, 300, 60), &Zone::UTC, 1.0).unwrap(), [0, 1, 4, 2, 0, 0]);
        assert_eq!(base.span(), Some((0, 150)));
        let one = Base::of_instants(vec![(60, 0.3)]);
        assert_eq!(one.starts(&range(0, 180, 60), &Zone::UTC, 0.1).unwrap(), [0, 3, 3]);
        assert!(one.starts(&range(0, 180, 60), &Zone::UTC, 1e-12).is_err());
        assert!(one.starts(&range(0, 180, 60), &Zone::UTC, 0.0).is_err());
    }

    /// Civil times follow the clocks; a week begins on Monday.
    #[test]
    fn civil_times_come_again() {
        // 2026-03-29T00:00:00Z, a Sunday; Paris goes from +1 to +2 at 01:00Z.
        let at = 1_774_742_400;
        let paris = Zone::parse("Europe/Paris").unwrap();
        let days = Base::of_days((0..24).map(|hour| (hour * 60, f64::from(hour))).collect());
        assert_eq!(days.starts(&range(at, at + 3 * 3600, 3600), &paris, 1.0).unwrap(), [1, 3, 4]);
        let weeks = Base::of_weeks(vec![(0, 5.0), (60, 0.0), (7 * 1440 - 60, 7.0)]);
        let found = weeks.starts(&range(at + 22 * 3600, at + 26 * 3600, 3600), &Zone::UTC, 1.0).unwrap();
        assert_eq!(found, [0, 7, 5, 0]);
    }
}
