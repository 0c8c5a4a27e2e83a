//! What a host can report to its users about the starts of a job.

use alloc::string::String;

use kron_core::{Concurrency, Duration, Outcome};

/// Why a period or a run-now request has its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", rename_all_fields = "camelCase"))]
pub enum Cause {
    /// Executed: it was started, or found to be started.
    Started,
    /// Skipped: another execution was active.
    ActiveExecution {
        /// The policy then.
        concurrency: Concurrency,
    },
    /// Unschedulable: its window had no allowed second.
    NoAllowedSecond {
        /// The end of the window in Unix seconds.
        window_end: i64,
    },
    /// Missed: it was decided after its deadline.
    DeadlinePassed {
        /// Seconds after the chosen time.
        late: i64,
        /// The deadline then.
        deadline: Duration,
        /// Whether another process had claimed it. Then that process may have started it, and the execution is gone.
        claimed: bool,
    },
    /// Missed: a later period was started instead.
    CaughtUp {
        /// Whether another process had claimed it. Then that process may have started it, and the execution is gone.
        claimed: bool,
    },
    /// Missed: it may have been started before, and the execution may have been removed since.
    MaybeRemoved {
        /// Seconds after its end for which an execution can be found.
        retention: i64,
    },
    /// Missed: it may have been started before, and a later start may have replaced the execution since.
    MaybeReplaced,
    /// Missed: it may have been started at another chosen time, before the job was edited, and removed since.
    MaybeRemovedBeforeEdit {
        /// Seconds after its end for which an execution can be found.
        retention: i64,
    },
    /// Missed: it was claimed before the job was suspended, and was not started.
    Suspended,
    /// Missed: it was claimed before an edit took it out of the schedule, and was not started.
    Edited,
    /// Missed: the request to run it now was taken back, and it was not started.
    TakenBack,
    /// Missed: its turn to be started did not come.
    NoTurn {
        /// For how many seconds it waited.
        waited: i64,
    },
    /// Missed: all requests failed.
    Failed {
        /// How many.
        failures: u32,
        /// Seconds from the first failure on in which it was tried.
        tried: i64,
        /// The last error.
        error: String,
    },
    /// Missed: the request failed in a way that another attempt does not change.
    Refused {
        /// The error.
        error: String,
    },
    /// Missed: the name of the execution belongs to something else.
    NameTaken,
    /// Missed: the execution existed and has been removed.
    Removed,
    /// Missed: the host accepts no more starts for this job.
    Closed,
}

/// Something that happened, for logs, metrics and events. See [`Dispatcher::take_reports`](crate::Dispatcher::take_reports).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", rename_all_fields = "camelCase"))]
pub enum HostReport {
    /// The stored record shows the outcome of a period.
    PeriodHandled {
        /// Its nominal time in Unix seconds.
        nominal: i64,
        /// Its chosen time in Unix seconds, unless it is unschedulable.
        chosen: Option<i64>,
        /// Its outcome.
        outcome: Outcome,
        /// The name of its execution, if it has one.
        execution: Option<String>,
        /// Why it has this outcome.
        cause: Cause,
    },
    /// The stored record shows the outcome of a run-now request.
    RunNowHandled {
        /// Its token.
        token: String,
        /// Its outcome.
        outcome: Outcome,
        /// The name of its execution, if it has one.
        execution: Option<String>,
        /// Why it has this outcome.
        cause: Cause,
    },
    /// This many periods were missed and are not reported one by one.
    OlderMissed(u64),
    /// Schedule, time zone or seed strategy have changed: only periods chosen after this Unix second are in force.
    ConfigurationChanged {
        /// Unix seconds.
        since: i64,
    },
    /// A suspension has ended: only periods chosen after this Unix second are in force.
    Resumed {
        /// Unix seconds.
        since: i64,
    },
    /// The host's executions show one that was started for a period that is due.
    ExecutionFound,
    /// Another process replaced a claim of this one, so two processes start executions of this job.
    ClaimedByAnother {
        /// The other process.
        holder: String,
    },
}
