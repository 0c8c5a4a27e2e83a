//! Searches of a schedule: nominal times, and clock changes that skip or repeat them.

use kron_core::cron::ClockChange;

use crate::abi::failure::Failure;
use crate::abi::handle::borrow;
use crate::abi::output::{Out, struct_out};
use crate::abi::result::kron_result;
use crate::abi::size::Struct;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard_set};
use crate::schedule::create::kron_schedule;

/// A clock change that skips or repeats a time of a schedule.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_clock_change {
    /// The Unix second at which the offset changes.
    pub time: i64,
    /// The first civil time of the schedule that is skipped or repeated, in seconds since 1970-01-01T00:00 in civil
    /// time.
    pub civil: i64,
    /// Seconds east of UTC before the change.
    pub offset_before: i32,
    /// Seconds east of UTC after the change.
    pub offset_after: i32,
}

impl Struct for kron_clock_change {}

impl From<ClockChange> for kron_clock_change {
    fn from(change: ClockChange) -> kron_clock_change {
        let ClockChange { timestamp, civil, offset_before, offset_after, .. } = change;
        kron_clock_change { time: timestamp, civil, offset_before, offset_after }
    }
}

/// Finds the first nominal time after a Unix second. KRON_END if there is none before 2100.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*time` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_next(
    schedule: *const kron_schedule,
    after: i64,
    time: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, time, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(time, "time"), ErrorOut::new(error)) };
    guard_set(error, schedule, time, |schedule| {
        schedule.schedule.next_timestamp(after).ok_or_else(|| Failure::End)
    })
}

/// Finds the last nominal time at or before a Unix second. KRON_END if there is none since 1970.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*time` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_prev(
    schedule: *const kron_schedule,
    at: i64,
    time: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, time, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(time, "time"), ErrorOut::new(error)) };
    guard_set(error, schedule, time, |schedule| {
        schedule.schedule.prev_timestamp(at).ok_or_else(|| Failure::End)
    })
}

/// Finds the first clock change after a Unix second that skips a civil time of the schedule, which then has no nominal
/// time. KRON_END if there is none before 2100. `out_size` is KRON_CLOCK_CHANGE_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_next_skipped(
    schedule: *const kron_schedule,
    after: i64,
    out: *mut kron_clock_change,
    out_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), struct_out(out, out_size, "out"), ErrorOut::new(error)) };
    guard_set(error, schedule, out, |schedule| {
        Ok(schedule.schedule.next_skipped(after).ok_or_else(|| Failure::End)?.into())
    })
}

/// Finds the first clock change after a Unix second that repeats a civil time of the schedule, which then has two
/// nominal times. KRON_END if there is none before 2100. `out_size` is KRON_CLOCK_CHANGE_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_next_doubled(
    schedule: *const kron_schedule,
    after: i64,
    out: *mut kron_clock_change,
    out_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), struct_out(out, out_size, "out"), ErrorOut::new(error)) };
    guard_set(error, schedule, out, |schedule| {
        Ok(schedule.schedule.next_doubled(after).ok_or_else(|| Failure::End)?.into())
    })
}
