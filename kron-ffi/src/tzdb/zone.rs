//! Time zones of a tz database, by name.

use std::ffi::c_char;

use crate::abi::handle::borrow_optional;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard_set};
use crate::tzdb::database::{kron_tzdb, zone};
use crate::value::string::{guard_string, kron_string};

/// The offset of a zone in seconds east of UTC at a Unix second: exact from 1968-12-01 to 2101-02-01, else the nearest
/// known offset.
///
/// Ownership: none passes; the text is only read.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*offset` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
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

/// As kron_zone_offset_at, with the length of the text in bytes.
///
/// Ownership: none passes; the text is only read.
/// NULL: only `error` and `tzdb` may be NULL, and `timezone` if its length is 0.
/// On error: `*offset` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
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

/// The fingerprint of a zone's rules, a SHA-256 in 64 hex digits. Zones with the same fingerprint have the same offsets
/// from 1968-12-01 to 2101-02-01, whatever their names and the versions of their databases.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (timezone, tzdb, out, error) = unsafe {
        (read_text_z(timezone, "timezone"), borrow_optional(tzdb), Out::new(out, "out"), ErrorOut::new(error))
    };
    guard_string(error, timezone, out, "fingerprint", |timezone| Ok(zone(timezone, tzdb)?.fingerprint()))
}

/// As kron_zone_fingerprint, with the length of the text in bytes.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` and `tzdb` may be NULL, and `timezone` if its length is 0.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
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
