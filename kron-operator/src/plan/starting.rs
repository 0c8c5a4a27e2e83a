//! From verdicts to Jobs: claim, look what is active, create; one period after the other, in the order of their starts.

use kron_core::{Action as CoreAction, Concurrency};

use super::memory::{Active, Attempt, Memory, Note, Settled, Verdict};
use super::{Action, Plan, View};
use crate::crd::Outcome;
use crate::events::Reason;
use crate::names::job_name;
use crate::object::Spec;
use crate::template::{Purpose, job};

/// How long a create that fails for a passing reason is tried again at least, in seconds after the chosen second.
const TRIED: i64 = 10;

/// What stands between a verdict and its create.
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
    while let Some(verdict) = memory.verdicts.first().cloned() {
        if verdict.attempt.under_way {
            return;
        }
        let purpose = Purpose::Period { period: verdict.period, chosen: verdict.chosen };
        let name = job_name(&view.kronjob.key.name, verdict.period);
        if let Some(note) = hopeless(view, &verdict, &name) {
            if (verdict.attempt.uncertain || verdict.recovered) && !verdict.attempt.looked {
                if waits(view, &verdict.attempt, plan) {
                    return;
                }
                plan.actions.push(Action::Look { purpose, name });
                return;
            }
            memory.settle(&verdict, Outcome::Missed, None, note);
            continue;
        }
        // Then it is missed, whatever it waits for.
        plan.wake_at(Some(limit(view, &verdict).saturating_add(1).saturating_mul(1000)));
        let claim = view.status.claim.as_ref().map(|claim| claim.period_id);
        if claim != Some(verdict.period) || memory.holds != Some(verdict.period) {
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
                    "skipped period {}: an earlier Job is active, and the policy is {}",
                    verdict.period,
                    view.spec.job.spec().policy().concurrency()
                );
                memory.read = None;
                memory.settle(&verdict, outcome, None, Note { reason: Reason::JobAlreadyActive, text });
            }
            Gate::Open => {
                let body = job(view.kronjob, view.spec, &purpose, &name);
                plan.actions.push(Action::Create { purpose, name, body });
                return;
            }
        }
    }
}

/// Whether the next request for this attempt has to wait; then the plan wakes up for it.
pub(super) fn waits(view: View<'_>, attempt: &Attempt, plan: &mut Plan) -> bool {
    let waits = attempt.retry_at > view.millis;
    if waits {
        plan.wake_at(Some(attempt.retry_at));
    }
    waits
}

/// The last second in which a create is tried.
fn limit(view: View<'_>, verdict: &Verdict) -> i64 {
    verdict.chosen.0.saturating_add(patience(view.spec))
}

/// How many seconds after its time a create is tried.
pub(super) fn patience(spec: &Spec) -> i64 {
    spec.job.spec().policy().deadline().as_secs().max(TRIED)
}

/// Why a period cannot be started any more, if so.
fn hopeless(view: View<'_>, verdict: &Verdict, name: &str) -> Option<Note> {
    let Verdict { period, chosen, attempt, doomed, .. } = verdict;
    if doomed.is_some() {
        return doomed.clone();
    }
    // A Job that a first request made may have run, and its TTL may have removed it: another one would be the second.
    let made = attempt.first.filter(|_| attempt.uncertain).or(verdict.recovered.then_some(chosen.0));
    if let (Some(made), Some(ttl)) = (made, view.spec.ttl)
        && view.now >= made.saturating_add(ttl)
    {
        let text = format!(
            "missed period {period}: Job {name} may have been created before and removed {ttl} s after it finished, so it is \
             not created again"
        );
        return Some(Note { reason: Reason::ClaimLost, text });
    }
    if view.now <= limit(view, verdict) {
        return None;
    }
    let tried = patience(view.spec);
    let text = if attempt.error.is_empty() {
        format!(
            "missed period {period}: Job {name} could not be created within {tried} s of its start at {chosen}"
        )
    } else {
        let (failures, error) = (attempt.failures, &attempt.error);
        format!(
            "missed period {period}: Job {name} could not be created in {failures} attempts within {tried} s: {error}"
        )
    };
    Some(Note { reason: Reason::FailedCreate, text })
}

/// Asks the policy, on what the server itself says is active.
pub(super) fn gate(view: View<'_>, memory: &mut Memory, plan: &mut Plan, name: &str) -> Gate {
    let policy = view.spec.job.spec().policy();
    if policy.concurrency() == Concurrency::Allow {
        return Gate::Open;
    }
    let Some(read) = memory.read.as_ref().filter(|read| read.before == name) else {
        plan.actions.push(Action::Read);
        return Gate::Wait;
    };
    let others: Vec<&Active> = read.active.iter().filter(|active| &*active.job.name != name).collect();
    match policy.admit(!others.is_empty()) {
        CoreAction::Record(outcome) => Gate::Closed(outcome.into()),
        CoreAction::Replace => {
            let Some(active) = others.iter().find(|active| !active.ending && !active.job.deleting) else {
                return Gate::Open;
            };
            let (name, uid) = (active.job.name.to_string(), active.job.uid.to_string());
            plan.actions.push(Action::Stop { name, uid });
            Gate::Wait
        }
        _ => Gate::Open,
    }
}

impl Memory {
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
