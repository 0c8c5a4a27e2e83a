//! The search for salts that keep the starts of many jobs apart, and the proof of how good an answer can be.
//!
//! `job` has what is spread, `class` groups jobs by their windows, `bound` and `interval` find a peak that no salts can avoid,
//! `options` tries salts, `search` chooses one for each job, and `rounds` repeats this with other salts.

mod bound;
#[cfg(feature = "json")]
mod certificate;
mod class;
mod interval;
mod job;
mod minima;
mod options;
mod rounds;
mod search;

use alloc::vec::Vec;
use core::convert::Infallible;

use kron_core::{Error, Job, Seed};

use self::bound::Bounds;
use self::class::classes;
use self::job::Tables;
use self::options::{Maker, Windows};
use self::rounds::Search;
use crate::forecast::ForecastRange;
use crate::limits::{SPREAD_QUICK, SPREAD_WORK};

pub use self::bound::{BucketWeight, PeakBound};
#[cfg(feature = "json")]
pub use self::certificate::{CertificateParts, PlacedPart};
pub use self::job::SpreadJob;

/// What [`spread`] looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpreadOptions {
    /// Whether jobs get the seed strategy `fixed`. Those keep theirs whose window has one second, and those whose algorithm
    /// does not know this strategy.
    pub fixed: bool,
    /// The most starts in one bucket; the search ends when it has found them. With `None`, it looks for the fewest.
    pub peak: Option<u64>,
    /// Whether jobs that were [added](SpreadJob::added) are placed first: the others change only if the peak would be higher than theirs
    /// without them, and then as few as that needs. [`peak`](SpreadOptions::peak) takes the place of that peak.
    pub added_first: bool,
    /// The most jobs that change beside the added ones. With `None`, all may change.
    pub max_moves: Option<usize>,
    /// Whether the search does a fiftieth of the work, for callers that cannot wait. The peak that it finds can be higher.
    pub quick: bool,
}

/// The answer of [`spread`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SpreadPlan {
    /// The seed of each job, in order: `None` if the job keeps the one that it has.
    pub seeds: Vec<Option<Seed>>,
    /// The most starts in one bucket with the seeds that the jobs have.
    pub present_peak: u64,
    /// The most starts in one bucket with the seeds of this plan.
    pub peak: u64,
    /// The first bucket with this peak.
    pub peak_bucket: usize,
    /// A peak that no salts avoid.
    pub bound: PeakBound,
}

impl SpreadPlan {
    /// The jobs with the seeds of this plan, in order. `jobs` are those of the search.
    ///
    /// # Errors
    ///
    /// None for the jobs of the search; those of [`JobSpecBuilder::build`](kron_core::job::JobSpecBuilder::build) for other jobs.
    ///
    /// ```
    /// use kron_core::{Duration, Job};
    /// use kron_fleet::forecast::ForecastRange;
    /// use kron_fleet::spread::{SpreadOptions, spread};
    /// let job = Job::parse("db/backup", "@daily @win(after,1h)")?;
    /// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
    /// let plan = spread(&[&job], &day, &SpreadOptions { fixed: true, ..SpreadOptions::default() });
    /// assert_eq!(plan.jobs(&[&job])?[0].spec().seed().to_string(), "fixed");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn jobs(&self, jobs: &[&Job]) -> Result<Vec<Job>, Error> {
        let with_seed = |(job, seed): (&&Job, &Option<Seed>)| match seed {
            None => Ok((*job).clone()),
            Some(seed) => Job::new(job.name(), job.spec().to_builder().seed(seed.clone()).build()?),
        };
        jobs.iter().zip(&self.seeds).map(with_seed).collect()
    }
}

/// Searches for salts with which few jobs start in the same bucket of a range.
///
/// New salts are numbers. The answer depends on nothing but the arguments. Jobs keep their salts where others do not help, and
/// suspended jobs always do. Starts are counted as [`forecast`](crate::forecast::forecast) counts them.
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::ForecastRange;
/// use kron_fleet::spread::{SpreadOptions, spread};
/// let job = |i| Job::parse(&format!("report/{i}"), "@daily @win(after,1h)");
/// let jobs: Vec<Job> = (0..60).map(job).collect::<Result<_, _>>()?;
/// let jobs: Vec<&Job> = jobs.iter().collect();
/// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
/// let plan = spread(&jobs, &day, &SpreadOptions::default());
/// assert_eq!((plan.present_peak, plan.peak, plan.bound.peak), (4, 1, 1));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn spread(jobs: &[&Job], range: &ForecastRange, options: &SpreadOptions) -> SpreadPlan {
    let Ok(plan) = spread_with(jobs, range, options, || Ok::<(), Infallible>(()));
    plan
}

/// [`spread`] with a callback, which is called often: at least once for each job that the search looks at. An error of it
/// ends the search.
///
/// # Errors
///
/// Those of `check`.
///
/// ```
/// use kron_core::{Duration, Job};
/// use kron_fleet::forecast::ForecastRange;
/// use kron_fleet::spread::{SpreadOptions, spread, spread_with};
/// let job = Job::parse("report/1", "@daily @win(after,1h)")?;
/// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
/// let mut calls = 0;
/// let plan = spread_with(&[&job], &day, &SpreadOptions::default(), || {
///     calls += 1;
///     Ok::<(), kron_core::Error>(())
/// })?;
/// assert_eq!(plan, spread(&[&job], &day, &SpreadOptions::default()));
/// assert!(calls > 0);
/// assert_eq!(spread_with(&[&job], &day, &SpreadOptions::default(), || Err("enough")), Err("enough"));
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn spread_with<E>(
    jobs: &[&Job],
    range: &ForecastRange,
    options: &SpreadOptions,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<SpreadPlan, E> {
    let jobs: Vec<SpreadJob<'_>> = jobs.iter().map(|job| SpreadJob::new(job)).collect();
    Problem { jobs: &jobs, tables: Tables::default(), base: &[], range }.solve(options, &mut check)
}

/// [`spread_with`] for jobs that Kron starts and for schedules that other systems run, beside starts that are there already: `base` has
/// their number in each bucket. Buckets that it lacks have none.
///
/// # Errors
///
/// Those of `check`; [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) if the places of all schedules have more than 67 million starts in
/// the range.
///
/// ```
/// use kron_core::{Duration, Error, Job};
/// use kron_fleet::forecast::ForecastRange;
/// use kron_fleet::spread::{SpreadJob, SpreadOptions, spread_beside};
/// let job = Job::parse("ops/backup", "0 0 * * * @win(after,2m) @seed(fixed)")?;
/// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
/// // Two starts at 00:00 and one at 00:02, so the job goes to 00:01.
/// let plan = spread_beside(&[SpreadJob::placed(&job, "0 0 * * *")?], &[2, 0, 1], &day, &SpreadOptions::default(), || {
///     Ok::<(), Error>(())
/// })?;
/// assert_eq!((plan.peak, plan.bound.peak), (2, 2));
/// assert_eq!(plan.jobs(&[&job])?[0].placed()?.expression(), "1 0 * * *");
/// # Ok::<(), Error>(())
/// ```
pub fn spread_beside<E: From<Error>>(
    jobs: &[SpreadJob<'_>],
    base: &[u32],
    range: &ForecastRange,
    options: &SpreadOptions,
    mut check: impl FnMut() -> Result<(), E>,
) -> Result<SpreadPlan, E> {
    let tables = Tables::new(jobs, range)?;
    let base = base.get(..range.len()).unwrap_or(base);
    Problem { jobs, tables, base, range }.solve(options, &mut check)
}

/// What is searched.
struct Problem<'a> {
    jobs: &'a [SpreadJob<'a>],
    tables: Tables,
    base: &'a [u32],
    range: &'a ForecastRange,
}

impl Problem<'_> {
    fn solve<E>(
        &self,
        options: &SpreadOptions,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<SpreadPlan, E> {
        let Problem { jobs, base, range, .. } = *self;
        let (classes, of_jobs) = classes(jobs, &self.tables, options.fixed, range, check)?;
        let windows: Vec<Windows> = classes.iter().map(|class| Windows::new(class, range)).collect();
        let maker = Maker::new(&classes, &windows, range, options.fixed);
        let share = if options.quick { SPREAD_QUICK } else { 1 };
        let search = |check: &mut _| {
            let mut search = Search::new(jobs, &of_jobs, &maker, base, check)?;
            search.share = share;
            Ok(search)
        };
        let full = SPREAD_WORK / share as u64;
        // OK because starts are counted in 32 bits.
        let asked = options.peak.unwrap_or(0).min(u32::MAX.into()) as u32;
        let mut first = search(check)?;
        let is_added = options.added_first && first.has_added_and_others();
        let wanted = if is_added && options.peak.is_none() { first.peak_of_others() } else { asked };
        let present_peak = if options.fixed { self.present_peak(check)? } else { first.best_peak.into() };

        let mut bounds = Bounds::new(&classes, base, range, check)?;
        bounds.share = share;
        let mut work = full;
        if is_added {
            first.place_added(wanted, &mut work, check)?;
        }
        if !is_added || first.best_peak > wanted.max(bounds.peak()) {
            first.run(&mut bounds, wanted, wanted, &mut work, check)?;
            // If this search fails, the one for the lowest peak can still succeed: each peak that it finds can be asked for.
            if wanted > 0 && first.best_peak > wanted {
                let mut lowest = search(check)?;
                lowest.run(&mut bounds, wanted, 0, &mut full.clone(), check)?;
                first = if lowest.best_peak < first.best_peak { lowest } else { first };
            }
        }
        let plan = first.finish(bounds.best.clone(), present_peak, wanted, check)?;
        let moves = plan.seeds.iter().zip(jobs).filter(|(seed, job)| seed.is_some() && !job.is_new).count();
        let Some(allowed) = options.max_moves.filter(|allowed| moves > *allowed) else { return Ok(plan) };
        let (mut limited, mut work) = (search(check)?, full);
        if is_added {
            limited.place_added(wanted, &mut work, check)?;
        }
        limited.run_limited(&mut bounds, wanted, allowed, &mut work, check)?;
        limited.finish(bounds.best, present_peak, wanted, check)
    }

    /// The most starts in one bucket with the seeds that jobs have.
    fn present_peak<E>(&self, check: &mut impl FnMut() -> Result<(), E>) -> Result<u64, E> {
        let Problem { jobs, base, range, .. } = *self;
        let (classes, of_jobs) = classes(jobs, &self.tables, false, range, check)?;
        let windows: Vec<Windows> = classes.iter().map(|class| Windows::new(class, range)).collect();
        let maker = Maker::new(&classes, &windows, range, false);
        Search::new(jobs, &of_jobs, &maker, base, check).map(|search| search.best_peak.into())
    }
}

#[cfg(test)]
mod tests;
