//! What a job consists of: its name, its text, its spec and its time zone.

use std::ffi::c_char;

use crate::abi::failure::Failure;
use crate::abi::handle::borrow;
use crate::abi::output::Out;
use crate::abi::panic::guard_get;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::create::kron_job;
use crate::value::enums::kron_window_mode;
use crate::value::string::{guard_string, json, kron_string};

/// Returns the name of a job.
///
/// Ownership: the string belongs to the job, and is valid until the job is freed.
/// NULL: the empty string.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_name(job: *const kron_job) -> *const c_char {
    // SAFETY: the caller follows the section above.
    let job = unsafe { borrow(job, "job") };
    guard_get(c"".as_ptr(), job, |job| job.name.as_ptr())
}

/// Gets the cron expression of a job in its canonical form: `@daily` is `0 0 * * *`.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_cron(
    job: *const kron_job,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (borrow(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, job, out, "cron", |job| Ok(job.job.spec().schedule().to_string()))
}

/// Gets the window of a job: its mode (enum kron_window_mode) and its length in nanoseconds.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the outputs are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_window(
    job: *const kron_job,
    mode: *mut u32,
    duration_ns: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, mode, duration_ns, error) = unsafe {
        (
            borrow(job, "job"),
            Out::new(mode, "mode"),
            Out::new(duration_ns, "duration_ns"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (job, mode, duration_ns) = (job?, mode?, duration_ns?);
        let window = job.job.spec().window();
        mode.set(kron_window_mode::from(window.mode()) as u32);
        duration_ns.set(window.duration().as_nanos());
        Ok(())
    })
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

/// Gets the version of the time zone database that the time zone of a job is from, such as `2026e`. KRON_ABSENT
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
