//! Fleets: many jobs, and their starts or periods merged in time order.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::decision::Decision;
use crate::error::{Error, Snippet, TextError};
use crate::instant::Instant;
use crate::job::Job;
use crate::series::{PeriodSeries, StartSeries};

/// Jobs with distinct identities, in order of insertion.
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
    /// [`FileRepeatedName`](crate::ErrorCode::FileRepeatedName) if two have one identity.
    pub fn new(jobs: Vec<Job>) -> Result<Fleet, Error> {
        let mut identities: Vec<&str> = jobs.iter().map(Job::identity).collect();
        identities.sort_unstable();
        if let Some(twice) = identities.windows(2).find(|pair| pair[0] == pair[1]) {
            let kind = TextError::RepeatedName { name: Snippet::of(twice[0]), first: None };
            return Err(Error::new("identity", kind));
        }
        Ok(Fleet { jobs })
    }

    /// The jobs, in order of insertion.
    pub fn jobs(&self) -> &[Job] {
        &self.jobs
    }

    /// The starts of all jobs with chosen times in `[from, to)`, with the index of their job: in order of chosen time,
    /// ties by nominal time, then by insertion. A step costs the logarithm of the number of jobs.
    ///
    /// A job whose search fails yields its error at once and leaves the series; the others go on.
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

/// Something that has a place in time order.
pub trait Ordered {
    /// Smaller comes first.
    fn order(&self) -> (i64, i64);
}

impl Ordered for Decision<'_> {
    fn order(&self) -> (i64, i64) {
        (self.nominal_timestamp(), 0)
    }
}

impl Ordered for Result<Decision<'_>, Error> {
    fn order(&self) -> (i64, i64) {
        match self {
            Ok(decision) => (decision.order_timestamp(), decision.nominal_timestamp()),
            Err(_) => (i64::MIN, i64::MIN),
        }
    }
}

/// Many ordered series merged into one, lazily. Yields each item with the index of its series.
#[derive(Clone, Debug)]
pub struct Merge<I: Iterator> {
    series: Vec<I>,
    /// Each series' first item, which is not in the heap but beside it, so that the heap moves small entries.
    heads: Vec<Option<I::Item>>,
    heap: BinaryHeap<Reverse<((i64, i64), usize)>>,
}

impl<I: Iterator> Merge<I>
where
    I::Item: Ordered,
{
    fn new(series: impl Iterator<Item = I>) -> Merge<I> {
        let mut series: Vec<I> = series.collect();
        let heads: Vec<Option<I::Item>> = series.iter_mut().map(Iterator::next).collect();
        let heap = heads
            .iter()
            .enumerate()
            .filter_map(|(i, head)| Some(Reverse((head.as_ref()?.order(), i))))
            .collect();
        Merge { series, heads, heap }
    }
}

impl<I: Iterator> Iterator for Merge<I>
where
    I::Item: Ordered,
{
    type Item = (usize, I::Item);

    fn next(&mut self) -> Option<(usize, I::Item)> {
        let mut top = self.heap.peek_mut()?;
        let Reverse((_, index)) = *top;
        let next = self.series[index].next();
        // Changing the top in place moves it down once, where a pop and a push would move twice.
        match &next {
            Some(next) => *top = Reverse((next.order(), index)),
            None => drop(alloc::collections::binary_heap::PeekMut::pop(top)),
        }
        let head = core::mem::replace(&mut self.heads[index], next);
        head.map(|head| (index, head))
    }
}
