//! The KronJob resource: its types, its schema with the rules that an API server enforces, and its status.

mod status;

pub use status::{
    ActiveJob, Claim, Condition, Configuration, HandledPeriod, KronJobStatus, Outcome, RunNow, Time,
};
