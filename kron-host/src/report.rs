//! What a host can report to its users about the starts of a job.

use alloc::string::String;

use kron_core::{Concurrency, Duration, Outcome};

use crate::request::Trigger;

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

/// What became of a period or of a run-now request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub struct HandledStart {
    /// The period, or the token. If no second of the period's window is allowed, the end of the window is in the place of its chosen
    /// time.
    pub trigger: Trigger,
    /// Its outcome.
    pub outcome: Outcome,
    /// The name of its execution, if it has one.
    pub execution: Option<String>,
    /// Why it has this outcome.
    pub cause: Cause,
}

impl HandledStart {
    /// The nominal time of the period in Unix seconds, if it is one.
    ///
    /// ```
    /// use kron_host::{Cause, HandledStart, Trigger};
    /// use kron_core::Outcome;
    /// let (trigger, cause) = (Trigger::Period { nominal: 0, chosen: 5 }, Cause::NoAllowedSecond { window_end: 5 });
    /// let handled = HandledStart { trigger, outcome: Outcome::Unschedulable, execution: None, cause };
    /// assert_eq!((handled.nominal(), handled.chosen()), (Some(0), None));
    /// ```
    pub fn nominal(&self) -> Option<i64> {
        self.trigger.period().map(|period| period.nominal)
    }

    /// The chosen time of the period in Unix seconds, unless it is unschedulable.
    ///
    /// ```
    /// use kron_host::{Cause, HandledStart, Trigger};
    /// use kron_core::Outcome;
    /// let (trigger, cause) = (Trigger::Period { nominal: 0, chosen: 5 }, Cause::Started);
    /// let handled = HandledStart { trigger, outcome: Outcome::Executed, execution: Some("a".into()), cause };
    /// assert_eq!((handled.nominal(), handled.chosen()), (Some(0), Some(5)));
    /// ```
    pub fn chosen(&self) -> Option<i64> {
        let period = self.trigger.period().filter(|_| self.outcome != Outcome::Unschedulable);
        period.map(|period| period.chosen)
    }
}

/// Something that happened, for logs, metrics and events. See [`Dispatcher::take_reports`](crate::Dispatcher::take_reports).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase", rename_all_fields = "camelCase"))]
pub enum HostReport {
    /// The stored record shows the outcome of a period or of a run-now request.
    Handled(HandledStart),
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
