//! The KronJob resource of Kubernetes: its CustomResourceDefinition, made from types, with the rules that an API server enforces; its
//! status, as the operator writes it, which is the record of a host, too; and the reasons of its Events.
//!
//! Whoever installs, checks or reads KronJobs needs this and no operator. The spec of a KronJob is read by `kron-core` and `kron-formats`.

#![forbid(unsafe_code)]

pub mod condition;
mod definition;
pub mod reason;
mod record;
mod rules;
#[allow(dead_code, reason = "nothing but their schema is made of these types")]
mod spec;
mod status;
mod structural;
mod template_schema;
pub mod text;
mod time;
mod yaml;

pub use condition::Condition;
pub use kron_core::Outcome;

pub use definition::custom_resource_definition;
pub use status::{ActiveJob, Claim, Configuration, HandledPeriod, KronJobStatus, PrimerStatus, RunNow};
pub use time::Time;
pub use yaml::to_yaml;
