//! The limits of one call.

/// Longest request, and largest buffer, in bytes.
pub const REQUEST_BYTES: usize = 1 << 20;
/// Most decisions that one answer lists.
pub const LISTED: usize = 10_000;
/// Most nominal times of a job that a call over a range goes through. The windows of a job overlap in at most 527,041 periods, so each call
/// comes further than the one before.
pub const NOMINAL_TIMES: u64 = 1_000_000;
