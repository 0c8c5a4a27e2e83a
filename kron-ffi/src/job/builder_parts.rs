//! The parts of a job that is being built.

use std::ffi::c_char;

use kron_core::{Seed, Window};

use crate::abi::failure::Failure;
use crate::abi::handle::{borrow_mut, borrow_optional};
use crate::abi::input::struct_in;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::builder::kron_job_builder;
use crate::job::clause_builder::kron_clause_builder;
use crate::job::policy::kron_policy;
use crate::tzdb::database::{kron_tzdb, zone};
use crate::value::duration::duration;
use crate::value::enums;

fn set_timezone(
    builder: Result<&mut kron_job_builder, Failure>,
    timezone: Result<&str, Failure>,
    tzdb: Option<&kron_tzdb>,
) -> Result<(), Failure> {
    let (builder, timezone) = (builder?, timezone?);
    let zone = zone(timezone, tzdb)?;
    builder.set(|spec| spec.timezone(zone));
    Ok(())
}

/// Sets the time zone of the schedule and the constraints, by its IANA name in a time zone database. Default: `UTC`.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` and `tzdb` may be NULL; a NULL `tzdb` is the compiled-in database.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_timezone(
    builder: *mut kron_job_builder,
    timezone: *const c_char,
    tzdb: *const kron_tzdb,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, timezone, tzdb, error) = unsafe {
        (
            borrow_mut(builder, "builder"),
            read_text_z(timezone, "timezone"),
            borrow_optional(tzdb),
            ErrorOut::new(error),
        )
    };
    guard(error, || set_timezone(builder, timezone, tzdb))
}

/// Like kron_job_builder_timezone, with the length of the text in bytes.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` and `tzdb` may be NULL, and `timezone` if its length is 0.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_timezone_n(
    builder: *mut kron_job_builder,
    timezone: *const c_char,
    timezone_length: usize,
    tzdb: *const kron_tzdb,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, timezone, tzdb, error) = unsafe {
        (
            borrow_mut(builder, "builder"),
            read_text(timezone, timezone_length, "timezone"),
            borrow_optional(tzdb),
            ErrorOut::new(error),
        )
    };
    guard(error, || set_timezone(builder, timezone, tzdb))
}

/// Sets the window: its mode (enum kron_window_mode) and its length in nanoseconds, such as `3 * KRON_HOUR`, at most 8784
/// hours. Default: after, 0.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_window_ns(
    builder: *mut kron_job_builder,
    mode: u32,
    duration_ns: i64,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let window = Window::new(enums::window_mode(mode, "mode")?, duration(duration_ns, "duration_ns")?)?;
        builder.set(|spec| spec.window(window));
        Ok(())
    })
}

fn seed(
    builder: Result<&mut kron_job_builder, Failure>,
    strategy: u32,
    salt: Result<&str, Failure>,
) -> Result<(), Failure> {
    let (builder, salt) = (builder?, salt?);
    let seed = Seed::new(enums::seed_strategy(strategy, "strategy")?, salt)?;
    builder.set(|spec| spec.seed(seed));
    Ok(())
}

/// Sets the seed strategy (enum kron_seed_strategy) and the salt, at most 1024 bytes. Another salt gives other starts.
/// Default: stable, without salt.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_seed(
    builder: *mut kron_job_builder,
    strategy: u32,
    salt: *const c_char,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, salt, error) =
        unsafe { (borrow_mut(builder, "builder"), read_text_z(salt, "salt"), ErrorOut::new(error)) };
    guard(error, || seed(builder, strategy, salt))
}

/// Like kron_job_builder_seed, with the length of the text in bytes.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` may be NULL, and `salt` if its length is 0.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_seed_n(
    builder: *mut kron_job_builder,
    strategy: u32,
    salt: *const c_char,
    salt_length: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, salt, error) = unsafe {
        (borrow_mut(builder, "builder"), read_text(salt, salt_length, "salt"), ErrorOut::new(error))
    };
    guard(error, || seed(builder, strategy, salt))
}

/// Adds a clause to the constraint `only`: of these clauses, at least one must match. The clause builder is then used.
/// A job has at most 128 clauses; kron_job_builder_build rejects more.
///
/// Ownership: unchanged; the caller still frees the clause builder.
/// NULL: only `error` may be NULL.
/// On error: both builders are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_only(
    builder: *mut kron_job_builder,
    clause: *mut kron_clause_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, clause, error) =
        unsafe { (borrow_mut(builder, "builder"), borrow_mut(clause, "clause"), ErrorOut::new(error)) };
    guard(error, || {
        let (builder, clause) = (builder?, clause?);
        builder.add(clause, |builder| &mut builder.only)?;
        Ok(())
    })
}

/// Adds a clause to the constraint `avoid`: of these clauses, none may match. The clause builder is then used. A job
/// has at most 128 clauses; kron_job_builder_build rejects more.
///
/// Ownership: unchanged; the caller still frees the clause builder.
/// NULL: only `error` may be NULL.
/// On error: both builders are unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_avoid(
    builder: *mut kron_job_builder,
    clause: *mut kron_clause_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, clause, error) =
        unsafe { (borrow_mut(builder, "builder"), borrow_mut(clause, "clause"), ErrorOut::new(error)) };
    guard(error, || {
        let (builder, clause) = (builder?, clause?);
        builder.add(clause, |builder| &mut builder.avoid)?;
        Ok(())
    })
}

/// Sets the policy. `policy_size` is KRON_POLICY_SIZE. Default: forbid, deadline 0, not suspended.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_policy(
    builder: *mut kron_job_builder,
    policy: *const kron_policy,
    policy_size: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, policy, error) = unsafe {
        (borrow_mut(builder, "builder"), struct_in(policy, policy_size, "policy"), ErrorOut::new(error))
    };
    guard(error, || {
        let (builder, policy) = (builder?, policy?);
        let policy = policy.to_core()?;
        builder.set(|spec| spec.policy(policy));
        Ok(())
    })
}

/// Sets the algorithm (enum kron_algorithm). Default: `siphash-chacha8/1`.
///
/// Ownership: unchanged.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_algorithm(
    builder: *mut kron_job_builder,
    algorithm: u32,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, error) = unsafe { (borrow_mut(builder, "builder"), ErrorOut::new(error)) };
    guard(error, || {
        let builder = builder?;
        let algorithm = enums::algorithm(algorithm, "algorithm")?;
        builder.set(|spec| spec.algorithm(algorithm));
        Ok(())
    })
}
