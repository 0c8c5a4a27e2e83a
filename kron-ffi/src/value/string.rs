//! Strings that functions make.

use std::ffi::{CString, c_char};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, free};
use crate::abi::output::Out;
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::error::guard::{ErrorOut, guard};

/// A string that a function made: UTF-8, with a NUL at the end and none before.
#[derive(Debug)]
pub struct kron_string {
    text: CString,
}

impl Handle for kron_string {
    type Owner = Box<kron_string>;
}

impl kron_string {
    /// A string for C. `name` is its name in the error if it contains a NUL character.
    pub(crate) fn new(text: String, name: &'static str) -> Result<Box<kron_string>, Failure> {
        let text = CString::new(text).map_err(|_| Failure::Nul(name))?;
        Ok(Box::new(kron_string { text }))
    }
}

/// The text of written JSON. All values of libkron can be written, so a failure is a bug.
pub(crate) fn json(written: serde_json::Result<String>) -> Result<String, Failure> {
    written.map_err(|_| Failure::Panic)
}

/// Runs the work of a function that makes a string of an object. `name` is the name of
/// the string in the error if it contains a NUL character.
pub(crate) fn guard_string<T>(
    error: ErrorOut,
    object: Result<T, Failure>,
    out: Result<Out<*mut kron_string>, Failure>,
    name: &'static str,
    text: impl FnOnce(T) -> Result<String, Failure>,
) -> kron_result {
    guard(error, || {
        let (object, out) = (object?, out?);
        out.give(kron_string::new(text(object)?, name)?);
        Ok(())
    })
}

/// Returns the bytes of a string, with a NUL at the end.
///
/// Ownership: the bytes belong to the string, and are valid until the string is freed.
/// NULL: the empty string.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_string_data(string: *const kron_string) -> *const c_char {
    // SAFETY: the caller follows the section above.
    let string = unsafe { borrow(string, "string") };
    guard_get(c"".as_ptr(), string, |string| string.text.as_ptr())
}

/// Returns the length of a string in bytes, without the NUL at the end.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_string_length(string: *const kron_string) -> usize {
    // SAFETY: the caller follows the section above.
    let string = unsafe { borrow(string, "string") };
    guard_get(0, string, |string| string.text.as_bytes().len())
}

/// Frees a string.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_string_free(string: *mut kron_string) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(string) });
}
