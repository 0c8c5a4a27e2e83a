//! The jobs that a runner has.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use kron_core::Job;

use crate::error::RunnerError;
use crate::handler::Handler;
use crate::store::HistoryLimits;

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

/// Refuses two jobs with one name.
pub(crate) fn check_names(jobs: &[RunnerJob]) -> Result<(), RunnerError> {
    let mut names = BTreeSet::new();
    match jobs.iter().find(|job| !names.insert(job.name())) {
        Some(job) => Err(RunnerError::DuplicateName { name: job.name().into() }),
        None => Ok(()),
    }
}
