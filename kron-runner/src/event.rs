//! What a runner says while it runs.

use kron_host::HostReport;

use crate::record::{ClockAhead, ExecutionRecord};
use crate::store::StoreError;

/// Something that happened in a runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunnerEvent {
    /// The store was read and has all jobs, and they are scheduled.
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
    /// The store could be written again.
    StoreWorks,
    /// A job is suspended on request: from now on, or since an earlier runner.
    Suspended {
        /// The name of the job.
        job: String,
    },
    /// The clock was set forwards, or back by less than a second.
    ClockSet,
    /// The clock was set back. Periods that were missed because it was ahead are decided again.
    ClockSetBack {
        /// The last time that it showed before, in Unix milliseconds.
        from: i64,
        /// The time that it shows now.
        to: i64,
        /// What was started for these times is not started again.
        ahead: Vec<ClockAhead>,
    },
    /// The shutdown began: nothing is started any more.
    Draining {
        /// Active executions.
        active: usize,
    },
}

/// A function that is called with each event.
pub(crate) type OnEvent = Box<dyn Fn(&RunnerEvent) + Send + Sync>;
