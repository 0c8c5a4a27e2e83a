//! The primer of the next start: one Job for a period, made before its start and deleted when the period is handled.
//!
//! `status.primer` is its fence. It is written before the create, by an update that no other version of the KronJob
//! came between, so only one process knows that it wrote it. Only that process may create the Job, and only once:
//! after an answer that leaves open whether the Job was created, no other create follows. No primer at all is better
//! than two.

use kron_crd::reason::Reason;
use kron_crd::{KronJobStatus, PrimerStatus, Time};
use kron_formats::kronjob::PrimerAction;
use kron_formats::names::primer_job_name;
use kron_host::{Backoff, Record};

use super::history::deletion;
use super::messages::Message;
use super::objects::{Objects, Scheduled};
use super::observed::{DryRunResult, Observed, PrimerState};
use super::request::{Deleted, KronJobPlan, Purpose, Request};
use crate::object::JobView;

/// No period is further away than this many seconds when its primer is made: half of the longest window, and the
/// longest lead. A fence for a later one was not written by this operator.
const FARTHEST: i64 = 184 * 86_400;

/// The fence that the status should have, given what is written and the record that the core wants: that of the next period
/// from the moment on at which its primer is due.
pub(super) fn fence(
    objects: &Objects<'_>,
    observed: &Observed,
    written: &KronJobStatus,
    record: &Record,
) -> Option<PrimerStatus> {
    let before = written.primer.as_deref();
    let now = objects.second();
    let due = objects.scheduled.as_ref().zip(record.next);
    let due =
        due.filter(|(scheduled, next)| action(scheduled, next.chosen, now) == Some(PrimerAction::Create));
    // Its Job would be refused, so nothing needs a node.
    let refused = matches!(observed.dry_run.result, DryRunResult::Refused(_));
    match due.filter(|_| !refused && before.is_none_or(|before| is_over(record, before.period_id.0, now))) {
        None => before.cloned(),
        Some((_, next)) => Some(PrimerStatus {
            period_id: Time(next.nominal),
            job_name: primer_job_name(&objects.kronjob.key.name, next.nominal),
            time: Time(now),
        }),
    }
}

/// The period whose fence a status sets.
pub(super) fn set(before: &KronJobStatus, status: &KronJobStatus) -> Option<Time> {
    let of = |status: &KronJobStatus| status.primer.as_ref().map(|primer| primer.period_id);
    of(status).filter(|period| of(before) != Some(*period))
}

/// What to do about the primer of the next start; nothing if the KronJob has no primers now.
fn action(scheduled: &Scheduled<'_>, chosen: i64, now: i64) -> Option<PrimerAction> {
    let suspended = scheduled.spec.job.spec().policy().suspend();
    let primer = scheduled.spec.primer.as_ref().filter(|_| !suspended)?;
    Some(primer.lead.action(chosen, now))
}

/// Whether a period will never be open again, whatever is edited, so that its fence is not needed any more: it is listed as
/// handled, or at or before a watermark that no change of the configuration lowers below it.
fn is_over(record: &Record, period: i64, now: i64) -> bool {
    let through = record.configuration.as_ref().and_then(|configuration| configuration.handled_through);
    let past = period <= now && through.is_some_and(|through| period <= through);
    let listed =
        record.last_nominal == Some(period) || record.handled.iter().any(|entry| entry.nominal == period);
    past || listed || period > now.saturating_add(FARTHEST)
}

/// Plans the create of the primer that is due, and the deletion of those that are not needed any more. Without a record the spec
/// cannot be read, and nothing of it will start.
pub(super) fn plan(
    objects: &Objects<'_>,
    observed: &Observed,
    record: Option<&Record>,
    plan: &mut KronJobPlan,
) {
    let now = objects.second();
    let next = objects.scheduled.as_ref().zip(record).and_then(|(scheduled, record)| {
        let next = record.next?;
        Some((next, action(scheduled, next.chosen, now)?))
    });
    // A start that fails may fail for a quota that its primer uses up.
    let failing = |chosen| chosen <= now && observed.dispatcher.current_failures() > 0;
    let wanted = next.filter(|(next, _)| !failing(next.chosen)).map(|(next, _)| Time(next.nominal));
    let unknown = PrimerState::default();
    let state = observed.primer.as_deref().unwrap_or(&unknown);
    delete(objects, state, wanted, plan);
    match next {
        Some((_, PrimerAction::Wait { until })) => plan.wake_at(Some(until.saturating_mul(1000))),
        Some((next, PrimerAction::Create)) if state.may_create == Some(Time(next.nominal)) => {
            match state.create.wait(objects.now) {
                Some(until) => plan.wake_at(Some(until)),
                None => {
                    let name = primer_job_name(&objects.kronjob.key.name, next.nominal);
                    let what = Purpose::Primer(Time(next.nominal));
                    plan.requests.push(Request::Create { what, name });
                }
            }
        }
        Some((_, PrimerAction::Create | PrimerAction::PassOver)) | None => {}
    }
}

fn delete(objects: &Objects<'_>, state: &PrimerState, wanted: Option<Time>, plan: &mut KronJobPlan) {
    let left = objects.primers.iter().filter(|job| wanted.is_none() || wanted != job.primer_for);
    let left: Vec<&&JobView> =
        left.filter(|job| !job.deleting && !state.deletions.asked.contains(&job.uid)).collect();
    if left.is_empty() {
        return;
    }
    if let Some(until) = state.deletions.backoff.wait(objects.now) {
        plan.wake_at(Some(until));
        return;
    }
    plan.requests.extend(left.iter().map(|job| deletion(Deleted::Primer, job)));
}

impl PrimerState {
    pub(super) fn written(&mut self) {
        if let Some(period) = self.writing.take() {
            self.may_create = Some(period);
            self.create = Backoff::default();
        }
    }
}

impl Observed {
    /// Takes note of the fence that a write sets, if it sets one.
    pub(super) fn writing_fence(&mut self, set: Option<Time>) {
        if set.is_some() || self.primer.is_some() {
            self.primer_mut().writing = set;
        }
    }

    /// The Job of a primer is there, and is ours or not.
    pub(super) fn primer_found(&mut self, period: Time, name: &str, ours: bool) {
        self.report(match ours {
            true => {
                let note = format!("created primer Job {name} for period {period}");
                Message::new(Reason::SuccessfulCreate, note)
            }
            false => {
                let note = format!(
                    "period {period} has no primer: there is a Job {name} already, and it does not belong to this KronJob"
                );
                Message::new(Reason::NameTaken, note)
            }
        });
    }

    /// The Job of a primer could not be created. It is tried again if the request was certainly not carried out and may succeed.
    pub(super) fn primer_failed(&mut self, period: Time, name: &str, error: &str, retry_at: Option<i64>) {
        let state = self.primer_mut();
        state.may_create = retry_at.map(|_| period);
        let note = match retry_at {
            Some(retry_at) => {
                state.create.failed(retry_at);
                if state.create.failures() > 1 {
                    return;
                }
                format!("primer Job {name} for period {period} could not be created yet: {error}")
            }
            None => format!("period {period} may have no primer: Job {name} could not be created: {error}"),
        };
        self.report(Message::new(Reason::FailedCreate, note));
    }
}
