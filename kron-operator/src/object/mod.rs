//! What the operator keeps of the cluster's objects: read from free JSON one by one, trimmed to what decides and to what
//! is written again.

mod job;
mod key;
mod kronjob;

pub use job::{Finished, JobView, Version, WatchedJob, WatchedSpec, job_resource};
pub use key::Key;
pub use kronjob::{KronJobView, Spec, SpecError};
