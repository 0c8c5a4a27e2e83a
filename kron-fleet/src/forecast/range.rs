//! The range of a forecast and its buckets.

use alloc::string::ToString;
use core::ops::RangeBounds;

use kron_core::time::seconds_of;
use kron_core::{Duration, Error, Instant};

use crate::error::ForecastError;
use crate::limits::{FORECAST_BUCKETS, FORECAST_PER_MAX, FORECAST_SLICE};

/// A range of time `[from, to)`, divided into buckets of equal length. The first bucket begins at `from`; the last one is
/// shorter if the range is not a multiple of the length.
///
/// ```
/// use kron_core::Duration;
/// use kron_fleet::forecast::ForecastRange;
/// let range = ForecastRange::new(0..150, Duration::from_secs(60))?;
/// assert_eq!((range.len(), range.bucket(0), range.bucket(2)), (3, (0, 60), (120, 150)));
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForecastRange {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) per: i64,
}

#[expect(clippy::len_without_is_empty, reason = "a range has at least one bucket")]
impl ForecastRange {
    /// A range in buckets of the length `per`, 1s to 24h in whole seconds.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) if the range is empty, if `per` is not such a length, or if there
    /// are more than three million buckets.
    ///
    /// ```
    /// use kron_core::Duration;
    /// use kron_fleet::forecast::ForecastRange;
    /// assert!(ForecastRange::new(0..0, Duration::from_secs(60)).is_err());
    /// let error = ForecastRange::new(0..86_400, Duration::from_secs(90_000)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "`25h0m0s` is not the length of a bucket: it is in whole seconds, from 1s to 24h; write for example `1m`"
    /// );
    /// ```
    pub fn new<I, T>(range: impl RangeBounds<I>, per: T) -> Result<ForecastRange, Error>
    where
        I: Instant,
        T: TryInto<Duration>,
        Error: From<T::Error>,
    {
        let (range, per) = (seconds_of(range), per.try_into()?);
        let (from, to) = (range.start, range.end);
        let seconds = per.as_secs();
        let whole = Duration::from_nanos(seconds.saturating_mul(1_000_000_000)) == Some(per);
        if !whole || !(1..=FORECAST_PER_MAX).contains(&seconds) {
            return Err(Error::new("", ForecastError::Per { per: per.to_string() }));
        }
        if to <= from {
            return Err(Error::new("", ForecastError::Range { from, to }));
        }
        // OK because `seconds` is above zero.
        let buckets = to.abs_diff(from).div_ceil(seconds as u64);
        if buckets > FORECAST_BUCKETS {
            return Err(Error::new("", ForecastError::Buckets { buckets }));
        }
        Ok(ForecastRange { from, to, per: seconds })
    }

    /// The first Unix second.
    pub fn from_timestamp(&self) -> i64 {
        self.from
    }

    /// The Unix second after the last.
    pub fn to_timestamp(&self) -> i64 {
        self.to
    }

    /// The length of a bucket in seconds.
    pub fn per_seconds(&self) -> i64 {
        self.per
    }

    /// The number of buckets, 1 to 3,000,000.
    ///
    /// ```
    /// use kron_core::Duration;
    /// use kron_fleet::forecast::ForecastRange;
    /// assert_eq!(ForecastRange::new(0..61, Duration::from_secs(60))?.len(), 2);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        // OK because there are at most three million.
        self.to.abs_diff(self.from).div_ceil(self.per as u64) as usize
    }

    /// The first Unix second of a bucket and the second after its last. A bucket after the last one is empty, at the end of
    /// the range.
    ///
    /// ```
    /// use kron_core::Duration;
    /// use kron_fleet::forecast::ForecastRange;
    /// let range = ForecastRange::new(0..90, Duration::from_secs(60))?;
    /// assert_eq!([range.bucket(1), range.bucket(7)], [(60, 90), (90, 90)]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn bucket(&self, index: usize) -> (i64, i64) {
        let start = |index: usize| {
            let seconds = i64::try_from(index).unwrap_or(i64::MAX).saturating_mul(self.per);
            self.from.saturating_add(seconds).min(self.to)
        };
        (start(index), start(index.saturating_add(1)))
    }

    /// How many parts a forecast of the range has. They are computed one by one, and each decides the periods again whose windows reach
    /// into it.
    ///
    /// ```
    /// use kron_core::Duration;
    /// use kron_fleet::forecast::ForecastRange;
    /// assert_eq!(ForecastRange::new(0..30 * 86_400, Duration::from_secs(60))?.parts(), 10);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn parts(&self) -> usize {
        self.slices().count()
    }

    /// The slices of the range, in order: ranges of whole buckets, except for the end of the last one.
    pub(super) fn slices(&self) -> impl Iterator<Item = ForecastRange> {
        let (from, to, per) = (self.from, self.to, self.per);
        let length = FORECAST_SLICE - FORECAST_SLICE % per;
        let next = move |from: &i64| Some(from.saturating_add(length)).filter(|from| *from < to);
        core::iter::successors(Some(from), next).map(move |from| ForecastRange {
            from,
            to: from.saturating_add(length).min(to),
            per,
        })
    }
}
