//! Clauses of constraints.

use std::ffi::c_char;

use kron_core::Clause;
use kron_core::constraint::ClauseBuilder;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, borrow_mut, free};
use crate::abi::output::Out;
use crate::abi::panic::guard_value;
use crate::abi::result::kron_result;
use crate::abi::text::{read_text, read_text_z};
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard};
use crate::parser::calendars::kron_calendars;

/// A builder of a constraint clause: calendar parts that must all match. For one thread at a time.
#[derive(Debug)]
pub struct kron_clause_builder {
    /// `None` once used up.
    builder: Option<ClauseBuilder>,
}

impl Handle for kron_clause_builder {
    type Owner = Box<kron_clause_builder>;
}

impl kron_clause_builder {
    /// The clause. The builder is used up if it succeeds.
    pub(crate) fn build(&mut self) -> Result<Clause, Failure> {
        let clause = self.builder.clone().ok_or_else(|| Failure::Used("clause"))?.build()?;
        self.builder = None;
        Ok(clause)
    }
}

/// Makes a builder of a clause, without parts.
///
/// Ownership: `*out` is a new builder, which the caller frees with kron_clause_builder_free.
/// NULL: only `error` may be NULL.
/// On error: `*out` is unchanged.
///
/// # Safety
///
/// Pointers are NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_clause_builder_new(
    out: *mut *mut kron_clause_builder,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (out, error) = unsafe { (Out::new(out, "out"), ErrorOut::new(error)) };
    guard(error, || {
        let out = out?;
        out.give(Box::new(kron_clause_builder { builder: Some(Clause::builder()) }));
        Ok(())
    })
}

fn part(
    clause: Result<&mut kron_clause_builder, Failure>,
    name: Result<&str, Failure>,
    value: Result<&str, Failure>,
) -> Result<(), Failure> {
    let (clause, name, value) = (clause?, name?, value?);
    let builder = clause.builder.clone().ok_or_else(|| Failure::Used("clause"))?.part(name, value);
    // An error appears when a clause is built. It belongs to this part: the parts before were tested in the same way.
    builder.clone().build()?;
    clause.builder = Some(builder);
    Ok(())
}

/// Adds a part to a clause, such as `hours`, with its value. Names and values are those of the text form. The name of a calendar has
/// no dates, so `calendar` is KRON_ERROR_CALENDAR_UNKNOWN here: kron_clause_builder_calendar adds this part.
///
/// Ownership: unchanged; the texts are not kept.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_clause_builder_part(
    clause: *mut kron_clause_builder,
    name: *const c_char,
    value: *const c_char,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (clause, name, value, error) = unsafe {
        (
            borrow_mut(clause, "clause"),
            read_text_z(name, "name"),
            read_text_z(value, "value"),
            ErrorOut::new(error),
        )
    };
    guard(error, || part(clause, name, value))
}

/// Like kron_clause_builder_part, with the lengths of the texts in bytes.
///
/// Ownership: unchanged; the texts are not kept.
/// NULL: only `error` may be NULL, and a text if its length is 0.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_clause_builder_part_n(
    clause: *mut kron_clause_builder,
    name: *const c_char,
    name_length: usize,
    value: *const c_char,
    value_length: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (clause, name, value, error) = unsafe {
        (
            borrow_mut(clause, "clause"),
            read_text(name, name_length, "name"),
            read_text(value, value_length, "value"),
            ErrorOut::new(error),
        )
    };
    guard(error, || part(clause, name, value))
}

fn calendar(
    clause: Result<&mut kron_clause_builder, Failure>,
    calendars: Result<&kron_calendars, Failure>,
    name: Result<&str, Failure>,
) -> Result<(), Failure> {
    let (clause, calendars, name) = (clause?, calendars?, name?);
    let builder = clause.builder.clone().ok_or_else(|| Failure::Used("clause"))?;
    let builder = builder.calendar(calendars.named(name)?);
    builder.clone().build()?;
    clause.builder = Some(builder);
    Ok(())
}

/// Adds the part `calendar` to a clause: the dates of one of several calendars, by its name. KRON_ABSENT if there is
/// no calendar of that name.
///
/// Ownership: unchanged; the clause keeps the calendar.
/// NULL: only `error` may be NULL.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_clause_builder_calendar(
    clause: *mut kron_clause_builder,
    calendars: *const kron_calendars,
    name: *const c_char,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (clause, calendars, name, error) = unsafe {
        (
            borrow_mut(clause, "clause"),
            borrow(calendars, "calendars"),
            read_text_z(name, "name"),
            ErrorOut::new(error),
        )
    };
    guard(error, || calendar(clause, calendars, name))
}

/// Like kron_clause_builder_calendar, with the length of the name in bytes.
///
/// Ownership: unchanged; the clause keeps the calendar.
/// NULL: only `error` may be NULL, and `name` if its length is 0.
/// On error: the builder is unchanged.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_clause_builder_calendar_n(
    clause: *mut kron_clause_builder,
    calendars: *const kron_calendars,
    name: *const c_char,
    name_length: usize,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (clause, calendars, name, error) = unsafe {
        (
            borrow_mut(clause, "clause"),
            borrow(calendars, "calendars"),
            read_text(name, name_length, "name"),
            ErrorOut::new(error),
        )
    };
    guard(error, || calendar(clause, calendars, name))
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
pub unsafe extern "C" fn kron_clause_builder_free(clause: *mut kron_clause_builder) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(clause) });
}
