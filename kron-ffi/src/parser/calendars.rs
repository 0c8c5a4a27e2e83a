//! Calendars: named lists of dates.

use std::ffi::c_char;
use std::sync::Arc;

use kron_core::{Calendar, Calendars};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, free};
use crate::abi::output::Out;
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::value::string::{guard_string, kron_string};

/// Calendars: named lists of dates, which the part `calendar` of clauses names. Immutable; any number of threads may use
/// them at once.
#[derive(Debug)]
pub struct kron_calendars {
    pub(crate) calendars: Calendars,
}

impl Handle for kron_calendars {
    type Owner = Arc<kron_calendars>;
}

impl kron_calendars {
    /// The calendar of a name.
    pub(crate) fn named(&self, name: &str) -> Result<&Calendar, Failure> {
        self.calendars.get(name).ok_or_else(|| Failure::Absent)
    }
}

fn parse(text: Result<&str, Failure>, out: Result<Out<*mut kron_calendars>, Failure>) -> Result<(), Failure> {
    let (text, out) = (text?, out?);
    let calendars = Calendars::parse(text).map_err(Failure::File)?;
    out.give(Arc::new(kron_calendars { calendars }));
    Ok(())
}

/// Reads calendars from the text of a calendar file: lines such as `holidays = 2026-12-25, 2026-12-31..2027-01-01`.
///
/// Ownership: `*out` is new, and the caller frees it with kron_calendars_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. The error has all errors of the text: see kron_error_count.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_calendars_parse(
    text: *const c_char,
    out: *mut *mut kron_calendars,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (text, out, error) =
        unsafe { (read_text_z(text, "text"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || parse(text, out))
}

/// Like kron_calendars_parse, with the length of the text in bytes.
///
/// Ownership: `*out` is new, and the caller frees it with kron_calendars_free.
/// NULL: only `error` may be NULL, and `text` if its length is 0.
/// On error: `*out` is unchanged. The error has all errors of the text: see kron_error_count.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_calendars_parse_n(
    text: *const c_char,
    text_length: usize,
    out: *mut *mut kron_calendars,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (text, out, error) =
        unsafe { (read_text(text, text_length, "text"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || parse(text, out))
}

/// Returns the number of calendars.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_calendars_length(calendars: *const kron_calendars) -> usize {
    // SAFETY: the caller follows the section above.
    let calendars = unsafe { borrow(calendars, "calendars") };
    guard_get(0, calendars, |calendars| calendars.calendars.iter().len())
}

/// Makes a string with the line of a calendar in a calendar file: its name, ` = ` and its dates. Calendars are in the
/// order of their names, from the index 0.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_INDEX if `index` is not less than the length.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_calendars_line(
    calendars: *const kron_calendars,
    index: usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (calendars, out, error) =
        unsafe { (borrow(calendars, "calendars"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, calendars, out, "line", |calendars| {
        let mut all = calendars.calendars.iter();
        let length = all.len();
        let calendar = all.nth(index).ok_or_else(|| Failure::Index { name: "index", index, length })?;
        Ok(calendar.to_string())
    })
}

fn content_hash(
    calendars: Result<&kron_calendars, Failure>,
    name: Result<&str, Failure>,
) -> Result<String, Failure> {
    Ok(calendars?.named(name?)?.content_hash())
}

/// Makes a string with the hash of the dates of a calendar, 64 lower-case hex digits, which receipts contain.
/// KRON_ABSENT if there is no calendar of that name.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_calendars_content_hash(
    calendars: *const kron_calendars,
    name: *const c_char,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (calendars, name, out, error) = unsafe {
        (
            borrow(calendars, "calendars"),
            read_text_z(name, "name"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard_string(error, Ok(()), out, "hash", |()| content_hash(calendars, name))
}

/// Like kron_calendars_content_hash, with the length of the name in bytes.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL, and `name` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_calendars_content_hash_n(
    calendars: *const kron_calendars,
    name: *const c_char,
    name_length: usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (calendars, name, out, error) = unsafe {
        (
            borrow(calendars, "calendars"),
            read_text(name, name_length, "name"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard_string(error, Ok(()), out, "hash", |()| content_hash(calendars, name))
}

/// Frees calendars. Parsers and jobs that use them keep them.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_calendars_free(calendars: *mut kron_calendars) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(calendars) });
}
