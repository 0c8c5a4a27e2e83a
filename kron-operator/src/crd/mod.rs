//! The KronJob resource: its types, its schema with the rules that an API server enforces, and its status.

pub mod condition;
mod definition;
mod rules;
#[allow(dead_code, reason = "nothing but their schema is made of these types")]
mod spec;
mod status;
mod structural;
mod template_schema;
mod time;
mod yaml;

pub use condition::Condition;
pub use kron_core::Outcome;

pub use definition::custom_resource_definition;
pub use status::{ActiveJob, Claim, Configuration, HandledPeriod, KronJobStatus, PrimerStatus, RunNow};
pub use time::Time;
pub use yaml::to_yaml;
