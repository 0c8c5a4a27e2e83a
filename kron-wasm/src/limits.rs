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
/// Most jobs with constraints or days whose last and next starts a comparison searches for.
#[cfg(feature = "fleet")]
pub const SEARCHED_JOBS: usize = 250;
/// Most nominal times that a forecast goes through.
#[cfg(feature = "fleet")]
pub const FLEET_NOMINAL_TIMES: u64 = 2_000_000;
/// Most buckets of a forecast.
#[cfg(feature = "fleet")]
pub const BUCKETS: i64 = 100_000;
/// How many periods `lintFleet` examines for all jobs together.
#[cfg(feature = "fleet")]
pub(crate) const LINT_PERIODS: usize = 1_000_000;
/// Most nominal times of a job that a call over a range goes through. More than [`OVERLAPPING`], so that each call comes further than the
/// one before.
pub const NOMINAL_TIMES: u64 = 250_000;
