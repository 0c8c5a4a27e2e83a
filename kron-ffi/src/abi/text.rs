//! Strings that the caller passes: with a length, or with a NUL at the end.

use std::ffi::{CStr, c_char};
use std::str;

use crate::abi::failure::Failure;
use crate::abi::input::array;

/// A string of `length` bytes. NULL is the empty string if the length is 0.
///
/// # Safety
///
/// The pointer is NULL or valid for reading `length` bytes until the end of `'a`.
pub(crate) unsafe fn read_text<'a>(
    first: *const c_char,
    length: usize,
    name: &'static str,
) -> Result<&'a str, Failure> {
    // SAFETY: the caller's.
    utf8(unsafe { array(first.cast::<u8>(), length, name) }?, name)
}

/// A string that ends before its first NUL.
///
/// # Safety
///
/// The pointer is NULL or a C string that does not change until the end of `'a`.
pub(crate) unsafe fn read_text_z<'a>(first: *const c_char, name: &'static str) -> Result<&'a str, Failure> {
    if first.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: not NULL, and the rest is the caller's.
    utf8(unsafe { CStr::from_ptr(first) }.to_bytes(), name)
}

/// Like [`read_text`]. NULL is not a string, with any length.
///
/// # Safety
///
/// As [`read_text`].
pub(crate) unsafe fn optional_text<'a>(
    first: *const c_char,
    length: usize,
    name: &'static str,
) -> Result<Option<&'a str>, Failure> {
    // SAFETY: the caller's.
    if first.is_null() { Ok(None) } else { unsafe { read_text(first, length, name) }.map(Some) }
}

/// Like [`read_text_z`]. NULL is not a string.
///
/// # Safety
///
/// As [`read_text_z`].
pub(crate) unsafe fn optional_text_z<'a>(
    first: *const c_char,
    name: &'static str,
) -> Result<Option<&'a str>, Failure> {
    // SAFETY: the caller's.
    if first.is_null() { Ok(None) } else { unsafe { read_text_z(first, name) }.map(Some) }
}

fn utf8<'a>(bytes: &'a [u8], name: &'static str) -> Result<&'a str, Failure> {
    str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        // A sequence that the end cuts off reaches to the end.
        let end = error.error_len().map_or(bytes.len(), |length| at + length);
        Failure::Utf8 { name, at, end }
    })
}
