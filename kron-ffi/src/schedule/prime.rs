//! Primed schedules of schedules, and the effects of clock changes on them.

use kron_formats::prime::{LeadChange, Prime as _, lead_changes};
use serde_json::json;

use crate::abi::handle::borrow;
use crate::abi::output::Out;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::ErrorOut;
use crate::schedule::create::kron_schedule;
use crate::value::duration::duration;
use crate::value::primed::{guard_primed, kron_primed};
use crate::value::string::{guard_string, kron_string};

/// Makes the cron expressions that fire a lead before a schedule: their civil times in the schedule's time zone are
/// those of the schedule moved back, no more and no fewer, in the years 1970 to 2099. The lead is in nanoseconds: whole
/// minutes from one minute to 31 days.
///
/// Ownership: `*out` is a new primed schedule, which the caller frees with kron_primed_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_PRIME_IMPOSSIBLE if no such expressions exist; the message has the dates that
/// show it.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_prime(
    schedule: *const kron_schedule,
    lead_ns: i64,
    out: *mut *mut kron_primed,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_primed(error, schedule, out, |schedule| {
        Ok(schedule.schedule.cron().prime(duration(lead_ns, "lead_ns")?))
    })
}

/// Like kron_schedule_prime, but where no such expressions exist, makes the smallest set that is found of those that also
/// fire at other times. kron_primed_surplus counts these.
///
/// Ownership: `*out` is a new primed schedule, which the caller frees with kron_primed_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_OUT_OF_BOUNDS for any other lead.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_prime_cover(
    schedule: *const kron_schedule,
    lead_ns: i64,
    out: *mut *mut kron_primed,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_primed(error, schedule, out, |schedule| {
        Ok(schedule.schedule.cron().prime_cover(duration(lead_ns, "lead_ns")?))
    })
}

/// Gets the days on which a change of the clocks makes the expressions of kron_schedule_prime fire at another time before
/// a start than the lead: for each change after `after` and before `until`, in Unix seconds, the first start affected in
/// each way. The lead is in nanoseconds. A JSON array of objects: `time`, the Unix second of the change; `kind`, which is
/// `moved`, `skipped`, `twice` or `noStart`; the civil times `start` and `primed`, such as `2026-03-29T02:50`;
/// `leadSeconds`, from the primed time to the start, or null; and `message`, a sentence.
///
/// Ownership: `*out` is a new string, which the caller frees with kron_string_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged. KRON_ERROR_OUT_OF_BOUNDS for a lead that is not in whole minutes from one minute to
/// 31 days.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_schedule_lead_changes_json(
    schedule: *const kron_schedule,
    lead_ns: i64,
    after: i64,
    until: i64,
    out: *mut *mut kron_string,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (schedule, out, error) =
        unsafe { (borrow(schedule, "schedule"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard_string(error, schedule, out, "changes", |schedule| {
        let changes = lead_changes(&schedule.schedule, duration(lead_ns, "lead_ns")?, after, until)?;
        Ok(changes.iter().map(object).collect::<serde_json::Value>().to_string())
    })
}

/// A change as an object of JSON.
fn object(change: &LeadChange) -> serde_json::Value {
    json!({
        "time": change.timestamp,
        "kind": change.kind.as_str(),
        "start": change.start_text(),
        "primed": change.primed_text(),
        "leadSeconds": change.kind.seconds(),
        "message": change.to_string(),
    })
}
