//! Schedules: a cron expression in a zone, for those who just want a good cron.

use std::ffi::c_char;
use std::sync::Arc;

use kron_core::{ClockChange, Cron, Schedule};

use crate::error::{ErrorOut, kron_error};
use crate::fault::Fault;
use crate::handle::{Handle, borrow, borrow_optional, free, share};
use crate::memory::{Out, Struct, struct_out};
use crate::result::{guard, guard_value, kron_result};
use crate::string::kron_string;
use crate::text::{read_text, read_text_z};
use crate::tzdb::{kron_tzdb, zone};

/// A cron expression read in a time zone. Immutable; any number of threads may use it at once.
#[derive(Debug)]
pub struct kron_schedule {
    pub(crate) schedule: Schedule,
}

impl Handle for kron_schedule {
    type Owner = Arc<kron_schedule>;
}

/// A change of offset that meets a schedule.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct kron_clock_change {
    /// The Unix second at which the offset changes.
    pub time: i64,
    /// The first civil minute of the schedule that is skipped or doubled, in seconds since 1970-01-01T00:00 on a clock
    /// without zone.
    pub civil: i64,
    /// Seconds east of UTC before the change.
    pub offset_before: i32,
    /// Seconds east of UTC from the change on.
    pub offset_after: i32,
}

impl Struct for kron_clock_change {}

impl From<ClockChange> for kron_clock_change {
    fn from(change: ClockChange) -> kron_clock_change {
        let ClockChange { timestamp, civil, offset_before, offset_after, .. } = change;
        kron_clock_change { time: timestamp, civil, offset_before, offset_after }
    }
}

fn parse(
    cron: Result<&str, Fault>,
    timezone: Result<&str, Fault>,
    tzdb: Option<&kron_tzdb>,
    out: Result<Out<*mut kron_schedule>, Fault>,
) -> Result<(), Fault> {
    let (cron, timezone, out) = (cron?, timezone?, out?);
    let schedule = Cron::parse(cron)?.in_zone(zone(timezone, tzdb)?);
    out.give(Arc::new(kron_schedule { schedule }));
    Ok(())
}

/// Makes a schedule from a five-field cron expression or a macro such as `@daily`, and the IANA name of a zone such
/// as `UTC`.
///
/// Ownership: `*out` becomes a new schedule of the caller, freed with kron_schedule_free.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
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

/// As kron_schedule_parse, with the lengths of the texts in bytes.
///
/// Ownership: `*out` becomes a new schedule of the caller, freed with kron_schedule_free.
/// NULL: only `error` and `tzdb` may be NULL, and a text if its length is 0.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
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

/// The smallest nominal time after a Unix second. KRON_RESULT_END if there is none up to 2099.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*time` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_next(
    schedule: *const kron_schedule,
    after: i64,
    time: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (schedule, time, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(time, "time"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, time) = (schedule?, time?);
        time.set(schedule.schedule.next_timestamp(after).ok_or_else(|| Fault::End)?);
        Ok(())
    })
}

/// The greatest nominal time at or before a Unix second. KRON_RESULT_END if there is none from 1970 on.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*time` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_prev(
    schedule: *const kron_schedule,
    at: i64,
    time: *mut i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (schedule, time, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(time, "time"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, time) = (schedule?, time?);
        time.set(schedule.schedule.prev_timestamp(at).ok_or_else(|| Fault::End)?);
        Ok(())
    })
}

/// The next change of offset after a Unix second that skips a civil time of the schedule, which yields no nominal
/// time. KRON_RESULT_END if there is none up to 2099. `out_size` is KRON_CLOCK_CHANGE_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_next_skipped(
    schedule: *const kron_schedule,
    after: i64,
    out: *mut kron_clock_change,
    out_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), struct_out(out, out_size, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, out) = (schedule?, out?);
        out.set(schedule.schedule.next_skipped(after).ok_or_else(|| Fault::End)?.into());
        Ok(())
    })
}

/// The next change of offset after a Unix second that doubles a civil time of the schedule, which yields two nominal
/// times. KRON_RESULT_END if there is none up to 2099. `out_size` is KRON_CLOCK_CHANGE_SIZE.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_next_doubled(
    schedule: *const kron_schedule,
    after: i64,
    out: *mut kron_clock_change,
    out_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), struct_out(out, out_size, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, out) = (schedule?, out?);
        out.set(schedule.schedule.next_doubled(after).ok_or_else(|| Fault::End)?.into());
        Ok(())
    })
}

/// The canonical text of the cron expression, five fields.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, out) = (schedule?, out?);
        out.give(kron_string::new(schedule.schedule.cron().to_string(), "schedule")?);
        Ok(())
    })
}

/// The IANA name of the zone.
///
/// Ownership: `*out` becomes a new string of the caller, freed with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, out) = (schedule?, out?);
        out.give(kron_string::new(schedule.schedule.zone().name().to_owned(), "timezone")?);
        Ok(())
    })
}

/// Another handle of the same schedule, which costs a counter.
///
/// Ownership: `*out` becomes a new handle of the caller, freed with kron_schedule_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` keeps its value.
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
    // SAFETY: the caller keeps to what is said above.
    let (schedule, out, error) =
        unsafe { (share(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (schedule, out) = (schedule?, out?);
        out.give(schedule);
        Ok(())
    })
}

/// Frees a schedule.
///
/// Ownership: takes the handle.
/// NULL: nothing happens.
/// On error: this cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_free(schedule: *mut kron_schedule) {
    // SAFETY: the caller keeps to what is said above.
    guard_value((), || unsafe { free(schedule) });
}
