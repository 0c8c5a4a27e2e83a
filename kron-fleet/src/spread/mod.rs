//! The search for salts that keep the starts of many jobs apart, and the proof of how good an answer can be.
//!
//! `class` groups jobs by their windows, `bound` and `interval` find a peak that no salts can avoid, `options` tries salts,
//! and `search` chooses one for each job.

mod bound;
#[cfg(feature = "json")]
mod certificate;
mod class;
mod interval;
mod options;
mod search;

use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;

use kron_core::{Error, Job, Seed};

use self::bound::Bounds;
use self::class::classes;
use self::options::{Further, Maker, Salt, Windows};
use self::search::{Choice, Loads, break_out, improve, restore};
use crate::forecast::ForecastRange;
use crate::limits::{SPREAD_ROUNDS, SPREAD_TRIES, SPREAD_WORK};

pub use self::bound::{BucketWeight, PeakBound};

/// A round tries salts with other numbers than the rounds before it.
const SALTS_OF_A_ROUND: u32 = 20_000;
/// A round tries at most this many salts of a job.
const TRIES_OF_A_JOB: usize = 15_000;

/// What [`spread`] looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpreadOptions {
    /// Whether jobs get the seed strategy `fixed`. Those keep theirs whose window has one second, and those whose algorithm
    /// does not know this strategy.
    pub fixed: bool,
    /// The most starts in one bucket; the search ends when it has found them. With `None`, it looks for the fewest.
    pub peak: Option<u64>,
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
    /// let plan = spread(&[&job], &day, &SpreadOptions { fixed: true, peak: None });
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
    let (classes, of_jobs) = classes(jobs, options.fixed, range, &mut check)?;
    let windows: Vec<Windows> = classes.iter().map(|class| Windows::new(class, range)).collect();
    let maker = Maker::new(&classes, &windows, range, options.fixed);
    // OK because starts are counted in 32 bits.
    let wanted = options.peak.unwrap_or(0).min(u32::MAX.into()) as u32;
    let mut run = |aim| -> Result<_, E> {
        let mut search = Search::new(jobs, &of_jobs, &maker, &mut check)?;
        let mut bounds = Bounds::new(&classes, range, &mut check)?;
        search.run(&mut bounds, wanted, aim, &mut check)?;
        Ok((search, bounds.best))
    };
    let (mut search, mut bound) = run(wanted)?;
    // If this search fails, the one for the lowest peak can still succeed: each peak that it finds can be asked for.
    if wanted > 0 && search.best_peak > wanted {
        let (lowest, other) = run(0)?;
        search = if lowest.best_peak < search.best_peak { lowest } else { search };
        bound = if other.peak > bound.peak { other } else { bound };
    }
    let present_peak =
        if options.fixed { present_peak(jobs, range, &mut check)? } else { search.present_peak };
    search.finish(bound, present_peak, wanted, &mut check)
}

/// The most starts in one bucket with the seeds that jobs have.
fn present_peak<E>(
    jobs: &[&Job],
    range: &ForecastRange,
    check: &mut impl FnMut() -> Result<(), E>,
) -> Result<u64, E> {
    let (classes, of_jobs) = classes(jobs, false, range, check)?;
    let windows: Vec<Windows> = classes.iter().map(|class| Windows::new(class, range)).collect();
    let maker = Maker::new(&classes, &windows, range, false);
    Search::new(jobs, &of_jobs, &maker, check).map(|search| search.present_peak)
}

/// The choices of all jobs that are not suspended, and the best ones so far.
struct Search<'a> {
    jobs: Vec<(usize, &'a Job)>,
    /// The number of all jobs.
    all: usize,
    maker: &'a Maker<'a>,
    choices: Vec<Choice>,
    loads: Loads,
    present_peak: u64,
    best_peak: u32,
    best: Vec<Salt>,
    best_starts: Vec<u32>,
}

impl<'a> Search<'a> {
    /// Each job has the salt that it has now.
    fn new<E>(
        jobs: &[&'a Job],
        of_jobs: &[Option<u32>],
        maker: &'a Maker<'a>,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<Search<'a>, E> {
        let mut search = Search {
            jobs: Vec::new(),
            all: jobs.len(),
            maker,
            choices: Vec::new(),
            loads: Loads::new(maker.range.len()),
            present_peak: 0,
            best_peak: u32::MAX,
            best: Vec::new(),
            best_starts: Vec::new(),
        };
        for (index, (job, class)) in jobs.iter().zip(of_jobs).enumerate() {
            let Some(class) = *class else { continue };
            check()?;
            let choice =
                Choice { class, options: maker.options(job, class, &[Salt::PRESENT], None), taken: 0 };
            search.loads.add(&choice, 0, maker.windows);
            search.jobs.push((index, job));
            search.choices.push(choice);
        }
        search.keep_if_best();
        search.present_peak = search.best_peak.into();
        Ok(search)
    }

    /// The salts of all jobs as they are.
    fn salts(&self) -> Vec<Salt> {
        self.choices.iter().map(|choice| choice.options.salt(choice.taken)).collect()
    }

    /// Gives all jobs the options of a round, the salts that they have now among them.
    fn renew<E>(&mut self, round: u32, check: &mut impl FnMut() -> Result<(), E>) -> Result<(), E> {
        let tries = if round == 0 { 0 } else { SPREAD_TRIES / self.jobs.len().max(1) };
        let further = Further { first: 1 + round * SALTS_OF_A_ROUND, tries: tries.min(TRIES_OF_A_JOB) };
        for ((_, job), choice) in self.jobs.iter().zip(&mut self.choices) {
            check()?;
            let salt = choice.options.salt(choice.taken);
            let present = [Salt::PRESENT, salt];
            let present = if salt == Salt::PRESENT { &present[..1] } else { &present[..] };
            choice.options = self.maker.options(job, choice.class, present, Some(further));
            // A salt that is left out has the same starts as the first.
            let same = (0..choice.options.len()).find(|option| choice.options.salt(*option) == salt);
            choice.taken = same.unwrap_or(0);
        }
        Ok(())
    }

    /// Looks for a peak up to the wanted one, in rounds that aim at another or at the bound.
    fn run<E>(
        &mut self,
        bounds: &mut Bounds<'_>,
        wanted: u32,
        aim: u32,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<(), E> {
        let mut work = SPREAD_WORK;
        for round in 0..SPREAD_ROUNDS {
            // OK because starts are counted in 32 bits.
            let bound = bounds.best.peak as u32;
            if self.best_peak <= wanted.max(bound) {
                return Ok(());
            }
            self.renew(round, check)?;
            let goal = aim.max(bound);
            self.improve(goal, &mut work, check)?;
            // A target that cannot be reached misleads the search, so it continues with the smallest step.
            while self.best_peak > wanted.max(goal + 1)
                && self.improve(self.best_peak - 1, &mut work, check)?
            {}
            bounds.try_loads(&self.best_starts, check)?;
            // OK because starts are counted in 32 bits.
            while self.best_peak > wanted.max(bounds.best.peak as u32) && self.break_out(&mut work, check)? {}
        }
        Ok(())
    }

    /// Looks for a peak. Returns whether a lower one than the best so far was found.
    fn improve<E>(
        &mut self,
        peak: u32,
        work: &mut u64,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<bool, E> {
        improve(&mut self.choices, &mut self.loads, self.maker.windows, peak, work, check)?;
        Ok(self.keep_if_best())
    }

    /// Looks for the next lower peak in a way that goes through higher ones. Returns whether it was found.
    fn break_out<E>(&mut self, work: &mut u64, check: &mut impl FnMut() -> Result<(), E>) -> Result<bool, E> {
        let (loads, windows) = (&mut self.loads, self.maker.windows);
        let peak = self.best_peak - 1;
        Ok(break_out(&mut self.choices, loads, windows, peak, work, check)? && self.keep_if_best())
    }

    fn keep_if_best(&mut self) -> bool {
        let peak = self.loads.peak();
        if peak >= self.best_peak {
            return false;
        }
        self.best_peak = peak;
        self.best = self.salts();
        self.best_starts.clone_from(&self.loads.starts);
        true
    }

    /// The plan with the best choices. Jobs keep their salts where the wanted peak allows it.
    fn finish<E>(
        mut self,
        bound: PeakBound,
        present_peak: u64,
        wanted: u32,
        check: &mut impl FnMut() -> Result<(), E>,
    ) -> Result<SpreadPlan, E> {
        for (((_, job), choice), salt) in self.jobs.iter().zip(&mut self.choices).zip(&self.best) {
            check()?;
            choice.options = self.maker.options(job, choice.class, &[Salt::PRESENT, *salt], None);
            choice.taken = choice.options.len() - 1;
        }
        self.loads.starts.clone_from(&self.best_starts);
        restore(&mut self.choices, &mut self.loads, self.maker.windows, self.best_peak.max(wanted));
        let mut seeds = vec![None; self.all];
        for ((index, job), choice) in self.jobs.iter().zip(&self.choices) {
            let seed = choice.options.salt(choice.taken).seed(job, self.maker.fixed);
            seeds[*index] = Some(seed).filter(|seed| seed != job.spec().seed());
        }
        let peak = self.loads.peak();
        let peak_bucket = self.loads.starts.iter().position(|starts| *starts == peak).unwrap_or(0);
        Ok(SpreadPlan { seeds, present_peak, peak: peak.into(), peak_bucket, bound })
    }
}

#[cfg(test)]
mod tests;
