#![doc = include_str!("../README.md")]
// Only `exports.rs` may name symbols.
#![deny(unsafe_code)]

mod answers;
mod dispatch;
mod exports;
mod failure;
#[cfg(feature = "fleet")]
mod fleet;
mod handles;
mod instance;
mod instant;
mod limits;
mod request;
mod series;

pub use instance::Instance;
#[cfg(feature = "fleet")]
pub use limits::{BUCKETS, FLEET_DRAWS, FLEET_JOBS, SPREAD_JOBS, SPREAD_STARTS};
pub use limits::{LISTED, NOMINAL_TIMES, OVERLAPPING, REQUEST_BYTES};
