//! Handles: the opaque pointers that C holds. The type of a handle says who owns the object, so that a wrong cast does not
//! compile.

use std::sync::Arc;

use crate::abi::failure::Failure;
use crate::abi::output::Out;
use crate::abi::panic::guard_value;

/// An object that C holds by an opaque pointer.
pub(crate) trait Handle: Sized {
    /// [`Arc`] for immutable objects that several handles share, [`Box`] for objects with one owner: builders, series, results.
    type Owner: Owner<Target = Self>;
}

/// A smart pointer that can be converted to a handle and back.
///
/// # Safety
///
/// `take` is the inverse of `give`.
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

/// The object of a handle, for reading. Like all functions here, it makes its failure in a closure, so that calls that
/// succeed need not drop one.
///
/// # Safety
///
/// The handle is NULL or live, and nothing writes through it meanwhile.
#[inline]
pub(crate) unsafe fn borrow<'a, T: Handle>(handle: *const T, name: &'static str) -> Result<&'a T, Failure> {
    // SAFETY: the caller's.
    unsafe { handle.as_ref() }.ok_or_else(|| Failure::Null(name))
}

/// Like [`borrow`]. NULL is not an object.
///
/// # Safety
///
/// As [`borrow`].
#[inline]
pub(crate) unsafe fn borrow_optional<'a, T: Handle>(handle: *const T) -> Option<&'a T> {
    // SAFETY: the caller's.
    unsafe { handle.as_ref() }
}

/// The object of a handle, for writing. It has one owner.
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

/// Another owner of the object of a handle.
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

/// Frees a handle. Does nothing for NULL.
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
