//! What this process knows of a KronJob beyond its status: what its timers have decided, and what its requests have
//! brought.
//!
//! All of it can be lost at any time; a status and the Jobs in the cluster are enough to go on safely.

use std::sync::Arc;

use crate::crd::{Outcome, Time};
use crate::events::Reason;
use crate::object::JobView;

/// The memory of one KronJob. It begins empty with each leadership.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// This process, as claims name it.
    pub(super) holder: Arc<str>,
    /// A change of the configuration that was observed and that the status does not show yet.
    pub(super) change: Option<Change>,
    /// Whether the end of a suspension, which the status still shows, has been observed.
    pub(super) resumed: bool,
    /// The generation that the verdicts were made with.
    pub(super) generation: i64,
    /// The last search for the next start.
    pub(super) search: Option<Search>,
    /// Periods whose timers fired in time, in order of their starts, and which are not settled.
    pub(super) verdicts: Vec<Verdict>,
    /// Outcomes that the status does not show yet.
    pub(super) settled: Vec<Settled>,
    /// Missed periods too many to be named, to be reported.
    pub(super) older_missed: u64,
    /// Up to that nominal time all periods are handled: missed ones that were only counted.
    pub(super) counted: Option<i64>,
    /// The period whose claim this process sent in this term. Whatever was done for it since is known here.
    pub(super) claim_sent: Option<Time>,
    /// The period whose claim this process wrote, as an answer has confirmed.
    pub(super) claim_confirmed: Option<Time>,
    /// The claim in the write that is under way.
    pub(super) claim_writing: Option<Time>,
    /// The last period whose claim another operator took from this process.
    pub(super) taken: Option<Time>,
    /// Whether the Jobs of this KronJob were listed in this term. From then on the cache shows every Job that is active.
    pub(super) listed: bool,
    /// What is active, as the server said it before the create of one Job.
    pub(super) checked: Option<Checked>,
    pub(super) template: Template,
    /// What condition SchedulingError has to say that the status does not say yet.
    pub(super) scheduling: Option<Scheduling>,
    /// The same, in the write that is under way.
    pub(super) scheduling_writing: Option<Scheduling>,
    pub(super) run_now: Option<RunNowAttempt>,
    /// A token of the annotation that cannot be a label's value, which has been reported.
    pub(super) refused_token: Option<String>,
    /// UIDs of Jobs whose labels were ignored, which has been reported.
    pub(super) ignored: Vec<Box<str>>,
    /// Events to be sent now; those of outcomes wait until the outcome is written.
    pub(super) notes: Vec<Note>,
    /// What the next write of the status says of Jobs that are not active any more.
    pub(super) ended: Vec<Note>,
    /// What the write that is under way says of them.
    pub(super) ending: Vec<Note>,
    /// Writes of the status.
    pub(super) write: Backoff,
    /// Writes of the status that a start waits for.
    pub(super) urgent_write: Backoff,
    /// The error in spec or status that was reported last.
    pub(super) reported_error: Option<String>,
    /// Deletions of finished Jobs.
    pub(super) history: Backoff,
    /// Jobs whose deletion has been asked for, by UID.
    pub(super) deleted: Vec<Box<str>>,
}

/// How often a request has failed in a row, and when it is made again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Backoff {
    pub(super) failures: u32,
    /// Milliseconds of Unix time before which the request is not made.
    pub(super) until: i64,
}

impl Backoff {
    /// The request failed; it is not made again before that millisecond.
    pub(super) fn failed(&mut self, until: i64) {
        self.failures = self.failures.saturating_add(1);
        self.until = until;
    }

    /// The millisecond to wait for, if it is still to come.
    pub(super) fn waits(&self, millis: i64) -> Option<i64> {
        (self.until > millis).then_some(self.until)
    }
}

/// A change of schedule, time zone or seed strategy, or the end of a suspension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) since: Time,
    pub(super) hash: String,
}

/// A search for the next start. One can take a second of work where constraints allow few starts or none, so its result is
/// used for as long as it is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Search {
    pub(super) generation: i64,
    /// Only starts after this Unix second were asked for.
    pub(super) after: i64,
    /// The period and its chosen time; `None` if there is no start in sight.
    pub(super) found: Option<(Time, Time)>,
}

/// A period that is to start: its timer fired, and it was in time.
#[derive(Clone, Debug)]
pub(super) struct Verdict {
    pub(super) period: Time,
    pub(super) chosen: Time,
    /// Unix second at which it was decided.
    pub(super) decided: i64,
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
    /// Unix second of the first failure.
    pub(super) first_failure: Option<i64>,
    /// Whether a request is under way: until it is answered, or given up, nothing is decided.
    pub(super) under_way: bool,
    /// Whether some request may have been carried out although no answer says so.
    pub(super) uncertain: bool,
    pub(super) backoff: Backoff,
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

/// What an Event says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The Event's reason.
    pub reason: Reason,
    /// The Event's text.
    pub text: String,
}

/// What condition SchedulingError says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scheduling {
    /// A Job was created.
    Created,
    /// Something went wrong; the condition's reason and message.
    Failed(&'static str, String),
}

/// The active Jobs, checked at the server before one Job is created.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// The name of the Job that is to be created: another one needs a check of its own.
    pub(super) before: String,
    /// Whether `jobs` is all there is; otherwise Jobs that the cache shows as active are checked one by one.
    pub(super) complete: bool,
    pub(super) jobs: Vec<CheckedJob>,
}

/// A Job that was read from the server.
#[derive(Clone, Debug)]
pub(super) struct CheckedJob {
    pub(super) name: Box<str>,
    pub(super) uid: Box<str>,
    pub(super) state: JobState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobState {
    Active,
    /// It is being deleted.
    Ending,
    /// It has finished, or is gone.
    Over,
}

impl JobState {
    pub(super) fn of(job: &JobView) -> JobState {
        match (job.is_active(), job.deleting) {
            (false, _) => JobState::Over,
            (true, true) => JobState::Ending,
            (true, false) => JobState::Active,
        }
    }
}

/// Whether the API server accepts the Jobs of the template.
#[derive(Clone, Debug, Default)]
pub(super) struct Template {
    /// The generation of which the rest speaks.
    pub(super) generation: i64,
    pub(super) verdict: TemplateVerdict,
    pub(super) backoff: Backoff,
    /// The TTL of its Jobs, as the server answered: admission may set another than the template says.
    pub(super) ttl: Option<i64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum TemplateVerdict {
    #[default]
    Unknown,
    Accepted,
    Refused(String),
    /// It could not be judged, and why: its periods will tell.
    Untried(String),
}

#[derive(Clone, Debug)]
pub(super) struct RunNowAttempt {
    pub(super) token: String,
    /// Unix second at which its turn came.
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

impl Memory {
    /// The memory of a process that claims name `holder`.
    pub fn new(holder: Arc<str>) -> Memory {
        Memory { holder, ..Memory::default() }
    }

    /// Whether a start is waiting for its request or its answer.
    pub fn starting(&self) -> bool {
        !self.verdicts.is_empty()
    }

    /// The process did not run for a while: another one may have done its work, and the cache does not show it yet. Claims
    /// and active Jobs are confirmed at the server before anything else is created.
    pub fn suspended(&mut self) {
        self.claim_confirmed = None;
        self.listed = false;
        self.checked = None;
    }
}
