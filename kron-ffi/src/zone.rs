//! Time zones of a tz database, by name.

use std::ffi::c_char;

use crate::error::{ErrorOut, kron_error};
use crate::fault::Fault;
use crate::handle::borrow_optional;
use crate::memory::Out;
use crate::result::{guard, kron_result};
use crate::string::kron_string;
use crate::text::{read_text, read_text_z};
use crate::tzdb::{kron_tzdb, zone};

fn offset_at(
    timezone: Result<&str, Fault>,
    tzdb: Option<&kron_tzdb>,
    at: i64,
    offset: Result<Out<i32>, Fault>,
) -> Result<(), Fault> {
    let (timezone, offset) = (timezone?, offset?);
    offset.set(zone(timezone, tzdb)?.offset_at(at));
    Ok(())
}

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
    guard(error, || offset_at(timezone, tzdb, at, offset))
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
    guard(error, || offset_at(timezone, tzdb, at, offset))
}

fn fingerprint(
    timezone: Result<&str, Fault>,
    tzdb: Option<&kron_tzdb>,
    out: Result<Out<*mut kron_string>, Fault>,
) -> Result<(), Fault> {
    let (timezone, out) = (timezone?, out?);
    out.give(kron_string::new(zone(timezone, tzdb)?.fingerprint(), "fingerprint")?);
    Ok(())
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
    guard(error, || fingerprint(timezone, tzdb, out))
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
    guard(error, || fingerprint(timezone, tzdb, out))
}
