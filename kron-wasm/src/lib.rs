#![doc = include_str!("../README.md")]
// Only `exports.rs` may name symbols.
#![deny(unsafe_code)]

mod answers;
mod exports;
mod failure;
mod instance;
mod instant;
mod jobs;
mod limits;
mod request;
mod series;

pub use instance::Instance;
pub use limits::{LISTED, NOMINAL_TIMES, OVERLAPPING, REQUEST_BYTES};
