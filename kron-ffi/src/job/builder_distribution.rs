//! The distribution of a job that is being built.

use kron_core::Distribution;

use crate::abi::handle::borrow_mut;
use crate::abi::input::optional;
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::builder::kron_job_builder;
use crate::value::duration::duration;
use crate::value::enums;

/// Spreads starts evenly over the window, which is the default.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: the builder is as before.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_uniform(
    builder: *mut kron_job_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        builder.set(|spec| spec.distribution(Distribution::uniform()))?;
        Ok(())
    })
}

/// Makes early starts likelier, for shapes above 1; the shape is finite and above 0.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: the builder is as before.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_skew_early(
    builder: *mut kron_job_builder,
    shape: f64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let distribution = Distribution::skew_early(shape)?;
        builder.set(|spec| spec.distribution(distribution))?;
        Ok(())
    })
}

/// Makes late starts likelier, for shapes above 1; the shape is finite and above 0.
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: the builder is as before.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_skew_late(
    builder: *mut kron_job_builder,
    shape: f64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let distribution = Distribution::skew_late(shape)?;
        builder.set(|spec| spec.distribution(distribution))?;
        Ok(())
    })
}

/// Spreads starts by a normal distribution that is cut to the window: its peak (enum kron_mu), and its standard deviation
/// in nanoseconds, above 0; NULL means a sixth of the window.
///
/// Ownership: none passes; `*sigma` is only read.
/// NULL: only `sigma` and `error` may be NULL.
/// On error: the builder is as before.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_normal(
    builder: *mut kron_job_builder,
    mu: u32,
    sigma: *const i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (builder, sigma, error) =
        unsafe { (borrow_mut(builder, "builder"), optional(sigma), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let sigma = sigma.map(|sigma| duration(sigma, "sigma")).transpose()?;
        let distribution = Distribution::normal(enums::mu(mu, "mu")?, sigma)?;
        builder.set(|spec| spec.distribution(distribution))?;
        Ok(())
    })
}

/// Spreads starts by an exponential distribution of rate `lambda` (finite, above 0) for each window length, densest
/// on one side (enum kron_direction).
///
/// Ownership: none passes.
/// NULL: only `error` may be NULL.
/// On error: the builder is as before.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_exponential(
    builder: *mut kron_job_builder,
    lambda: f64,
    dir: u32,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller keeps to what is said above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let distribution = Distribution::exponential(lambda, enums::direction(dir, "dir")?)?;
        builder.set(|spec| spec.distribution(distribution))?;
        Ok(())
    })
}
