//! The limits of one call.

/// Longest request, and largest buffer, in bytes.
pub const REQUEST_BYTES: usize = 1 << 20;
/// Most decisions that one answer lists.
pub const LISTED: usize = 10_000;
/// Most periods of a job in which a window can lie: a search decides all of them.
pub const OVERLAPPING: u64 = 100_000;
/// Most nominal times of a job that a call over a range goes through. More than [`OVERLAPPING`], so that each call comes further than the
/// one before.
pub const NOMINAL_TIMES: u64 = 250_000;
