//! What is said once for all CronJobs of a source.

use kron_core::Finding;

use crate::error::convert::cronjob as messages;

/// How many CronJobs have something that is said once.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) without_zone: usize,
    pub(super) forbid: usize,
    pub(super) without_deadline: usize,
}

impl Counts {
    pub(super) fn add(&mut self, other: &Counts) {
        self.without_zone += other.without_zone;
        self.forbid += other.forbid;
        self.without_deadline += other.without_deadline;
    }

    /// The notes about them.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding> {
        let some = |count: usize, message: fn(usize) -> Finding| (count > 0).then(|| message(count));
        [
            some(self.without_zone, messages::without_zone),
            some(self.without_deadline, messages::without_deadline),
            some(self.forbid, messages::forbid),
        ]
        .into_iter()
        .flatten()
    }
}
