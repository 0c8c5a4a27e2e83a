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

/// Sets the distribution `uniform`, the default: starts are spread evenly over the window.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_uniform(
    builder: *mut kron_job_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        builder.set(|spec| spec.distribution(Distribution::uniform()));
        Ok(())
    })
}

/// Sets the distribution `skewEarly` with a shape, finite and above 0: the greater the shape, the earlier the starts.
/// Shape 1 is uniform.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let distribution = Distribution::skew_early(shape)?;
        builder.set(|spec| spec.distribution(distribution));
        Ok(())
    })
}

/// Sets the distribution `skewLate` with a shape, finite and above 0: the greater the shape, the later the starts.
/// Shape 1 is uniform.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let distribution = Distribution::skew_late(shape)?;
        builder.set(|spec| spec.distribution(distribution));
        Ok(())
    })
}

/// Sets the distribution `normal`, cut to the window, with its peak (enum kron_mu) and its standard deviation in
/// nanoseconds, above 0. A NULL `sigma_ns` means a sixth of the window.
///
/// Ownership: unchanged; `*sigma_ns` is copied.
/// NULL: only `sigma_ns` and `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_normal(
    builder: *mut kron_job_builder,
    mu: u32,
    sigma_ns: *const i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, sigma, error) =
        unsafe { (borrow_mut(builder, "builder"), optional(sigma_ns), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let sigma = sigma.map(|sigma| duration(sigma, "sigma_ns")).transpose()?;
        let distribution = Distribution::normal(enums::mu(mu, "mu")?, sigma)?;
        builder.set(|spec| spec.distribution(distribution));
        Ok(())
    })
}

/// Sets the distribution `exponential`, cut to the window, with its rate `lambda` per length of the window, finite and
/// above 0, and the side where it is densest (enum kron_direction).
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
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
    // SAFETY: the caller follows the section above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let distribution = Distribution::exponential(lambda, enums::direction(dir, "dir")?)?;
        builder.set(|spec| spec.distribution(distribution));
        Ok(())
    })
}
