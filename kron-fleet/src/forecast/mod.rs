//! Forecasts: how many jobs start in each bucket of a range, how many run at once, and the load that they make.
//!
//! A range is computed in slices of three days. Only the seconds of a slice are in memory; of the others, the buckets
//! are kept. A slice is independent of the others: it also finds the earlier starts whose executions still run. So
//! slices can be computed on several processors, with the same result.

mod base;
mod bucket_choice;
mod bucket_schedules;
mod clock_change_day;
mod heat_map;
mod peak_change;
mod range;
mod seconds;
mod summary;
mod with_window;

use alloc::vec;
use alloc::vec::Vec;

use kron_core::error::Snippet;
use kron_core::{Duration, Error, Job};

use crate::error::ForecastError;
use crate::forecast::seconds::Seconds;
use crate::human_length::HumanLength;
use crate::limits::FORECAST_DURATION_MAX;

pub use self::base::Base;
pub use self::bucket_choice::bucket_for;
pub use self::bucket_schedules::{NamespaceStarts, ScheduleStarts, schedules_in_bucket};
pub use self::clock_change_day::{ClockChangeDay, clock_change_days};
pub use self::heat_map::{HeatMap, HeatMapCell};
pub use self::peak_change::PeakChange;
pub use self::range::ForecastRange;
pub use self::summary::{Bucket, Columns, Forecast, Summary};
pub use self::with_window::with_window;

/// A job as a forecast sees it.
#[derive(Clone, Copy, Debug)]
pub struct ForecastJob<'a> {
    /// The job.
    pub job: &'a Job,
    /// How long one execution runs, at most 366 days. Fractions of a second are rounded up, and every execution runs for at
    /// least one second.
    pub duration: Duration,
    /// The load that one execution makes while it runs, in a unit of the caller's choice.
    pub weight: u32,
}

impl<'a> ForecastJob<'a> {
    /// A job whose executions run for one second and have the weight 1.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::forecast::ForecastJob;
    /// let job = Job::parse("db/backup", "@daily")?;
    /// let seen = ForecastJob::new(&job);
    /// assert_eq!((seen.duration.as_secs(), seen.weight), (1, 1));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(job: &'a Job) -> ForecastJob<'a> {
        ForecastJob { job, duration: Duration::from_secs(1), weight: 1 }
    }

    /// How many seconds one execution runs.
    fn seconds(&self) -> Result<i64, Error> {
        let seconds = self.duration.as_nanos().div_euclid(1_000_000_000)
            + i64::from(self.duration.as_nanos().rem_euclid(1_000_000_000) > 0);
        if seconds > FORECAST_DURATION_MAX {
            let (name, duration) = (Snippet::of(self.job.name()), HumanLength::of(self.duration));
            return Err(Error::new("", ForecastError::Duration { name, duration }));
        }
        Ok(seconds.max(1))
    }
}

/// When the jobs of a forecast start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForecastBy {
    /// At their chosen times, as Kron starts them.
    ChosenTime,
    /// At their nominal times, as cron starts them, without windows and constraints.
    NominalTime,
}

/// Counts the starts of jobs in each bucket of a range, and the executions that run at once.
///
/// Every period starts an execution; the concurrency policy does not count. Suspended jobs start nothing. Executions that began
/// before the range and still run in it count as running.
///
/// # Errors
///
/// [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) if a duration is longer than 366 days. A job whose search fails is listed
/// in [`Forecast::failed`].
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
/// let jobs: Vec<Job> =
///     (0..60).map(|i| Job::parse(&format!("report/{i}"), "@daily @win(after,1h)")).collect::<Result<_, _>>()?;
/// let jobs: Vec<ForecastJob> = jobs.iter().map(ForecastJob::new).collect();
/// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
/// let peak = |by| forecast(&jobs, &day, by).map(|found| found.summary(|bucket| bucket.starts.into()).peak);
/// assert_eq!(peak(ForecastBy::NominalTime)?, 60);
/// assert_eq!(peak(ForecastBy::ChosenTime)?, 4);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn forecast(jobs: &[ForecastJob<'_>], range: &ForecastRange, by: ForecastBy) -> Result<Forecast, Error> {
    forecast_with(jobs, range, by, |_, _| Ok(()))
}

/// [`forecast`] that reports its progress and can be broken off: after each part of the range it calls `progress` with the
/// number of parts that are done and with the number of all parts. An error of `progress` ends the forecast.
///
/// # Errors
///
/// Those of [`forecast`] and those of `progress`.
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast_with};
/// let job = Job::parse("web/ping", "*/5 * * * *")?;
/// let (jobs, month) = ([ForecastJob::new(&job)], ForecastRange::new(0..30 * 86_400, Duration::from_secs(60))?);
/// let mut seen = Vec::new();
/// let found = forecast_with(&jobs, &month, ForecastBy::ChosenTime, |done, all| {
///     seen.push((done, all));
///     if done < 3 { Ok(()) } else { Err(Box::from("it is enough")) }
/// });
/// let error: Box<dyn core::error::Error> = found.unwrap_err();
/// assert_eq!((error.to_string().as_str(), seen), ("it is enough", vec![(1, 10), (2, 10), (3, 10)]));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn forecast_with<E: From<Error>>(
    jobs: &[ForecastJob<'_>],
    range: &ForecastRange,
    by: ForecastBy,
    mut progress: impl FnMut(usize, usize) -> Result<(), E>,
) -> Result<Forecast, E> {
    let jobs = seconds_of(jobs)?;
    let all = range.parts();
    let counted = range.slices().enumerate().map(|(index, slice)| {
        let counted = count(&jobs, &slice, by);
        progress(index + 1, all).map(|()| counted)
    });
    Ok(join(range, counted.collect::<Result<Vec<Slice>, E>>()?))
}

/// [`forecast`], computed on all processors.
///
/// # Errors
///
/// Those of [`forecast`].
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast, par_forecast};
/// let job = Job::parse("web/ping", "*/5 * * * * @win(after,4m)")?;
/// let (jobs, month) = ([ForecastJob::new(&job)], ForecastRange::new(0..31 * 86_400, Duration::from_secs(60))?);
/// assert_eq!(par_forecast(&jobs, &month, ForecastBy::ChosenTime)?, forecast(&jobs, &month, ForecastBy::ChosenTime)?);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[cfg(feature = "rayon")]
pub fn par_forecast(
    jobs: &[ForecastJob<'_>],
    range: &ForecastRange,
    by: ForecastBy,
) -> Result<Forecast, Error> {
    par_forecast_with(jobs, range, by, |_, _| Ok(()))
}

/// [`forecast_with`], computed on all processors. `progress` is called on any thread. After an error of it, the parts that
/// were begun before are still computed.
///
/// # Errors
///
/// Those of [`forecast`] and those of `progress`.
///
/// ```
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast, par_forecast_with};
/// let job = Job::parse("web/ping", "*/5 * * * *")?;
/// let (jobs, month) = ([ForecastJob::new(&job)], ForecastRange::new(0..30 * 86_400, Duration::from_secs(60))?);
/// let calls = AtomicUsize::new(0);
/// let found = par_forecast_with(&jobs, &month, ForecastBy::ChosenTime, |done, all| {
///     assert!(done <= all && all == 10);
///     calls.fetch_add(1, Ordering::Relaxed);
///     Ok::<(), kron_core::Error>(())
/// })?;
/// assert_eq!((found, calls.into_inner()), (forecast(&jobs, &month, ForecastBy::ChosenTime)?, 10));
/// # Ok::<(), kron_core::Error>(())
/// ```
#[cfg(feature = "rayon")]
pub fn par_forecast_with<E: From<Error> + Send>(
    jobs: &[ForecastJob<'_>],
    range: &ForecastRange,
    by: ForecastBy,
    progress: impl Fn(usize, usize) -> Result<(), E> + Sync,
) -> Result<Forecast, E> {
    use core::sync::atomic::{AtomicUsize, Ordering};
    use rayon::prelude::*;
    let jobs = seconds_of(jobs)?;
    let slices: Vec<ForecastRange> = range.slices().collect();
    let done = AtomicUsize::new(0);
    let counted = slices.par_iter().map(|slice| {
        let counted = count(&jobs, slice, by);
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress(done, slices.len()).map(|()| counted)
    });
    Ok(join(range, counted.collect::<Result<Vec<Slice>, E>>()?))
}

/// The jobs that start in each of some buckets of a range: their places in the list with their numbers of starts. Of each
/// bucket, the jobs with the most starts come first, then those in order of the list. The buckets are in ascending order; one
/// that is not in the range has no jobs.
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, jobs_in_buckets};
/// let jobs = [Job::parse("a", "@daily")?, Job::parse("b", "*/20 * * * *")?, Job::parse("c", "30 4 * * *")?];
/// let jobs = jobs.each_ref().map(ForecastJob::new);
/// let day = ForecastRange::new(0..86_400, Duration::from_secs(3600))?;
/// let found = jobs_in_buckets(&jobs, &day, ForecastBy::ChosenTime, &[0, 4]);
/// assert_eq!(found, [vec![(1, 3), (0, 1)], vec![(1, 3), (2, 1)]]);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn jobs_in_buckets(
    jobs: &[ForecastJob<'_>],
    range: &ForecastRange,
    by: ForecastBy,
    buckets: &[usize],
) -> Vec<Vec<(usize, u64)>> {
    let mut found: Vec<Vec<(usize, u64)>> = vec![Vec::new(); buckets.len()];
    for (index, job) in jobs.iter().enumerate() {
        for (from, to) in searches(job.job, range, by, buckets) {
            // A search that fails has found all that it can count.
            let _ = each_start(job.job, from, to, by, |start| {
                // OK because a start that is searched for is in the range.
                let bucket = ((start - range.from) / range.per) as usize;
                let Ok(place) = buckets.binary_search(&bucket) else { return };
                match found[place].last_mut() {
                    Some((last, starts)) if *last == index => *starts += 1,
                    _ => found[place].push((index, 1)),
                }
            });
        }
    }
    for jobs in &mut found {
        // Stable, so jobs stay in order of the list.
        jobs.sort_by_key(|(_, starts)| core::cmp::Reverse(*starts));
    }
    found
}

/// The ranges in which the starts of a job in some buckets are searched for. A search decides all periods whose windows reach into its
/// range, so buckets that are no further apart than a window are in one.
fn searches(job: &Job, range: &ForecastRange, by: ForecastBy, buckets: &[usize]) -> Vec<(i64, i64)> {
    let reach = job.spec().reach();
    let apart = match by {
        ForecastBy::ChosenTime => reach.last - reach.first,
        ForecastBy::NominalTime => 0,
    };
    let mut found: Vec<(i64, i64)> = Vec::new();
    for (from, to) in buckets.iter().map(|bucket| range.bucket(*bucket)) {
        match found.last_mut() {
            Some((_, end)) if from - *end <= apart => *end = to,
            _ => found.push((from, to)),
        }
    }
    found
}

/// What is counted in a slice.
struct Slice {
    buckets: Vec<Bucket>,
    failed: Vec<(usize, Error)>,
}

/// The jobs with the seconds that their executions run.
fn seconds_of<'a, 'b>(jobs: &'b [ForecastJob<'a>]) -> Result<Vec<(&'b ForecastJob<'a>, i64)>, Error> {
    jobs.iter().map(|job| Ok((job, job.seconds()?))).collect()
}

/// One forecast of the slices of a range.
fn join(range: &ForecastRange, slices: impl IntoIterator<Item = Slice>) -> Forecast {
    let mut buckets = Vec::with_capacity(range.len());
    let mut failed: Vec<(usize, Error)> = Vec::new();
    for slice in slices {
        buckets.extend(slice.buckets);
        failed.extend(slice.failed);
    }
    // Stable, so that the error of the first slice is kept.
    failed.sort_by_key(|(index, _)| *index);
    failed.dedup_by_key(|(index, _)| *index);
    Forecast { range: *range, buckets, failed }
}

fn count(jobs: &[(&ForecastJob<'_>, i64)], slice: &ForecastRange, by: ForecastBy) -> Slice {
    let ForecastRange { from, to, .. } = *slice;
    let mut seconds = Seconds::new(slice);
    let mut failed = Vec::new();
    for (index, (job, duration)) in jobs.iter().enumerate() {
        let earliest = from.saturating_sub(duration - 1);
        let counted = each_start(job.job, earliest, to, by, |start| {
            seconds.add(start - from, start.saturating_add(*duration) - from, job.weight);
        });
        if let Err(error) = counted {
            failed.push((index, error));
        }
    }
    Slice { buckets: seconds.buckets(slice), failed }
}

/// Calls a function for each start of a job in `[from, to)`, in any order. Fails as the search for starts does.
fn each_start(
    job: &Job,
    from: i64,
    to: i64,
    by: ForecastBy,
    mut found: impl FnMut(i64),
) -> Result<(), Error> {
    if job.spec().policy().suspend() {
        return Ok(());
    }
    match by {
        ForecastBy::ChosenTime => job.each_start(from..to, found)?,
        ForecastBy::NominalTime => {
            let mut next = job.next_nominal_timestamp(from.saturating_sub(1));
            while let Some(nominal) = next.filter(|nominal| *nominal < to) {
                found(nominal);
                next = job.next_nominal_timestamp(nominal);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
