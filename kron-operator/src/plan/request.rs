//! What is planned: requests, a status and a time to plan again.

use kron_crd::{KronJobStatus, Time};
use kron_host::{ListNeed, Trigger};

use super::messages::Message;
use crate::planted_bugs::is_planted;

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
    /// What the next start lacks of a list of the Jobs.
    pub list_need: ListNeed,
}

/// A request to the API server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Request {
    /// List the Jobs of this KronJob at the server itself, not in a cache.
    List,
    /// Get a Job from the server itself.
    Get {
        /// Why.
        why: Sought,
        /// Its name.
        name: String,
    },
    /// Delete a Job.
    Delete {
        /// Which kind of Job it is.
        what: Deleted,
        /// Its name.
        name: String,
        /// Its UID, which the deletion names as its condition.
        uid: String,
    },
    /// Create a Job.
    Create {
        /// What for.
        what: Purpose,
        /// Its name.
        name: String,
    },
    /// Send a Job of the template as a dry run.
    DryRun {
        /// The generation that has the template.
        generation: i64,
        /// What the Job would be for.
        trigger: Trigger,
        /// Its name.
        name: String,
        /// Whether its create comes next, and repeats one that may have been carried out. If that Job is gone, nobody saw which
        /// TTL admission gave it; the answer shows which one it would have now.
        repeats: bool,
    },
    /// Update the status, unless it has changed since it was read.
    UpdateStatus {
        /// The whole status.
        status: Box<KronJobStatus>,
        /// Whether a start waits for it.
        urgent: bool,
        /// The period whose primer it allows, if it sets that fence.
        fence: Option<Time>,
        /// Events of what it says.
        ended: Vec<Message>,
    },
    /// Get the KronJob: there is a newer version, or may be. It follows from an answer and is not planned.
    GetKronJob,
}

/// What a Job is made for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A start.
    Start(Trigger),
    /// The primer of a period.
    Primer(Time),
}

/// Why a Job is got.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sought {
    /// It may have been created for this by a request without an answer.
    Created(Trigger),
    /// The cache shows the one with this UID as active.
    Active(String),
    /// The create for this found that its name is taken. It follows from that answer and is not planned.
    Taken(Purpose),
}

/// Which Jobs are deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deleted {
    /// Active ones that are to be replaced.
    Active,
    /// Finished ones that are beyond the history limits.
    Finished,
    /// Primers that are not needed any more.
    Primer,
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
            | Request::Get { why: Sought::Created(_) | Sought::Active(_), .. }
            | Request::Get { why: Sought::Taken(Purpose::Start(_)), .. }
            | Request::Delete { what: Deleted::Active, .. }
            | Request::Create { what: Purpose::Start(_), .. }
            | Request::DryRun { repeats: true, .. } => Lane::Start,
            Request::UpdateStatus { .. } | Request::GetKronJob => Lane::Status,
            Request::Get { .. }
            | Request::Create { .. }
            | Request::Delete { .. }
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

impl KronJobPlan {
    /// A list of many KronJobs may serve this one: it makes its own only from that millisecond on.
    pub fn postpone_list(&mut self, until: i64, now: i64) {
        if now < until {
            self.requests.retain(|request| *request != Request::List);
            self.wake_at(Some(until));
        }
    }

    /// Wakes up at that millisecond, if not before.
    pub(super) fn wake_at(&mut self, millis: Option<i64>) {
        let millis = millis.filter(|_| !is_planted("wake-up-lost"));
        self.wake_up = self.wake_up.into_iter().chain(millis).min();
    }
}
