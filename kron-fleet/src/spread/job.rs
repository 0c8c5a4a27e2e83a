//! What is spread: jobs that Kron starts, and plain schedules that other systems start in their places.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;

use kron_core::place::Candidates;
use kron_core::{Cron, Error, Job, Policy, Seed, SeedStrategy, Zone};

use crate::error::SpreadError;
use crate::forecast::ForecastRange;
use crate::limits::SPREAD_STARTS;

/// A job whose salt is chosen.
#[derive(Clone, Debug)]
pub struct SpreadJob<'a> {
    pub(super) job: &'a Job,
    /// The places among which the salt chooses; `None` if Kron starts the job.
    pub(super) candidates: Option<Candidates>,
    pub(super) is_new: bool,
}

impl<'a> SpreadJob<'a> {
    /// A job that Kron starts.
    ///
    /// ```
    /// use kron_fleet::spread::SpreadJob;
    /// let job = kron_core::Job::parse("db/backup", "@daily @win(after,1h)")?;
    /// assert_eq!(SpreadJob::new(&job).candidates(), None);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub const fn new(job: &'a Job) -> SpreadJob<'a> {
        SpreadJob { job, candidates: None, is_new: false }
    }

    /// A schedule that another system runs, in the place that the [declared](kron_core::place::Declaration) job gives it. The time
    /// zone of the job is that of the other system, `expression` is its schedule as the declaration writes it.
    ///
    /// # Errors
    ///
    /// Those of [`Candidates::new`] and [`Candidates::place`].
    ///
    /// ```
    /// use kron_fleet::spread::SpreadJob;
    /// let job = kron_core::Job::parse("ops/backup", "0 0 * * * @tz(Asia/Tokyo) @win(after,2h) @seed(fixed)")?;
    /// assert_eq!(SpreadJob::placed(&job, "0 0 * * *")?.candidates(), Some(121));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn placed(job: &'a Job, expression: &str) -> Result<SpreadJob<'a>, Error> {
        let candidates = Candidates::new(job.spec(), expression)?;
        candidates.place(job)?;
        Ok(SpreadJob { job, candidates: Some(candidates), is_new: false })
    }

    /// The same job, as one that was added to those that have their places. With [`SpreadOptions::added_first`], the others stay where
    /// they are unless the peak would grow.
    ///
    /// [`SpreadOptions::added_first`]: super::SpreadOptions::added_first
    ///
    /// ```
    /// use kron_core::{Duration, Error, Job};
    /// use kron_fleet::forecast::ForecastRange;
    /// use kron_fleet::spread::{SpreadJob, SpreadOptions, spread_beside};
    /// let (old, new) = (Job::parse("a", "0 0 * * * @win(after,1m)")?, Job::parse("b", "0 0 * * * @win(after,1m)")?);
    /// let jobs = [SpreadJob::placed(&old, "0 0 * * *")?, SpreadJob::placed(&new, "0 0 * * *")?.added()];
    /// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
    /// let options = SpreadOptions { added_first: true, ..SpreadOptions::default() };
    /// let plan = spread_beside(&jobs, &[], &day, &options, || Ok::<(), Error>(()))?;
    /// assert_eq!((plan.peak, plan.seeds[0].is_none()), (1, true));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn added(self) -> SpreadJob<'a> {
        SpreadJob { is_new: true, ..self }
    }

    /// The job.
    #[must_use]
    pub const fn job(&self) -> &'a Job {
        self.job
    }

    /// How many places a schedule of another system has, at least one; `None` if Kron starts the job.
    ///
    /// ```
    /// use kron_fleet::spread::SpreadJob;
    /// let job = kron_core::Job::parse("ops/mail", "*/15 * * * * @win(after,1h)")?;
    /// assert_eq!(SpreadJob::placed(&job, "*/15 * * * *")?.candidates(), Some(15));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn candidates(&self) -> Option<usize> {
        self.candidates.as_ref().map(|candidates| candidates.shifts().len())
    }

    /// The shifts of its places in minutes, ascending; none if Kron starts the job.
    ///
    /// ```
    /// use kron_fleet::spread::SpreadJob;
    /// let job = kron_core::Job::parse("ops/mail", "0 9 * * * @win(around,2m)")?;
    /// assert_eq!(SpreadJob::placed(&job, "0 9 * * *")?.shifts(), [-1, 0, 1]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[must_use]
    pub fn shifts(&self) -> &[i16] {
        self.candidates.as_ref().map_or(&[], Candidates::shifts)
    }
}

/// The starts in a range of a schedule of another system: for each candidate their buckets, in order.
pub(super) type Table = Arc<[Box<[u32]>]>;

/// Zones, and the number of the table of each.
type Known<'z> = Vec<(&'z Zone, u32)>;

/// The tables of placed jobs. Jobs with the same schedule, window, constraints and zone share one.
#[derive(Debug, Default)]
pub(super) struct Tables {
    tables: Vec<Table>,
    /// Which table a job has. Suspended jobs and those that Kron starts have none.
    of_jobs: Vec<Option<u32>>,
}

impl Tables {
    /// # Errors
    ///
    /// [`OutOfBounds`](kron_core::ErrorCode::OutOfBounds) if the candidates have too many starts in the range.
    pub(super) fn new(jobs: &[SpreadJob<'_>], range: &ForecastRange) -> Result<Tables, Error> {
        let mut tables = Tables::default();
        // By text and shifts: zones and their tables.
        let mut known: BTreeMap<(String, &[i16]), Known<'_>> = BTreeMap::new();
        let mut starts = 0;
        for SpreadJob { job, candidates, .. } in jobs {
            let Some(candidates) = candidates.as_ref().filter(|_| !job.spec().policy().suspend()) else {
                tables.of_jobs.push(None);
                continue;
            };
            let zone = job.spec().timezone();
            let same = known.entry((key_of(job), candidates.shifts())).or_default();
            // Databases may have different rules for one name.
            let found = same.iter().find(|(known, _)| *known == zone).map(|(_, table)| *table);
            let table = match found {
                Some(table) => table,
                None => {
                    // OK because a list of 2^32 jobs does not fit in memory.
                    let index = tables.tables.len() as u32;
                    tables.tables.push(table_of(candidates, zone, range, &mut starts)?);
                    same.push((zone, index));
                    index
                }
            };
            tables.of_jobs.push(Some(table));
        }
        Ok(tables)
    }

    /// The table of a job, with its number.
    pub(super) fn of(&self, job: usize) -> Option<(u32, &Table)> {
        let number = (*self.of_jobs.get(job)?)?;
        Some((number, self.tables.get(number as usize)?))
    }
}

/// The text of what decides the starts of all candidates, apart from the rules of the zone.
fn key_of(job: &Job) -> String {
    // OK because no salt is not too long.
    let seed = Seed::new(SeedStrategy::Fixed, "").unwrap_or_default();
    let spec = job.spec().to_builder().seed(seed).policy(Policy::default());
    let spec = spec.distribution(kron_core::Distribution::default()).build();
    spec.map_or_else(|_| job.spec().to_string(), |spec| spec.to_string())
}

fn table_of(
    candidates: &Candidates,
    zone: &Zone,
    range: &ForecastRange,
    count: &mut usize,
) -> Result<Table, Error> {
    let mut table = Vec::with_capacity(candidates.shifts().len());
    for shift in candidates.shifts() {
        let schedule = Cron::parse(&candidates.expression((*shift).into()))?.in_zone(zone.clone());
        let mut starts = Vec::new();
        let mut next = schedule.next_timestamp(range.from_timestamp().saturating_sub(1));
        while let Some(start) = next.filter(|start| *start < range.to_timestamp()) {
            // OK because there are at most three million buckets.
            starts.push(((start - range.from_timestamp()) / range.per_seconds()) as u32);
            next = schedule.next_timestamp(start);
        }
        *count += starts.len();
        if *count > SPREAD_STARTS {
            return Err(Error::new("", SpreadError::Starts));
        }
        table.push(starts.into_boxed_slice());
    }
    Ok(table.into())
}
