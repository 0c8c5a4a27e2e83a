//! Fleets: many jobs, and their starts or periods merged in time order. The merge is in `merge.rs`.

mod merge;
#[cfg(feature = "rayon")]
mod parallel;

use alloc::vec::Vec;

use crate::decision::Decision;
use crate::error::{Error, Snippet, TextError};
use crate::job::Job;
use crate::job::series::{PeriodSeries, StartSeries};
use crate::time::instant::Instant;

pub use merge::Merge;

/// Jobs with distinct names, in order of insertion.
///
/// ```
/// use kron_core::{Fleet, Job};
/// let fleet = Fleet::new(vec![
///     Job::parse("a/early", "0 1 * * * @win(after,1h)")?,
///     Job::parse("b/late", "0 2 * * * @win(after,1h)")?,
/// ])?;
/// let order: Vec<usize> = fleet.starts(0, 2 * 86_400).map(|(index, _)| index).collect();
/// assert_eq!(order, [0, 1, 0, 1]);
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Fleet {
    jobs: Vec<Job>,
}

impl Fleet {
    /// A fleet of those jobs.
    ///
    /// # Errors
    ///
    /// [`FileRepeatedName`](crate::ErrorCode::FileRepeatedName) if two have one name.
    pub fn new(jobs: Vec<Job>) -> Result<Fleet, Error> {
        let mut names: Vec<&str> = jobs.iter().map(Job::name).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let kind = TextError::RepeatedName { name: Snippet::of(twice[0]), first: None };
            return Err(Error::new("name", kind));
        }
        Ok(Fleet { jobs })
    }

    /// The jobs, in order of insertion.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// Each job's [`next_start`](Job::next_start), in order of insertion.
    ///
    /// ```
    /// use kron_core::{Fleet, Job};
    /// let fleet = Fleet::new(vec![Job::parse("a/early", "0 1 * * *")?, Job::parse("b/late", "0 2 * * *")?])?;
    /// let next = fleet.next_starts(0).collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(next.iter().map(|start| start.order_timestamp()).collect::<Vec<_>>(), [3600, 7200]);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next_starts(&self, after: impl Instant) -> impl Iterator<Item = Result<Decision<'_>, Error>> {
        let after = after.floor();
        self.jobs.iter().map(move |job| job.next_start(after))
    }

    /// The starts of all jobs with chosen times in `[from, to)`, with the index of their job: in order of chosen time,
    /// ties by nominal time, then by insertion.
    ///
    /// Lazy: each job is decided for little more than the time that was asked for. On average a step costs the logarithm
    /// of the number of jobs. A job whose search fails yields its error at once and leaves the series; the others go on.
    pub fn starts(&self, from: impl Instant, to: impl Instant) -> FleetStarts<'_> {
        let (from, to) = (from.ceil(), to.ceil());
        Merge::new(self.jobs.iter().map(|job| job.starts(from, to)))
    }

    /// The periods of all jobs with nominal times in `[from, to)`, with the index of their job: in order of nominal time,
    /// ties by insertion.
    pub fn periods(&self, from: impl Instant, to: impl Instant) -> FleetPeriods<'_> {
        let (from, to) = (from.ceil(), to.ceil());
        Merge::new(self.jobs.iter().map(|job| job.periods(from, to)))
    }
}

/// The merged starts of a fleet.
pub type FleetStarts<'a> = Merge<StartSeries<'a>>;
/// The merged periods of a fleet.
pub type FleetPeriods<'a> = Merge<PeriodSeries<'a>>;
