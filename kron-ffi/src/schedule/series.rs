//! Series of nominal times.

use kron_core::cron::NominalSeries;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, borrow_mut, free};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_set};
use crate::schedule::create::kron_schedule;

/// The nominal times of a schedule, one after another. For one thread at a time. It does not need the schedule any
/// more.
#[derive(Debug)]
pub struct kron_nominal_series {
    series: NominalSeries,
}

impl Handle for kron_nominal_series {
    type Owner = Box<kron_nominal_series>;
}

/// Makes a series of the nominal times after a Unix second, in order.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_nominal_series_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_series(
    schedule: *const kron_schedule,
    after: i64,
    out: *mut *mut kron_nominal_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, out) = (schedule?, out?);
        out.give(Box::new(kron_nominal_series { series: schedule.schedule.series(after) }));
        Ok(())
    })
}

/// Makes a series of the nominal times at or before a Unix second, latest first.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_nominal_series_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_series_back(
    schedule: *const kron_schedule,
    at: i64,
    out: *mut *mut kron_nominal_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, out) = (schedule?, out?);
        out.give(Box::new(kron_nominal_series { series: schedule.schedule.series_back(at) }));
        Ok(())
    })
}

/// Gets the next nominal time of a series, in Unix seconds. KRON_END after the last one.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*time` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_nominal_series_next(
    series: *mut kron_nominal_series,
    time: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (series, time, error) =
        unsafe { (borrow_mut(series, "series"), Out::new(time, "time"), ErrorOut::new(error)) };
    guard_set(error, series, time, |series| series.series.next_timestamp().ok_or_else(|| Failure::End))
}

/// Frees a series.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_nominal_series_free(series: *mut kron_nominal_series) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(series) });
}
