//! History: finished Jobs beyond the limits are deleted, the oldest first.

use super::memory::Memory;
use super::{Action, Plan, View};
use crate::object::{Finished, JobView};

/// How many seconds a Job stays after it has finished, so that everybody who watches it sees how it ended.
const STAYS: i64 = 60;

/// Plans the deletion of Jobs beyond the limits. Called when nothing is left to be written, so that everything a Job
/// says is in the status.
pub(super) fn plan(view: View<'_>, memory: &mut Memory, plan: &mut Plan) {
    if let Some(until) = memory.history.waits(view.millis) {
        plan.wake_at(Some(until));
        return;
    }
    memory.deleted.retain(|uid| view.jobs.iter().any(|job| job.uid == *uid));
    let settled = |job: &JobView| {
        let waits = |period| memory.settled.iter().any(|settled| settled.period == period);
        let due = |period| memory.verdicts.iter().any(|verdict| verdict.period == period);
        let token = memory.run_now.as_ref().map(|run| run.token.as_str());
        !job.period.is_some_and(|period| waits(period) || due(period))
            && (job.run_now.is_none() || job.run_now.as_deref() != token)
    };
    for (successfully, kept) in [(true, view.spec.successful_kept), (false, view.spec.failed_kept)] {
        let mut jobs: Vec<(&JobView, Finished)> = view
            .own_jobs()
            .filter_map(|job| job.finished.map(|finished| (job, finished)))
            .filter(|(job, finished)| finished.successfully == successfully && !job.deleting)
            .collect();
        // Those that never started are the last to go.
        jobs.sort_by_key(|(job, _)| (job.started.map_or(i64::MAX, |time| time.0), job.name.clone()));
        let beyond = jobs.len().saturating_sub(kept as usize);
        let oldest = jobs.into_iter().take(beyond).filter(|(job, _)| settled(job));
        for (job, finished) in oldest.filter(|(job, _)| !memory.deleted.contains(&job.uid)) {
            let at = finished.time.0.saturating_add(STAYS);
            if at > view.now {
                plan.wake_at(Some(at.saturating_mul(1000)));
            } else {
                let (name, uid) = (job.name.to_string(), job.uid.to_string());
                plan.actions.push(Action::DeleteFinished { name, uid });
            }
        }
    }
}
