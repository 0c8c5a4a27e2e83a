//! History: finished Jobs beyond the limits are deleted, the oldest first.

use super::objects::{View, execution_of};
use super::request::{KronJobPlan, Request};
use crate::object::{Finished, JobView};

/// How many seconds a Job stays after it has finished, so that every program that watches it sees how it ended.
const STAYS: i64 = 60;

/// Plans the deletion of Jobs beyond the limits. Called when nothing is left to be written, so that everything a Job
/// says is in the status.
pub(super) fn plan(view: View<'_>, plan: &mut KronJobPlan) {
    let View { objects, observed } = view;
    let Some(scheduled) = &objects.scheduled else { return };
    if let Some(until) = observed.history.wait(objects.now) {
        plan.wake_at(Some(until));
        return;
    }
    let has_outcome = |job: &JobView| !observed.dispatcher.needs(&execution_of(objects.kronjob, job));
    let spec = scheduled.spec;
    for (successfully, kept) in [(true, spec.successful_kept), (false, spec.failed_kept)] {
        let mut jobs: Vec<(&JobView, Finished)> = objects
            .jobs
            .iter()
            .copied()
            .filter_map(|job| job.finished.map(|finished| (job, finished)))
            .filter(|(job, finished)| finished.successfully == successfully && !job.deleting)
            .collect();
        // Those that never started are the last to go.
        jobs.sort_by_key(|(job, _)| (job.started.map_or(i64::MAX, |time| time.0), job.name.clone()));
        let beyond = jobs.len().saturating_sub(kept as usize);
        let oldest = jobs.into_iter().take(beyond).filter(|(job, _)| has_outcome(job));
        for (job, finished) in oldest.filter(|(job, _)| !observed.deleted.contains(&job.uid)) {
            let at = finished.time.0.saturating_add(STAYS);
            if at > objects.second() {
                plan.wake_at(Some(at.saturating_mul(1000)));
            } else {
                let (name, uid) = (job.name.to_string(), job.uid.to_string());
                plan.requests.push(Request::DeleteFinished { name, uid });
            }
        }
    }
}
