//! The limits of one call.

/// Longest request, and largest buffer, in bytes.
pub const REQUEST_BYTES: usize = 1 << 20;
/// Most decisions that one answer lists.
pub const LISTED: usize = 10_000;
/// Most periods of a job in which a window can lie: a search decides all of them.
pub const OVERLAPPING: u64 = 100_000;
/// Most jobs of one fleet.
#[cfg(feature = "fleet")]
pub const FLEET_JOBS: usize = 20_000;
/// Most jobs for which salts are chosen.
#[cfg(feature = "fleet")]
pub const SPREAD_JOBS: usize = 2000;
/// Most periods of a job of a fleet in which a window can lie: what stands in the fullest buckets is searched for again and again.
#[cfg(feature = "fleet")]
pub const FLEET_OVERLAPPING: u64 = 10_000;
/// Most work of a comparison that searches for the last and next starts of jobs with constraints or days: a job counts once, and once
/// more for each [`TIMES_OF_A_DAY`] of its nominal times in a day.
#[cfg(feature = "fleet")]
pub const SEARCHES: u64 = 1000;
/// So many nominal times in a day are as much work as one search.
#[cfg(feature = "fleet")]
pub(crate) const TIMES_OF_A_DAY: u64 = 30;
/// Most draws of a forecast.
#[cfg(feature = "fleet")]
pub const FLEET_DRAWS: u64 = 2_000_000;
/// How many draws a period with constraints is worth.
#[cfg(feature = "fleet")]
pub(crate) const CONSTRAINED_DRAWS: u64 = 4;
/// Most starts in a range for which salts are tried.
#[cfg(feature = "fleet")]
pub const SPREAD_STARTS: u64 = 60_000;
/// Salts for so many of them are tried as often as the command does it. More have a quick search, which can find other salts.
#[cfg(feature = "fleet")]
pub(crate) const SPREAD_WHOLE: u64 = 5000;
/// As how many starts one with constraints counts there.
#[cfg(feature = "fleet")]
pub(crate) const SPREAD_CONSTRAINED: u64 = 32;
/// Most buckets of a forecast.
#[cfg(feature = "fleet")]
pub const BUCKETS: i64 = 100_000;
/// How many periods `lintFleet` examines for all jobs together. One with constraints counts once more for each [`LINT_SECONDS`] of its
/// window.
#[cfg(feature = "fleet")]
pub(crate) const LINT_PERIODS: usize = 1_000_000;
/// So many seconds of a window are as much work as one period.
#[cfg(feature = "fleet")]
pub(crate) const LINT_SECONDS: i64 = 8 * 3600;
/// Most nominal times of a job that a call over a range goes through. More than [`OVERLAPPING`], so that each call comes further than the
/// one before.
pub const NOMINAL_TIMES: u64 = 250_000;
