//! What to do with a KronJob now: all that Kubernetes adds to the core's state machine, and nothing that waits, asks a clock
//! or talks to a server.
//!
//! [`Observed`] is what this process knows of a KronJob: it [looks](Observed::look) at the objects and
//! [observes](Observed::observe) what becomes of requests. [`plan`] reads it, and says which requests to make, what the
//! status should be, and when to look again. Every decision about a period or a start is made by `kron-core`.

mod conditions;
mod dry_run;
mod history;
mod messages;
mod objects;
mod observation;
mod observed;
mod primer;
mod record;
mod status;

#[cfg(test)]
mod tests;

use kron_host::{HostRequest, HostView};

use crate::crd::{KronJobStatus, Time};
use crate::new_job::Purpose;
use crate::planted::is_planted;

pub use messages::{Message, PeriodResult};
pub use objects::{Objects, View};
pub use observation::{Created, Observation, PrimerCreated};
pub use observed::{Failures, Observed, Reports};

/// What is to be done for a KronJob now.
#[derive(Clone, Debug, Default)]
pub struct KronJobPlan {
    /// Requests, the most urgent first. Those of different lanes may be made at once, those of one lane one by one, with a
    /// new plan after each answer.
    pub requests: Vec<Request>,
    /// The status as it should be; absent if it cannot be said.
    pub status: Option<KronJobStatus>,
    /// Milliseconds of Unix time at which to plan again if nothing happens before.
    pub wake_up: Option<i64>,
}

/// A request to the API server.
#[derive(Clone, Debug)]
pub enum Request {
    /// List the Jobs of this KronJob at the server itself, not in a cache.
    List,
    /// Get a Job that the cache shows as active from the server itself.
    Check {
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
    /// Send the same as a dry run, because a Job of this name may have been created before. If it is gone, nobody saw which
    /// TTL admission gave it; the answer shows which one it would have now.
    TryAgain {
        /// The generation that has the template.
        generation: i64,
        /// What the Job would be for.
        purpose: Purpose,
        /// Its name.
        name: String,
    },
    /// Get the Job that may have been created by a request without an answer.
    LookUp {
        /// What it was made for.
        purpose: Purpose,
        /// Its name.
        name: String,
    },
    /// Update the status, unless it has changed since it was read.
    UpdateStatus {
        /// The whole status.
        status: Box<KronJobStatus>,
        /// Whether a start waits for it.
        urgent: bool,
        /// Events of what it says.
        ended: Vec<Message>,
    },
    /// Delete a finished Job that is beyond the history limits.
    DeleteFinished {
        /// Its name.
        name: String,
        /// Its UID, which the deletion names as its condition.
        uid: String,
    },
    /// Create the primer of a period.
    CreatePrimer {
        /// The period.
        period: Time,
        /// Its name.
        name: String,
    },
    /// Delete a primer that is not needed any more.
    DeletePrimer {
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
    /// Updates of the status.
    Status,
    /// What can wait.
    Background,
}

impl Lane {
    /// All lanes, the most urgent first.
    pub const ALL: [Lane; 3] = [Lane::Start, Lane::Status, Lane::Background];

    /// The name, for metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Lane::Start => "start",
            Lane::Status => "status",
            Lane::Background => "background",
        }
    }
}

impl Request {
    /// The lane that this request belongs to: writes of the status wait for each other, urgent or not.
    pub const fn lane(&self) -> Lane {
        match self {
            Request::List
            | Request::Check { .. }
            | Request::DeleteActive { .. }
            | Request::Create { .. }
            | Request::TryAgain { .. }
            | Request::LookUp { .. } => Lane::Start,
            Request::UpdateStatus { .. } => Lane::Status,
            Request::CreatePrimer { .. }
            | Request::DeletePrimer { .. }
            | Request::DeleteFinished { .. }
            | Request::DryRun { .. } => Lane::Background,
        }
    }

    /// The lane in whose turn it is made: a start does not wait for status updates of others.
    pub const fn urgency(&self) -> Lane {
        match self {
            Request::UpdateStatus { urgent: true, .. } => Lane::Start,
            _ => self.lane(),
        }
    }
}

/// Plans what to do for a KronJob.
pub fn plan(view: View<'_>) -> KronJobPlan {
    let View { objects, observed } = view;
    let mut plan = KronJobPlan::default();
    let Ok(written) = &objects.kronjob.status else { return plan };
    if objects.kronjob.deleting {
        return plan;
    }
    let mut urgent = false;
    let record = objects.scheduled.as_ref().map(|scheduled| {
        let host_view = scheduled.host_view();
        let record = observed.dispatcher.record(&host_view);
        let next = observed.dispatcher.next(&host_view, &record);
        plan.wake_at(next.wake_up);
        plan.requests.extend(next.request.map(|request| request_of(request, view, &host_view)));
        dry_run::plan(view, &mut plan);
        urgent = observed.dispatcher.claim_is_urgent(&host_view, &record);
        record
    });
    primer::plan(view, record.as_ref(), &mut plan);
    if let Ok(spec) = &objects.kronjob.spec {
        let second = conditions::may_change_at(spec, objects.second());
        plan.wake_at(second.map(|second| second.saturating_mul(1000)));
    }
    let wanted = status::wanted(view, written, record.as_ref());
    // A claim whose write was not answered may be there already; it is written again to know that it is.
    if status::says_the_same(written, &wanted) && !urgent {
        history::plan(view, &mut plan);
    } else {
        let backoff = if urgent { &observed.urgent_write } else { &observed.write };
        match backoff.wait(objects.now) {
            Some(until) => plan.wake_at(Some(until)),
            None => {
                let ended = status::ended(written, &wanted, objects);
                let status = Box::new(wanted.clone());
                plan.requests.push(Request::UpdateStatus { status, urgent, ended });
            }
        }
    }
    plan.status = Some(wanted);
    plan.requests.sort_by_key(Request::urgency);
    plan
}

/// A request of the core, as one to the API server.
fn request_of(request: HostRequest, view: View<'_>, host_view: &HostView<'_>) -> Request {
    let kronjob = &view.objects.kronjob.key.name;
    match request {
        HostRequest::Start(trigger) => {
            let tried = view.observed.tried_again.as_deref() == Some(&trigger);
            let repeats = !tried && view.observed.dispatcher.may_have_started(host_view, &trigger);
            let purpose = Purpose::from(trigger);
            let name = purpose.job_name(kronjob);
            match repeats {
                true => Request::TryAgain { generation: view.objects.kronjob.generation, purpose, name },
                false => Request::Create { purpose, name },
            }
        }
        HostRequest::LookUp(trigger) => {
            let purpose = Purpose::from(trigger);
            Request::LookUp { name: purpose.job_name(kronjob), purpose }
        }
        HostRequest::List => Request::List,
        HostRequest::Check { id, name } => Request::Check { name, uid: id },
        HostRequest::Stop { id, name } => Request::DeleteActive { name, uid: id },
    }
}

impl KronJobPlan {
    /// Wakes up at that millisecond, if not before.
    fn wake_at(&mut self, millis: Option<i64>) {
        let millis = millis.filter(|_| !is_planted("wake-up-lost"));
        self.wake_up = self.wake_up.into_iter().chain(millis).min();
    }
}
