//! Instants in public functions: chrono's times with a zone, or Unix seconds.

use chrono::{DateTime, TimeZone, Utc};

mod sealed {
    pub trait Sealed {}
}

/// An instant that a caller passes: a chrono [`DateTime`] in any zone, Unix seconds as an `i64`, or a reference to either.
///
/// Inside Kron instants are whole Unix seconds. Arguments named `after`, `at` and `now` are rounded down, the bounds of
/// ranges up. The answers are the same as with fractions of seconds.
///
/// ```
/// use kron_core::Instant;
/// let time = chrono::DateTime::parse_from_rfc3339("1970-01-01T01:00:00.5+01:00").unwrap();
/// assert_eq!((time.floor(), time.ceil(), 7i64.floor()), (0, 1, 7));
/// ```
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

impl<I: Instant> sealed::Sealed for &I {}

impl<I: Instant> Instant for &I {
    fn floor(&self) -> i64 {
        (**self).floor()
    }

    fn ceil(&self) -> i64 {
        (**self).ceil()
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
