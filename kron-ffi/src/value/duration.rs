//! Durations: nanoseconds in C, Go's notation in texts.

use std::ffi::c_char;

use kron_core::Duration;

use crate::abi::failure::Failure;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::value::string::{guard_string, kron_string};

/// A duration that C passes.
pub(crate) fn duration(nanoseconds: i64, name: &'static str) -> Result<Duration, Failure> {
    Duration::from_nanos(nanoseconds).ok_or_else(|| Failure::Negative { name, value: nanoseconds })
}

fn parse(text: Result<&str, Failure>, nanoseconds: Result<Out<i64>, Failure>) -> Result<(), Failure> {
    let (text, nanoseconds) = (text?, nanoseconds?);
    nanoseconds.set(Duration::parse(text)?.as_nanos());
    Ok(())
}

/// Parses a duration such as `1h30m` or `1.5s`, without a sign, into nanoseconds.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` may be NULL.
/// On error: `*duration_ns` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_duration_parse(
    text: *const c_char,
    duration_ns: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (text, nanoseconds, error) =
        unsafe { (read_text_z(text, "text"), Out::new(duration_ns, "duration_ns"), ErrorOut::new(error)) };
    guard(error, || parse(text, nanoseconds))
}

/// Like kron_duration_parse, with the length of the text in bytes.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` may be NULL, and `text` if its length is 0.
/// On error: `*duration_ns` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_duration_parse_n(
    text: *const c_char,
    text_length: usize,
    duration_ns: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (text, nanoseconds, error) = unsafe {
        (read_text(text, text_length, "text"), Out::new(duration_ns, "duration_ns"), ErrorOut::new(error))
    };
    guard(error, || parse(text, nanoseconds))
}

/// Makes the canonical form of a duration, such as `1h30m0s`, from nanoseconds.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_duration_text(
    duration_ns: i64,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (out, error) = unsafe { (Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, Ok(duration_ns), out, "duration", |nanoseconds| {
        Ok(duration(nanoseconds, "duration_ns")?.to_string())
    })
}
