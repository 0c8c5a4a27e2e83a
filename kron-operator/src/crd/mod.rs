//! The KronJob resource: its types, its schema with the rules that an API server enforces, and its status.

pub mod condition;
mod definition;
mod rules;
mod spec;
mod status;
mod structural;
mod template_schema;
mod time;
mod yaml;

pub use condition::Condition;
pub use kron_core::Outcome;

pub use definition::{custom_resource_definition, strict_patch};
pub use spec::{
    Algorithm, ClauseSpec, Concurrency, ConstraintsSpec, DistributionName, DistributionSpec, KronJobSpec,
    PolicySpec, PrimerSpec, SeedSpec, SeedStrategy, WindowMode, WindowSpec,
};
pub use status::{ActiveJob, Claim, Configuration, HandledPeriod, KronJobStatus, PrimerStatus, RunNow};
pub use time::Time;
pub use yaml::to_yaml;
