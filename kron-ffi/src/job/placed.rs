//! Places of jobs for systems that run plain cron expressions.

use crate::abi::handle::borrow;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::create::kron_job;
use crate::value::string::kron_string;

/// Makes the one plain cron expression that takes the place of a job in a system without windows: its schedule, shifted by whole minutes
/// to a place in its window, which follows from its name.
///
/// `*shift_minutes` is how much later the placed times are than the declared ones, negative if they are earlier; `*candidates` is
/// among how many shifts the place was chosen.
///
/// Ownership: `*expression` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: the outputs are unchanged. KRON_ERROR_PLACE_REFUSED for a seed strategy other than `stable` and `fixed`, for the algorithm
/// `sha256-splitmix64/1`, for calendars and rules of days; KRON_ERROR_PLACE_NOWHERE if the constraints leave no minute of the window.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_placed(
    job: *const kron_job,
    expression: *mut *mut kron_string,
    shift_minutes: *mut i64,
    candidates: *mut usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, expression, shift_minutes, candidates, error) = unsafe {
        (
            borrow(job, "job"),
            Out::new(expression, "expression"),
            Out::new(shift_minutes, "shift_minutes"),
            Out::new(candidates, "candidates"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (job, expression, shift_minutes, candidates) = (job?, expression?, shift_minutes?, candidates?);
        let placed = job.job.placed()?;
        let text = kron_string::new(placed.expression().to_string(), "expression")?;
        expression.give(text);
        shift_minutes.set(placed.shift_minutes());
        candidates.set(placed.candidates());
        Ok(())
    })
}
