//! What a host is asked to do, and what it answers.

use alloc::string::String;

use crate::record::NextStart;

/// What an execution is started for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum Trigger {
    /// A period.
    Period {
        /// Its nominal time in Unix seconds.
        nominal: i64,
        /// Its chosen time in Unix seconds.
        chosen: i64,
    },
    /// A run-now request of a user.
    RunNow {
        /// The text that distinguishes this request from others.
        token: String,
    },
}

impl Trigger {
    /// The period with its chosen time, unless it is a token.
    pub(super) fn period(&self) -> Option<NextStart> {
        match *self {
            Trigger::Period { nominal, chosen } => Some(NextStart { nominal, chosen }),
            Trigger::RunNow { .. } => None,
        }
    }
}

impl From<NextStart> for Trigger {
    fn from(NextStart { nominal, chosen }: NextStart) -> Trigger {
        Trigger::Period { nominal, chosen }
    }
}

/// What the host is to do next for the starts of a job. It makes the request and enters the answer into the
/// [`Dispatcher`](crate::Dispatcher).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum HostRequest {
    /// Start an execution: call [`starting`](crate::Dispatcher::starting) right before, and
    /// [`start_answered`](crate::Dispatcher::start_answered) with the result.
    Start(Trigger),
    /// Find out whether this execution was started before: answer with [`looked_up`](crate::Dispatcher::looked_up).
    LookUp(Trigger),
    /// List the executions of the job, from the store and not from a cache: call [`listing`](crate::Dispatcher::listing) right
    /// before, and [`listed`](crate::Dispatcher::listed) with the result.
    List,
    /// Read one execution, from the store and not from a cache: answer with [`checked`](crate::Dispatcher::checked).
    Check {
        /// The host's identifier of the execution.
        id: String,
        /// Its name.
        name: String,
    },
    /// Stop an active execution that the next one replaces: answer with [`stopped`](crate::Dispatcher::stopped).
    Stop {
        /// The host's identifier of the execution.
        id: String,
        /// Its name.
        name: String,
    },
}

/// What to do next, and when to look again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct NextRequest {
    /// The request to make now, if there is one.
    pub request: Option<HostRequest>,
    /// When to look again if nothing happens before, in milliseconds of Unix time.
    pub wake_up: Option<i64>,
}

impl NextRequest {
    pub(super) fn wake_at(&mut self, millis: Option<i64>) {
        self.wake_up = self.wake_up.into_iter().chain(millis).min();
    }

    pub(super) fn wake_at_second(&mut self, second: Option<i64>) {
        self.wake_at(second.map(|second| second.saturating_mul(1000)));
    }
}

/// The answer to a request to start an execution.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", rename_all_fields = "camelCase"))]
pub enum StartAnswer {
    /// It was started: by this request, or by an earlier one whose answer was lost.
    Started {
        /// Its name.
        execution: String,
    },
    /// Its name belongs to something else.
    NameTaken,
    /// An execution of this name existed when the request arrived and was removed a moment later.
    Removed,
    /// The host accepts no more starts for this job, ever.
    Closed,
    /// The request failed.
    Failed {
        /// Why.
        error: String,
        /// Whether it may have been carried out nevertheless.
        uncertain: bool,
        /// When to try again, in milliseconds of Unix time; `None` if another attempt would fail, too.
        retry_at: Option<i64>,
    },
}

/// The state of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum ExecutionState {
    /// It is active.
    Active,
    /// It is active and is being stopped.
    Stopping,
    /// It has ended, or is gone.
    Ended,
}

/// An execution of the job, as the host sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Execution<'e> {
    /// The host's identifier, which no other execution ever has.
    pub id: &'e str,
    /// Its name.
    pub name: &'e str,
    /// The nominal time of the period that it names as its own, in Unix seconds.
    pub nominal: Option<i64>,
    /// The token of the run-now request that it was started for.
    pub run_now: Option<&'e str>,
    /// Its state.
    pub state: ExecutionState,
}
