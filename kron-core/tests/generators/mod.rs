//! Strategies for all values of a job, as models: plain values that can spell themselves in many ways, and that the oracles
//! read without Kron's parsers.
//!
//! Each kind of value has a file. `spelling.rs` has what the spellings share.

mod config;
mod constraint;
mod cron;
mod distribution;
mod job;
mod spelling;
mod window;
mod zone;

pub use config::config;
pub use constraint::*;
pub use cron::*;
pub use distribution::*;
pub use job::*;
pub use spelling::*;
pub use window::*;
pub use zone::*;

/// First and last second in which nominal times may lie.
pub const FIRST: i64 = 0;
pub const LAST: i64 = 4_102_444_799;
pub const DAY: i64 = 86_400;
