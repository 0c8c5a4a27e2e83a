//! Instants in public functions: times of chrono, jiff and the standard library, or Unix seconds.

use core::ops::{Bound, Range, RangeBounds};

use chrono::{DateTime, TimeZone, Utc};

mod sealed {
    pub trait Sealed {}
    pub trait FromTimestamp: Sized {}
}

/// An instant that a caller passes: a chrono [`DateTime`] in any zone, a `std::time::SystemTime`, Unix seconds as an `i64`, with
/// the feature `jiff_1` a `jiff::Timestamp` or `jiff::ZonedDateTime`, or a reference to one of them.
///
/// Inside Kron instants are whole Unix seconds. Arguments named `after`, `at` and `now` are rounded down, the bounds of
/// ranges up. The answers are the same as with fractions of seconds.
///
/// ```
/// use kron_core::Instant;
/// let time = chrono::DateTime::parse_from_rfc3339("1970-01-01T01:00:00.5+01:00").unwrap();
/// assert_eq!((time.floor(), time.ceil(), 7i64.floor()), (0, 1, 7));
/// assert_eq!(std::time::SystemTime::UNIX_EPOCH.floor(), 0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an instant",
    label = "not an instant",
    note = "an instant is a `chrono::DateTime` with a time zone, a `std::time::SystemTime`, Unix seconds as an `i64`, or with the \
            feature `jiff_1` a `jiff::Timestamp` or `jiff::ZonedDateTime`; a text in RFC 3339 is one after \
            `.parse::<chrono::DateTime<chrono::Utc>>()`"
)]
pub trait Instant: sealed::Sealed {
    /// Unix seconds, rounded down.
    ///
    /// ```
    /// use kron_core::Instant;
    /// let before_1970 = chrono::DateTime::from_timestamp_millis(-500).unwrap();
    /// assert_eq!(before_1970.floor(), -1);
    /// ```
    fn floor(&self) -> i64;
    /// Unix seconds, rounded up.
    ///
    /// ```
    /// use kron_core::Instant;
    /// let time = chrono::DateTime::from_timestamp_millis(1_500).unwrap();
    /// assert_eq!(time.ceil(), 2);
    /// ```
    fn ceil(&self) -> i64;
}

impl sealed::Sealed for i64 {}

impl Instant for i64 {
    fn floor(&self) -> i64 {
        *self
    }

    fn ceil(&self) -> i64 {
        *self
    }
}

impl<Tz: TimeZone> sealed::Sealed for DateTime<Tz> {}

impl<Tz: TimeZone> Instant for DateTime<Tz> {
    fn floor(&self) -> i64 {
        self.timestamp()
    }

    fn ceil(&self) -> i64 {
        self.timestamp() + i64::from(self.timestamp_subsec_nanos() > 0)
    }
}

#[cfg(feature = "std")]
impl sealed::Sealed for std::time::SystemTime {}

/// A time before or after all that an `i64` holds is the first or the last second that it holds.
#[cfg(feature = "std")]
impl Instant for std::time::SystemTime {
    fn floor(&self) -> i64 {
        match self.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
            Err(before) => rounded(before.duration()).map_or(i64::MIN, |seconds| -seconds),
        }
    }

    fn ceil(&self) -> i64 {
        match self.duration_since(std::time::UNIX_EPOCH) {
            Ok(after) => rounded(after).unwrap_or(i64::MAX),
            Err(before) => i64::try_from(before.duration().as_secs()).map_or(i64::MIN, |seconds| -seconds),
        }
    }
}

/// Whole seconds, rounded up.
#[cfg(feature = "std")]
fn rounded(duration: core::time::Duration) -> Option<i64> {
    i64::try_from(duration.as_secs()).ok()?.checked_add(i64::from(duration.subsec_nanos() > 0))
}

#[cfg(feature = "jiff_1")]
impl sealed::Sealed for jiff::Timestamp {}

#[cfg(feature = "jiff_1")]
impl Instant for jiff::Timestamp {
    fn floor(&self) -> i64 {
        // OK because jiff's fractions have the sign of the whole.
        self.as_second() - i64::from(self.subsec_nanosecond() < 0)
    }

    fn ceil(&self) -> i64 {
        self.as_second() + i64::from(self.subsec_nanosecond() > 0)
    }
}

#[cfg(feature = "jiff_1")]
impl sealed::Sealed for jiff::ZonedDateTime {}

#[cfg(feature = "jiff_1")]
impl Instant for jiff::ZonedDateTime {
    fn floor(&self) -> i64 {
        self.timestamp().floor()
    }

    fn ceil(&self) -> i64 {
        self.timestamp().ceil()
    }
}

impl<I: Instant> sealed::Sealed for &I {}

impl<I: Instant> Instant for &I {
    fn floor(&self) -> i64 {
        (**self).floor()
    }

    fn ceil(&self) -> i64 {
        (**self).ceil()
    }
}

/// The whole seconds of a range of instants: from the first one in it to the first one after it. A bound that is left out is the
/// first or the last second of all.
///
/// ```
/// use kron_core::time::seconds_of;
/// assert_eq!((seconds_of(3..7), seconds_of(3..=7), seconds_of(3..)), (3..7, 3..8, 3..i64::MAX));
/// ```
pub fn seconds_of<I: Instant>(range: impl RangeBounds<I>) -> Range<i64> {
    let start = match range.start_bound() {
        Bound::Included(start) => start.ceil(),
        Bound::Excluded(start) => start.floor().saturating_add(1),
        Bound::Unbounded => i64::MIN,
    };
    let end = match range.end_bound() {
        Bound::Included(end) => end.floor().saturating_add(1),
        Bound::Excluded(end) => end.ceil(),
        Bound::Unbounded => i64::MAX,
    };
    start..end
}

/// A type in which times are given back: Unix seconds as an `i64`, chrono's `DateTime<Utc>`, `std::time::SystemTime`, or with the
/// feature `jiff_1` `jiff::Timestamp`. See [`Period::times`](crate::Period::times).
///
/// ```
/// use kron_core::time::FromTimestamp;
/// assert_eq!(std::time::SystemTime::from_timestamp(0), std::time::SystemTime::UNIX_EPOCH);
/// ```
pub trait FromTimestamp: sealed::FromTimestamp {
    /// The time of a Unix second from 1968 to 2101, in which every second lies that Kron decides. Others may give the beginning of
    /// 1970 where the type cannot hold them.
    ///
    /// ```
    /// use chrono::{DateTime, Utc};
    /// use kron_core::time::FromTimestamp;
    /// let time = <DateTime<Utc> as FromTimestamp>::from_timestamp(86_400);
    /// assert_eq!(time.to_rfc3339(), "1970-01-02T00:00:00+00:00");
    /// ```
    fn from_timestamp(timestamp: i64) -> Self;
}

impl sealed::FromTimestamp for i64 {}

impl FromTimestamp for i64 {
    fn from_timestamp(timestamp: i64) -> i64 {
        timestamp
    }
}

impl sealed::FromTimestamp for DateTime<Utc> {}

impl FromTimestamp for DateTime<Utc> {
    fn from_timestamp(timestamp: i64) -> DateTime<Utc> {
        to_utc(timestamp)
    }
}

#[cfg(feature = "std")]
impl sealed::FromTimestamp for std::time::SystemTime {}

#[cfg(feature = "std")]
impl FromTimestamp for std::time::SystemTime {
    fn from_timestamp(timestamp: i64) -> std::time::SystemTime {
        let seconds = core::time::Duration::from_secs(timestamp.unsigned_abs());
        let epoch = std::time::UNIX_EPOCH;
        let time = if timestamp < 0 { epoch.checked_sub(seconds) } else { epoch.checked_add(seconds) };
        time.unwrap_or(epoch)
    }
}

#[cfg(feature = "jiff_1")]
impl sealed::FromTimestamp for jiff::Timestamp {}

#[cfg(feature = "jiff_1")]
impl FromTimestamp for jiff::Timestamp {
    fn from_timestamp(timestamp: i64) -> jiff::Timestamp {
        jiff::Timestamp::from_second(timestamp).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }
}

/// A Unix second as chrono's time, or the beginning of 1970 if chrono cannot hold it. Every second that Kron decides lies from 1968
/// to 2101.
///
/// ```
/// assert_eq!(kron_core::time::to_utc(86_400).to_rfc3339(), "1970-01-02T00:00:00+00:00");
/// ```
pub fn to_utc(timestamp: i64) -> DateTime<Utc> {
    // OK because chrono's range holds every year that Kron's bounds allow.
    DateTime::from_timestamp(timestamp, 0).unwrap_or(DateTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_all_kinds() {
        assert_eq!(seconds_of(3..7), 3..7);
        assert_eq!(seconds_of(3..=7), 3..8);
        assert_eq!(seconds_of(3..), 3..i64::MAX);
        assert_eq!(seconds_of(..7), i64::MIN..7);
        assert_eq!(seconds_of::<i64>(..), i64::MIN..i64::MAX);
        assert_eq!(seconds_of((Bound::Excluded(3), Bound::Included(i64::MAX))), 4..i64::MAX);
        let half = |seconds: i64| DateTime::from_timestamp_millis(1000 * seconds + 500).unwrap();
        assert_eq!(seconds_of(half(3)..half(7)), 4..8);
        assert_eq!(seconds_of(half(3)..=half(7)), 4..8);
        assert_eq!(seconds_of((Bound::Excluded(half(-3)), Bound::Unbounded)), -2..i64::MAX);
    }

    /// Chrono rounds as they must.
    #[cfg(feature = "std")]
    #[test]
    fn system_times_are_rounded_like_those_of_chrono() {
        for millis in [-2_000, -1_999, -1_001, -1_000, -1, 0, 1, 999, 1_000, 1_001, 1_772_323_200_500] {
            let chrono = DateTime::from_timestamp_millis(millis).unwrap();
            let system = std::time::SystemTime::from(chrono);
            assert_eq!((system.floor(), system.ceil()), (chrono.floor(), chrono.ceil()), "{millis}");
            assert_eq!(std::time::SystemTime::from_timestamp(system.floor()).floor(), system.floor());
        }
    }

    #[cfg(feature = "jiff_1")]
    #[test]
    fn jiff_is_rounded_like_chrono() {
        for millis in [-2_000, -1_999, -1_001, -1_000, -1, 0, 1, 999, 1_000, 1_001, 1_772_323_200_500] {
            let chrono = DateTime::from_timestamp_millis(millis).unwrap();
            let jiff = jiff::Timestamp::from_millisecond(millis).unwrap();
            assert_eq!((jiff.floor(), jiff.ceil()), (chrono.floor(), chrono.ceil()), "{millis}");
            let zoned = jiff.to_zoned_datetime(jiff::tz::TimeZone::fixed(jiff::tz::offset(2)));
            assert_eq!((zoned.floor(), zoned.ceil()), (jiff.floor(), jiff.ceil()), "{millis}");
            assert_eq!(jiff::Timestamp::from_timestamp(jiff.floor()).as_second(), jiff.floor());
        }
    }
}
