//! What is said once for all CronJobs.

use kron_core::Finding;

use crate::convert::conversion::Conversion;
use crate::error::convert::{ConvertCode, cronjob as messages};

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

    /// Reports them.
    pub(super) fn report(&self, source: usize, conversion: &mut Conversion<'_>) {
        let mut report = |code, count, message| conversion.report_total(source, code, count, message);
        report(
            ConvertCode::TimeZoneAssumed,
            self.without_zone,
            messages::without_zone as fn(usize) -> Finding,
        );
        report(ConvertCode::LateStarts, self.without_deadline, messages::without_deadline);
        report(ConvertCode::ActiveRun, self.forbid, messages::forbid);
    }
}
