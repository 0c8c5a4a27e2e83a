//! Every limit of this crate, defined once.

/// Longest bucket of a forecast, in seconds: a day.
pub(crate) const FORECAST_PER_MAX: i64 = 86_400;
/// Most buckets of a forecast: more than the seconds of 31 days.
pub(crate) const FORECAST_BUCKETS: u64 = 3_000_000;
/// Longest duration of an execution in a forecast, 366 days, in seconds.
pub(crate) const FORECAST_DURATION_MAX: i64 = 366 * 86_400;
/// A forecast is computed in slices of this many seconds; only one slice is in memory second by second.
pub(crate) const FORECAST_SLICE: i64 = 3 * 86_400;
/// Most starts of one bucket that are there already.
pub(crate) const BASE_MAX: u32 = 1_000_000_000;
/// Salts with different starts that a search for salts compares for one job.
pub(crate) const SPREAD_OPTIONS: usize = 64;
/// Starts that such a search keeps for all salts of the jobs that do not start at the same place of every window.
pub(crate) const SPREAD_STARTS: usize = 64 << 20;
/// Salts that a search for salts tries in a later round, for all jobs together.
pub(crate) const SPREAD_TRIES: usize = 50_000_000;
/// Rounds of a search for salts.
pub(crate) const SPREAD_ROUNDS: u32 = 3;
/// A quick search for salts does one of so many parts of the work.
pub(crate) const SPREAD_QUICK: usize = 50;
/// Starts that a search for salts examines in all.
pub(crate) const SPREAD_WORK: u64 = 20_000_000_000;
/// Starts that a search for salts examines for weights that prove a higher lower bound.
pub(crate) const SPREAD_BOUND_WORK: usize = 2_000_000_000;
