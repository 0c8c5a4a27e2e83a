//! Primed schedules of jobs.

use kron_formats::prime::Prime as _;

use crate::abi::handle::borrow;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::ErrorOut;
use crate::job::create::kron_job;
use crate::value::duration::duration;
use crate::value::primed::{guard_primed, kron_primed};

/// Makes the cron expressions that fire a lead before each start of a job, in the job's time zone; see
/// kron_schedule_prime.
///
/// Ownership: `*out` is a new primed schedule, which the caller frees with kron_primed_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_PRIME_NOT_ON_TIME if the job has a window or constraints,
/// KRON_ERROR_PRIME_IMPOSSIBLE if no such expressions exist.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_prime(
    job: *const kron_job,
    lead_ns: i64,
    out: *mut *mut kron_primed,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_primed(error, job, out, |job| Ok(job.job.prime(duration(lead_ns, "lead_ns")?)))
}

/// Like kron_job_prime, with a cover where no such expressions exist; see kron_schedule_prime_cover.
///
/// Ownership: `*out` is a new primed schedule, which the caller frees with kron_primed_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_PRIME_NOT_ON_TIME if the job has a window or constraints.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_prime_cover(
    job: *const kron_job,
    lead_ns: i64,
    out: *mut *mut kron_primed,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_primed(error, job, out, |job| Ok(job.job.prime_cover(duration(lead_ns, "lead_ns")?)))
}
