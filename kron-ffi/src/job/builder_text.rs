//! Parts of a job that is being built, given as text: as in the brackets of a modifier, or as modifiers.

use std::ffi::c_char;

use kron_core::Distribution;

use crate::abi::failure::Failure;
use crate::abi::handle::{borrow_mut, borrow_optional};
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::job::builder::kron_job_builder;
use crate::parser::create::{kron_parser, parser_of};

fn distribution(
    builder: Result<&mut kron_job_builder, Failure>,
    text: Result<&str, Failure>,
) -> Result<(), Failure> {
    let (builder, text) = (builder?, text?);
    let distribution: Distribution = text.parse()?;
    builder.set(|spec| spec.distribution(distribution));
    Ok(())
}

/// Sets the distribution by its text, as in `@dist(...)`: `skewEarly`, or `normal,sigma=15m`.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_distribution(
    builder: *mut kron_job_builder,
    text: *const c_char,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, text, error) =
        unsafe { (borrow_mut(builder, "builder"), read_text_z(text, "text"), ErrorOut::new(error)) };
    guard(error, || distribution(builder, text))
}

/// Like kron_job_builder_distribution, with the length of the text in bytes.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` may be NULL, and `text` if its length is 0.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_distribution_n(
    builder: *mut kron_job_builder,
    text: *const c_char,
    text_length: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, text, error) = unsafe {
        (borrow_mut(builder, "builder"), read_text(text, text_length, "text"), ErrorOut::new(error))
    };
    guard(error, || distribution(builder, text))
}

fn constraints(
    builder: Result<&mut kron_job_builder, Failure>,
    text: Result<&str, Failure>,
    parser: Option<&kron_parser>,
) -> Result<(), Failure> {
    let (builder, text) = (builder?, text?);
    let constraints = parser_of(parser).constraints(text)?;
    builder.only.extend_from_slice(constraints.only());
    builder.avoid.extend_from_slice(constraints.avoid());
    Ok(())
}

/// Adds the clauses of a text of modifiers, such as `@only(dow=MON-FRI) @avoid(hours=9-17)`. A job has at most 128
/// clauses of each kind; kron_job_builder_build rejects more.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` and `parser` may be NULL; see kron_parser.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_constraints(
    builder: *mut kron_job_builder,
    text: *const c_char,
    parser: *const kron_parser,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, text, parser, error) = unsafe {
        (
            borrow_mut(builder, "builder"),
            read_text_z(text, "text"),
            borrow_optional(parser),
            ErrorOut::new(error),
        )
    };
    guard(error, || constraints(builder, text, parser))
}

/// Like kron_job_builder_constraints, with the length of the text in bytes.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` and `parser` may be NULL, and `text` if its length is 0; see kron_parser.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_constraints_n(
    builder: *mut kron_job_builder,
    text: *const c_char,
    text_length: usize,
    parser: *const kron_parser,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, text, parser, error) = unsafe {
        (
            borrow_mut(builder, "builder"),
            read_text(text, text_length, "text"),
            borrow_optional(parser),
            ErrorOut::new(error),
        )
    };
    guard(error, || constraints(builder, text, parser))
}

fn days(
    builder: Result<&mut kron_job_builder, Failure>,
    text: Result<&str, Failure>,
    parser: Option<&kron_parser>,
) -> Result<(), Failure> {
    let (builder, text) = (builder?, text?);
    let rules = parser_of(parser).day_rules(text)?;
    builder.set(|spec| spec.days(rules));
    Ok(())
}

/// Sets the rules of days, which choose nominal days, from a text of modifiers, such as `@days(dow=MON;dom=1-7) @nodays(months=8)`.
/// Default: every day.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` and `parser` may be NULL; see kron_parser.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_days(
    builder: *mut kron_job_builder,
    text: *const c_char,
    parser: *const kron_parser,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, text, parser, error) = unsafe {
        (
            borrow_mut(builder, "builder"),
            read_text_z(text, "text"),
            borrow_optional(parser),
            ErrorOut::new(error),
        )
    };
    guard(error, || days(builder, text, parser))
}

/// Like kron_job_builder_days, with the length of the text in bytes.
///
/// Ownership: unchanged; the text is not kept.
/// NULL: only `error` and `parser` may be NULL, and `text` if its length is 0; see kron_parser.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_job_builder_days_n(
    builder: *mut kron_job_builder,
    text: *const c_char,
    text_length: usize,
    parser: *const kron_parser,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (builder, text, parser, error) = unsafe {
        (
            borrow_mut(builder, "builder"),
            read_text(text, text_length, "text"),
            borrow_optional(parser),
            ErrorOut::new(error),
        )
    };
    guard(error, || days(builder, text, parser))
}
