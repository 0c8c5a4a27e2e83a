//! The annotation `kron.io/run-now`: one Job for each token, beside the schedule.

use super::memory::{Attempt, Memory, Note, RunNowAttempt, RunNowDone};
use super::starting::{Gate, gate, given_up, limit, waits};
use super::{Action, Plan, View};
use crate::crd::Outcome;
use crate::events::Reason;
use crate::names::{RUN_NOW, is_label_value, run_now_job_name};
use crate::template::Purpose;

/// Plans the next step for the token, if there is one that is not spent. Periods go first.
pub(super) fn plan(view: View<'_>, memory: &mut Memory, plan: &mut Plan) {
    let spent = view.status.last_run_now.as_ref().map(|last| last.token.as_str());
    let token = view.kronjob.run_now.as_deref().filter(|token| !token.is_empty() && spent != Some(*token));
    let Some(token) = token else {
        memory.run_now = None;
        return;
    };
    if !is_label_value(token) {
        if memory.refused_token.as_deref() != Some(token) {
            memory.refused_token = Some(token.to_string());
            let text = format!(
                "annotation {RUN_NOW}: {token:?} is not a label value: write at most 63 letters, digits, `-`, `_` and `.`, \
                 with a letter or digit at both ends"
            );
            memory.notes.push(Note { reason: Reason::InvalidRunNow, text });
        }
        return;
    }
    // To replace a Job whose outcome is not written is to forget it, if this process dies.
    if view.suspended() || !memory.verdicts.is_empty() || !memory.settled.is_empty() {
        // Its time begins when its turn comes, unless a Job of it may be there already, or it had its turn.
        let waits = |run: &RunNowAttempt| {
            let attempt = &run.attempt;
            let failed = attempt.backoff.failures > 0 && !view.suspended();
            run.done.is_some() || attempt.under_way || attempt.uncertain || failed
        };
        memory.run_now = memory.run_now.take().filter(waits);
        return;
    }
    let mut attempt = match memory.run_now.take() {
        Some(attempt) if attempt.token == token => attempt,
        _ => {
            memory.checked = None;
            let attempt = Attempt::default();
            RunNowAttempt { token: token.to_string(), seen: view.now, attempt, done: None }
        }
    };
    if attempt.done.is_none() {
        step(view, memory, plan, &mut attempt);
    }
    memory.run_now = Some(attempt);
}

fn step(view: View<'_>, memory: &mut Memory, plan: &mut Plan, run: &mut RunNowAttempt) {
    let token = run.token.as_str();
    let name = run_now_job_name(&view.kronjob.key.name, token);
    if let Some(job) = view.own_jobs().find(|job| job.run_now.as_deref() == Some(token) && *job.name == *name)
    {
        run.done = Some(RunNowDone::executed(token, &job.name));
        return;
    }
    if run.attempt.under_way {
        return;
    }
    let purpose = Purpose::RunNow(token.to_string());
    let made = run.attempt.first.filter(|_| run.attempt.uncertain);
    if let (Some(made), Some(ttl)) = (made, view.effective_ttl(memory))
        && view.now >= made.saturating_add(ttl)
    {
        // As for periods: it may have run, and been removed.
        if !run.attempt.looked {
            if !waits(view, &run.attempt, plan) {
                plan.actions.push(Action::GetCreated { purpose, name });
            }
            return;
        }
        let text = format!(
            "run-now {token}: Job {name} may have been created before and removed {ttl} s after it finished, so it is not \
             created again"
        );
        let note = Note { reason: Reason::ClaimLost, text };
        run.done = Some(done(Outcome::Missed, None, note));
        return;
    }
    let last = limit(view.spec, run.seen, &run.attempt);
    if view.now > last {
        if run.attempt.uncertain && !run.attempt.looked {
            if !waits(view, &run.attempt, plan) {
                plan.actions.push(Action::GetCreated { purpose, name });
            }
            return;
        }
        let text = format!("run-now {token}: {}", given_up(view.spec, &name, &run.attempt));
        run.done = Some(RunNowDone {
            outcome: Outcome::Missed,
            job_name: None,
            note: Note { reason: Reason::FailedCreate, text },
        });
        return;
    }
    plan.wake_at(Some(last.saturating_add(1).saturating_mul(1000)));
    if waits(view, &run.attempt, plan) {
        return;
    }
    match gate(view, memory, plan, &name) {
        Gate::Wait => {}
        Gate::Closed(outcome) => {
            let text = format!("run-now {token}: skipped, a Job is active");
            memory.checked = None;
            let note = Note { reason: Reason::JobAlreadyActive, text };
            run.done = Some(RunNowDone { outcome, job_name: None, note });
        }
        Gate::Open => {
            plan.actions.push(Action::Create { purpose, name });
        }
    }
}

/// The token is spent, with this outcome.
pub(super) fn done(outcome: Outcome, job_name: Option<String>, note: Note) -> RunNowDone {
    RunNowDone { outcome, job_name, note }
}

impl RunNowDone {
    pub(super) fn executed(token: &str, job: &str) -> RunNowDone {
        let text = format!("run-now {token}: created Job {job}");
        RunNowDone {
            outcome: Outcome::Executed,
            job_name: Some(job.to_string()),
            note: Note { reason: Reason::SuccessfulCreate, text },
        }
    }
}
