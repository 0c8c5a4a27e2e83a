//! One execution, from the write that announces it to its end.

use std::sync::Arc;
use std::time::Duration;

use kron_host::{Execution, ExecutionState, Trigger};
use tokio::sync::mpsc::UnboundedSender;

use super::message::Message;
use super::room::Announced;
use crate::handler::{BoxFuture, Handler, Running, Start, StartError, StopSignal};
use crate::record::{ExecutionRecord, ProcessId};
use crate::result::ExecutionResult;

/// How long an execution has after it was forced to stop, until its future is dropped, and a start until it is given up.
const DROPPED_AFTER: Duration = Duration::from_secs(5);

/// The progress of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Its record is being written. The handler was not called.
    Storing,
    /// The handler was called, and has not said that it began.
    Starting,
    /// It began.
    Running,
    /// It ended.
    Ended,
    /// An earlier runner ended while it was starting it: it is unknown whether it ran.
    Lost,
}

/// An execution that this runner knows.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) record: ExecutionRecord,
    pub(super) phase: Phase,
    pub(super) stop: StopSignal,
    /// Whether it was asked to stop, so that a later start can begin.
    pub(super) replaced: bool,
    /// Counts the changes of the record.
    pub(super) version: u64,
    /// The version that is stored.
    pub(super) stored: u64,
    /// Whether it was found because the clock had been ahead when it was made.
    pub(super) early: bool,
    /// Its place among the starts that are announced, until it begins.
    announced: Option<Announced>,
}

impl Known {
    /// One that is to be written before it is started.
    pub(super) fn new(record: ExecutionRecord, announced: Announced) -> Known {
        Known { stored: 0, announced: Some(announced), ..Known::stored(record, Phase::Storing) }
    }

    /// One that the store has.
    pub(super) fn stored(record: ExecutionRecord, phase: Phase) -> Known {
        Known {
            record,
            phase,
            stop: StopSignal::default(),
            replaced: false,
            version: 1,
            stored: 1,
            early: false,
            announced: None,
        }
    }

    /// Whether an earlier runner has given its period an outcome, although nobody knows whether it ran.
    pub(super) const fn is_settled(&self) -> bool {
        matches!(self.phase, Phase::Lost) && self.record.ended.is_some()
    }

    pub(super) const fn is_dirty(&self) -> bool {
        self.version != self.stored
    }

    pub(super) fn began(&mut self, at: i64, process: Option<ProcessId>) {
        self.record.began = Some(at);
        self.record.process = process;
        self.phase = Phase::Running;
        self.announced = None;
        self.version += 1;
    }

    pub(super) fn ended(&mut self, at: i64, result: ExecutionResult) {
        self.record.ended = Some(at);
        self.record.result = Some(result);
        self.phase = Phase::Ended;
        self.version += 1;
    }

    /// The same, as the state machine sees it. One that has not begun is not an execution yet. One that is being stopped is
    /// active until it has ended.
    pub(super) fn as_execution(&self) -> Option<Execution<'_>> {
        let state = match self.phase {
            Phase::Storing | Phase::Starting | Phase::Lost => return None,
            Phase::Running => ExecutionState::Active,
            Phase::Ended => ExecutionState::Ended,
        };
        let (nominal, run_now) = match &self.record.trigger {
            Trigger::Period { nominal, .. } => (Some(*nominal), None),
            Trigger::RunNow { token } => (None, Some(token.as_str())),
        };
        let name = &self.record.name;
        Some(Execution { id: name, name, nominal, run_now, state })
    }

    /// The same, asked of what runs it: the message of its end may be on its way.
    pub(super) fn asked(&self, handler: &dyn Handler) -> Option<Execution<'_>> {
        let execution = self.as_execution()?;
        let ended = execution.state == ExecutionState::Active && handler.has_ended(&self.record);
        Some(if ended { Execution { state: ExecutionState::Ended, ..execution } } else { execution })
    }
}

/// What an execution's task ends with.
#[derive(Debug)]
pub(super) enum Ended {
    /// It began, and has ended.
    Result(ExecutionResult),
    /// Nothing of it ran.
    NotStarted(StartError),
    /// Its start did not end although the runner does. As after a crash, it is unknown whether it ran.
    GivenUp,
}

/// Starts an execution and waits for its end.
pub(super) async fn run(
    handler: Arc<dyn Handler>,
    start: Start,
    grace: Duration,
    messages: UnboundedSender<Message>,
) -> Ended {
    let (job, execution, stop) = (start.job.clone(), start.execution.clone(), start.stop.clone());
    if stop.requested.is_cancelled() {
        // It would be stopped at once. The next runner decides about it again.
        return Ended::NotStarted(StartError { message: "the runner ends".into(), retry: true });
    }
    let started = tokio::select! {
        biased;
        started = handler.start(start) => started,
        () = dropped(&stop, grace) => return Ended::GivenUp,
    };
    match started {
        Ok(Running { process, result }) => {
            // The receiver is gone only when the runner is.
            _ = messages.send(Message::Began { job, execution, process });
            Ended::Result(supervise(result, stop, grace).await)
        }
        Err(error) => Ended::NotStarted(error),
    }
}

/// Waits until an execution was asked to stop, was forced to, and has not ended for so long that it is dropped.
async fn dropped(stop: &StopSignal, grace: Duration) {
    stop.requested.cancelled().await;
    tokio::select! {
        () = tokio::time::sleep(grace) => stop.forced.cancel(),
        () = stop.forced.cancelled() => {}
    }
    tokio::time::sleep(DROPPED_AFTER).await;
}

/// Waits for the end of an execution that has begun, and sees to it that it ends after it was asked to.
pub(super) async fn supervise(
    mut result: BoxFuture<'static, ExecutionResult>,
    stop: StopSignal,
    grace: Duration,
) -> ExecutionResult {
    tokio::select! {
        biased;
        result = &mut result => result,
        () = dropped(&stop, grace) => ExecutionResult::failed("it was asked to stop and did not end within the grace period"),
    }
}
