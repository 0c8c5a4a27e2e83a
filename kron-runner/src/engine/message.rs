//! What the tasks of a runner tell it.

use std::sync::Arc;

use kron_host::SearchResult;

use crate::record::ProcessId;

/// Messages of the runner's tasks.
#[derive(Debug)]
pub(super) enum Message {
    /// An execution began.
    Began { job: String, execution: String, process: Option<ProcessId> },
    /// A search for the next start of a job ended.
    Searched { job: Arc<str>, result: SearchResult },
}
