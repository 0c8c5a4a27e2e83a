//! The runner as its users see it.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use kron_core::Job;
use kron_host::HostReport;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;

use crate::clock::{Clock, SystemClock};
use crate::engine::Engine;
use crate::handler::Handler;
use crate::record::ExecutionRecord;
use crate::store::{HistoryLimits, Store, StoreError};

/// A job with its handler.
#[derive(Clone)]
pub struct RunnerJob {
    pub(crate) job: Job,
    pub(crate) handler: Arc<dyn Handler>,
    pub(crate) history: HistoryLimits,
}

impl fmt::Debug for RunnerJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunnerJob").field("job", &self.job).finish_non_exhaustive()
    }
}

impl RunnerJob {
    /// A job and what runs its executions.
    ///
    /// ```
    /// use kron_core::Job;
    /// use kron_runner::{RunnerJob, Start};
    /// let job = Job::parse("web/ping", "*/5 * * * *")?;
    /// let job = RunnerJob::new(job, |start: Start| async move { println!("{}", start.job) });
    /// assert_eq!(job.name(), "web/ping");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn new(job: Job, handler: impl Handler) -> RunnerJob {
        RunnerJob::shared(job, Arc::new(handler))
    }

    /// The same, with a handler that other jobs have, too.
    pub fn shared(job: Job, handler: Arc<dyn Handler>) -> RunnerJob {
        RunnerJob { job, handler, history: HistoryLimits::default() }
    }

    /// The same, with limits for its history.
    #[must_use]
    pub fn with_history(mut self, history: HistoryLimits) -> RunnerJob {
        self.history = history;
        self
    }

    /// The name of the job.
    pub fn name(&self) -> &str {
        self.job.name()
    }
}

/// Runs jobs: each period at most once, at its chosen second.
///
/// ```
/// use kron_core::Job;
/// use kron_runner::{MemoryStore, Runner, Start};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let job = Job::parse("prod/report", "0 2 * * * @tz(Europe/Paris) @win(after,3h) @policy(deadline=10m)")?;
/// let runner = Runner::new(MemoryStore::new()).job(job, |start: Start| async move {
///     println!("{} runs for {:?}", start.job, start.period_id());
/// });
/// # let shutdown = async {};
/// runner.run(shutdown).await?;
/// # Ok(())
/// # }
/// ```
pub struct Runner {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) jobs: Vec<RunnerJob>,
    pub(crate) options: Options,
    pub(crate) on_event: Option<OnEvent>,
    handle: RunnerHandle,
    commands: UnboundedReceiver<Command>,
}

pub(crate) type OnEvent = Box<dyn Fn(&RunnerEvent) + Send + Sync>;

/// How a runner shuts down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) drain: Duration,
    pub(crate) grace: Duration,
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("jobs", &self.jobs)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Runner {
    /// A runner that keeps its state in that store, without jobs.
    pub fn new(store: impl Store) -> Runner {
        let (sender, commands) = unbounded_channel();
        Runner {
            store: Arc::new(store),
            clock: Arc::new(SystemClock),
            jobs: Vec::new(),
            options: Options { drain: Duration::from_secs(30), grace: Duration::from_secs(10) },
            on_event: None,
            handle: RunnerHandle { commands: sender },
            commands,
        }
    }

    /// Adds a job and what runs its executions.
    #[must_use]
    pub fn job(self, job: Job, handler: impl Handler) -> Runner {
        self.jobs([RunnerJob::new(job, handler)])
    }

    /// Adds jobs.
    #[must_use]
    pub fn jobs(mut self, jobs: impl IntoIterator<Item = RunnerJob>) -> Runner {
        self.jobs.extend(jobs);
        self
    }

    /// Takes another clock, for tests.
    #[must_use]
    pub fn clock(mut self, clock: impl Clock) -> Runner {
        self.clock = Arc::new(clock);
        self
    }

    /// How long a shutdown waits for executions to end by themselves, 30 seconds unless set. Then they are asked to stop.
    #[must_use]
    pub fn drain(mut self, drain: Duration) -> Runner {
        self.options.drain = drain;
        self
    }

    /// How long an execution has to end after it was asked to stop, 10 seconds unless set. Then it is forced to.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Runner {
        self.options.grace = grace;
        self
    }

    /// Calls a function with everything that happens, for logs and metrics. The runner waits for it, so it must be quick.
    #[must_use]
    pub fn on_event(mut self, on_event: impl Fn(&RunnerEvent) + Send + Sync + 'static) -> Runner {
        self.on_event = Some(Box::new(on_event));
        self
    }

    /// A handle to the runner while it runs.
    pub fn handle(&self) -> RunnerHandle {
        self.handle.clone()
    }

    /// Runs the jobs until `shutdown` ends. Then nothing is started any more: executions that are active may end by
    /// themselves, are then asked to stop, and then forced to. See [`drain`](Runner::drain) and [`grace`](Runner::grace).
    ///
    /// It runs in one task; handlers run in tasks of their own. If the future is dropped, all of them are, and the store is as
    /// after a crash.
    ///
    /// # Panics
    ///
    /// If the tokio runtime has its time or its I/O disabled; `enable_all` and `#[tokio::main]` enable both.
    ///
    /// # Errors
    ///
    /// [`RunnerError::DuplicateName`], or [`RunnerError::Store`] if the store cannot be read at the beginning or written at
    /// the end. A store that fails in between is tried again.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<(), RunnerError> {
        check_names(&self.jobs)?;
        let Runner { store, clock, jobs, options, on_event, handle, commands } = self;
        // Its own handle would keep the channel open.
        drop(handle);
        Engine::new(store, clock, options, on_event).run(jobs, commands, shutdown).await
    }
}

/// Refuses two jobs with one name.
pub(crate) fn check_names(jobs: &[RunnerJob]) -> Result<(), RunnerError> {
    let mut names = std::collections::BTreeSet::new();
    match jobs.iter().find(|job| !names.insert(job.name())) {
        Some(job) => Err(RunnerError::DuplicateName { name: job.name().into() }),
        None => Ok(()),
    }
}

/// Asks something of a runner that runs.
#[derive(Clone, Debug)]
pub struct RunnerHandle {
    commands: UnboundedSender<Command>,
}

#[derive(Debug)]
pub(crate) enum Command {
    Reload(Vec<RunnerJob>, Answer<Reloaded>),
    RunNow(String, Answer<String>),
    /// Suspends a job, or resumes it.
    Suspend(String, bool, Answer<()>),
    Report(Answer<Report>),
    StopNow,
}

type Answer<T> = oneshot::Sender<Result<T, RunnerError>>;

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

/// Something that happened in a runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunnerEvent {
    /// The store was read, and the jobs are scheduled.
    Ready,
    /// An execution began.
    Started(ExecutionRecord),
    /// An execution of an earlier runner is still active.
    Resumed(ExecutionRecord),
    /// An execution ended.
    Ended(ExecutionRecord),
    /// The store has an outcome of a job, or the state machine has to say something else about the job.
    Reported {
        /// The name of the job.
        job: String,
        /// What it is.
        report: HostReport,
    },
    /// The store could not be written.
    StoreFailed {
        /// Why.
        error: StoreError,
        /// When it is tried again, in Unix milliseconds.
        retry_at: i64,
    },
    /// A job is suspended on request: from now on, or since an earlier runner.
    Suspended {
        /// The name of the job.
        job: String,
    },
    /// The clock was set, forwards or back.
    ClockSet,
    /// The shutdown began: nothing is started any more.
    Draining {
        /// Active executions.
        active: usize,
    },
}

/// Why a runner cannot do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunnerError {
    /// Two jobs have the same name.
    #[error("two jobs have the name {name:?}; a job is identified by its name, so give each its own")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// The runner has no such job.
    #[error("the runner has no job {name:?}")]
    UnknownJob {
        /// The name.
        name: String,
    },
    /// An earlier request to run the job now has no outcome yet.
    #[error("job {job:?} has a request to run now that waits for its turn, {token:?}; wait for its outcome")]
    RunNowPending {
        /// The name of the job.
        job: String,
        /// The token of the earlier request.
        token: String,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The runner has ended.
    #[error("the runner has ended")]
    Ended,
}
