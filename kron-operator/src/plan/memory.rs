//! What this process knows of a KronJob beyond its status: what its timers have decided, what its requests have brought.
//!
//! All of it can be lost at any time; a status and the Jobs in the cluster are enough to go on safely.

use crate::crd::{Configuration, Outcome, Time};
use crate::events::Reason;
use crate::object::JobView;

/// The memory of one KronJob. Begins empty with each leadership.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The configuration as observed, which the status may not show yet.
    pub(super) configuration: Option<Configuration>,
    /// Whether the end of a suspension, which the status still shows, has been observed.
    pub(super) resumed: bool,
    /// The generation that the verdicts were made with.
    pub(super) generation: i64,
    /// Periods whose timers fired in time, in order of their starts, and which are not settled.
    pub(super) verdicts: Vec<Verdict>,
    /// Outcomes that the status does not show yet.
    pub(super) settled: Vec<Settled>,
    /// Missed periods too many to be named, to be told of.
    pub(super) older_missed: u64,
    /// Up to that nominal time all periods of the configuration are handled: what the status has shown so far, and the
    /// missed ones that were only counted.
    pub(super) counted: Option<i64>,
    /// The claim that this process wrote.
    pub(super) holds: Option<Time>,
    /// What is active, as the server said it before the create of one Job.
    pub(super) read: Option<Read>,
    pub(super) template: Template,
    /// What the last creates say about condition SchedulingError: a message, or that all is well.
    pub(super) scheduling_error: Option<Option<String>>,
    pub(super) run_now: Option<RunNowAttempt>,
    /// A token of the annotation that cannot be a label's value, which has been told.
    pub(super) refused_token: Option<String>,
    /// Events to be sent now; those of outcomes wait until the outcome is written.
    pub(super) notes: Vec<Note>,
    /// What the next write of the status says of Jobs that are active no more.
    pub(super) ended: Vec<Note>,
    /// What the write that is under way says of them.
    pub(super) ending: Vec<Note>,
    /// How often writing the status has failed.
    pub(super) write_failures: u32,
    /// Milliseconds of Unix time before which the status is not written again.
    pub(super) write_at: i64,
    /// The same, for a write that a start waits for.
    pub(super) urgent_write_at: i64,
    /// The spec's error that has been told.
    pub(super) told_invalid: Option<String>,
    /// Milliseconds of Unix time before which no finished Job is deleted; 0 unless that failed.
    pub(super) clean_at: i64,
    /// Jobs whose deletion has been asked for, by UID.
    pub(super) deleted: Vec<Box<str>>,
}

/// A period that is to start: its timer fired, and it was in time.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub(super) period: Time,
    pub(super) chosen: Time,
    /// Whether another process had claimed it, and may have created its Job.
    pub(super) recovered: bool,
    /// Why it must not be created any more, if so: then it is missed, unless the server has its Job.
    pub(super) doomed: Option<Note>,
    pub(super) attempt: Attempt,
}

/// The requests to create one Job, so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Attempt {
    /// Unix second of the first request.
    pub(super) first: Option<i64>,
    /// Whether a request is under way: until it is answered, or given up, nothing is decided.
    pub(super) under_way: bool,
    /// Whether some request may have been carried out although no answer says so.
    pub(super) uncertain: bool,
    pub(super) failures: u32,
    /// Milliseconds of Unix time before which no other request is made.
    pub(super) retry_at: i64,
    pub(super) error: String,
    /// Whether the server was asked for the Job after the last request.
    pub(super) looked: bool,
}

/// An outcome that is decided.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    pub(super) period: Time,
    /// Its place in the order of starts.
    pub(super) order: i64,
    pub(super) chosen: Option<Time>,
    pub(super) outcome: Outcome,
    pub(super) job_name: Option<String>,
    pub(super) note: Note,
    /// Whether a write of the status with it went out, and was not surely refused.
    pub(super) sent: bool,
}

/// Something to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The Event's reason.
    pub reason: Reason,
    /// The Event's text.
    pub text: String,
}

/// A consistent read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// The name of the Job that is to be created: another one needs a read of its own.
    pub(super) before: String,
    pub(super) active: Vec<Active>,
}

/// An active Job of a consistent read.
#[derive(Clone, Debug)]
pub(super) struct Active {
    pub(super) job: JobView,
    /// Whether its deletion was asked for and granted.
    pub(super) ending: bool,
}

/// Whether the API server would take the Jobs of the template.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    /// The generation of which the rest speaks.
    pub(super) generation: i64,
    pub(super) verdict: TemplateVerdict,
    pub(super) failures: u32,
    pub(super) retry_at: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum TemplateVerdict {
    #[default]
    Unknown,
    Taken,
    Refused(String),
    /// It could not be judged, and why: its periods will tell.
    Untried(String),
}

#[derive(Clone, Debug)]
pub(super) struct RunNowAttempt {
    pub(super) token: String,
    /// Unix second at which it was first seen.
    pub(super) seen: i64,
    pub(super) attempt: Attempt,
    pub(super) done: Option<RunNowDone>,
}

#[derive(Clone, Debug)]
pub(super) struct RunNowDone {
    pub(super) outcome: Outcome,
    pub(super) job_name: Option<String>,
    pub(super) note: Note,
}
