//! The status as it should be.

use std::collections::BTreeMap;

use super::handled::{Handled, known, last_order};
use super::memory::Memory;
use super::periods::next_start;
use super::{Plan, View, conditions};
use crate::crd::{ActiveJob, Claim, HandledPeriod, KronJobStatus, RunNow, Time};
use crate::events::Reason;
use crate::names::job_name;
use crate::object::{JobView, KronJob};

use super::memory::Note;

/// How many seconds before a start its claim becomes urgent.
const CLAIM_AHEAD: i64 = 5;

/// The status as it should be, given what is written.
pub(super) fn wanted(
    kronjob: &KronJob,
    written: &KronJobStatus,
    jobs: &[&JobView],
    memory: &Memory,
    now: i64,
) -> KronJobStatus {
    let own = || jobs.iter().filter(|job| *job.owner == *kronjob.uid);
    let mut active: Vec<ActiveJob> = own().filter(|job| job.is_active()).map(|job| active_job(job)).collect();
    active.sort_by(|a, b| a.name.cmp(&b.name));
    let ended = own().filter_map(|job| job.finished).filter(|finished| finished.successfully);
    let successful = ended.map(|finished| finished.time).max();
    let mut status = KronJobStatus {
        observed_generation: Some(kronjob.generation),
        active,
        last_successful_time: written.last_successful_time.max(successful),
        // What follows from the spec is said below, if it can be.
        next_period_id: None,
        next_nominal_time: None,
        next_chosen_time: None,
        claim: None,
        ..written.clone()
    };
    if let Ok(spec) = &kronjob.spec {
        let millis = now.saturating_mul(1000);
        let view = View { kronjob, spec, status: written, jobs, millis, now };
        scheduled(view, memory, &mut status);
    }
    status.conditions = conditions::wanted(kronjob, written, jobs, memory, now);
    status
}

fn active_job(job: &JobView) -> ActiveJob {
    ActiveJob {
        api_version: "batch/v1".into(),
        kind: "Job".into(),
        namespace: job.namespace.to_string(),
        name: job.name.to_string(),
        uid: job.uid.to_string(),
    }
}

/// What is to be told of the Jobs that are active no more.
pub(super) fn ended(written: &KronJobStatus, wanted: &KronJobStatus, jobs: &[&JobView]) -> Vec<Note> {
    let gone = written.active.iter().filter(|job| wanted.active.iter().all(|other| other.uid != job.uid));
    gone.map(|active| {
        let finished = jobs.iter().find(|job| *job.uid == *active.uid).and_then(|job| job.finished);
        let name = &active.name;
        match finished {
            Some(finished) => {
                let how = if finished.successfully { "Complete" } else { "Failed" };
                Note {
                    reason: Reason::SawCompletedJob,
                    text: format!("saw completed Job {name}, condition {how}"),
                }
            }
            None => Note { reason: Reason::MissingJob, text: format!("Job {name} was active and is gone") },
        }
    })
    .collect()
}

/// What a valid spec says: configuration, last and next periods, the claim, the periods that overlap.
fn scheduled(view: View<'_>, memory: &Memory, status: &mut KronJobStatus) {
    let Some(configuration) = memory.configuration.clone() else { return };
    let since = configuration.since.0;
    status.configuration = Some(configuration);
    let handled = memory.handled(view, since);
    let mut outcomes = known(view.status);
    record(view, memory, status, &mut outcomes);
    if let Some(last) = status.last_period_id {
        status.periods = handled.to_list(&view.spec.job, view.spec.overlapping, view.now, &outcomes, last);
    }
    if let Some(run) = &memory.run_now
        && let Some(done) = &run.done
    {
        status.last_run_now =
            Some(RunNow { token: run.token.clone(), job_name: done.job_name.clone(), outcome: done.outcome });
    }
    let Some((period, chosen)) = next_start(view, memory, &handled) else { return };
    status.next_period_id = Some(period);
    status.next_nominal_time = Some(period);
    status.next_chosen_time = Some(chosen);
    if !view.suspended() {
        status.claim = Some(claim(view, memory, period));
    }
}

/// Enters the outcomes that wait to be written.
fn record(
    view: View<'_>,
    memory: &Memory,
    status: &mut KronJobStatus,
    outcomes: &mut BTreeMap<Time, HandledPeriod>,
) {
    let mut last = last_order(&view.spec.job, view.status).zip(view.status.last_period_id);
    for settled in &memory.settled {
        let (period_id, outcome, job_name) = (settled.period, settled.outcome, settled.job_name.clone());
        outcomes.insert(period_id, HandledPeriod { period_id, outcome, job_name });
        if last.is_none_or(|last| (settled.order, settled.period) > last) {
            last = Some((settled.order, settled.period));
            status.last_period_id = Some(settled.period);
            status.last_nominal_time = Some(settled.period);
            status.last_chosen_time = settled.chosen;
            status.last_outcome = Some(settled.outcome);
        }
    }
}

/// The claim of a period: as it is if this process wrote it, else anew.
fn claim(view: View<'_>, memory: &Memory, period: Time) -> Claim {
    let job_name = job_name(&view.kronjob.key.name, period);
    match &view.status.claim {
        Some(claim) if claim.period_id == period && memory.holds == Some(period) => claim.clone(),
        _ => Claim { period_id: period, job_name, time: Time(view.now) },
    }
}

impl Memory {
    /// Whether a start waits for this status to be written: its period is due, or nearly, and not claimed.
    pub(super) fn waits_for_claim(&self, wanted: &KronJobStatus, now: i64) -> bool {
        let Some(claim) = &wanted.claim else { return false };
        let near = wanted.next_chosen_time.is_some_and(|chosen| chosen.0 <= now.saturating_add(CLAIM_AHEAD));
        near && self.holds != Some(claim.period_id)
    }

    /// Milliseconds of Unix time before which the status is not written.
    pub(super) fn write_not_before(&self, urgent: bool) -> i64 {
        if urgent { self.urgent_write_at } else { self.write_at }
    }

    /// The second from which on a start waits for this status to be written, if that is yet to come.
    pub(super) fn becomes_urgent(&self, wanted: &KronJobStatus, now: i64) -> Option<i64> {
        let claim = wanted.claim.as_ref().filter(|claim| self.holds != Some(claim.period_id));
        let ahead = wanted.next_chosen_time?.0.saturating_sub(CLAIM_AHEAD);
        claim.map(|_| ahead).filter(|second| *second > now)
    }

    /// Forgets what the status shows by now, and tells it; forgets what another process settled otherwise.
    pub(super) fn confirm(&mut self, view: View<'_>, plan: &mut Plan) {
        let since = self.configuration.as_ref().map_or(view.kronjob.created.0, |known| known.since.0);
        let written = Handled::of(&view.spec.job, view.status, since);
        let outcomes = known(view.status);
        self.settled.retain(|settled| {
            let entry = outcomes.get(&settled.period);
            // Of several outcomes of one write the status may name only the last.
            let same = match entry {
                Some(entry) => entry.outcome == settled.outcome,
                None => settled.sent && written.contains(settled.period),
            };
            if same {
                plan.outcomes.push(settled.outcome);
                plan.notes.push(settled.note.clone());
            }
            entry.is_none() && !written.contains(settled.period)
        });
        self.verdicts.retain(|verdict| verdict.doomed.is_some() || !written.contains(verdict.period));
        if self.settled.is_empty() && self.older_missed > 0 {
            plan.older_missed = std::mem::take(&mut self.older_missed);
            let text = format!("{} older periods were missed, too", plan.older_missed);
            plan.notes.push(Note { reason: Reason::TooManyMissedTimes, text });
        }
        if let (Some(run), Some(last)) = (&self.run_now, &view.status.last_run_now)
            && let Some(done) = run.done.as_ref().filter(|_| run.token == last.token)
        {
            plan.notes.push(done.note.clone());
            self.run_now = None;
        }
    }

    /// Tells of an error once.
    pub(super) fn told(&mut self, reason: Reason, error: Option<&String>, notes: &mut Vec<Note>) {
        if self.told_invalid.as_ref() != error {
            self.told_invalid = error.cloned();
            notes.extend(error.map(|text| Note { reason, text: text.clone() }));
        }
    }
}
