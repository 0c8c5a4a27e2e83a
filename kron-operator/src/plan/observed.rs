//! What this process knows of a KronJob beyond its objects: the state machine of its starts, and what Kubernetes adds.
//!
//! All of it can be lost at any time; a status and the Jobs in the cluster are enough to go on safely.

use std::sync::Arc;

use kron_crd::{Outcome, Time};
use kron_host::{Backoff, Dispatcher, Trigger};

use super::messages::Message;
use crate::object::Spec;

/// What this process knows of one KronJob. It begins empty with each leadership.
///
/// A leader has one for each KronJob of the cluster, and most of them wait for hours: what is rare is boxed, and empty lists
/// keep no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Observed {
    pub(super) dispatcher: Dispatcher,
    pub(super) dry_run: DryRun,
    /// The start whose create, which repeats another one, was tried by a dry run a moment ago.
    pub(super) tried_again: Option<Box<Trigger>>,
    /// The content of condition SchedulingError, if the status does not have it yet.
    pub(super) scheduling: Option<Box<Scheduling>>,
    /// The same, in the write that is under way.
    pub(super) scheduling_writing: Option<Box<Scheduling>>,
    /// A token of the annotation that cannot be a label's value, which has been reported.
    pub(super) refused_token: Option<Box<str>>,
    /// UIDs of Jobs whose labels were ignored, which has been reported.
    pub(super) ignored: Vec<Box<str>>,
    /// The error in spec or status that was reported last.
    pub(super) reported_error: Option<Box<str>>,
    /// Events of what the status says once the write that is under way is done.
    pub(super) ended: Vec<Message>,
    /// Writes of the status.
    pub(super) write: Backoff,
    /// Writes of the status that a start waits for.
    pub(super) urgent_write: Backoff,
    /// Deletions of finished Jobs.
    pub(super) history: Deletions,
    /// `None` while nothing is known.
    pub(super) primer: Option<Box<PrimerState>>,
    /// `None` while nothing is to be published.
    reports: Option<Box<Reports>>,
}

/// What is known of primers beyond the status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct PrimerState {
    /// The period whose fence the write that is under way sets.
    pub(super) writing: Option<Time>,
    /// The period whose fence this process set, as an answer confirmed, and whose primer it may create.
    pub(super) may_create: Option<Time>,
    pub(super) create: Backoff,
    pub(super) deletions: Deletions,
}

/// What became of deletions that no start waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Deletions {
    pub(super) backoff: Backoff,
    /// Jobs whose deletion was asked for, by UID.
    pub(super) asked: Vec<Box<str>>,
}

/// What is to be published.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reports {
    /// Events to be sent.
    pub messages: Vec<Message>,
    /// Outcomes that the status shows from now on.
    pub outcomes: Vec<Outcome>,
    /// Missed periods that are counted from now on, and not named one by one.
    pub older_missed: u64,
}

/// What condition SchedulingError says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Scheduling {
    /// A Job was created.
    Created,
    /// Something went wrong; the condition's reason and message.
    Failed(&'static str, String),
}

/// Whether the API server accepts the Jobs of the template.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct DryRun {
    /// The generation of which the rest speaks.
    pub(super) generation: i64,
    pub(super) result: DryRunResult,
    pub(super) backoff: Backoff,
    /// The TTL of its Jobs, as the server answered: admission may set another than the template says.
    pub(super) ttl: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum DryRunResult {
    #[default]
    Unknown,
    Accepted,
    Refused(String),
    /// It could not be tried, and why: the create of its first Job is the test.
    NotTried(String),
}

impl Observed {
    /// The knowledge of a process that has just begun. Claims name it `holder`.
    pub fn new(holder: impl Into<Arc<str>>) -> Observed {
        Observed { dispatcher: Dispatcher::new(holder), ..Observed::default() }
    }

    /// Returns what is to be published, once.
    pub fn take_reports(&mut self) -> Reports {
        self.reports.take().map(|reports| *reports).unwrap_or_default()
    }

    pub(super) fn reports_mut(&mut self) -> &mut Reports {
        self.reports.get_or_insert_default()
    }

    /// Takes note of an Event to be sent.
    pub(super) fn report(&mut self, message: Message) {
        self.reports_mut().messages.push(message);
    }

    pub(super) fn primer_mut(&mut self) -> &mut PrimerState {
        self.primer.get_or_insert_default()
    }

    /// Condition SchedulingError is to say so.
    pub(super) fn failed(&mut self, reason: &'static str, message: impl Into<String>) {
        self.scheduling = Some(Box::new(Scheduling::Failed(reason, message.into())));
    }

    /// The TTL of Jobs that are created now, as the server answered last.
    pub(super) fn effective_ttl(&self, generation: i64, spec: &Spec) -> Option<i64> {
        self.dry_run.ttl.filter(|_| self.dry_run.generation == generation).or(spec.ttl)
    }
}
