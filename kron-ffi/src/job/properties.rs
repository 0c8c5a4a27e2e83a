//! What a job consists of: its name, its text, its spec and its time zone.

use crate::abi::failure::Failure;
use crate::abi::handle::borrow;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::ErrorOut;
use crate::job::create::kron_job;
use crate::value::string::{guard_string, json, kron_string};

/// Gets the name of a job.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_name(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "name", |job| Ok(job.job.name().to_owned()))
}

/// Gets the canonical form of a job as text. kron_job_parse makes an equal job from it.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_text(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "text", |job| Ok(job.job.spec().to_string()))
}

/// Gets the spec of a job as a JSON object, without defaults. kron_job_from_spec_json makes an equal job from it.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_spec_json(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "spec", |job| json(serde_json::to_string(job.job.spec())))
}

/// Gets the IANA name of the time zone of a job.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_timezone(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "timezone", |job| Ok(job.job.spec().timezone().name().to_owned()))
}

/// Gets the version of the time zone database that the time zone of a job is from, such as `2026e`. KRON_RESULT_ABSENT
/// if that database has no version.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_tzdb_version(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "version", |job| {
        let version = job.job.spec().timezone().tzdb_version();
        version.map(str::to_owned).ok_or_else(|| Failure::Absent)
    })
}

/// Gets the fingerprint of the rules of the time zone of a job, as kron_zone_fingerprint does. Receipts contain it.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_timezone_fingerprint(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "fingerprint", |job| Ok(job.job.spec().timezone().fingerprint()))
}
