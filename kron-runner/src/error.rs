//! What a runner cannot do, and why.

use crate::store::StoreError;

/// Why a runner cannot do something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RunnerError {
    /// Two jobs have the same name.
    #[error("two jobs have the name `{name}`; a job is identified by its name, so give each its own")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// The runner has no such job.
    #[error("the runner has no job `{name}`")]
    UnknownJob {
        /// The name.
        name: String,
    },
    /// An earlier request to run the job now has no outcome yet.
    #[error("job `{job}` has a request to run now that waits for its turn, `{token}`; wait for its outcome")]
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
