//! Memory of the caller that results are written to: one value, or an array.

use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::slice;

use kron_core::Decision;

use crate::abi::failure::Failure;
use crate::abi::size::{Struct, check_length, check_size};

/// Memory for one result. It is only written, so it may be uninitialised.
#[derive(Debug)]
pub(crate) struct Out<T>(NonNull<T>);

impl<T> Out<T> {
    /// # Safety
    ///
    /// The pointer is NULL or valid for writing a `T` until this is used.
    #[inline]
    pub(crate) unsafe fn new(place: *mut T, name: &'static str) -> Result<Out<T>, Failure> {
        NonNull::new(place).map(Out).ok_or_else(|| Failure::Null(name))
    }

    /// Memory of a local variable.
    #[inline]
    pub(crate) fn of(place: &mut MaybeUninit<T>) -> Out<T> {
        Out(NonNull::from(place).cast())
    }

    /// Memory of a value.
    #[inline]
    pub(crate) fn to(place: &mut T) -> Out<T> {
        Out(NonNull::from(place))
    }

    /// Where to write the result field by field.
    #[inline]
    pub(crate) fn place(self) -> *mut T {
        self.0.as_ptr()
    }

    /// Writes the result.
    #[inline]
    pub(crate) fn set(self, value: T) {
        // SAFETY: the caller of `new` promised that the memory is valid.
        unsafe { self.0.write(value) }
    }
}

/// Memory for a struct.
///
/// # Safety
///
/// As [`Out::new`].
#[inline]
pub(crate) unsafe fn struct_out<T: Struct>(
    place: *mut T,
    size: usize,
    name: &'static str,
) -> Result<Out<T>, Failure> {
    // SAFETY: the caller's.
    let out = unsafe { Out::new(place, name) }?;
    check_size::<T>(size, name)?;
    Ok(out)
}

/// Places for many structs that are also read after they were written: all are 0 at first.
///
/// # Safety
///
/// As [`structs_out`], and 0 is a value of each field of a `T`.
pub(crate) unsafe fn structs_zeroed<'a, T: Struct>(
    first: *mut T,
    length: usize,
    size: usize,
    name: &'static str,
) -> Result<&'a mut [T], Failure> {
    check_size::<T>(size, name)?;
    match (first.is_null(), length) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Failure::Null(name)),
        _ => {
            check_length::<T>(length, name)?;
            // SAFETY: not NULL, of a possible length, and the rest is the caller's.
            Ok(unsafe {
                first.write_bytes(0, length);
                slice::from_raw_parts_mut(first, length)
            })
        }
    }
}

/// A place for one of many structs, which may be uninitialised: it is only ever written.
#[derive(Debug)]
#[repr(transparent)]
pub(crate) struct Slot<T>(MaybeUninit<T>);

impl<'a, T: From<Decision<'a>>> From<Decision<'a>> for Slot<T> {
    #[inline]
    fn from(decision: Decision<'a>) -> Slot<T> {
        Slot(MaybeUninit::new(decision.into()))
    }
}

/// Places for many structs.
///
/// # Safety
///
/// The pointer is NULL or valid for writing this many `T` until the end of `'a`, if the size is that of a `T`.
pub(crate) unsafe fn structs_out<'a, T: Struct>(
    first: *mut T,
    length: usize,
    size: usize,
    name: &'static str,
) -> Result<&'a mut [Slot<T>], Failure> {
    check_size::<T>(size, name)?;
    match (first.is_null(), length) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Failure::Null(name)),
        _ => {
            check_length::<T>(length, name)?;
            // SAFETY: not NULL, of a possible length, and the rest is the caller's. Nothing is read from it.
            Ok(unsafe { slice::from_raw_parts_mut(first.cast(), length) })
        }
    }
}
