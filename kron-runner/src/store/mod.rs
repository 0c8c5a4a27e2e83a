//! Where the state of the jobs is kept, so that a runner can go on where an earlier one ended.

pub(crate) mod memory;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;

use std::path::PathBuf;
use std::sync::Arc;

use crate::handler::BoxFuture;
use crate::record::{ClockAhead, ExecutionRecord, JobRecord, OlderMissed, OutcomeRecord, RunnerRecord};

/// What a runner writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Writes a job, in place of the one of that name.
    Job(Box<JobRecord>),
    /// Writes an execution, in place of the one of that job and name.
    Execution(Box<ExecutionRecord>),
    /// Removes an execution that did not begin.
    RemoveExecution {
        /// The name of the job.
        job: String,
        /// The name of the execution.
        name: String,
    },
    /// Adds an outcome. It replaces one of the same period, unless that one was executed, or may have been and this one was not; one of
    /// the same token stays as it is.
    Outcome(Box<OutcomeRecord>),
    /// Adds a count of missed periods.
    OlderMissed(OlderMissed),
    /// Removes the oldest entries of a job's history beyond the limits. Active executions stay, and so do those without an
    /// outcome in the record of the job, and the last one that was started more than ten seconds late.
    Trim {
        /// The name of the job.
        job: String,
        /// How many entries stay.
        limits: HistoryLimits,
    },
    /// The clock went back, so periods are decided again. Removes what was recorded of missed and skipped ones that are chosen
    /// later, except for those that may have run.
    Reopened {
        /// The time that the clock shows now, in Unix seconds.
        now: i64,
        /// Only what was recorded from this time on, in Unix milliseconds, is removed.
        recorded_from: i64,
        /// The times for which starts were made already. They are kept until they have passed.
        ahead: Vec<ClockAhead>,
    },
    /// A runner ended as it was asked to.
    RunnerStopped {
        /// Its name.
        name: String,
        /// When, in Unix milliseconds.
        at: i64,
    },
}

/// An execution that was started more milliseconds than this after its chosen time made up for a period of the past. The last one
/// stays in the history: if the clock was ahead then, its period comes again.
pub(crate) const LATE: i64 = 10_000;

/// How much history of a job is kept. The oldest entries go first, once there are more by a sixteenth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HistoryLimits {
    /// Executions that succeeded.
    pub successful: u32,
    /// Executions that failed, or whose results are unknown.
    pub failed: u32,
    /// Outcomes of periods and of requests to run now.
    pub outcomes: u32,
}

impl Default for HistoryLimits {
    /// 100 executions of either kind, and 1000 outcomes.
    fn default() -> HistoryLimits {
        HistoryLimits { successful: 100, failed: 100, outcomes: 1000 }
    }
}

/// A job as a runner finds it in its store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredJob {
    /// The job.
    pub job: JobRecord,
    /// The executions that have not ended, and those of the period and the token that the record may have no outcome of.
    pub executions: Vec<ExecutionRecord>,
}

impl StoredJob {
    /// Whether a runner has to know that execution of the job when it begins, and history keeps it.
    pub(crate) fn needs(job: &JobRecord, execution: &ExecutionRecord) -> bool {
        execution.ended.is_none() || job.awaits(&execution.trigger)
    }
}

/// Keeps the state of the jobs.
///
/// A store belongs to one runner at a time: [`load`](Store::load) begins its turn.
pub trait Store: Send + Sync + 'static {
    /// Begins the turn of a runner, and gives all jobs.
    ///
    /// # Errors
    ///
    /// If another runner has the store, or the store cannot be read.
    fn load(&self, runner: &RunnerRecord) -> BoxFuture<'_, Result<Vec<StoredJob>, StoreError>>;

    /// The executions of periods with chosen times after that Unix second, and of those that the record of the job does not show as
    /// handled up to it; also of periods that [may have run](Change::Reopened), without a beginning and with an end. The runner asks
    /// when it begins and when the clock is set, so that no period runs again because its time comes again.
    ///
    /// # Errors
    ///
    /// If they cannot be read. The runner asks again, and starts nothing before.
    fn executions_after(&self, chosen: i64) -> BoxFuture<'_, Result<Vec<ExecutionRecord>, StoreError>>;

    /// The times for which starts were made while the clock was ahead, and that are after that Unix second, in order.
    ///
    /// # Errors
    ///
    /// If they cannot be read.
    fn clock_ahead(&self, now: i64) -> BoxFuture<'_, Result<Vec<ClockAhead>, StoreError>>;

    /// Writes changes, in their order: all of them or none. After a success they survive a crash of the machine.
    ///
    /// # Errors
    ///
    /// If they cannot be written. After an error it is unknown whether they were; the runner writes them again.
    fn commit(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), StoreError>>;
}

impl<S: Store + ?Sized> Store for Arc<S> {
    fn load(&self, runner: &RunnerRecord) -> BoxFuture<'_, Result<Vec<StoredJob>, StoreError>> {
        S::load(self, runner)
    }

    fn executions_after(&self, chosen: i64) -> BoxFuture<'_, Result<Vec<ExecutionRecord>, StoreError>> {
        S::executions_after(self, chosen)
    }

    fn clock_ahead(&self, now: i64) -> BoxFuture<'_, Result<Vec<ClockAhead>, StoreError>> {
        S::clock_ahead(self, now)
    }

    fn commit(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), StoreError>> {
        S::commit(self, changes)
    }
}

/// Why a store cannot be used: what happened where, and what helps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}{message}{}",
    path.as_ref().map(|path| format!("{}: ", path.display())).unwrap_or_default(),
    help.as_ref().map(|help| format!("; {help}")).unwrap_or_default()
)]
pub struct StoreError {
    /// What kind of failure it is.
    pub kind: StoreErrorKind,
    /// The file or folder that it is about, if it is about one.
    pub path: Option<PathBuf>,
    /// What happened, without the path.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// What kind of failure a [`StoreError`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StoreErrorKind {
    /// Another runner has the store.
    InUse,
    /// It was written by another program, or by a newer Kron.
    Schema,
    /// Its content is damaged. Attempts fail until it is replaced.
    Damaged,
    /// It was moved, deleted or replaced while a runner has it. Attempts fail until it is back.
    Moved,
    /// It cannot be read or written now; another attempt may succeed.
    Io,
}

impl StoreError {
    /// A failure.
    ///
    /// ```
    /// use kron_runner::{StoreError, StoreErrorKind};
    /// let error = StoreError::new(StoreErrorKind::Io, "the disk is full")
    ///     .with_path("kron.db")
    ///     .with_help("free some space");
    /// assert_eq!(error.to_string(), "kron.db: the disk is full; free some space");
    /// ```
    pub fn new(kind: StoreErrorKind, message: impl Into<String>) -> StoreError {
        StoreError { kind, path: None, message: message.into(), help: None }
    }

    /// The same, about a file or a folder.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> StoreError {
        self.path = Some(path.into());
        self
    }

    /// The same, with what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> StoreError {
        self.help = Some(help.into());
        self
    }
}
