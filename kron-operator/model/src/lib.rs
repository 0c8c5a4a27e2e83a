//! A strict model of a Kubernetes API server in one process.
#![forbid(unsafe_code)]

mod admission;
mod call;
mod discovery;
mod encode;
mod faults;
mod gc;
mod json;
mod kinds;
mod log;
mod matcher;
mod meta;
mod names;
mod options;
mod rbac;
mod resource;
mod routes;
mod selectors;
mod server;
mod service;
mod status;
mod store;
mod table;
mod verbs;
mod watch;

pub mod schema;

pub use call::{Call, Verb};
pub use faults::{Cut, Effect, FaultId, Hook, Partition, StallId};
pub use log::Record;
pub use matcher::Match;
pub use server::{Clock, Server};
pub use status::{Cause, Status};
