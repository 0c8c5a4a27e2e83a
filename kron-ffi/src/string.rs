//! Strings that the library returns.

use std::ffi::{CString, c_char};

use crate::fault::Fault;
use crate::handle::{Handle, borrow, free};
use crate::result::guard_value;

/// A string that the library made: UTF-8 without NUL inside, and a NUL at its end.
#[derive(Debug)]
pub struct kron_string {
    text: CString,
}

impl Handle for kron_string {
    type Owner = Box<kron_string>;
}

impl kron_string {
    /// A text of the core for C; `name` is what to call it if C cannot hold it.
    pub(crate) fn new(text: String, name: &'static str) -> Result<Box<kron_string>, Fault> {
        let text = CString::new(text).map_err(|_| Fault::Nul(name))?;
        Ok(Box::new(kron_string { text }))
    }
}

/// The bytes of a string, with a NUL at the end.
///
/// Ownership: the bytes belong to the string and live as long.
/// NULL: the empty string.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_string_data(string: *const kron_string) -> *const c_char {
    // SAFETY: the caller keeps to what is said above.
    let string = unsafe { borrow(string, "string") };
    guard_value(c"".as_ptr(), || string.map_or(c"".as_ptr(), |string| string.text.as_ptr()))
}

/// The length of a string in bytes, without the NUL.
///
/// Ownership: none passes.
/// NULL: 0.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_string_length(string: *const kron_string) -> usize {
    // SAFETY: the caller keeps to what is said above.
    let string = unsafe { borrow(string, "string") };
    guard_value(0, || string.map_or(0, |string| string.text.as_bytes().len()))
}

/// Frees a string.
///
/// Ownership: takes the handle.
/// NULL: nothing happens.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_string_free(string: *mut kron_string) {
    // SAFETY: the caller keeps to what is said above.
    guard_value((), || unsafe { free(string) });
}
