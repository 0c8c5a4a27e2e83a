//! Panics are caught here, so that none unwinds into C.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::abi::failure::Failure;

/// Runs the work of a function that returns a value and cannot fail. A panic gives `otherwise`.
#[inline]
pub(crate) fn guard_value<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_panic(work).unwrap_or(otherwise)
}

/// Runs the work of a function that reads a property of a handle. NULL and a panic give `otherwise`.
#[inline]
pub(crate) fn guard_get<T, R>(otherwise: R, object: Result<T, Failure>, get: impl FnOnce(T) -> R) -> R {
    catch_panic(|| object.ok().map(get)).flatten().unwrap_or(otherwise)
}

/// The result of `work`, or `None` if it panics.
#[inline]
pub(crate) fn catch_panic<T>(work: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(work))
        // The destructor of a panic's value could panic again.
        .map_err(std::mem::forget)
        .ok()
}
