//! From verdicts to Jobs: claim, check what is active, create; one period after the other, in the order of their starts.

use kron_core::{Action as CoreAction, Concurrency};

use super::memory::{Attempt, Checked, CheckedJob, JobState, Memory, Note, Settled, Verdict};
use super::{Action, Plan, View};
use crate::crd::{Outcome, Time};
use crate::events::Reason;
use crate::names::job_name;
use crate::object::Spec;
use crate::template::Purpose;

/// How many seconds a create that fails for a passing reason is tried again at least.
const RETRIED: i64 = 10;
/// How many seconds a start waits in the operator's own queue at most.
const QUEUED: i64 = 300;
/// How many seconds after its chosen time a start whose claim another operator took is left to that operator.
pub(super) const LEFT_TO_OTHERS: i64 = 10;

/// What is between a verdict and its create.
pub(super) enum Gate {
    /// Nothing.
    Open,
    /// A request, or its answer.
    Wait,
    /// The policy does not want it.
    Closed(Outcome),
}

/// Plans the next step towards the earliest start that is due.
pub(super) fn plan(view: View<'_>, memory: &mut Memory, plan: &mut Plan) {
    while let Some(verdict) = memory.verdicts.first_mut() {
        if verdict.attempt.under_way {
            return;
        }
        let period = verdict.period;
        // Who sees another holder in the claim holds nothing.
        let claim = view.status.claim.as_ref().filter(|claim| claim.period_id == period);
        let foreign = claim.is_some_and(|claim| *claim.holder != *memory.holder);
        verdict.recovered |= foreign;
        let verdict = verdict.clone();
        let purpose = Purpose::Period { period, chosen: verdict.chosen };
        let name = job_name(&view.kronjob.key.name, period);
        if let Some(note) = over(view, memory, &verdict, &name) {
            if (verdict.attempt.uncertain || verdict.recovered) && !verdict.attempt.looked {
                let left = verdict.chosen.0.saturating_add(LEFT_TO_OTHERS);
                if foreign && view.now < left {
                    // Its holder may be creating the Job at this moment.
                    plan.wake_at(Some(left.saturating_mul(1000)));
                    return;
                }
                if waits(view, &verdict.attempt, plan) {
                    return;
                }
                plan.actions.push(Action::GetCreated { purpose, name });
                return;
            }
            memory.settle(&verdict, Outcome::Missed, None, note);
            continue;
        }
        // Then it is missed, whatever it waits for.
        let limit = limit(view.spec, verdict.decided, &verdict.attempt);
        plan.wake_at(Some(limit.saturating_add(1).saturating_mul(1000)));
        if !memory.holds(view, period) {
            // The wanted status has the claim; its write is urgent.
            return;
        }
        if waits(view, &verdict.attempt, plan) {
            return;
        }
        match gate(view, memory, plan, &name) {
            Gate::Wait => return,
            Gate::Closed(outcome) => {
                let text = format!(
                    "skipped period {period}: an earlier Job is active, and the policy is {}",
                    view.spec.job.spec().policy().concurrency()
                );
                memory.checked = None;
                memory.settle(&verdict, outcome, None, Note { reason: Reason::JobAlreadyActive, text });
            }
            Gate::Open => {
                plan.actions.push(Action::Create { purpose, name });
                return;
            }
        }
    }
}

/// Whether the next request for this attempt has to wait; then the plan wakes up for it.
pub(super) fn waits(view: View<'_>, attempt: &Attempt, plan: &mut Plan) -> bool {
    let until = attempt.backoff.waits(view.millis);
    plan.wake_at(until);
    until.is_some()
}

/// The last second in which a create is tried. Waiting in the queue is no failure: as long as no request has failed, a
/// start is given up only after minutes.
pub(super) fn limit(spec: &Spec, decided: i64, attempt: &Attempt) -> i64 {
    match attempt.first_failure {
        Some(failed) => failed.saturating_add(patience(spec)),
        None => decided.saturating_add(QUEUED),
    }
}

/// How many seconds after its first failure a create is tried.
pub(super) fn patience(spec: &Spec) -> i64 {
    spec.job.spec().policy().deadline().as_secs().max(RETRIED)
}

/// Why no more request is made, for a start that has reached its [`limit`].
pub(super) fn given_up(spec: &Spec, name: &str, attempt: &Attempt) -> String {
    let (failures, error) = (attempt.backoff.failures, &attempt.error);
    match attempt.first_failure {
        None => format!("its turn to create Job {name} did not come within {QUEUED} s"),
        Some(_) => {
            let tried = patience(spec);
            format!("Job {name} could not be created in {failures} attempts within {tried} s: {error}")
        }
    }
}

/// Why a period cannot be started any more, if so.
fn over(view: View<'_>, memory: &Memory, verdict: &Verdict, name: &str) -> Option<Note> {
    let Verdict { period, chosen, attempt, doomed, .. } = verdict;
    if doomed.is_some() {
        return doomed.clone();
    }
    // A Job that a first request made may have run, and its TTL may have removed it: another one would be the second.
    let made = attempt.first.filter(|_| attempt.uncertain).or(verdict.recovered.then_some(chosen.0));
    if let (Some(made), Some(ttl)) = (made, view.ttl(memory, *period))
        && view.now >= made.saturating_add(ttl)
    {
        let text = format!(
            "missed period {period}: Job {name} may have been created before and removed {ttl} s after it finished, so it is \
             not created again"
        );
        return Some(Note { reason: Reason::ClaimLost, text });
    }
    if view.now <= limit(view.spec, verdict.decided, attempt) {
        return None;
    }
    let text = format!("missed period {period}: {}", given_up(view.spec, name, attempt));
    Some(Note { reason: Reason::FailedCreate, text })
}

/// Asks the policy. What the cache shows as active is checked at the server; where it shows nothing, the claim, which was
/// written on the newest status, is proof enough, but for the first start of a term.
pub(super) fn gate(view: View<'_>, memory: &mut Memory, plan: &mut Plan, name: &str) -> Gate {
    let policy = view.spec.job.spec().policy();
    if policy.concurrency() == Concurrency::Allow {
        return Gate::Open;
    }
    let checked = memory.checked.as_ref().filter(|checked| checked.before == name);
    if checked.is_none_or(|checked| !checked.complete) && !memory.listed {
        plan.actions.push(Action::List);
        return Gate::Wait;
    }
    let known = checked.map_or(&[][..], |checked| &checked.jobs);
    if checked.is_none_or(|checked| !checked.complete) {
        let others = view.own_jobs().filter(|job| job.is_active() && &*job.name != name);
        let unknown =
            others.filter(|job| known.iter().all(|known| known.uid != job.uid)).min_by_key(|job| &job.name);
        // One active Job is enough to skip a start.
        let enough = policy.concurrency() == Concurrency::Forbid
            && known.iter().any(|job| matches!(job.state, JobState::Active | JobState::Ending));
        if let Some(job) = unknown.filter(|_| !enough) {
            let (name, uid) = (job.name.to_string(), job.uid.to_string());
            plan.actions.push(Action::GetActive { name, uid });
            return Gate::Wait;
        }
    }
    let others: Vec<&CheckedJob> =
        known.iter().filter(|job| job.state != JobState::Over && &*job.name != name).collect();
    match policy.admit(!others.is_empty()) {
        CoreAction::Record(outcome) => Gate::Closed(outcome.into()),
        CoreAction::Replace => {
            let Some(active) = others.iter().find(|job| job.state == JobState::Active) else {
                return Gate::Open;
            };
            let (name, uid) = (active.name.to_string(), active.uid.to_string());
            plan.actions.push(Action::DeleteActive { name, uid });
            Gate::Wait
        }
        _ => Gate::Open,
    }
}

impl Memory {
    /// Whether this process holds the claim of a period: the status names it, and its write was answered.
    pub(super) fn holds(&self, view: View<'_>, period: Time) -> bool {
        let claim = view.status.claim.as_ref();
        claim.is_some_and(|claim| claim.period_id == period && *claim.holder == *self.holder)
            && self.claim_confirmed == Some(period)
    }

    /// The check of the Jobs before one is created.
    pub(super) fn check(&mut self, before: String) -> &mut Checked {
        let known = self.checked.take().filter(|checked| checked.before == before);
        self.checked.insert(known.unwrap_or(Checked { before, complete: false, jobs: Vec::new() }))
    }

    /// The verdict has its outcome.
    pub(super) fn settle(
        &mut self,
        verdict: &Verdict,
        outcome: Outcome,
        job_name: Option<String>,
        note: Note,
    ) {
        self.verdicts.retain(|other| other.period != verdict.period);
        let (period, chosen) = (verdict.period, Some(verdict.chosen));
        // The status may say already that it is handled, by a later period.
        let sent = verdict.doomed.is_some();
        self.settled.push(Settled { period, order: verdict.chosen.0, chosen, outcome, job_name, note, sent });
    }
}
