//! What a fleet consists of: its jobs, their further fields, and the findings of its file.

use std::ffi::c_char;

use crate::abi::failure::Failure;
use crate::abi::handle::borrow;
use crate::abi::output::Out;
use crate::abi::panic::guard_get;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_set};
use crate::fleet::create::kron_fleet;
use crate::job::create::kron_job;
use crate::value::string::{guard_string, json, kron_string};

/// Returns the number of jobs of a fleet.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_length(fleet: *const kron_fleet) -> usize {
    // SAFETY: the caller follows the section above.
    let fleet = unsafe { borrow(fleet, "fleet") };
    guard_get(0, fleet, |fleet| fleet.fleet.jobs().len())
}

/// Makes a copy of a job of a fleet, by its index from 0.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free. It does not need the fleet.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_INDEX if `index` is not less than the length.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_job(
    fleet: *const kron_fleet,
    index: usize,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, out, error) = unsafe { (borrow(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        out.give(kron_job::new(fleet.job(index)?.clone()));
        Ok(())
    })
}

fn find(fleet: &kron_fleet, name: &str) -> Result<usize, Failure> {
    fleet.fleet.index_of(name).ok_or_else(|| Failure::Absent)
}

/// Finds a job of a fleet by its name, and gets its index. KRON_ABSENT if no job has the name.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` may be NULL.
/// On error: `*index` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_find(
    fleet: *const kron_fleet,
    name: *const c_char,
    index: *mut usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, name, index, error) = unsafe {
        (borrow(fleet, "fleet"), read_text_z(name, "name"), Out::new(index, "index"), ErrorOut::new(error))
    };
    guard_set(error, fleet, index, |fleet| find(fleet, name?))
}

/// Like kron_fleet_find, with the length of the text in bytes.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` may be NULL, and `name` if its length is 0.
/// On error: `*index` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_find_n(
    fleet: *const kron_fleet,
    name: *const c_char,
    name_length: usize,
    index: *mut usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, name, index, error) = unsafe {
        (
            borrow(fleet, "fleet"),
            read_text(name, name_length, "name"),
            Out::new(index, "index"),
            ErrorOut::new(error),
        )
    };
    guard_set(error, fleet, index, |fleet| find(fleet, name?))
}

fn field(
    fleet: Result<&kron_fleet, Failure>,
    index: usize,
    key: Result<&str, Failure>,
    out: Result<Out<*mut kron_string>, Failure>,
) -> Result<(), Failure> {
    let (fleet, key, out) = (fleet?, key?, out?);
    fleet.job(index)?;
    let fields = fleet.fields.get(index).into_iter().flatten();
    let (_, value) = { fields }.find(|(name, _)| name == key).ok_or_else(|| Failure::Absent)?;
    out.give(kron_string::new(value.clone(), "value")?);
    Ok(())
}

/// Gets another field of the line of a job in a job file, such as `command`. KRON_ABSENT if the line has no such
/// field; KRON_ERROR_CONTAINS_NUL if its value contains a NUL character.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_field(
    fleet: *const kron_fleet,
    index: usize,
    key: *const c_char,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, key, out, error) = unsafe {
        (borrow(fleet, "fleet"), read_text_z(key, "key"), Out::new(out, "out"), ErrorOut::new(error))
    };
    guard(error, || field(fleet, index, key, out))
}

/// Like kron_fleet_field, with the length of the text in bytes.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL, and `key` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_field_n(
    fleet: *const kron_fleet,
    index: usize,
    key: *const c_char,
    key_length: usize,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, key, out, error) = unsafe {
        (
            borrow(fleet, "fleet"),
            read_text(key, key_length, "key"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || field(fleet, index, key, out))
}

/// Gets the findings about the file that the fleet was read from, such as a namespace that was assumed: a JSON array of
/// objects with the strings `severity`, `code` and `message`.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_findings_json(
    fleet: *const kron_fleet,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, out, error) = unsafe { (borrow(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, fleet, out, "findings", |fleet| json(serde_json::to_string(&fleet.findings)))
}
