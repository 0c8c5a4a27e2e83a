//! Time zones of a time zone database, by name.

use std::ffi::c_char;

use crate::abi::handle::borrow_optional;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard_set};
use crate::tzdb::database::{kron_tzdb, zone};
use crate::value::string::{guard_string, kron_string};

/// Gets the offset of a time zone in seconds east of UTC at a Unix second. Exact from 1968-12-01 to 2101-02-01;
/// outside, the nearest known offset.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*offset` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_zone_offset_at(
    timezone: *const c_char,
    tzdb: *const kron_tzdb,
    at: i64,
    offset: *mut i32,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (timezone, tzdb, offset, error) = unsafe {
        (
            read_text_z(timezone, "timezone"),
            borrow_optional(tzdb),
            Out::new(offset, "offset"),
            ErrorOut::new(error),
        )
    };
    guard_set(error, timezone, offset, |timezone| Ok(zone(timezone, tzdb)?.offset_at(at)))
}

/// Like kron_zone_offset_at, with the length of the text in bytes.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` and `tzdb` may be NULL, and `timezone` if its length is 0.
/// On error: `*offset` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_zone_offset_at_n(
    timezone: *const c_char,
    timezone_length: usize,
    tzdb: *const kron_tzdb,
    at: i64,
    offset: *mut i32,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (timezone, tzdb, offset, error) = unsafe {
        (
            read_text(timezone, timezone_length, "timezone"),
            borrow_optional(tzdb),
            Out::new(offset, "offset"),
            ErrorOut::new(error),
        )
    };
    guard_set(error, timezone, offset, |timezone| Ok(zone(timezone, tzdb)?.offset_at(at)))
}

/// Gets the fingerprint of the rules of a time zone: a SHA-256 in 64 hex digits. Zones with the same fingerprint have
/// the same offsets from 1968-12-01 to 2101-02-01, whatever their names and the versions of their databases.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_zone_fingerprint(
    timezone: *const c_char,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (timezone, tzdb, out, error) = unsafe {
        (read_text_z(timezone, "timezone"), borrow_optional(tzdb), Out::new(out, "out"), ErrorOut::new(error))
    };
    guard_string(error, timezone, out, "fingerprint", |timezone| Ok(zone(timezone, tzdb)?.fingerprint()))
}

/// Like kron_zone_fingerprint, with the length of the text in bytes.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` and `tzdb` may be NULL, and `timezone` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_zone_fingerprint_n(
    timezone: *const c_char,
    timezone_length: usize,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (timezone, tzdb, out, error) = unsafe {
        (
            read_text(timezone, timezone_length, "timezone"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard_string(error, timezone, out, "fingerprint", |timezone| Ok(zone(timezone, tzdb)?.fingerprint()))
}
