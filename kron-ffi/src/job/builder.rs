//! Builders of jobs. The functions that set parts are in `builder_parts.rs` and `builder_distribution.rs`.

use std::ffi::c_char;

use kron_core::job::JobSpecBuilder;
use kron_core::{Clause, Constraints, Cron, Job, JobSpec};

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, free};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::clause_builder::kron_clause_builder;
use crate::job::create::kron_job;

/// A builder of a job. For one thread at a time.
#[derive(Clone, Debug)]
pub struct kron_job_builder {
    builder: JobSpecBuilder,
    pub(crate) only: Vec<Clause>,
    pub(crate) avoid: Vec<Clause>,
}

impl Handle for kron_job_builder {
    type Owner = Box<kron_job_builder>;
}

impl kron_job_builder {
    /// Sets a part. A step consumes the core's builder, so it is made on a copy.
    pub(crate) fn set(&mut self, part: impl FnOnce(JobSpecBuilder) -> JobSpecBuilder) {
        self.builder = part(self.builder.clone());
    }

    /// Adds a clause to one of the lists and uses up its builder.
    pub(crate) fn add(
        &mut self,
        clause: &mut kron_clause_builder,
        list: fn(&mut kron_job_builder) -> &mut Vec<Clause>,
    ) -> Result<(), Failure> {
        list(self).push(clause.build()?);
        Ok(())
    }
}

fn new(cron: Result<&str, Failure>, out: Result<Out<*mut kron_job_builder>, Failure>) -> Result<(), Failure> {
    let (cron, out) = (cron?, out?);
    let builder = JobSpec::builder(Cron::parse(cron)?);
    out.give(Box::new(kron_job_builder { builder, only: Vec::new(), avoid: Vec::new() }));
    Ok(())
}

/// Makes a builder of a job with a cron expression. Parts that are not set have their defaults, as in the text form.
///
/// Ownership: `*out` is a new builder, which the caller frees with kron_job_builder_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_new(
    cron: *const c_char,
    out: *mut *mut kron_job_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (cron, out, error) =
        unsafe { (read_text_z(cron, "cron"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || new(cron, out))
}

/// Like kron_job_builder_new, with the length of the text in bytes.
///
/// Ownership: `*out` is a new builder, which the caller frees with kron_job_builder_free.
/// NULL: only `error` may be NULL, and `cron` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_new_n(
    cron: *const c_char,
    cron_length: usize,
    out: *mut *mut kron_job_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (cron, out, error) =
        unsafe { (read_text(cron, cron_length, "cron"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || new(cron, out))
}

fn build(
    builder: Result<&kron_job_builder, Failure>,
    name: Result<&str, Failure>,
    out: Result<Out<*mut kron_job>, Failure>,
) -> Result<(), Failure> {
    let (builder, name, out) = (builder?, name?, out?);
    let constraints = Constraints::from_clauses(builder.only.clone(), builder.avoid.clone())?;
    out.give(kron_job::new(Job::new(name, builder.builder.clone().constraints(constraints).build()?)?));
    Ok(())
}

/// Makes a job with the parts that were set so far. The builder does not change: it can make more jobs.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_build(
    builder: *const kron_job_builder,
    name: *const c_char,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, name, out, error) = unsafe {
        (borrow(builder, "builder"), read_text_z(name, "name"), Out::new(out, "out"), ErrorOut::new(error))
    };
    guard(error, || build(builder, name, out))
}

/// Like kron_job_builder_build, with the length of the text in bytes.
///
/// Ownership: `*out` is a new job, which the caller frees with kron_job_free.
/// NULL: only `error` may be NULL, and `name` if its length is 0.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_build_n(
    builder: *const kron_job_builder,
    name: *const c_char,
    name_length: usize,
    out: *mut *mut kron_job,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, name, out, error) = unsafe {
        (
            borrow(builder, "builder"),
            read_text(name, name_length, "name"),
            Out::new(out, "out"),
            ErrorOut::new(error),
        )
    };
    guard(error, || build(builder, name, out))
}

/// Makes another builder with the parts that were set so far. Changes of one do not change the other.
///
/// Ownership: `*out` is a new builder, which the caller frees with kron_job_builder_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_clone(
    builder: *const kron_job_builder,
    out: *mut *mut kron_job_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, out, error) =
        unsafe { (borrow(builder, "builder"), Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let (builder, out) = (builder?, out?);
        out.give(Box::new(builder.clone()));
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
pub unsafe extern "C" fn kron_job_builder_free(builder: *mut kron_job_builder) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(builder) });
}
