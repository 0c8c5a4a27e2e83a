//! What to do with a KronJob now: all of the operator's logic, and nothing that waits, asks a clock or talks to a server.
//!
//! [`plan`] looks at a KronJob, its Jobs, what this process knows beyond them ([`Memory`]) and the time, and says which
//! requests to make, what the status should be, and when to look again. The engine makes the requests, enters the answers
//! into the memory ([`answers`]) and plans again. Every decision about a period is made by `kron-core`.

pub mod answers;
mod conditions;
mod handled;
mod history;
mod memory;
mod periods;
mod run_now;
mod starting;
mod status;
mod template;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use chrono::{DateTime, Utc};

use crate::crd::{KronJobStatus, Outcome, Time};
use crate::object::{JobView, KronJob, Spec};
use crate::template::Purpose;

use handled::believable;
pub use memory::{Memory, Note};
pub use periods::evaluate;

/// What is to be done for a KronJob now.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Requests, the most urgent first. Those of different lanes may be made at once, those of one lane one by one, with a
    /// new plan after each answer.
    pub actions: Vec<Action>,
    /// The status as it should be; absent if it cannot be said.
    pub status: Option<KronJobStatus>,
    /// Milliseconds of Unix time at which to plan again if nothing happens before.
    pub wake_up: Option<i64>,
    /// Events to send.
    pub notes: Vec<Note>,
    /// Outcomes that the status shows from now on.
    pub outcomes: Vec<Outcome>,
    /// Missed periods that are counted from now on, and not named one by one.
    pub older_missed: u64,
}

/// A request to the API server.
#[derive(Clone, Debug)]
pub enum Action {
    /// List the Jobs of this KronJob at the server itself, not in a cache.
    List,
    /// Get a Job that the cache shows as active from the server itself.
    GetActive {
        /// Its name.
        name: String,
        /// Its UID.
        uid: String,
    },
    /// Delete an active Job that is to be replaced.
    DeleteActive {
        /// Its name.
        name: String,
        /// Its UID, which the deletion names as its condition.
        uid: String,
    },
    /// Create a Job of the template.
    Create {
        /// What for.
        purpose: Purpose,
        /// Its name.
        name: String,
    },
    /// Get the Job that may have been created by a request without an answer.
    GetCreated {
        /// What it was made for.
        purpose: Purpose,
        /// Its name.
        name: String,
    },
    /// Update the status, provided nobody else wrote since.
    UpdateStatus {
        /// The whole status.
        status: Box<KronJobStatus>,
        /// Whether a start waits for it.
        urgent: bool,
    },
    /// Delete a finished Job that is beyond the history limits.
    DeleteFinished {
        /// Its name.
        name: String,
        /// Its UID, which the deletion names as its condition.
        uid: String,
    },
    /// Send a Job of the template as a dry run.
    DryRun {
        /// The generation that has the template.
        generation: i64,
        /// What the Job would be for.
        purpose: Purpose,
        /// Its name.
        name: String,
    },
}

/// Which requests of one KronJob wait for each other: those of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// What leads to a start.
    Start,
    /// What is written down.
    Settle,
    /// What can wait.
    Tidy,
}

impl Lane {
    /// All lanes, the most urgent first.
    pub const ALL: [Lane; 3] = [Lane::Start, Lane::Settle, Lane::Tidy];

    /// The name, for metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Lane::Start => "start",
            Lane::Settle => "settle",
            Lane::Tidy => "tidy",
        }
    }
}

impl Action {
    /// The lane that this action belongs to: writes of the status wait for each other, urgent or not.
    pub const fn lane(&self) -> Lane {
        match self {
            Action::List
            | Action::GetActive { .. }
            | Action::DeleteActive { .. }
            | Action::Create { .. }
            | Action::GetCreated { .. } => Lane::Start,
            Action::UpdateStatus { .. } => Lane::Settle,
            Action::DeleteFinished { .. } | Action::DryRun { .. } => Lane::Tidy,
        }
    }

    /// The lane in whose turn it is made: a start does not wait behind the settling of others.
    pub const fn urgency(&self) -> Lane {
        match self {
            Action::UpdateStatus { urgent: true, .. } => Lane::Start,
            _ => self.lane(),
        }
    }
}

/// A KronJob whose spec and status can be read, with its Jobs and the time.
#[derive(Clone, Copy)]
struct View<'a> {
    kronjob: &'a KronJob,
    spec: &'a Spec,
    status: &'a KronJobStatus,
    jobs: &'a [&'a JobView],
    /// Unix time in milliseconds, and in seconds rounded down.
    millis: i64,
    now: i64,
}

impl<'a> View<'a> {
    /// The Jobs that this KronJob controls. Whatever its owner reference says, a Job of another namespace is none of them.
    fn own_jobs(&self) -> impl Iterator<Item = &'a JobView> + use<'a> {
        let (uid, namespace) = (self.kronjob.uid.as_str(), &*self.kronjob.key.namespace);
        self.jobs.iter().copied().filter(move |job| &*job.owner == uid && &*job.namespace == namespace)
    }

    fn suspended(&self) -> bool {
        self.spec.job.spec().policy().suspend()
    }

    /// The chosen time of a period that the status claims, as it was when it was claimed.
    fn claimed_chosen(&self, period: Time) -> Option<Time> {
        self.status.claim.as_ref().filter(|claim| claim.period_id == period)?;
        if self.status.next_period_id == Some(period) {
            return self.status.next_chosen_time;
        }
        self.spec.job.decide(period.0).ok()?.chosen_timestamp().map(Time)
    }

    /// How many seconds after it has finished a Job of that period may be removed: the least of what the claim, the server
    /// and the template say.
    fn ttl(&self, memory: &Memory, period: Time) -> Option<i64> {
        let claim = self.status.claim.as_ref().filter(|claim| claim.period_id == period);
        let claimed = claim.and_then(|claim| claim.ttl_seconds);
        claimed.into_iter().chain(self.effective_ttl(memory)).chain(self.spec.ttl).min()
    }

    /// The same for Jobs that are created now, as the server answered last.
    fn effective_ttl(&self, memory: &Memory) -> Option<i64> {
        let answered = memory.template.generation == self.kronjob.generation;
        memory.template.ttl.filter(|_| answered).or(self.spec.ttl)
    }
}

/// Plans what to do for a KronJob, given the Jobs that may be its, and the time.
///
/// Periods whose time has come are decided here at the latest; the timers decide them before by [`evaluate`].
pub fn plan(kronjob: &KronJob, jobs: &[&JobView], memory: &mut Memory, now: DateTime<Utc>) -> Plan {
    let mut plan = Plan::default();
    if kronjob.deleting {
        return plan;
    }
    let (millis, now) = (now.timestamp_millis(), now.timestamp());
    let Ok(written) = &kronjob.status else {
        // Whatever it says, nothing is started on a guess; and only the operator could have written it.
        memory.report(crate::events::Reason::FailedGet, kronjob.status.as_ref().err(), &mut plan.notes);
        return plan;
    };
    let wanted = match &kronjob.spec {
        Err(error) => {
            memory.forget_unsent();
            memory.report(error.event_reason(), Some(&error.message), &mut plan.notes);
            status::of_invalid(kronjob, written, jobs, memory, now)
        }
        Ok(spec) => {
            memory.reported_error = None;
            let status = believable(&spec.job, written, now);
            memory.report_future_status(matches!(status, Cow::Owned(_)));
            let view = View { kronjob, spec, status: &status, jobs, millis, now };
            let evaluated = evaluate(kronjob, jobs, memory, now);
            plan.wake_at(evaluated.map(|second| second.saturating_mul(1000)));
            memory.confirm(view, &mut plan);
            memory.notice_other_operator(view);
            starting::plan(view, memory, &mut plan);
            run_now::plan(view, memory, &mut plan);
            template::plan(view, memory, &mut plan);
            status::wanted(view, memory)
        }
    };
    let urgent = memory.waits_for_claim(&wanted, now);
    // A claim whose write was not answered may be there already; it is written again to know that it is.
    if status::says_the_same(written, &wanted) && !urgent {
        if let Ok(spec) = &kronjob.spec {
            let view = View { kronjob, spec, status: written, jobs, millis, now };
            history::plan(view, memory, &mut plan);
        }
    } else if let Some(until) = memory.write_backoff(urgent).waits(millis) {
        plan.wake_at(Some(until));
    } else {
        memory.ended = status::ended(written, &wanted, jobs);
        plan.actions.push(Action::UpdateStatus { status: Box::new(wanted.clone()), urgent });
    }
    plan.wake_at(memory.claim_due(kronjob, &wanted, now).map(|second| second.saturating_mul(1000)));
    plan.status = Some(wanted);
    plan.notes.append(&mut memory.notes);
    plan.actions.sort_by_key(Action::urgency);
    plan
}

impl Plan {
    /// Wakes up at that millisecond, if not before.
    fn wake_at(&mut self, millis: Option<i64>) {
        self.wake_up = self.wake_up.into_iter().chain(millis).min();
    }
}
