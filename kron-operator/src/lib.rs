//! The operator of the KronJob resource: pure functions over `kron-core` plan what to do, and everything else here only
//! watches, makes requests and reports.

#![forbid(unsafe_code)]

pub mod args;
pub mod client;
pub mod clock;
pub mod commands;
pub mod engine;
pub mod events;
pub mod lease;
pub mod metrics;
pub mod namespaces;
pub mod new_job;
pub mod object;
pub mod operator;
pub mod plan;
mod planted_bugs;
pub mod primer;
pub mod random;
pub mod run;
pub mod telemetry;
mod turns;
pub mod tzdb;
pub mod web;
