//! Fleets: many jobs, and their starts or periods merged in time order. The merge is in `merge.rs`; `collect.rs` makes fleets of other
//! collections.

mod back;
mod collect;
mod instead;
mod merge;
#[cfg(feature = "rayon")]
mod parallel;

use alloc::vec::Vec;
use core::ops::RangeBounds;

use kron_core::job::{PeriodSeries, StartSeries};
use kron_core::time::seconds_of;
use kron_core::{Decision, Error, Instant, Job};

pub use back::MergeBack;
pub use merge::Merge;

/// Jobs with distinct names, in order of insertion.
///
/// ```
/// use kron_core::Job;
/// use kron_fleet::Fleet;
/// let fleet = Fleet::new(vec![
///     Job::parse("a/early", "0 1 * * * @win(after,1h)")?,
///     Job::parse("b/late", "0 2 * * * @win(after,1h)")?,
/// ])?;
/// let order: Vec<usize> = fleet.starts(0..2 * 86_400).map(|(index, _)| index).collect();
/// assert_eq!(order, [0, 1, 0, 1]);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    jobs: Vec<Job>,
    /// The indexes of the jobs, in order of their names.
    by_name: Vec<usize>,
}

impl Fleet {
    /// A fleet of these jobs.
    ///
    /// # Errors
    ///
    /// [`FileRepeatedName`](kron_core::ErrorCode::FileRepeatedName) if two have one name.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Job};
    /// use kron_fleet::Fleet;
    /// let (daily, hourly) = (Job::parse("db/backup", "@daily")?, Job::parse("db/backup", "@hourly")?);
    /// let error = Fleet::new(vec![daily, hourly]).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::FileRepeatedName);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(jobs: Vec<Job>) -> Result<Fleet, Error> {
        let fleet = Fleet::of_distinct(jobs);
        let name = |index: usize| fleet.jobs[index].name();
        if let Some(twice) = fleet.by_name.windows(2).find(|pair| name(pair[0]) == name(pair[1])) {
            return Err(Error::repeated_name(name(twice[0])));
        }
        Ok(fleet)
    }

    /// A fleet of jobs whose names are known to differ.
    fn of_distinct(jobs: Vec<Job>) -> Fleet {
        let mut by_name: Vec<usize> = (0..jobs.len()).collect();
        by_name.sort_unstable_by_key(|index| jobs[*index].name());
        Fleet { jobs, by_name }
    }

    /// The jobs, in order of insertion.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Each job's [`next_start`](Job::next_start) with the index of the job, in order of insertion.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![
    ///     Job::parse("db/backup", "0 2 * * *")?,
    ///     Job::parse("web/report", "0 1 * * *")?,
    /// ])?;
    /// for (index, start) in fleet.next_starts(0) {
    ///     assert_eq!(start?.chosen_timestamp(), Some([7200, 3600][index]));
    /// }
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next_starts(
        &self,
        after: impl Instant,
    ) -> impl Iterator<Item = (usize, Result<Decision<'_>, Error>)> {
        let after = after.floor();
        self.jobs.iter().map(move |job| job.next_start(after)).enumerate()
    }

    /// The starts of all jobs with chosen times in a range, with the index of their job: in order of chosen time,
    /// ties by nominal time, then by insertion.
    ///
    /// Lazy: each job is decided for little more than the time read so far. On average, the time of a step grows with
    /// the logarithm of the number of jobs. A job whose search fails yields its error at once and leaves the series;
    /// the others stay in it.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![
    ///     Job::parse("db/backup", "0 2 * * *")?,
    ///     Job::parse("web/report", "0 1 * * *")?,
    /// ])?;
    /// let day = fleet.starts(0..86_400).map(|(index, start)| Ok((index, start?.chosen_timestamp())));
    /// assert_eq!(day.collect::<Result<Vec<_>, kron_core::Error>>()?, [(1, Some(3600)), (0, Some(7200))]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn starts<I: Instant>(&self, range: impl RangeBounds<I>) -> FleetStarts<'_> {
        let seconds = seconds_of(range);
        Merge::new(self.jobs.iter().map(|job| job.starts(seconds.clone())))
    }

    /// The periods of all jobs with nominal times in a range, with the index of their job: in order of nominal time,
    /// ties by insertion.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![
    ///     Job::parse("db/backup", "0 2 * * * @win(before,3h)")?,
    ///     Job::parse("web/report", "0 1 * * *")?,
    /// ])?;
    /// let day: Vec<_> = fleet.periods(0..86_400).map(|(_, period)| period.period_id().to_string()).collect();
    /// assert_eq!(day, ["1970-01-01T01:00:00Z", "1970-01-01T02:00:00Z"]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn periods<I: Instant>(&self, range: impl RangeBounds<I>) -> FleetPeriods<'_> {
        let seconds = seconds_of(range);
        Merge::new(self.jobs.iter().map(|job| job.periods(seconds.clone())))
    }

    /// [`starts`](Fleet::starts) in reverse, latest first. It has the errors of [`Job::starts_back`].
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![
    ///     Job::parse("db/backup", "0 2 * * *")?,
    ///     Job::parse("web/report", "0 1 * * *")?,
    /// ])?;
    /// let forth: Vec<_> = fleet.starts(0..86_400).collect();
    /// assert!(fleet.starts_back(0..86_400).eq(forth.into_iter().rev()));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn starts_back<I: Instant>(&self, range: impl RangeBounds<I>) -> FleetStartsBack<'_> {
        let seconds = seconds_of(range);
        MergeBack::new(self.jobs.iter().map(|job| job.starts_back(seconds.clone())))
    }

    /// [`periods`](Fleet::periods) in reverse, latest first.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![
    ///     Job::parse("db/backup", "0 2 * * * @win(before,3h)")?,
    ///     Job::parse("web/report", "0 1 * * *")?,
    /// ])?;
    /// let forth: Vec<_> = fleet.periods(0..86_400).collect();
    /// assert!(fleet.periods_back(0..86_400).eq(forth.into_iter().rev()));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn periods_back<I: Instant>(&self, range: impl RangeBounds<I>) -> FleetPeriodsBack<'_> {
        let seconds = seconds_of(range);
        MergeBack::new(self.jobs.iter().map(|job| job.periods_back(seconds.clone())))
    }
}

/// The merged starts of a fleet.
pub type FleetStarts<'a> = Merge<StartSeries<'a>>;
/// The merged periods of a fleet.
pub type FleetPeriods<'a> = Merge<PeriodSeries<'a>>;
/// The merged starts of a fleet, latest first.
pub type FleetStartsBack<'a> = MergeBack<StartSeries<'a>>;
/// The merged periods of a fleet, latest first.
pub type FleetPeriodsBack<'a> = MergeBack<PeriodSeries<'a>>;
