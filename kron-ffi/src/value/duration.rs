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

/// Reads a duration such as `1h30m` or `1.5s`, without sign, into nanoseconds.
///
/// Ownership: none passes; the text is only read.
/// NULL: only `error` may be NULL.
/// On error: `*nanoseconds` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_duration_parse(
    text: *const c_char,
    nanoseconds: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (text, nanoseconds, error) =
        unsafe { (read_text_z(text, "text"), Out::new(nanoseconds, "nanoseconds"), ErrorOut::new(error)) };
    guard(error, || parse(text, nanoseconds))
}

/// As kron_duration_parse, with the text's length in bytes.
///
/// Ownership: none passes; the text is only read.
/// NULL: only `error` may be NULL, and `text` if its length is 0.
/// On error: `*nanoseconds` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_duration_parse_n(
    text: *const c_char,
    text_length: usize,
    nanoseconds: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (text, nanoseconds, error) = unsafe {
        (read_text(text, text_length, "text"), Out::new(nanoseconds, "nanoseconds"), ErrorOut::new(error))
    };
    guard(error, || parse(text, nanoseconds))
}

/// Writes nanoseconds as a duration in its canonical form, such as `1h30m0s`.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_duration_text(
    nanoseconds: i64,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (out, error) = unsafe { (Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, Ok(nanoseconds), out, "duration", |nanoseconds| {
        Ok(duration(nanoseconds, "nanoseconds")?.to_string())
    })
}
