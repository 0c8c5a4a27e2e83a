//! Merged series of a fleet.

use ::kron_fleet::{FleetPeriods, FleetPeriodsBack, FleetStarts, FleetStartsBack};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow_mut, free, share};
use crate::abi::output::{Out, struct_out};
use crate::abi::owning_series::OwningSeries;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::fleet::create::kron_fleet;
use crate::value::decision::kron_decision;

/// A merged series in one of both directions.
#[derive(Debug)]
enum Directed<F, B> {
    Forth(F),
    Back(B),
}

impl<F: Iterator, B: Iterator<Item = F::Item>> Iterator for Directed<F, B> {
    type Item = F::Item;

    fn next(&mut self) -> Option<F::Item> {
        match self {
            Directed::Forth(series) => series.next(),
            Directed::Back(series) => series.next(),
        }
    }
}

/// The starts of all jobs of a fleet, merged. For one thread at a time. It keeps the fleet alive.
#[derive(Debug)]
pub struct kron_fleet_start_series {
    series: OwningSeries<kron_fleet, Directed<FleetStarts<'static>, FleetStartsBack<'static>>>,
}

impl Handle for kron_fleet_start_series {
    type Owner = Box<kron_fleet_start_series>;
}

/// The periods of all jobs of a fleet, merged. For one thread at a time. It keeps the fleet alive.
#[derive(Debug)]
pub struct kron_fleet_period_series {
    series: OwningSeries<kron_fleet, Directed<FleetPeriods<'static>, FleetPeriodsBack<'static>>>,
}

impl Handle for kron_fleet_period_series {
    type Owner = Box<kron_fleet_period_series>;
}

/// Makes a series of the starts of all jobs with chosen times in [from, to), in Unix seconds, in order of chosen time,
/// then of nominal time, then of index.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_fleet_start_series_free. It keeps the fleet
/// alive.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_starts(
    fleet: *const kron_fleet,
    from: i64,
    to: i64,
    out: *mut *mut kron_fleet_start_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, out, error) = unsafe { (share(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        let series = OwningSeries::new(fleet, |fleet| Directed::Forth(fleet.fleet.starts(from..to)));
        out.give(Box::new(kron_fleet_start_series { series }));
        Ok(())
    })
}

/// Makes a series of the starts of all jobs with chosen times in [from, to), in Unix seconds, latest first: the reverse of
/// kron_fleet_starts.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_fleet_start_series_free. It keeps the fleet
/// alive.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_starts_back(
    fleet: *const kron_fleet,
    from: i64,
    to: i64,
    out: *mut *mut kron_fleet_start_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, out, error) = unsafe { (share(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        let series = OwningSeries::new(fleet, |fleet| Directed::Back(fleet.fleet.starts_back(from..to)));
        out.give(Box::new(kron_fleet_start_series { series }));
        Ok(())
    })
}

/// Makes a series of the periods of all jobs with nominal times in [from, to), in Unix seconds, in order of nominal
/// time, then of index.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_fleet_period_series_free. It keeps the fleet
/// alive.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_periods(
    fleet: *const kron_fleet,
    from: i64,
    to: i64,
    out: *mut *mut kron_fleet_period_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, out, error) = unsafe { (share(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        let series = OwningSeries::new(fleet, |fleet| Directed::Forth(fleet.fleet.periods(from..to)));
        out.give(Box::new(kron_fleet_period_series { series }));
        Ok(())
    })
}

/// Makes a series of the periods of all jobs with nominal times in [from, to), in Unix seconds, latest first: the reverse of
/// kron_fleet_periods.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_fleet_period_series_free. It keeps the fleet
/// alive.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_periods_back(
    fleet: *const kron_fleet,
    from: i64,
    to: i64,
    out: *mut *mut kron_fleet_period_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (fleet, out, error) = unsafe { (share(fleet, "fleet"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (fleet, out) = (fleet?, out?);
        let series = OwningSeries::new(fleet, |fleet| Directed::Back(fleet.fleet.periods_back(from..to)));
        out.give(Box::new(kron_fleet_period_series { series }));
        Ok(())
    })
}

/// Gets the next start of a fleet and the index of its job. KRON_END after the last one. If the search of a job
/// fails, its error is returned once and the series continues without the job; kron_error_job_index gives its index.
/// `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the outputs are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_start_series_next(
    series: *mut kron_fleet_start_series,
    index: *mut usize,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (series, index, decision, error) = unsafe {
        (
            borrow_mut(series, "series"),
            Out::new(index, "index"),
            struct_out(decision, decision_size, "decision"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (series, index, decision) = (series?, index?, decision?);
        let (job, start) = series.series.series().next().ok_or_else(|| Failure::End)?;
        decision.set_decision(&start.map_err(|error| Failure::OfJob(job, error))?);
        index.set(job);
        Ok(())
    })
}

/// Frees a series.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_start_series_free(series: *mut kron_fleet_start_series) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(series) });
}

/// Gets the next period of a fleet and the index of its job. KRON_END after the last one. `decision_size` is
/// KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the outputs are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_period_series_next(
    series: *mut kron_fleet_period_series,
    index: *mut usize,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (series, index, decision, error) = unsafe {
        (
            borrow_mut(series, "series"),
            Out::new(index, "index"),
            struct_out(decision, decision_size, "decision"),
            ErrorOut::new(error),
        )
    };
    guard(error, || {
        let (series, index, decision) = (series?, index?, decision?);
        let (job, period) = series.series.series().next().ok_or_else(|| Failure::End)?;
        decision.set_decision(&period);
        index.set(job);
        Ok(())
    })
}

/// Frees a series.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_period_series_free(series: *mut kron_fleet_period_series) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(series) });
}
