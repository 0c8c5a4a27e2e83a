//! The operator of the KronJob resource: what to do is planned by pure functions over `kron-core`, and everything else
//! here only watches, executes and tells.

#![forbid(unsafe_code)]

pub mod client;
pub mod clock;
pub mod crd;
pub mod events;
pub mod lease;
pub mod manifests;
pub mod metrics;
pub mod names;
pub mod telemetry;
pub mod web;
