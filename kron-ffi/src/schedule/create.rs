//! Schedules: a cron expression in a time zone, for programs that need only cron.

use std::ffi::c_char;
use std::sync::Arc;

use kron_core::{Cron, Schedule};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, borrow_optional, free, share};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_clone};
use crate::tzdb::database::{kron_tzdb, zone};
use crate::value::string::{guard_string, kron_string};

/// A cron expression read in a time zone. Immutable; any number of threads may use it at once.
#[derive(Debug)]
pub struct kron_schedule {
    pub(crate) schedule: Schedule,
}

impl Handle for kron_schedule {
    type Owner = Arc<kron_schedule>;
}

fn parse(
    cron: Result<&str, Failure>,
    timezone: Result<&str, Failure>,
    tzdb: Option<&kron_tzdb>,
    out: Result<Out<*mut kron_schedule>, Failure>,
) -> Result<(), Failure> {
    let (cron, timezone, out) = (cron?, timezone?, out?);
    let schedule = Cron::parse(cron)?.in_zone(zone(timezone, tzdb)?);
    out.give(Arc::new(kron_schedule { schedule }));
    Ok(())
}

/// Makes a schedule from a cron expression, which has five fields or is a macro such as `@daily`, and the IANA name of
/// a time zone.
///
/// Ownership: `*out` is a new schedule, which the caller frees with kron_schedule_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_parse(
    cron: *const c_char,
    timezone: *const c_char,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_schedule,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (cron, timezone, tzdb, out, error) = unsafe {
        (
            read_text_z(cron, "cron"),
            read_text_z(timezone, "timezone"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || parse(cron, timezone, tzdb, out))
}

/// Like kron_schedule_parse, with the lengths of the texts in bytes.
///
/// Ownership: `*out` is a new schedule, which the caller frees with kron_schedule_free.
/// NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_parse_n(
    cron: *const c_char,
    cron_length: usize,
    timezone: *const c_char,
    timezone_length: usize,
    tzdb: *const kron_tzdb,
    out: *mut *mut kron_schedule,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (cron, timezone, tzdb, out, error) = unsafe {
        (
            read_text(cron, cron_length, "cron"),
            read_text(timezone, timezone_length, "timezone"),
            borrow_optional(tzdb),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || parse(cron, timezone, tzdb, out))
}

/// Gets the canonical form of the cron expression, which has five fields.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_text(
    schedule: *const kron_schedule,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, schedule, out, "schedule", |schedule| Ok(schedule.schedule.cron().to_string()))
}

/// Gets the IANA name of the time zone.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_timezone(
    schedule: *const kron_schedule,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, schedule, out, "timezone", |schedule| Ok(schedule.schedule.zone().name().to_owned()))
}

/// Makes another handle of the same schedule. Nothing is copied.
///
/// Ownership: `*out` is a new handle, which the caller frees with kron_schedule_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_clone(
    schedule: *const kron_schedule,
    out: *mut *mut kron_schedule,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (share(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_clone(error, schedule, out)
}

/// Frees a handle of a schedule.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_free(schedule: *mut kron_schedule) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(schedule) });
}
