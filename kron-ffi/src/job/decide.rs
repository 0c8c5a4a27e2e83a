//! Decisions and searches of a job. Nothing here allocates, but for errors.

use crate::abi::handle::borrow;
use crate::abi::output::struct_out;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::create::kron_job;
use crate::value::decision::kron_decision;

/// Decides the period of a nominal time in Unix seconds: any whole second of the years 1970 to 2099, on the schedule
/// or not. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*decision` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard(error, || {
        let (job, decision) = (job?, decision?);
        decision.set_decision(&job.job.decide(nominal)?);
        Ok(())
    })
}

/// The period with the smallest nominal time after a Unix second, schedulable or not. KRON_RESULT_NO_PERIOD if there
/// is none up to 2099. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*decision` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard(error, || {
        let (job, decision) = (job?, decision?);
        decision.set_decision(&job.job.next_period(after)?);
        Ok(())
    })
}

/// The period with the greatest nominal time at or before a Unix second, schedulable or not. KRON_RESULT_NO_PERIOD if
/// there is none from 1970 on. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*decision` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard(error, || {
        let (job, decision) = (job?, decision?);
        decision.set_decision(&job.job.prev_period(at)?);
        Ok(())
    })
}

/// The start with the smallest chosen time after a Unix second. KRON_RESULT_NO_START_IN_SIGHT,
/// KRON_RESULT_NO_SCHEDULABLE_PERIOD or KRON_RESULT_NO_PERIOD if the search finds none. `decision_size` is
/// KRON_DECISION_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*decision` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard(error, || {
        let (job, decision) = (job?, decision?);
        decision.set_decision(&job.job.next_start(after)?);
        Ok(())
    })
}

/// The start with the greatest chosen time at or before a Unix second. Fails as kron_job_next_start does.
/// `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*decision` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (job, decision, error) = unsafe {
        (borrow(job, "job"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard(error, || {
        let (job, decision) = (job?, decision?);
        decision.set_decision(&job.job.prev_start(at)?);
        Ok(())
    })
}
