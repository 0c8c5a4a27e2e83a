//! Fleets on all processors, with the same answers as on one.

use alloc::vec::Vec;
use core::ops::RangeBounds;

use kron_core::time::seconds_of;
use kron_core::{Decision, Error, Instant};
use rayon::prelude::*;

use super::Fleet;
use super::merge::Ordered;

impl Fleet {
    /// [`next_starts`](Fleet::next_starts), computed on all processors.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![Job::parse("a/early", "0 1 * * *")?, Job::parse("b/late", "0 2 * * *")?])?;
    /// assert!(fleet.par_next_starts(0).into_iter().eq(fleet.next_starts(0)));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn par_next_starts(&self, after: impl Instant) -> Vec<(usize, Result<Decision<'_>, Error>)> {
        let after = after.floor();
        self.jobs.par_iter().map(|job| job.next_start(after)).enumerate().collect()
    }

    /// All of [`starts`](Fleet::starts) at once, computed on all processors.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_fleet::Fleet;
    /// let fleet = Fleet::new(vec![Job::parse("a/early", "0 1 * * *")?, Job::parse("b/late", "0 2 * * *")?])?;
    /// let week = 7 * 86_400;
    /// assert!(fleet.par_starts(0..week).into_iter().eq(fleet.starts(0..week)));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn par_starts<I: Instant>(
        &self,
        range: impl RangeBounds<I>,
    ) -> Vec<(usize, Result<Decision<'_>, Error>)> {
        let seconds = seconds_of(range);
        let jobs = self.jobs.par_iter().enumerate();
        let keyed = jobs.flat_map_iter(|(index, job)| {
            let mut order = (i64::MIN, i64::MIN);
            // An error follows right behind the job's start before it.
            job.starts(seconds.clone()).map(move |start| {
                order = start.order().unwrap_or(order);
                (order, index, start)
            })
        });
        let mut starts: Vec<_> = keyed.collect();
        // Stable, as an error has the order of the start before it.
        starts.par_sort_by_key(|(order, index, _)| (*order, *index));
        starts.into_iter().map(|(_, index, start)| (index, start)).collect()
    }
}
