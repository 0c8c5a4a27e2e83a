//! What to do with a KronJob now: all of the operator's logic, and nothing that waits, asks a clock or talks to a server.
//!
//! [`plan`] looks at a KronJob, its Jobs, what this process knows beyond them ([`Memory`]) and the time, and says which
//! requests to make, what the status should be, and when to look again. Whoever makes the requests tells the memory what
//! came back ([`answers`]) and plans anew. Every decision about a period is made by `kron-core`.

pub mod answers;
mod cleaning;
mod conditions;
mod handled;
mod memory;
mod periods;
mod run_now;
mod starting;
mod status;
mod template;

#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::crd::{KronJobStatus, Outcome};
use crate::object::{JobView, KronJob, Spec};
use crate::template::Purpose;

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
    /// Milliseconds of Unix time at which to plan anew if nothing happens before.
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
    /// Read the Jobs of this KronJob from the server itself, not from a cache.
    Read,
    /// Delete an active Job that is to be replaced.
    Stop {
        /// Its name.
        name: String,
        /// Its UID, which the deletion names as its condition.
        uid: String,
    },
    /// Create a Job.
    Create {
        /// What for.
        purpose: Purpose,
        /// Its name.
        name: String,
        /// The Job.
        body: Value,
    },
    /// Ask for one Job by its name.
    Look {
        /// What it was made for.
        purpose: Purpose,
        /// Its name.
        name: String,
    },
    /// Write the status, provided nobody else wrote since.
    Write {
        /// The whole status.
        status: Box<KronJobStatus>,
        /// Whether a start waits for it.
        urgent: bool,
    },
    /// Delete a finished Job that is beyond the history limits.
    Clean {
        /// Its name.
        name: String,
        /// Its UID, which the deletion names as its condition.
        uid: String,
    },
    /// Send a Job of this template as a dry run.
    Verify {
        /// The generation that has the template.
        generation: i64,
        /// The Job.
        body: Value,
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
            Action::Read | Action::Stop { .. } | Action::Create { .. } | Action::Look { .. } => Lane::Start,
            Action::Write { .. } => Lane::Settle,
            Action::Clean { .. } | Action::Verify { .. } => Lane::Tidy,
        }
    }

    /// The lane in whose turn it is made: a start does not wait behind the settling of others.
    pub const fn urgency(&self) -> Lane {
        match self {
            Action::Write { urgent: true, .. } => Lane::Start,
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
    /// The Jobs that this KronJob controls.
    fn own_jobs(&self) -> impl Iterator<Item = &'a JobView> + use<'a> {
        let uid = self.kronjob.uid.as_str();
        self.jobs.iter().copied().filter(move |job| &*job.owner == uid)
    }

    fn suspended(&self) -> bool {
        self.spec.job.spec().policy().suspend()
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
    let millis = now.timestamp_millis();
    let Ok(status) = &kronjob.status else {
        // Whatever it says, nothing is started on a guess; and only the operator could have written it.
        memory.told(crate::events::Reason::FailedGet, kronjob.status.as_ref().err(), &mut plan.notes);
        return plan;
    };
    match &kronjob.spec {
        Err(error) => {
            memory.forget_unsent(true);
            memory.told(error.event_reason(), Some(&error.message), &mut plan.notes);
        }
        Ok(spec) => {
            memory.told_invalid = None;
            let now = now.timestamp();
            let view = View { kronjob, spec, status, jobs, millis, now };
            let evaluated = evaluate(kronjob, jobs, memory, now);
            plan.wake_at(evaluated.map(|second| second.saturating_mul(1000)));
            memory.confirm(view, &mut plan);
            starting::plan(view, memory, &mut plan);
            run_now::plan(view, memory, &mut plan);
            template::plan(view, memory, &mut plan);
        }
    }
    let wanted = status::wanted(kronjob, status, jobs, memory, now.timestamp());
    let urgent = memory.waits_for_claim(&wanted, now.timestamp());
    // A claim whose write was not answered stands there already; it is written again to know that it does.
    if wanted == *status && !urgent {
        if let Ok(spec) = &kronjob.spec {
            let view = View { kronjob, spec, status, jobs, millis, now: now.timestamp() };
            cleaning::plan(view, memory, &mut plan);
        }
    } else if memory.write_not_before(urgent) > millis {
        plan.wake_at(Some(memory.write_not_before(urgent)));
        plan.wake_at(
            memory.becomes_urgent(&wanted, now.timestamp()).map(|second| second.saturating_mul(1000)),
        );
    } else {
        memory.ended = status::ended(status, &wanted, jobs);
        plan.actions.push(Action::Write { status: Box::new(wanted.clone()), urgent });
    }
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
