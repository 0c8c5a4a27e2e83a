//! Batches: many decisions of one job into an array of the caller. Nothing here allocates, but for errors and the starts of
//! windows that overlap.

use crate::abi::handle::borrow;
use crate::abi::input::array;
use crate::abi::output::{Out, structs_out};
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::create::kron_job;
use crate::value::decision::kron_decision;

/// Decides the periods of many nominal times, in Unix seconds, and writes the decisions to an array, as many as the
/// shorter of both arrays has elements. `decision_size` is KRON_DECISION_SIZE. The arrays must not overlap.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL, and an array if its length is 0.
/// On error: `*filled` and the array are unchanged. One invalid nominal time is an error of the whole call.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_decide_into(
    job: *const kron_job,
    nominals: *const i64,
    nominals_length: usize,
    decisions: *mut kron_decision,
    decisions_length: usize,
    decision_size: usize,
    filled: *mut usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, nominals, decisions, filled, error) = unsafe {
        (
            borrow(job, "job"),
            array(nominals, nominals_length, "nominals"),
            structs_out(decisions, decisions_length, decision_size, "decisions"),
            Out::new(filled, "filled"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (job, nominals, decisions, filled) = (job?, nominals?, decisions?, filled?);
        filled.set(job.job.decide_into(nominals, decisions)?);
        Ok(())
    })
}

/// Decides the periods with nominal times in [from, to), in Unix seconds and in order, and writes the decisions to an
/// array. If the array is full there may be more: continue one second after the last nominal time. `decision_size` is
/// KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL, and the array if its length is 0.
/// On error: `*filled` and the array are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_periods_into(
    job: *const kron_job,
    from: i64,
    to: i64,
    decisions: *mut kron_decision,
    decisions_length: usize,
    decision_size: usize,
    filled: *mut usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, decisions, filled, error) = unsafe {
        (
            borrow(job, "job"),
            structs_out(decisions, decisions_length, decision_size, "decisions"),
            Out::new(filled, "filled"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (job, decisions, filled) = (job?, decisions?, filled?);
        filled.set(job.job.periods_into(from..to, decisions));
        Ok(())
    })
}

/// Searches the starts with chosen times in [from, to), in Unix seconds and in order, and writes their decisions to an
/// array. If the array is full there may be more, also at the second of the last one: kron_job_starts makes a series of
/// all. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL, and the array if its length is 0.
/// On error: `*filled` is unchanged; the array has the starts before the error. The errors are those of
/// kron_job_next_start.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_starts_into(
    job: *const kron_job,
    from: i64,
    to: i64,
    decisions: *mut kron_decision,
    decisions_length: usize,
    decision_size: usize,
    filled: *mut usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, decisions, filled, error) = unsafe {
        (
            borrow(job, "job"),
            structs_out(decisions, decisions_length, decision_size, "decisions"),
            Out::new(filled, "filled"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (job, decisions, filled) = (job?, decisions?, filled?);
        let mut count = 0;
        for (slot, start) in decisions.iter_mut().zip(job.job.starts(from..to)) {
            *slot = start?.into();
            count += 1;
        }
        filled.set(count);
        Ok(())
    })
}
