//! What the runner runs: handlers, and the start that each call receives.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use chrono::{DateTime, Utc};
use kron_core::decision::OwnedDecision;
use kron_host::Trigger;
use tokio_util::sync::CancellationToken;

use crate::record::{ExecutionRecord, ProcessId};
use crate::result::ExecutionResult;

/// A future in a box, as the traits of this crate return it.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One start, as a handler receives it. It borrows nothing.
#[derive(Clone, Debug)]
pub struct Start {
    /// The name of the job.
    pub job: String,
    /// The name of the execution, unique in the job for ever: the period id, or `run-now-` and the token.
    pub execution: String,
    /// What it is started for: a period, or a request to run now.
    pub trigger: Trigger,
    /// The decision of the period, with the proof of its draws. `None` if the start was asked for by run now.
    pub decision: Option<OwnedDecision>,
    /// What asks the execution to stop.
    pub stop: StopSignal,
}

impl Start {
    /// The period id: the nominal time in RFC 3339. `None` for run now.
    ///
    /// ```
    /// use kron_host::Trigger;
    /// use kron_runner::{Start, StopSignal};
    /// let trigger = Trigger::Period { nominal: 1_772_323_200, chosen: 1_772_323_260 };
    /// let start = Start {
    ///     job: "web/ping".into(),
    ///     execution: "2026-03-01T00:00:00Z".into(),
    ///     trigger,
    ///     decision: None,
    ///     stop: StopSignal::default(),
    /// };
    /// assert_eq!(start.period_id().as_deref(), Some("2026-03-01T00:00:00Z"));
    /// assert_eq!(start.chosen_time().unwrap().to_rfc3339(), "2026-03-01T00:01:00+00:00");
    /// ```
    pub fn period_id(&self) -> Option<String> {
        self.nominal_time().map(crate::record::rfc3339)
    }

    /// The nominal time of the period. `None` for run now.
    pub fn nominal_time(&self) -> Option<DateTime<Utc>> {
        match self.trigger {
            Trigger::Period { nominal, .. } => DateTime::from_timestamp(nominal, 0),
            Trigger::RunNow { .. } => None,
        }
    }

    /// The chosen time of the period. `None` for run now.
    pub fn chosen_time(&self) -> Option<DateTime<Utc>> {
        match self.trigger {
            Trigger::Period { chosen, .. } => DateTime::from_timestamp(chosen, 0),
            Trigger::RunNow { .. } => None,
        }
    }
}

/// What asks an execution to stop. First [`requested`](StopSignal::requested) fires; the execution has the grace period of the
/// runner to end. Then [`forced`](StopSignal::forced) fires, and five seconds later the runner drops its future.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    /// The execution is to end: a later start replaces it, or the runner shuts down.
    pub requested: CancellationToken,
    /// The grace period is over: what still runs is to be killed.
    pub forced: CancellationToken,
}

/// An execution that has begun.
pub struct Running {
    /// The process that runs it. It is stored, so that a later runner can find the process again.
    pub process: Option<ProcessId>,
    /// Ends when the execution ends.
    pub result: BoxFuture<'static, ExecutionResult>,
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("process", &self.process).finish_non_exhaustive()
    }
}

/// Why an execution did not begin: nothing of it ran.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct StartError {
    /// Why.
    pub message: String,
    /// Whether another attempt may succeed. Then the start is tried again, for ten seconds or until its deadline.
    pub retry: bool,
}

/// Runs the executions of a job.
///
/// An async function that takes a [`Start`] is a handler; its output is `()`, a `Result<(), E>` or an [`ExecutionResult`].
/// Implement the trait for executions that can outlive the runner, such as processes.
///
/// ```
/// use kron_runner::{Handler, Start};
/// async fn ping(start: Start) -> Result<(), std::io::Error> {
///     println!("{} runs for {:?}", start.job, start.period_id());
///     Ok(())
/// }
/// fn is_handler(_: impl Handler) {}
/// is_handler(ping);
/// ```
pub trait Handler: Send + Sync + 'static {
    /// Begins an execution. When this is called, the start is stored, and no other process makes it.
    ///
    /// The future ends as soon as the execution has begun, and what it returns ends with the execution. A failure
    /// means that nothing ran: the start is tried again, or is `missed`. What runs in the future itself is lost if the
    /// runner is killed before the future ends: the period is then `missed`, because it is unknown whether it ran. The same holds
    /// if the runner shuts down and the future does not end: it is dropped like that of an execution.
    fn start(&self, start: Start) -> BoxFuture<'static, Result<Running, StartError>>;

    /// Finds an execution that had begun when an earlier runner ended. `Some` if it is still active: it counts as active until
    /// the future ends. `None`, the default, if it has ended; its result is then unknown.
    fn resume(&self, execution: &ExecutionRecord, stop: StopSignal) -> Option<Running> {
        let _ = (execution, stop);
        None
    }

    /// Whether an execution that began has ended for sure, although its result is still to come. It is asked before an active
    /// execution decides about the next start: a runner that was halted for a while hears of ends after the times that passed
    /// meanwhile. It must answer at once. `false`, the default, if that is not known.
    fn has_ended(&self, execution: &ExecutionRecord) -> bool {
        let _ = execution;
        false
    }
}

impl<F, Fut> Handler for F
where
    F: Fn(Start) -> Fut + Send + Sync + 'static,
    Fut: Future + Send + 'static,
    Fut::Output: Into<ExecutionResult>,
{
    fn start(&self, start: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        let execution = self(start);
        let result = Box::pin(async move { execution.await.into() });
        Box::pin(std::future::ready(Ok(Running { process: None, result })))
    }
}
