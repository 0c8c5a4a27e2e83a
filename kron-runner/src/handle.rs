//! The handle to a runner while it runs: what it can be asked, and what it answers.

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use crate::error::RunnerError;
use crate::job::{RunnerJob, check_names};

/// Asks something of a runner that runs.
#[derive(Clone, Debug)]
pub struct RunnerHandle {
    pub(crate) commands: UnboundedSender<Command>,
}

/// What a runner can be asked.
#[derive(Debug)]
pub(crate) enum Command {
    Reload(Vec<RunnerJob>, Answer<Reloaded>),
    RunNow(String, Answer<String>),
    /// Suspends a job, or resumes it.
    Suspend(String, bool, Answer<()>),
    Report(Answer<Report>),
    StopNow,
}

/// Takes the answer to a command.
pub(crate) type Answer<T> = oneshot::Sender<Result<T, RunnerError>>;

impl RunnerHandle {
    async fn ask<T>(&self, command: impl FnOnce(Answer<T>) -> Command) -> Result<T, RunnerError> {
        let (answer, answered) = oneshot::channel();
        self.commands.send(command(answer)).map_err(|_| RunnerError::Ended)?;
        answered.await.map_err(|_| RunnerError::Ended)?
    }

    /// Takes other jobs in place of those that the runner has, all at once. The name identifies a job. A job whose
    /// schedule, time zone or seed strategy changes begins a new configuration, so that nothing starts retroactively; other
    /// edits decide the open periods again. Active executions of removed jobs go on.
    ///
    /// # Errors
    ///
    /// [`RunnerError::DuplicateName`], and nothing has changed. [`RunnerError::Ended`] if the runner has ended.
    pub async fn reload(&self, jobs: Vec<RunnerJob>) -> Result<Reloaded, RunnerError> {
        check_names(&jobs)?;
        self.ask(|answer| Command::Reload(jobs, answer)).await
    }

    /// Asks for one execution of a job now, outside its schedule. Gives the token of the request once it is stored: from then
    /// on the execution is made even if the runner is killed. With `forbid`, it is `skipped` while another one is active. A
    /// suspended job runs it when its suspension ends.
    ///
    /// # Errors
    ///
    /// [`RunnerError::UnknownJob`]; [`RunnerError::RunNowPending`] if an earlier request of the job has no outcome yet;
    /// [`RunnerError::Ended`].
    pub async fn run_now(&self, job: &str) -> Result<String, RunnerError> {
        self.ask(|answer| Command::RunNow(job.into(), answer)).await
    }

    /// Suspends a job until it is [resumed](RunnerHandle::resume), whatever its text says, also in later runners on this
    /// store. Nothing of it is started meanwhile; what is active goes on. Returns once this is stored. A job that is suspended
    /// already stays so.
    ///
    /// # Errors
    ///
    /// [`RunnerError::UnknownJob`]; [`RunnerError::Ended`].
    pub async fn suspend(&self, job: &str) -> Result<(), RunnerError> {
        self.ask(|answer| Command::Suspend(job.into(), true, answer)).await
    }

    /// Ends the suspension that was [requested](RunnerHandle::suspend), and returns once this is stored. Only starts after this
    /// moment are made. A job whose text suspends it stays suspended.
    ///
    /// # Errors
    ///
    /// [`RunnerError::UnknownJob`]; [`RunnerError::Ended`].
    pub async fn resume(&self, job: &str) -> Result<(), RunnerError> {
        self.ask(|answer| Command::Suspend(job.into(), false, answer)).await
    }

    /// What the runner does now.
    ///
    /// # Errors
    ///
    /// [`RunnerError::Ended`].
    pub async fn report(&self) -> Result<Report, RunnerError> {
        self.ask(Command::Report).await
    }

    /// Shuts down at once: active executions are forced to stop.
    pub fn stop_now(&self) {
        // A runner that has ended has stopped.
        _ = self.commands.send(Command::StopNow);
    }
}

/// What a reload changed, by the names of the jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reloaded {
    /// Jobs that the runner did not have.
    pub added: Vec<String>,
    /// Jobs whose canonical texts changed.
    pub changed: Vec<String>,
    /// Jobs that the runner has no longer.
    pub removed: Vec<String>,
}

/// What a runner does now, and what it has done since it began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Whether the last write to the store succeeded.
    pub store_works: bool,
    /// Jobs.
    pub jobs: usize,
    /// Active executions.
    pub active: usize,
    /// Periods and run-now requests that were executed.
    pub executed: u64,
    /// Those that were skipped.
    pub skipped: u64,
    /// Those that were missed and listed.
    pub missed: u64,
    /// Missed periods that were counted and not listed.
    pub older_missed: u64,
    /// Periods that were unschedulable.
    pub unschedulable: u64,
    /// Executions that failed.
    pub failed: u64,
    /// Writes to the store that failed.
    pub store_errors: u64,
    /// When the runner looks at a job again, in Unix milliseconds.
    pub next_wake_up: Option<i64>,
}
