//! Salts with which few jobs of a fleet start at once.

use std::sync::Arc;

use ::kron_fleet::Fleet;
use ::kron_fleet::forecast::ForecastRange;
use ::kron_fleet::spread::{SpreadOptions, SpreadPlan, spread};
use kron_core::Job;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, free};
use crate::abi::output::Out;
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_set};
use crate::fleet::create::kron_fleet;
use crate::value::duration::duration;
use crate::value::enums::yes;
use crate::value::string::{guard_string, kron_string};

/// Salts with which few jobs start in the same bucket of time, and a proof of how few are possible. Immutable.
#[derive(Debug)]
pub struct kron_spread {
    plan: SpreadPlan,
    range: ForecastRange,
    /// The jobs with the seeds of the plan.
    fleet: Arc<kron_fleet>,
}

impl Handle for kron_spread {
    type Owner = Box<kron_spread>;
}

/// Searches for salts with which few jobs of a fleet start in the same bucket of time: in [from, to), in Unix seconds, in
/// buckets of `per_ns` nanoseconds, 1 second to 1 hour. `fixed` is 1 to give jobs the seed strategy `fixed`, else 0. With a
/// `peak` above 0 the search ends when no bucket has more starts; otherwise it looks for the lowest peak. Suspended jobs are
/// not counted and keep their seeds. The answer depends on nothing but the arguments. The search of 100,000 jobs can take
/// minutes.
///
/// Ownership: `*out` is new, and the caller frees it with kron_spread_free. It does not need the fleet.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_spread(
    fleet: *const kron_fleet,
    from: i64,
    to: i64,
    per_ns: i64,
    fixed: u32,
    peak: i64,
    out: *mut *mut kron_spread,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, out, error) = unsafe { (borrow(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        let options = SpreadOptions {
            fixed: yes(fixed, "fixed")?,
            peak: u64::try_from(peak).ok(),
            ..SpreadOptions::default()
        };
        let range = ForecastRange::new(from..to, duration(per_ns, "per_ns")?)?;
        let jobs: Vec<&Job> = fleet.fleet.jobs().iter().collect();
        let plan = spread(&jobs, &range, &options);
        let new = Fleet::new(plan.jobs(&jobs)?)?;
        let new = kron_fleet { fleet: new, fields: fleet.fields.clone(), findings: fleet.findings.clone() };
        out.give(Box::new(kron_spread { plan, range, fleet: Arc::new(new) }));
        Ok(())
    })
}

/// Returns the most starts in one bucket with the seeds that the jobs had.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_spread_present_peak(spread: *const kron_spread) -> u64 {
    // SAFETY: the caller follows the section above.
    let spread = unsafe { borrow(spread, "spread") };
    guard_get(0, spread, |spread| spread.plan.present_peak)
}

/// Returns the most starts in one bucket with the seeds that were found.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_spread_peak(spread: *const kron_spread) -> u64 {
    // SAFETY: the caller follows the section above.
    let spread = unsafe { borrow(spread, "spread") };
    guard_get(0, spread, |spread| spread.plan.peak)
}

/// Returns a lower bound: no salts give a peak below it.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_spread_bound(spread: *const kron_spread) -> u64 {
    // SAFETY: the caller follows the section above.
    let spread = unsafe { borrow(spread, "spread") };
    guard_get(0, spread, |spread| spread.plan.bound.peak)
}

/// Gets the first Unix second of the first bucket with the peak.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*time` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_spread_peak_time(
    spread: *const kron_spread,
    time: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (spread, time, error) =
        unsafe { (borrow(spread, "spread"), Out::new(time, "time"), ErrorOut::new(error)) };
    guard_set(error, spread, time, |spread| Ok(spread.range.bucket(spread.plan.peak_bucket).0))
}

/// Makes a handle of the fleet with the seeds that were found. Jobs have the indexes that they had.
///
/// Ownership: `*out` is a new handle, which the caller frees with kron_fleet_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_spread_fleet(
    spread: *const kron_spread,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (spread, out, error) =
        unsafe { (borrow(spread, "spread"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (spread, out) = (spread?, out?);
        out.give(spread.fleet.clone());
        Ok(())
    })
}

/// Makes a string with the seed that was found for a job, by its index in the fleet: the text in the brackets of
/// `@seed(...)`, such as `fixed,salt=7`. KRON_ABSENT if the job keeps the seed that it had.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_INDEX if `index` is not less than the number of jobs.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_spread_seed(
    spread: *const kron_spread,
    index: usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (spread, out, error) =
        unsafe { (borrow(spread, "spread"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, spread, out, "seed", |spread| {
        let length = spread.plan.seeds.len();
        let seed = spread.plan.seeds.get(index);
        let seed = seed.ok_or_else(|| Failure::Index { name: "index", index, length })?;
        Ok(seed.as_ref().ok_or_else(|| Failure::Absent)?.to_string())
    })
}

/// Makes the certificate: the proof of the peak and of the lower bound, as a JSON object. `docs/guide/spread.md` describes it.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_CALENDAR_REPEATED if two jobs name calendars of one name with different
/// dates.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_spread_certificate_json(
    spread: *const kron_spread,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (spread, out, error) =
        unsafe { (borrow(spread, "spread"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, spread, out, "certificate", |spread| {
        let jobs: Vec<&Job> = spread.fleet.fleet.jobs().iter().collect();
        let file: Vec<String> = jobs.iter().map(|job| job.to_line()).collect();
        Ok(spread.plan.certificate(&jobs, &spread.range, &file.join("\n"))?)
    })
}

/// Frees a spread.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_spread_free(spread: *mut kron_spread) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(spread) });
}
