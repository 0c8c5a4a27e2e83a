//! History: finished Jobs beyond the limits are deleted, the oldest first.

use kron_crd::reason::Reason;
use kron_host::Backoff;

use super::messages::Message;
use super::objects::{Objects, execution_of};
use super::observed::{Deletions, Observed};
use super::request::{Deleted, KronJobPlan, Request};
use crate::object::{Finished, JobView};

/// How many seconds a Job stays after it has finished, so that every program that watches it sees how it ended.
const STAYS: i64 = 60;

/// Plans the deletion of Jobs beyond the limits. Called when nothing is left to be written, so that everything a Job
/// says is in the status.
pub(super) fn plan(objects: &Objects<'_>, observed: &Observed, plan: &mut KronJobPlan) {
    let Some(scheduled) = &objects.scheduled else { return };
    if let Some(until) = observed.history.backoff.wait(objects.now) {
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
        for (job, finished) in oldest.filter(|(job, _)| !observed.history.asked.contains(&job.uid)) {
            let at = finished.time.0.saturating_add(STAYS);
            if at > objects.second() {
                plan.wake_at(Some(at.saturating_mul(1000)));
            } else {
                plan.requests.push(deletion(Deleted::Finished, job));
            }
        }
    }
}

/// The request to delete a Job.
pub(super) fn deletion(what: Deleted, job: &JobView) -> Request {
    Request::Delete { what, name: job.name.to_string(), uid: job.uid.to_string() }
}

impl Observed {
    pub(super) fn deletions_mut(&mut self, of_primers: bool) -> &mut Deletions {
        if of_primers { &mut self.primer_mut().deletions } else { &mut self.history }
    }

    pub(super) fn deleted(&mut self, what: Deleted, name: &str, uid: &str) {
        let note = match what {
            Deleted::Active => format!("deleted Job {name}, which a newer start replaces"),
            Deleted::Finished => format!("deleted Job {name}"),
            Deleted::Primer => format!("deleted primer Job {name}"),
        };
        self.report(Message::new(Reason::SuccessfulDelete, note));
        if what == Deleted::Active {
            self.dispatcher.stopped(uid);
            return;
        }
        let deletions = self.deletions_mut(what == Deleted::Primer);
        deletions.asked.push(uid.into());
        deletions.backoff = Backoff::default();
    }

    /// A Job that no start waits for could not be deleted, which is reported once.
    pub(super) fn not_deleted(&mut self, of_primers: bool, name: &str, error: &str, retry_at: i64) {
        let backoff = &mut self.deletions_mut(of_primers).backoff;
        backoff.failed(retry_at);
        if backoff.failures() == 1 {
            let job = if of_primers { "primer Job" } else { "Job" };
            let note = format!("{job} {name} could not be deleted: {error}");
            self.report(Message::new(Reason::FailedDelete, note));
        }
    }
}
