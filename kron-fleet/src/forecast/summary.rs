//! The result of a forecast: its buckets and their statistics.

use alloc::vec::Vec;

use kron_core::{Duration, Error};

use crate::forecast::range::ForecastRange;

/// What happens in one bucket of a forecast.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bucket {
    /// The number of starts.
    pub starts: u32,
    /// The greatest number of executions that run in the same second.
    pub running: u32,
    /// The greatest sum of the weights of the executions that run in the same second.
    pub load: u64,
}

/// Statistics of one value over all buckets of a forecast.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Summary {
    /// The greatest value.
    pub peak: u64,
    /// The first bucket that has it.
    pub peak_bucket: usize,
    /// The mean.
    pub mean: f64,
    /// The 99th percentile by nearest rank: the smallest value that at least 99 % of the buckets do not exceed.
    pub p99: u64,
}

/// The columns of a picture of a forecast. Made by [`Forecast::columns`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Columns {
    /// The number of buckets in a column; the last column may have fewer.
    pub buckets: usize,
    /// The bucket of each column with the most starts, the first one among equals.
    pub fullest: Vec<usize>,
}

/// Starts, running executions and load in the buckets of a range. Made by [`forecast`](crate::forecast::forecast).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    pub(super) range: ForecastRange,
    pub(super) buckets: Vec<Bucket>,
    pub(super) failed: Vec<(usize, Error)>,
}

impl Forecast {
    /// The range.
    pub fn range(&self) -> &ForecastRange {
        &self.range
    }

    /// The buckets, in order of time.
    pub fn buckets(&self) -> &[Bucket] {
        &self.buckets
    }

    /// The jobs whose search for starts failed in some part of the range, with the first error of each. Their starts in that
    /// part are not counted.
    pub fn failed(&self) -> &[(usize, Error)] {
        &self.failed
    }

    /// The number of starts in the range.
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
    /// let job = Job::parse("web/ping", "@hourly @win(after,10m)")?;
    /// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
    /// assert_eq!(forecast(&[ForecastJob::new(&job)], &day, ForecastBy::ChosenTime)?.total(), 24);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn total(&self) -> u64 {
        self.buckets.iter().map(|bucket| u64::from(bucket.starts)).sum()
    }

    /// The same forecast, in which each bucket has further starts, such as those of [`Base::starts`](crate::forecast::Base::starts).
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
    /// let job = Job::parse("web/ping", "1 0 * * *")?;
    /// let range = ForecastRange::new(0..180, Duration::from_secs(60))?;
    /// let found = forecast(&[ForecastJob::new(&job)], &range, ForecastBy::NominalTime)?.beside(&[2, 2]);
    /// assert_eq!(found.buckets().iter().map(|bucket| bucket.starts).collect::<Vec<_>>(), [2, 3, 0]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn beside(mut self, base: &[u32]) -> Forecast {
        for (bucket, base) in self.buckets.iter_mut().zip(base) {
            bucket.starts = bucket.starts.saturating_add(*base);
        }
        self
    }

    /// The same range without a start, an execution or a failure.
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
    /// let job = Job::parse("web/ping", "@hourly")?;
    /// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
    /// let found = forecast(&[ForecastJob::new(&job)], &day, ForecastBy::NominalTime)?;
    /// assert_eq!((found.total(), found.without_jobs().total()), (24, 0));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn without_jobs(mut self) -> Forecast {
        self.buckets.fill(Bucket::default());
        self.failed.clear();
        self
    }

    /// The same forecast in buckets that are `count` times as long: with the sums of the starts, and the greatest number of running
    /// executions and the greatest load.
    ///
    /// # Errors
    ///
    /// [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) if a bucket would be longer than a day.
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let (jobs, hour) = ([ForecastJob::new(&job)], ForecastRange::new(0..3600, Duration::from_secs(60))?);
    /// let quarters = forecast(&jobs, &hour, ForecastBy::NominalTime)?.in_longer_buckets(15)?;
    /// assert_eq!(quarters.buckets().iter().map(|bucket| bucket.starts).collect::<Vec<_>>(), [3; 4]);
    /// assert_eq!(quarters, forecast(&jobs, quarters.range(), ForecastBy::NominalTime)?);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn in_longer_buckets(&self, count: usize) -> Result<Forecast, Error> {
        let count = count.max(1);
        let per = self.range.per_seconds().saturating_mul(i64::try_from(count).unwrap_or(i64::MAX));
        // A longer time than a duration can be is refused by the range.
        let per = Duration::from_nanos(per.saturating_mul(1_000_000_000));
        let per = per.unwrap_or(Duration::from_secs(u32::MAX));
        let range = ForecastRange::new(self.range.from_timestamp()..self.range.to_timestamp(), per)?;
        let join = |buckets: &[Bucket]| Bucket {
            // OK because a forecast of longer buckets counts in the same way.
            starts: buckets.iter().fold(0, |sum: u32, bucket| sum.saturating_add(bucket.starts)),
            running: buckets.iter().map(|bucket| bucket.running).max().unwrap_or(0),
            load: buckets.iter().map(|bucket| bucket.load).max().unwrap_or(0),
        };
        let buckets = self.buckets.chunks(count).map(join).collect();
        Ok(Forecast { range, buckets, failed: self.failed.clone() })
    }

    /// At most `count` columns of equally many buckets, as few as possible in each.
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
    /// let job = Job::parse("web/ping", "5,50 0 * * *")?;
    /// let hour = ForecastRange::new(0..3600, Duration::from_secs(60))?;
    /// let columns = forecast(&[ForecastJob::new(&job)], &hour, ForecastBy::NominalTime)?.columns(4);
    /// assert_eq!((columns.buckets, columns.fullest), (15, vec![5, 15, 30, 50]));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn columns(&self, count: usize) -> Columns {
        let buckets = self.buckets.len().div_ceil(count.max(1)).max(1);
        let fullest = |(column, members): (usize, &[Bucket])| {
            let most = members.iter().map(|bucket| bucket.starts).max();
            let place = members.iter().position(|bucket| Some(bucket.starts) == most).unwrap_or(0);
            column * buckets + place
        };
        Columns { buckets, fullest: self.buckets.chunks(buckets).enumerate().map(fullest).collect() }
    }

    /// Statistics of a value over all buckets.
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
    /// let job = Job::parse("web/ping", "1,5 0 * * *")?;
    /// let hour = ForecastRange::new(0..3600, Duration::from_secs(60))?;
    /// let starts = forecast(&[ForecastJob::new(&job)], &hour, ForecastBy::NominalTime)?
    ///     .summary(|bucket| u64::from(bucket.starts));
    /// assert_eq!((starts.peak, starts.peak_bucket, starts.mean, starts.p99), (1, 1, 2.0 / 60.0, 1));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn summary(&self, value: impl Fn(&Bucket) -> u64) -> Summary {
        let mut values: Vec<u64> = self.buckets.iter().map(value).collect();
        let peak = values.iter().copied().max().unwrap_or(0);
        let peak_bucket = values.iter().position(|value| *value == peak).unwrap_or(0);
        let sum: u128 = values.iter().map(|value| u128::from(*value)).sum();
        // The rank from 1; the same for every number of buckets, as only whole numbers are used.
        let rank = (values.len() * 99).div_ceil(100).max(1);
        let p99 = if values.is_empty() { 0 } else { *values.select_nth_unstable(rank - 1).1 };
        Summary { peak, peak_bucket, mean: sum as f64 / self.buckets.len().max(1) as f64, p99 }
    }

    /// The buckets with the most starts, at most `count`: in descending order of starts, earlier buckets first among equals.
    /// Buckets without a start are left out.
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
    /// let jobs = [Job::parse("a", "0,10 0 * * *")?, Job::parse("b", "10 0 * * *")?];
    /// let jobs = jobs.each_ref().map(ForecastJob::new);
    /// let hour = ForecastRange::new(0..3600, Duration::from_secs(60))?;
    /// assert_eq!(forecast(&jobs, &hour, ForecastBy::ChosenTime)?.worst(5), [10, 0]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn worst(&self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.buckets.len()).filter(|i| self.buckets[*i].starts > 0).collect();
        let key = |index: &usize| (core::cmp::Reverse(self.buckets[*index].starts), *index);
        if count > 0 && order.len() > count {
            order.select_nth_unstable_by_key(count - 1, key);
        }
        order.truncate(count);
        order.sort_unstable_by_key(key);
        order
    }
}
