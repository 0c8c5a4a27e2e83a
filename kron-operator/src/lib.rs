//! The operator of the KronJob resource: what to do is planned by pure functions over `kron-core`, and everything else
//! here only watches, executes and tells.

#![forbid(unsafe_code)]

pub mod args;
pub mod client;
pub mod clock;
pub mod commands;
pub mod crd;
pub mod engine;
pub mod events;
pub mod lease;
pub mod metrics;
pub mod names;
pub mod object;
pub mod operator;
pub mod plan;
pub mod run;
pub mod telemetry;
pub mod template;
pub mod tzdb;
pub mod web;
