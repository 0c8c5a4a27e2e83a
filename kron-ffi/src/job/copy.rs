//! A job under another name, and whether two jobs are equal.

use std::ffi::c_char;

use kron_core::Job;

use crate::abi::failure::Failure;
use crate::abi::handle::borrow;
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::create::kron_job;

fn with_name(
    job: Result<&kron_job, Failure>,
    name: Result<&str, Failure>,
    out: Result<Out<*mut kron_job>, Failure>,
) -> Result<(), Failure> {
    let (job, name, out) = (job?, name?, out?);
    out.give(kron_job::new(Job::new(name, job.job.spec().clone())?));
    Ok(())
}

/// Makes a job with the text of another one and a name of its own, 1 to 1024 bytes. It has starts of its own.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_with_name(
    job: *const kron_job,
    name: *const c_char,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, name, out, error) = unsafe {
        (borrow(job, "job"), read_text_z(name, "name"), Out::new(out, "out"), ErrorOut::new(error))
    };
    guard(error, || with_name(job, name, out))
}

/// Like kron_job_with_name, with the length of the text in bytes.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` may be NULL, and `name` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_with_name_n(
    job: *const kron_job,
    name: *const c_char,
    name_length: usize,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, name, out, error) = unsafe {
        (borrow(job, "job"), read_text(name, name_length, "name"), Out::new(out, "out"), ErrorOut::new(error))
    };
    guard(error, || with_name(job, name, out))
}

/// Returns 1 if two jobs have the same name, equal texts, and the same rules of the time zone and dates of calendars;
/// else 0. Equal jobs have equal decisions.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handles are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_equal(job: *const kron_job, other: *const kron_job) -> u64 {
    // SAFETY: the caller follows the section above.
    let (job, other) = unsafe { (borrow(job, "job"), borrow(other, "other")) };
    guard_value(0, || match (job, other) {
        (Ok(job), Ok(other)) => (job.job == other.job).into(),
        _ => 0,
    })
}
