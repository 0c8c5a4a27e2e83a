//! History: finished Jobs beyond the limits are deleted, the oldest first.

use super::memory::Memory;
use super::{Action, Plan, View};
use crate::object::JobView;

/// Plans the deletion of one Job beyond the limits. Called when nothing is left to be written, so that everything a Job
/// has to tell is in the status.
pub(super) fn plan(view: View<'_>, memory: &mut Memory, plan: &mut Plan) {
    if memory.clean_at > view.millis {
        plan.wake_at(Some(memory.clean_at));
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
        let mut jobs: Vec<&JobView> = view
            .own_jobs()
            .filter(|job| job.finished.is_some_and(|finished| finished.successfully == successfully))
            .filter(|job| !job.deleting)
            .collect();
        // Those that never started are the last to go.
        jobs.sort_by_key(|job| (job.started.map_or(i64::MAX, |time| time.0), job.name.clone()));
        let beyond = jobs.len().saturating_sub(kept as usize);
        let oldest = jobs.into_iter().take(beyond).filter(|job| settled(job));
        for job in oldest.filter(|job| !memory.deleted.contains(&job.uid)) {
            plan.actions.push(Action::Clean { name: job.name.to_string(), uid: job.uid.to_string() });
        }
    }
}
