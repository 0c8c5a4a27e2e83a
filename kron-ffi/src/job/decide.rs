//! Decisions and searches of a job. Nothing here allocates, but for errors.

use kron_core::{Decision, Job};

use crate::abi::failure::Failure;
use crate::abi::handle::borrow;
use crate::abi::output::{Out, struct_out};
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::create::kron_job;
use crate::value::decision::kron_decision;

/// Runs the work of a function that writes one decision of a job.
#[inline]
fn guard_decision<'a>(
    error: ErrorOut,
    job: Result<&'a kron_job, Failure>,
    out: Result<Out<kron_decision>, Failure>,
    decide: impl FnOnce(&'a Job) -> Result<Decision<'a>, Failure>,
) -> kron_result {
    guard(error, || {
        let (job, out) = (job?, out?);
        out.set_decision(&decide(&job.job)?);
        Ok(())
    })
}

/// Decides one period, given its nominal time in Unix seconds: any second of the years 1970 to 2099. The schedule need
/// not match it. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*decision` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_decide(
    job: *const kron_job,
    nominal: i64,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard_decision(error, job, decision, |job| Ok(job.decide(nominal)?))
}

/// Finds the first period after a Unix second by nominal time. It may be unschedulable. KRON_ERROR_NO_PERIOD if there
/// is none before 2100. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*decision` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_next_period(
    job: *const kron_job,
    after: i64,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard_decision(error, job, decision, |job| Ok(job.next_period(after)?))
}

/// Finds the period whose window began last, at or before a Unix second: the one of a program that a crontab starts at the
/// beginning of each window. It may be unschedulable. KRON_ABSENT if there is none, or if its window has ended and
/// its deadline has passed. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*decision` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_current_period(
    job: *const kron_job,
    now: i64,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard_decision(error, job, decision, |job| job.current_period(now).ok_or_else(|| Failure::Absent))
}

/// Finds the last period at or before a Unix second by nominal time. It may be unschedulable. KRON_ERROR_NO_PERIOD if
/// there is none since 1970. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*decision` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_prev_period(
    job: *const kron_job,
    at: i64,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard_decision(error, job, decision, |job| Ok(job.prev_period(at)?))
}

/// Finds the first start after a Unix second by chosen time. KRON_ERROR_NO_START_IN_SIGHT,
/// KRON_ERROR_NO_SCHEDULABLE_PERIOD or KRON_ERROR_NO_PERIOD if there is none. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*decision` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_next_start(
    job: *const kron_job,
    after: i64,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard_decision(error, job, decision, |job| Ok(job.next_start(after)?))
}

/// Finds the last start at or before a Unix second by chosen time. Same results as kron_job_next_start. `decision_size`
/// is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*decision` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_prev_start(
    job: *const kron_job,
    at: i64,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard_decision(error, job, decision, |job| Ok(job.prev_start(at)?))
}
