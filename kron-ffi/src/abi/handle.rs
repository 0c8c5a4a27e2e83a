//! Handles: who owns what C holds. Ownership is a type, so that a wrong cast does not compile.

use std::sync::Arc;

use crate::abi::failure::Failure;
use crate::abi::output::Out;
use crate::abi::panic::guard_value;

/// What C holds by an opaque pointer.
pub(crate) trait Handle: Sized {
    /// [`Arc`] for what is immutable and shared, [`Box`] for what has one owner: builders, series and results.
    type Owner: Owner<Target = Self>;
}

/// A smart pointer that can be handed to C and taken back.
///
/// # Safety
///
/// `take` gets back what `give` gave.
pub(crate) unsafe trait Owner {
    type Target;

    fn give(self) -> *mut Self::Target;

    /// # Safety
    ///
    /// The pointer comes from `give` and was not taken before.
    unsafe fn take(handle: *mut Self::Target) -> Self;
}

// SAFETY: `from_raw` is the inverse of `into_raw`.
unsafe impl<T> Owner for Arc<T> {
    type Target = T;

    fn give(self) -> *mut T {
        Arc::into_raw(self).cast_mut()
    }

    unsafe fn take(handle: *mut T) -> Arc<T> {
        // SAFETY: the caller's.
        unsafe { Arc::from_raw(handle) }
    }
}

// SAFETY: `from_raw` is the inverse of `into_raw`.
unsafe impl<T> Owner for Box<T> {
    type Target = T;

    fn give(self) -> *mut T {
        Box::into_raw(self)
    }

    unsafe fn take(handle: *mut T) -> Box<T> {
        // SAFETY: the caller's.
        unsafe { Box::from_raw(handle) }
    }
}

/// Reads through a handle. Faults are made lazily throughout: one that is not needed has to be dropped again.
///
/// # Safety
///
/// The handle is NULL or live, and nothing writes through it meanwhile.
#[inline]
pub(crate) unsafe fn borrow<'a, T: Handle>(handle: *const T, name: &'static str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's.
    unsafe { handle.as_ref() }.ok_or_else(|| Failure::Null(name))
}

/// Reads through a handle that may be left out with NULL.
///
/// # Safety
///
/// As [`borrow`].
#[inline]
pub(crate) unsafe fn borrow_optional<'a, T: Handle>(handle: *const T) -> Option<&'a T> {
    // SAFETY: the caller's.
    unsafe { handle.as_ref() }
}

/// Writes through a handle, which only those with one owner allow.
///
/// # Safety
///
/// The handle is NULL or live, and nothing else uses it meanwhile.
#[inline]
pub(crate) unsafe fn borrow_mut<'a, T: Handle<Owner = Box<T>>>(
    handle: *mut T,
    name: &'static str,
) -> Result<&'a mut T, Failure> {
    // SAFETY: the caller's.
    unsafe { handle.as_mut() }.ok_or_else(|| Failure::Null(name))
}

/// Shares the object of a handle, which then outlives it.
///
/// # Safety
///
/// The handle is NULL or live.
pub(crate) unsafe fn share<T: Handle<Owner = Arc<T>>>(
    handle: *const T,
    name: &'static str,
) -> Result<Arc<T>, Failure> {
    if handle.is_null() {
        return Err(Failure::Null(name));
    }
    // SAFETY: a live handle of this type is one reference of an `Arc`; this adds another.
    Ok(unsafe {
        Arc::increment_strong_count(handle);
        Arc::from_raw(handle)
    })
}

/// Gives up a handle. NULL is nothing to give up.
///
/// # Safety
///
/// The handle is NULL or live, and is not used again.
pub(crate) unsafe fn free<T: Handle>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller's; a live handle comes from `give`.
        let owner = unsafe { T::Owner::take(handle) };
        guard_value((), || drop(owner));
    }
}

impl<T: Handle> Out<*mut T> {
    /// Makes the caller the owner.
    pub(crate) fn give(self, owner: T::Owner) {
        self.set(owner.give());
    }
}
