//! Primed schedules: the cron expressions that fire a lead before a schedule.

use std::ffi::{CString, c_char};

use kron_core::Error;
use kron_formats::prime::PrimedSchedule;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, borrow, free};
use crate::abi::output::Out;
use crate::abi::panic::{guard_get, guard_value};
use crate::abi::result::kron_result;
use crate::error::details::kron_error;
use crate::error::guard::{ErrorOut, guard, guard_set};

/// The cron expressions that fire a lead before a schedule. Immutable; any number of threads may use it at once.
#[derive(Debug)]
pub struct kron_primed {
    texts: Vec<CString>,
    minimal: bool,
    surplus: u64,
}

impl Handle for kron_primed {
    type Owner = Box<kron_primed>;
}

impl kron_primed {
    fn new(primed: &PrimedSchedule) -> Result<Box<kron_primed>, Failure> {
        let texts = primed.texts().map(|text| CString::new(text).map_err(|_| Failure::Nul("expression")));
        Ok(Box::new(kron_primed {
            texts: texts.collect::<Result<_, _>>()?,
            minimal: primed.is_minimal(),
            surplus: primed.surplus(),
        }))
    }
}

/// Runs the work of a function that primes an object.
pub(crate) fn guard_primed<T>(
    error: ErrorOut,
    object: Result<T, Failure>,
    out: Result<Out<*mut kron_primed>, Failure>,
    prime: impl FnOnce(T) -> Result<Result<PrimedSchedule, Error>, Failure>,
) -> kron_result {
    guard(error, || {
        let (object, out) = (object?, out?);
        out.give(kron_primed::new(&prime(object)??)?);
        Ok(())
    })
}

/// Returns the number of expressions of a primed schedule.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_primed_length(primed: *const kron_primed) -> usize {
    // SAFETY: the caller follows the section above.
    let primed = unsafe { borrow(primed, "primed") };
    guard_get(0, primed, |primed| primed.texts.len())
}

/// Gets an expression of a primed schedule, by its index from 0: five fields, each in the fewest characters. The
/// expressions are in the order of their first firing from 2000-01-01 on.
///
/// Ownership: `*text` belongs to the primed schedule, and is valid until that is freed.
/// NULL: only `error` may be NULL.
/// On error: `*text` is unchanged. KRON_ERROR_INDEX if `index` is not less than the length.
///
/// # Safety
///
/// Handles are NULL or live, other pointers NULL or valid; `*error` is NULL or a live handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_primed_text(
    primed: *const kron_primed,
    index: usize,
    text: *mut *const c_char,
    error: *mut *mut kron_error,
) -> kron_result {
    // SAFETY: the caller follows the section above.
    let (primed, text, error) =
        unsafe { (borrow(primed, "primed"), Out::new(text, "text"), ErrorOut::new(error)) };
    guard_set(error, primed, text, |primed| {
        let length = primed.texts.len();
        let text = primed.texts.get(index).ok_or_else(|| Failure::Index { name: "index", index, length })?;
        Ok(text.as_ptr())
    })
}

/// Returns 1 if no smaller number of expressions fires at the same times, and 0 if the search for fewer ended at its
/// limit of work.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_primed_minimal(primed: *const kron_primed) -> u64 {
    // SAFETY: the caller follows the section above.
    let primed = unsafe { borrow(primed, "primed") };
    guard_get(0, primed, |primed| primed.minimal.into())
}

/// Returns how many times in the years 1970 to 2099 the expressions fire beyond those of the primed schedule: 0 unless
/// they are a cover.
///
/// Ownership: unchanged.
/// NULL: 0.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_primed_surplus(primed: *const kron_primed) -> u64 {
    // SAFETY: the caller follows the section above.
    let primed = unsafe { borrow(primed, "primed") };
    guard_get(0, primed, |primed| primed.surplus)
}

/// Frees a primed schedule.
///
/// Ownership: the handle must not be used again, nor its texts.
/// NULL: does nothing.
/// On error: cannot fail.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn kron_primed_free(primed: *mut kron_primed) {
    // SAFETY: the caller follows the section above.
    guard_value((), || unsafe { free(primed) });
}
