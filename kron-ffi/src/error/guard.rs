//! The guard around the work of a function: it reports a failure to the caller and catches panics.

use std::sync::Arc;

use crate::abi::failure::Failure;
use crate::abi::handle::{Handle, free};
use crate::abi::output::Out;
use crate::abi::panic::{catch_panic, guard_value};
use crate::abi::result::kron_result;
use crate::error::details::kron_error;

/// Where the caller wants the error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrorOut(*mut *mut kron_error);

impl ErrorOut {
    /// # Safety
    ///
    /// The pointer is NULL, or valid and holds NULL or a live handle until this is used.
    #[inline]
    pub(crate) const unsafe fn new(error: *mut *mut kron_error) -> ErrorOut {
        ErrorOut(error)
    }

    /// Makes an error handle, and frees the one that it replaces.
    pub(crate) fn set(self, failure: Failure) {
        if self.0.is_null() {
            return;
        }
        let error = Box::into_raw(Box::new(kron_error::of(&failure)));
        // SAFETY: the caller of `new` promised that there is NULL or a live handle.
        unsafe { free(self.0.replace(error)) }
    }
}

/// Runs the work of a function, reports its failure and turns a panic into a code, so that none unwinds into C.
#[inline]
pub(crate) fn guard(error: ErrorOut, work: impl FnOnce() -> Result<(), Failure>) -> kron_result {
    match catch_panic(work) {
        Some(Ok(())) => kron_result::Ok,
        Some(Err(failure)) => report(error, failure),
        None => report(error, Failure::Panic),
    }
}

/// Runs the work of a function that writes one value of an object.
#[inline]
pub(crate) fn guard_set<T, R>(
    error: ErrorOut,
    object: Result<T, Failure>,
    out: Result<Out<R>, Failure>,
    get: impl FnOnce(T) -> Result<R, Failure>,
) -> kron_result {
    guard(error, || {
        let (object, out) = (object?, out?);
        out.set(get(object)?);
        Ok(())
    })
}

/// Runs the work of a function that gives the caller another handle of the same object.
pub(crate) fn guard_clone<T: Handle<Owner = Arc<T>>>(
    error: ErrorOut,
    object: Result<Arc<T>, Failure>,
    out: Result<Out<*mut T>, Failure>,
) -> kron_result {
    guard(error, || {
        let (object, out) = (object?, out?);
        out.give(object);
        Ok(())
    })
}

/// Separate from `guard`, so that the code of calls that succeed is small.
#[cold]
#[inline(never)]
fn report(error: ErrorOut, failure: Failure) -> kron_result {
    let code = failure.code();
    if !matches!(code, kron_result::End | kron_result::Absent) {
        // Writing the message runs the core's formatting: a panic there must not unwind into C either.
        guard_value((), || error.set(failure));
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_code() {
        let quiet = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| ()));
        let mut error = std::ptr::null_mut();
        // SAFETY: the pointer is valid, and NULL is in it.
        let report = unsafe { ErrorOut::new(&raw mut error) };
        assert_eq!(guard(report, || panic!("a bug")), kron_result::Panic);
        assert_eq!(guard_value(7, || panic!("a bug")), 7);
        std::panic::set_hook(quiet);
        // SAFETY: the handle was made above.
        unsafe {
            assert_eq!(crate::kron_error_code(error), kron_result::Panic);
            crate::kron_error_free(error);
        }
    }
}
