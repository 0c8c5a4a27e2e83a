//! Series of periods and of starts.

use kron_core::job::{PeriodSeries, StartSeries};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow_mut, free, share};
use crate::abi::output::{Out, struct_out};
use crate::abi::owning_series::OwningSeries;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::create::kron_job;
use crate::value::decision::kron_decision;

/// The periods of a job in order of nominal time. For one thread at a time. It keeps the job alive.
#[derive(Debug)]
pub struct kron_period_series {
    series: OwningSeries<kron_job, PeriodSeries<'static>>,
}

impl Handle for kron_period_series {
    type Owner = Box<kron_period_series>;
}

/// The starts of a job in order of chosen time. For one thread at a time. It keeps the job alive.
#[derive(Debug)]
pub struct kron_start_series {
    series: OwningSeries<kron_job, StartSeries<'static>>,
}

impl Handle for kron_start_series {
    type Owner = Box<kron_start_series>;
}

/// Makes a series of the periods with nominal times in [from, to), in Unix seconds, in order of nominal time.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_period_series_free. It keeps the job alive.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_periods(
    job: *const kron_job,
    from: i64,
    to: i64,
    out: *mut *mut kron_period_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (share(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        let series = OwningSeries::new(job, |job| job.job.periods(from..to));
        out.give(Box::new(kron_period_series { series }));
        Ok(())
    })
}

/// Makes a series of the periods with nominal times in [from, to), in Unix seconds, latest first.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_period_series_free. It keeps the job alive.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_periods_back(
    job: *const kron_job,
    from: i64,
    to: i64,
    out: *mut *mut kron_period_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (share(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        let series = OwningSeries::new(job, |job| job.job.periods_back(from..to));
        out.give(Box::new(kron_period_series { series }));
        Ok(())
    })
}

/// Makes a series of the starts with chosen times in [from, to), in Unix seconds, in order of chosen time. Starts at
/// the same second are in order of nominal time.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_start_series_free. It keeps the job alive.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_starts(
    job: *const kron_job,
    from: i64,
    to: i64,
    out: *mut *mut kron_start_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (share(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        let series = OwningSeries::new(job, |job| job.job.starts(from..to));
        out.give(Box::new(kron_start_series { series }));
        Ok(())
    })
}

/// Makes a series of the starts with chosen times in [from, to), in Unix seconds, latest first.
///
/// Ownership: `*out` is a new series, which the caller frees with kron_start_series_free. It keeps the job alive.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_starts_back(
    job: *const kron_job,
    from: i64,
    to: i64,
    out: *mut *mut kron_start_series,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (job, out, error) = unsafe { (share(job, "job"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (job, out) = (job?, out?);
        let series = OwningSeries::new(job, |job| job.job.starts_back(from..to));
        out.give(Box::new(kron_start_series { series }));
        Ok(())
    })
}

/// Gets the next period of a series. KRON_END after the last one. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*decision` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_period_series_next(
    series: *mut kron_period_series,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (series, decision, error) = unsafe {
        (borrow_mut(series, "series"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard(error, || {
        let (series, decision) = (series?, decision?);
        decision.set_decision(&series.series.series().next().ok_or_else(|| Failure::End)?);
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
pub unsafe extern "C" fn kron_period_series_free(series: *mut kron_period_series) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(series) });
}

/// Gets the next start of a series. KRON_END after the last one. The errors are those of kron_job_next_start,
/// and end the series. `decision_size` is KRON_DECISION_SIZE.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: `*decision` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_start_series_next(
    series: *mut kron_start_series,
    decision: *mut kron_decision,
    decision_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (series, decision, error) = unsafe {
        (borrow_mut(series, "series"), struct_out(decision, decision_size, "decision"), ErrorOut::new(error))
    };
    guard(error, || {
        let (series, decision) = (series?, decision?);
        decision.set_decision(&series.series.series().next().ok_or_else(|| Failure::End)??);
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
pub unsafe extern "C" fn kron_start_series_free(series: *mut kron_start_series) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(series) });
}
