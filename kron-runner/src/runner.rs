//! The runner as its users see it.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use kron_core::Job;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::clock::{Clock, SystemClock};
use crate::engine::{Engine, Options};
use crate::error::RunnerError;
use crate::event::{OnEvent, RunnerEvent};
use crate::handle::{Command, RunnerHandle};
use crate::handler::Handler;
use crate::job::{RunnerJob, check_names};
use crate::store::Store;

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
