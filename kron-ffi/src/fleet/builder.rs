//! Builders of fleets.

use std::sync::Arc;

use ::kron_fleet::Fleet;
use kron_core::Job;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, borrow_mut, free};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::fleet::create::kron_fleet;
use crate::job::create::kron_job;

/// A builder of a fleet. For one thread at a time.
#[derive(Debug)]
pub struct kron_fleet_builder {
    /// `None` once used up.
    jobs: Option<Vec<Job>>,
}

impl Handle for kron_fleet_builder {
    type Owner = Box<kron_fleet_builder>;
}

/// Makes a builder of a fleet, without jobs.
///
/// Ownership: `*out` is a new builder, which the caller frees with kron_fleet_builder_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_builder_new(
    out: *mut *mut kron_fleet_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (out, error) = unsafe { (Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let out = out?;
        out.give(Box::new(kron_fleet_builder { jobs: Some(Vec::new()) }));
        Ok(())
    })
}

/// Adds a copy of a job. Its index is the number of jobs that were added before.
///
/// Ownership: unchanged; the caller still frees the job.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_builder_add(
    builder: *mut kron_fleet_builder,
    job: *const kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, job, error) =
        unsafe { (borrow_mut(builder, "builder"), borrow(job, "job"), ErrorOut::new(error)) };
    guard(error, || {
        let (builder, job) = (builder?, job?);
        builder.jobs.as_mut().ok_or_else(|| Failure::Used("builder"))?.push(job.job.clone());
        Ok(())
    })
}

/// Makes the fleet. The builder is then used, and can only be freed. KRON_ERROR_FILE_REPEATED_NAME if two jobs have
/// the same name.
///
/// Ownership: `*out` is a new fleet, which the caller frees with kron_fleet_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` and the builder are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_builder_build(
    builder: *mut kron_fleet_builder,
    out: *mut *mut kron_fleet,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, out, error) =
        unsafe { (borrow_mut(builder, "builder"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (builder, out) = (builder?, out?);
        let fleet = Fleet::new(builder.jobs.clone().ok_or_else(|| Failure::Used("builder"))?)?;
        builder.jobs = None;
        out.give(Arc::new(kron_fleet { fleet, fields: Vec::new(), findings: Vec::new() }));
        Ok(())
    })
}

/// Frees a builder.
///
/// Ownership: the handle must not be used again.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_fleet_builder_free(builder: *mut kron_fleet_builder) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(builder) });
}
