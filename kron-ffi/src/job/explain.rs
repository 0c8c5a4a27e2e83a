//! Explanations, as JSON.

use crate::abi::handle::borrow;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::ErrorOut;
use crate::job::create::kron_job;
use crate::value::string::{guard_string, json, kron_string};

/// Explains the decision of a nominal time in Unix seconds: the decision and the steps to it, as a JSON object on one
/// line.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_explain_json(
    job: *const kron_job,
    nominal: i64,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "explanation", |job| {
        json(serde_json::to_string(&job.job.explain(nominal)?))
    })
}
