#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

pub use kron_core;

mod answers;
mod attempt;
mod backoff;
mod claims;
mod dispatcher;
mod handled;
mod limits;
mod list_proof;
mod metric;
mod periods;
mod record;
mod report;
mod request;
mod run_now;
mod search;
mod start;
mod starts;
mod stored;
mod view;
pub use backoff::Backoff;
pub use dispatcher::Dispatcher;
pub use handled::Handled;
pub use limits::{CLOCK_DIFFERENCE, HOLDER_SECONDS, QUEUE_SECONDS, RETRY_SECONDS};
pub use list_proof::{ListKind, ListNeed};
pub use metric::HostMetric;
pub use periods::Ignored;
pub use record::{Claim, Configuration, HandledPeriod, NextStart, Record, RunNow};
pub use report::{Cause, HandledStart, HostReport};
pub use request::{Execution, ExecutionState, HostRequest, NextRequest, StartAnswer, Trigger};
pub use search::{SearchResult, StartSearch};
pub use view::HostView;
