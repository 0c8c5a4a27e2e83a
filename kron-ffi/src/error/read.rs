//! Functions that read an error handle.

use std::ffi::c_char;

use crate::abi::failure::Failure;
use crate::abi::handle::{borrow, free};
use crate::abi::output::Out;
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};

/// The code of an error: what the function that made it returned.
///
/// Ownership: none passes.
/// NULL: KRON_RESULT_OK.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_code(error: *const kron_error) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_get(kron_result::Ok, error, |error| error.code)
}

/// The whole message: place, offending text and help, in one lower-case sentence.
///
/// Ownership: the string belongs to the error and lives as long.
/// NULL: the empty string.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_message(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_get(c"".as_ptr(), error, |error| error.message.as_ptr())
}

/// The field by its path in the KronJob spec, such as `schedule.minute` or `window.duration`; the argument's name where an
/// argument is wrong by itself; empty if there is none.
///
/// Ownership: the string belongs to the error and lives as long.
/// NULL: the empty string.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_field(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_get(c"".as_ptr(), error, |error| error.field.as_ptr())
}

/// What to write or do instead; the message contains it too. Empty if there is no advice.
///
/// Ownership: the string belongs to the error and lives as long.
/// NULL: the empty string.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_help(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_get(c"".as_ptr(), error, |error| error.help.as_ptr())
}

/// The offending bytes of the string that was read: of the whole text for a text form, of the line for a job file, of the
/// one value for a manifest. `*end` is the first byte after them.
///
/// Ownership: none passes.
/// NULL: no pointer may be NULL.
/// On error: outputs keep their values. KRON_RESULT_ABSENT if the error speaks of no bytes.
///
/// # Safety
///
/// The handle is NULL or live; the other pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_span(
    error: *const kron_error,
    start: *mut usize,
    end: *mut usize,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (error, start, end, none) = unsafe {
        (
            borrow(error, "error"),
            Out::new(start, "start"),
            Out::new(end, "end"),
            ErrorOut::new(std::ptr::null_mut()),
        )
    };
    guard(none, || {
        let (error, start, end) = (error?, start?, end?);
        let span = error.span.as_ref().ok_or_else(|| Failure::Absent)?;
        start.set(span.start);
        end.set(span.end);
        Ok(())
    })
}

/// The line of a job file, from 1; 0 if the error has none.
///
/// Ownership: none passes.
/// NULL: 0.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_line(error: *const kron_error) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_get(0, error, |error| error.line)
}

/// The document of a manifest file, from 1, if the file has several; 0 if the error has none.
///
/// Ownership: none passes.
/// NULL: 0.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_document(error: *const kron_error) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_get(0, error, |error| error.document)
}

/// The index of the job that the error is about, in a series of a fleet.
///
/// Ownership: none passes.
/// NULL: no pointer may be NULL.
/// On error: `*index` keeps its value. KRON_RESULT_ABSENT if the error is about no job of a fleet.
///
/// # Safety
///
/// The handle is NULL or live; the other pointer is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_job_index(error: *const kron_error, index: *mut usize) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (error, index, none) =
        unsafe { (borrow(error, "error"), Out::new(index, "index"), ErrorOut::new(std::ptr::null_mut())) };
    guard(none, || {
        let (error, index) = (error?, index?);
        index.set(error.job.ok_or_else(|| Failure::Absent)?);
        Ok(())
    })
}

/// How many errors there are: those of a file of jobs are reported together, all others one by one.
///
/// Ownership: none passes.
/// NULL: 0.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_count(error: *const kron_error) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_get(0, error, |error| 1 + error.more.len())
}

/// One of several errors, in the order of the file; 0 is the error itself.
///
/// Ownership: the result belongs to `error`, lives as long and is not freed by itself.
/// NULL: the result is NULL.
/// On error: the result is NULL at and above the count.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_at(error: *const kron_error, index: usize) -> *const kron_error {
    // SAFETY: the caller keeps to what is said above.
    let error = unsafe { borrow(error, "error") };
    guard_value(std::ptr::null(), || match (error, index.checked_sub(1)) {
        (Err(_), _) => std::ptr::null(),
        (Ok(error), None) => error,
        (Ok(error), Some(index)) => error.more.get(index).map_or(std::ptr::null(), |error| error),
    })
}

/// Frees an error.
///
/// Ownership: takes the handle.
/// NULL: nothing happens.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_free(error: *mut kron_error) {
    // SAFETY: the caller keeps to what is said above.
    guard_value((), || unsafe { free(error) });
}
