//! Functions that read an error handle.

use std::ffi::c_char;

use crate::abi::failure::Failure;
use crate::abi::handle::{borrow, free};
use crate::abi::output::Out;
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};

/// Returns the code of an error, which is what the failed function returned.
///
/// Ownership: unchanged.
/// NULL: KRON_OK.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_code(error: *const kron_error) -> kron_result {
    // SAFETY: the caller follows the section above.
    let error = unsafe { borrow(error, "error") };
    guard_get(kron_result::Ok, error, |error| error.code)
}

/// Returns the whole message in one lower-case sentence: the field, the invalid text and the help.
///
/// Ownership: the string belongs to the error, and is valid until the error is freed.
/// NULL: the empty string.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_message(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller follows the section above.
    let error = unsafe { borrow(error, "error") };
    guard_get(c"".as_ptr(), error, |error| error.message.as_ptr())
}

/// Returns the field that is invalid: its path in the KronJob spec, such as `schedule.minute` or `window.duration`, or
/// the name of the function's argument. Empty if there is none.
///
/// Ownership: the string belongs to the error, and is valid until the error is freed.
/// NULL: the empty string.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_field(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller follows the section above.
    let error = unsafe { borrow(error, "error") };
    guard_get(c"".as_ptr(), error, |error| error.field.as_ptr())
}

/// Returns what to write or do instead. The message contains it. Empty if there is no help.
///
/// Ownership: the string belongs to the error, and is valid until the error is freed.
/// NULL: the empty string.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_help(error: *const kron_error) -> *const c_char {
    // SAFETY: the caller follows the section above.
    let error = unsafe { borrow(error, "error") };
    guard_get(c"".as_ptr(), error, |error| error.help.as_ptr())
}

/// Gets the position of the invalid bytes in the string that was read: in the whole text for a text form, in the line
/// for a job file, in the one value for a manifest. `*start` is the first byte, from 0, and `*end` the first byte after
/// them.
///
/// Ownership: unchanged.
/// NULL: no pointer may be NULL.
/// On error: the outputs are unchanged. KRON_ABSENT if the error has no position.
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
    // SAFETY: the caller follows the section above.
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

/// Returns the line of the job file, from 1; 0 if the error has none.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_line(error: *const kron_error) -> usize {
    // SAFETY: the caller follows the section above.
    let error = unsafe { borrow(error, "error") };
    guard_get(0, error, |error| error.line)
}

/// Returns the document of the manifest file, from 1, if the file has several; 0 if the error has none.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_document(error: *const kron_error) -> usize {
    // SAFETY: the caller follows the section above.
    let error = unsafe { borrow(error, "error") };
    guard_get(0, error, |error| error.document)
}

/// Gets the index of the job that the error is about. Errors of a fleet series have one.
///
/// Ownership: unchanged.
/// NULL: no pointer may be NULL.
/// On error: `*index` is unchanged. KRON_ABSENT if the error has no job.
///
/// # Safety
///
/// The handle is NULL or live; the other pointer is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_job_index(error: *const kron_error, index: *mut usize) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (error, index, none) =
        unsafe { (borrow(error, "error"), Out::new(index, "index"), ErrorOut::new(std::ptr::null_mut())) };
    guard(none, || {
        let (error, index) = (error?, index?);
        index.set(error.job.ok_or_else(|| Failure::Absent)?);
        Ok(())
    })
}

/// Returns the number of errors. kron_fleet_parse reports all errors of a file; every other function reports one.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_count(error: *const kron_error) -> usize {
    // SAFETY: the caller follows the section above.
    let error = unsafe { borrow(error, "error") };
    guard_get(0, error, |error| 1 + error.more.len())
}

/// Returns an error by its index, in the order of the file. Index 0 is `error` itself.
///
/// Ownership: the result belongs to `error`; do not free it.
/// NULL: the result is NULL.
/// On error: the result is NULL if `index` is not less than the count.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_at(error: *const kron_error, index: usize) -> *const kron_error {
    // SAFETY: the caller follows the section above.
    let error = unsafe { borrow(error, "error") };
    guard_value(std::ptr::null(), || match (error, index.checked_sub(1)) {
        (Err(_), _) => std::ptr::null(),
        (Ok(error), None) => error,
        (Ok(error), Some(index)) => error.more.get(index).map_or(std::ptr::null(), |error| error),
    })
}

/// Frees an error.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_error_free(error: *mut kron_error) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(error) });
}
