//! The status as it should be.

use super::handled::{configuration, enter, handled, known, last_order, written};
use super::memory::{Backoff, Memory, Note, Scheduling};
use super::periods::next_start;
use super::starting::LEFT_TO_OTHERS;
use super::{Plan, View, conditions};
use crate::crd::{ActiveJob, Claim, HandledPeriod, KronJobStatus, RunNow, Time};
use crate::events::Reason;
use crate::names::job_name;
use crate::object::{JobView, KronJob};

/// How many seconds before a start its claim becomes urgent.
const CLAIM_AHEAD: i64 = 5;
/// Over how many seconds before that the claims of starts in one second are spread.
const CLAIMS_SPREAD: u64 = 55;

/// The status as it should be, given what is written.
pub(super) fn wanted(view: View<'_>, memory: &mut Memory) -> KronJobStatus {
    let mut status = observed(view.kronjob, view.status, view.own_jobs());
    scheduled(view, memory, &mut status);
    status.conditions = conditions::wanted(view.kronjob, view.status, view.jobs, memory, view.now);
    status
}

/// The status as it should be while the spec cannot be read.
pub(super) fn of_invalid(
    kronjob: &KronJob,
    written: &KronJobStatus,
    jobs: &[&JobView],
    memory: &Memory,
    now: i64,
) -> KronJobStatus {
    let own = jobs.iter().copied();
    let own = own.filter(|job| *job.owner == *kronjob.uid && *job.namespace == *kronjob.key.namespace);
    let mut status = observed(kronjob, written, own);
    status.conditions = conditions::wanted(kronjob, written, jobs, memory, now);
    status
}

/// What is written, with what the Jobs say. What follows from the spec is absent.
fn observed<'j>(
    kronjob: &KronJob,
    written: &KronJobStatus,
    jobs: impl Iterator<Item = &'j JobView>,
) -> KronJobStatus {
    let mut status = KronJobStatus {
        observed_generation: Some(kronjob.generation),
        active: Vec::new(),
        next_period_id: None,
        next_nominal_time: None,
        next_chosen_time: None,
        claim: None,
        ..written.clone()
    };
    for job in jobs {
        match job.finished {
            None => status.active.push(active_job(job)),
            Some(finished) if finished.successfully => {
                status.last_successful_time = status.last_successful_time.max(Some(finished.time));
            }
            Some(_) => {}
        }
    }
    status.active.sort_by(|a, b| a.name.cmp(&b.name));
    status
}

/// Whether nothing needs to be written: what is wanted is written, but for entries that are not needed any more. Those go
/// with the next write.
pub(super) fn says_the_same(written: &KronJobStatus, wanted: &KronJobStatus) -> bool {
    let superfluous = wanted.periods.iter().all(|entry| written.periods.contains(entry));
    wanted == written
        || superfluous && *wanted == KronJobStatus { periods: wanted.periods.clone(), ..written.clone() }
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

/// What Events say of the Jobs that are not active any more.
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

/// What a valid spec says: configuration, last and next periods, the claim, the handled periods.
fn scheduled(view: View<'_>, memory: &mut Memory, status: &mut KronJobStatus) {
    status.configuration = Some(configuration(view, memory));
    let handled = handled(view, memory);
    let mut outcomes = known(view.status);
    record(view, memory, status, &mut outcomes);
    if let Some(run) = &memory.run_now
        && let Some(done) = &run.done
    {
        status.last_run_now =
            Some(RunNow { token: run.token.clone(), job_name: done.job_name.clone(), outcome: done.outcome });
    }
    let next = next_start(view, memory, &handled);
    enter(handled, &outcomes, view.now, status);
    let Some((period, chosen)) = next else { return };
    status.next_period_id = Some(period);
    status.next_nominal_time = Some(period);
    status.next_chosen_time = Some(chosen);
    status.claim = claim(view, memory, period, chosen);
}

/// Enters the outcomes that wait to be written.
fn record(
    view: View<'_>,
    memory: &Memory,
    status: &mut KronJobStatus,
    outcomes: &mut std::collections::BTreeMap<Time, HandledPeriod>,
) {
    let mut last = last_order(&view.spec.job, view.status).zip(view.status.last_period_id);
    for settled in &memory.settled {
        let (period_id, outcome, job_name) = (settled.period, settled.outcome, settled.job_name.clone());
        outcomes
            .insert(period_id, HandledPeriod { period_id, outcome, chosen_time: settled.chosen, job_name });
        if last.is_none_or(|last| (settled.order, settled.period) > last) {
            last = Some((settled.order, settled.period));
            status.last_period_id = Some(settled.period);
            status.last_nominal_time = Some(settled.period);
            status.last_chosen_time = settled.chosen;
            status.last_outcome = Some(settled.outcome);
        }
    }
}

/// How many seconds before its start a KronJob replaces the claim of another process: the same for a KronJob each time, and
/// spread over a minute for all of them.
fn claim_ahead(kronjob: &KronJob) -> i64 {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&kronjob.uid);
    CLAIM_AHEAD + (hash % (CLAIMS_SPREAD + 1)) as i64
}

/// The claim that the status should have for the next start.
fn claim(view: View<'_>, memory: &Memory, period: Time, chosen: Time) -> Option<Claim> {
    let verdict = memory.verdicts.iter().find(|verdict| verdict.period == period);
    // One that may have been spent is only settled, never replaced.
    let spent = verdict.is_some_and(|verdict| verdict.attempt.first.is_some() || verdict.doomed.is_some());
    if view.suspended() && !spent {
        return None;
    }
    let same = view.status.claim.as_ref().filter(|claim| claim.period_id == period);
    if let Some(claim) = same {
        let ours = *claim.holder == *memory.holder;
        let doomed = verdict.is_some_and(|verdict| verdict.doomed.is_some());
        // There is time: its holder is gone, or this process has to confirm it after a pause.
        let far = view.now < chosen.0.saturating_sub(claim_ahead(view.kronjob));
        // Another operator is alive, and has taken it from this one.
        let taken = !ours && memory.claim_sent == Some(period);
        let left = far || taken && view.now < chosen.0.saturating_add(LEFT_TO_OTHERS);
        if doomed || left || memory.holds(view, period) {
            return Some(claim.clone());
        }
    }
    Some(Claim {
        period_id: period,
        job_name: job_name(&view.kronjob.key.name, period),
        time: Time(view.now),
        holder: memory.holder.to_string(),
        ttl_seconds: view.effective_ttl(memory),
    })
}

impl Memory {
    /// Whether the status has a claim of this process that its write has not confirmed.
    fn unconfirmed(&self, wanted: &KronJobStatus) -> bool {
        let claim = wanted.claim.as_ref().filter(|claim| *claim.holder == *self.holder);
        claim.is_some_and(|claim| self.claim_confirmed != Some(claim.period_id))
    }

    /// Whether a start waits for this status to be written: its period is due, or nearly, and not claimed.
    pub(super) fn waits_for_claim(&self, wanted: &KronJobStatus, now: i64) -> bool {
        let near = wanted.next_chosen_time.is_some_and(|chosen| chosen.0 <= now.saturating_add(CLAIM_AHEAD));
        near && self.unconfirmed(wanted)
    }

    /// The back-off of the next write of the status.
    pub(super) fn write_backoff(&self, urgent: bool) -> Backoff {
        if urgent { self.urgent_write } else { self.write }
    }

    /// The next second at which there is something to be done about the claim.
    pub(super) fn claim_due(&self, kronjob: &KronJob, wanted: &KronJobStatus, now: i64) -> Option<i64> {
        let claim = wanted.claim.as_ref()?;
        let chosen = wanted.next_chosen_time?.0;
        let confirmed = *claim.holder == *self.holder && self.claim_confirmed == Some(claim.period_id);
        let urgent = chosen.saturating_sub(CLAIM_AHEAD);
        let replaced = chosen.saturating_sub(claim_ahead(kronjob));
        let left = chosen.saturating_add(LEFT_TO_OTHERS);
        [replaced, urgent, left].into_iter().filter(|second| !confirmed && *second > now).min()
    }

    /// Forgets what the status shows by now, and reports it; forgets what another process settled otherwise.
    pub(super) fn confirm(&mut self, view: View<'_>, plan: &mut Plan) {
        let written = written(view, self);
        let outcomes = known(view.status);
        self.settled.retain(|settled| {
            let entry = outcomes.get(&settled.period);
            // Of several outcomes of one write the status may name only the last.
            let same = match entry {
                Some(entry) => entry.outcome == settled.outcome,
                None => settled.sent && written.contains(settled.period.0),
            };
            if same {
                plan.outcomes.push(settled.outcome);
                plan.notes.push(settled.note.clone());
            }
            entry.is_none() && !written.contains(settled.period.0)
        });
        self.verdicts.retain(|verdict| verdict.doomed.is_some() || !written.contains(verdict.period.0));
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

    /// Reports an error in spec or status once.
    pub(super) fn report(&mut self, reason: Reason, error: Option<&String>, notes: &mut Vec<Note>) {
        if self.reported_error.as_ref() != error {
            self.reported_error = error.cloned();
            notes.extend(error.map(|text| Note { reason, text: text.clone() }));
        }
    }

    /// Says in a condition and in an Event that another operator works on this KronJob: it took a claim of this process,
    /// which is still the leader.
    pub(super) fn notice_other_operator(&mut self, view: View<'_>) {
        let Some(claim) = &view.status.claim else { return };
        let period = claim.period_id;
        if *claim.holder == *self.holder || self.claim_sent != Some(period) || self.taken == Some(period) {
            return;
        }
        self.taken = Some(period);
        let reason = Reason::ClaimedByAnother;
        // Both operators write the same condition, so neither corrects the other.
        let message = "two operators work on this KronJob; stop one of them, or let them share a Lease";
        self.scheduling = Some(Scheduling::Failed(reason.as_str(), message.to_string()));
        let text = format!("{message} (the other one is {})", claim.holder);
        self.notes.push(Note { reason, text });
    }

    /// Says in a condition that the status had times in the future.
    pub(super) fn report_future_status(&mut self, found: bool) {
        if found {
            let message = "the status had times in the future; they were set back to the present";
            self.scheduling = Some(Scheduling::Failed("FutureStatus", message.to_string()));
        }
    }
}
