//! What is stored: jobs, executions, outcomes and runners.

use chrono::{DateTime, SecondsFormat, Utc};
use kron_core::Outcome;
use kron_host::{Cause, HandledStart, Record, Trigger};

use crate::result::ExecutionResult;

/// A time as Kron prints it.
pub(crate) fn rfc3339(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// A process, so that no other process is mistaken for it: process ids are used again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ProcessId {
    /// The process id.
    pub pid: u32,
    /// When it was started, in the unit of the system: on Linux field 22 of `/proc/PID/stat`, clock ticks since boot.
    pub start_time: u64,
    /// The boot of the machine: on Linux `/proc/sys/kernel/random/boot_id`.
    pub boot_id: String,
    /// The pipes from which its runner reads what it prints, if it has some: a later runner reads from the same ones, and never
    /// from a pipe that the process has opened itself.
    pub output: Option<OutputPipes>,
}

/// What identifies the pipes of a process in one boot of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutputPipes {
    /// The device of both.
    pub device: u64,
    /// The inode of the pipe of standard output.
    pub stdout: u64,
    /// The inode of the pipe of standard error.
    pub stderr: u64,
}

/// A job as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobRecord {
    /// Its name.
    pub name: String,
    /// Its canonical text.
    pub text: String,
    /// When the runner saw it first, in Unix seconds.
    pub created: i64,
    /// Whether the runner has the job no longer. Its record is kept, so that no period runs twice if the job returns.
    pub removed: bool,
    /// Whether it is suspended on request, whatever its text says; see [`RunnerHandle::suspend`](crate::RunnerHandle::suspend).
    pub suspend_requested: bool,
    /// The token of the last request to run now.
    pub run_now: Option<String>,
    /// The record of the state machine.
    pub record: Record,
}

impl JobRecord {
    /// Whether the record may have no outcome of that trigger yet, although an execution was started for it.
    pub(crate) fn awaits(&self, trigger: &Trigger) -> bool {
        awaits(&self.record, self.run_now.as_deref(), trigger)
    }
}

/// The same, of a record and the token of the last request to run now.
pub(crate) fn awaits(record: &Record, run_now: Option<&str>, trigger: &Trigger) -> bool {
    match trigger {
        Trigger::Period { nominal, .. } => {
            record.claim.as_ref().is_some_and(|claim| claim.nominal == *nominal)
        }
        Trigger::RunNow { token } => {
            let stored = record.run_now.as_ref();
            let handled = stored.is_some_and(|run| run.token == *token && run.outcome.is_some());
            run_now == Some(token) && !handled
        }
    }
}

/// One execution. Times are Unix milliseconds, unless said otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ExecutionRecord {
    /// The name of the job.
    pub job: String,
    /// Its own name, unique in the job for ever.
    pub name: String,
    /// What it was started for.
    pub trigger: Trigger,
    /// The runner that started it.
    pub runner: String,
    /// When the runner was about to start it. This is stored before the handler is called.
    pub created: i64,
    /// When it began. `None` while it is being started; if the runner ended then, it is unknown whether it ran.
    pub began: Option<i64>,
    /// The process that runs it.
    pub process: Option<ProcessId>,
    /// When it ended, or when a later runner found that it had ended.
    pub ended: Option<i64>,
    /// How it ended.
    pub result: Option<ExecutionResult>,
}

impl ExecutionRecord {
    /// The outcome of its period: executed, or nobody knows if it did not say that it began. `None` for run now. `recorded` in Unix
    /// milliseconds.
    pub(crate) fn outcome(&self, recorded: i64) -> Option<OutcomeRecord> {
        let Trigger::Period { nominal, chosen } = self.trigger else { return None };
        let began = self.began.is_some();
        Some(OutcomeRecord {
            job: self.job.clone(),
            nominal: Some(nominal),
            chosen: Some(chosen),
            token: None,
            outcome: if began { Outcome::Executed } else { Outcome::Missed },
            cause: if began { Cause::Started } else { Cause::MaybeRemoved { retention: 0 } },
            execution: began.then(|| self.name.clone()),
            recorded,
        })
    }
}

/// The outcome of a period or of a request to run now.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OutcomeRecord {
    /// The name of the job.
    pub job: String,
    /// The nominal time of the period in Unix seconds; `None` for run now.
    pub nominal: Option<i64>,
    /// Its chosen time in Unix seconds; `None` for run now and for unschedulable periods.
    pub chosen: Option<i64>,
    /// The token; `None` for periods.
    pub token: Option<String>,
    /// The outcome.
    pub outcome: Outcome,
    /// Why.
    pub cause: Cause,
    /// The name of the execution, if there is one.
    pub execution: Option<String>,
    /// When it was recorded, in Unix milliseconds.
    pub recorded: i64,
}

impl OutcomeRecord {
    /// Whether a runner was killed while it started the execution, so that nobody knows whether it ran. It is not started again,
    /// also if its time comes again.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(
            self.cause,
            Cause::MaybeRemoved { .. } | Cause::MaybeReplaced | Cause::MaybeRemovedBeforeEdit { .. }
        )
    }

    /// Whether it takes the place of an earlier one of the same period or token: what was executed, or may have been, stays.
    pub(crate) fn replaces(&self, known: &OutcomeRecord) -> bool {
        let executed = |outcome: &OutcomeRecord| outcome.outcome == Outcome::Executed;
        self.token.is_none() && !executed(known) && (executed(self) || !known.is_lost())
    }

    /// What it is about.
    pub(crate) fn trigger(&self) -> Option<Trigger> {
        let period = |nominal| Trigger::Period { nominal, chosen: self.chosen.unwrap_or(nominal) };
        self.nominal.map(period).or_else(|| Some(Trigger::RunNow { token: self.token.clone()? }))
    }

    /// The execution of a period that may have run. It has no beginning.
    pub(crate) fn lost_execution(&self) -> Option<ExecutionRecord> {
        let trigger = Trigger::Period { nominal: self.nominal?, chosen: self.chosen? };
        self.is_lost().then(|| ExecutionRecord {
            job: self.job.clone(),
            name: execution_name(&trigger),
            trigger,
            runner: String::new(),
            created: self.recorded,
            began: None,
            process: None,
            ended: Some(self.recorded),
            result: None,
        })
    }

    /// What became of a period or a token of that job.
    pub(crate) fn new(job: &str, handled: HandledStart, recorded: i64) -> OutcomeRecord {
        let (nominal, chosen) = (handled.nominal(), handled.chosen());
        let HandledStart { trigger, outcome, execution, cause } = handled;
        let token = if let Trigger::RunNow { token } = trigger { Some(token) } else { None };
        OutcomeRecord { job: job.to_string(), nominal, chosen, token, outcome, cause, execution, recorded }
    }
}

/// The name of the execution of a trigger.
pub(crate) fn execution_name(trigger: &Trigger) -> String {
    match trigger {
        Trigger::Period { nominal, .. } => {
            DateTime::from_timestamp(*nominal, 0).map(rfc3339).unwrap_or_default()
        }
        Trigger::RunNow { token } => format!("run-now-{token}"),
    }
}

/// Missed periods of a job that are counted and not listed one by one: more than 100 were missed at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OlderMissed {
    /// The name of the job.
    pub job: String,
    /// How many.
    pub count: u64,
    /// When they were counted, in Unix milliseconds.
    pub recorded: i64,
}

/// Times, in Unix seconds, for which starts were made while the clock was ahead. When they come again, what was started then is
/// not started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClockAhead {
    /// Starts chosen after this second.
    pub after: i64,
    /// Starts chosen up to this second.
    pub through: i64,
}

impl ClockAhead {
    /// Whether a start of that chosen time is one of them.
    ///
    /// ```
    /// let ahead = kron_runner::ClockAhead { after: 60, through: 120 };
    /// assert!(!ahead.contains(60) && ahead.contains(61) && ahead.contains(120) && !ahead.contains(121));
    /// ```
    pub const fn contains(&self, chosen: i64) -> bool {
        self.after < chosen && chosen <= self.through
    }
}

/// A runner: one process, from its start to its end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RunnerRecord {
    /// Its name, as claims name it. No two runners have the same one.
    pub name: String,
    /// Its process id.
    pub pid: u32,
    /// When it began, in Unix milliseconds.
    pub started: i64,
    /// When it ended as it was asked to, in Unix milliseconds. `None` while it runs, and if it was killed.
    pub stopped: Option<i64>,
}

/// The word for a cause, for columns and output.
///
/// ```
/// use kron_host::Cause;
/// assert_eq!(kron_runner::cause_word(&Cause::CaughtUp { claimed: false }), "caughtUp");
/// // In a runner the only execution that cannot be found is one that was being started when the runner was killed.
/// assert_eq!(kron_runner::cause_word(&Cause::MaybeRemoved { retention: 0 }), "claimLost");
/// ```
pub const fn cause_word(cause: &Cause) -> &'static str {
    match cause {
        Cause::Started => "started",
        Cause::ActiveExecution { .. } => "activeExecution",
        Cause::NoAllowedSecond { .. } => "noAllowedSecond",
        Cause::DeadlinePassed { .. } => "deadlinePassed",
        Cause::CaughtUp { .. } => "caughtUp",
        Cause::MaybeRemoved { .. } => "claimLost",
        Cause::MaybeReplaced => "maybeReplaced",
        Cause::MaybeRemovedBeforeEdit { .. } => "claimLostBeforeEdit",
        Cause::Suspended => "suspended",
        Cause::Edited => "edited",
        Cause::TakenBack => "takenBack",
        Cause::NoTurn { .. } => "noTurn",
        Cause::Failed { .. } => "failed",
        Cause::Refused { .. } => "refused",
        Cause::NameTaken => "nameTaken",
        Cause::Removed => "removed",
        Cause::Closed => "closed",
    }
}
