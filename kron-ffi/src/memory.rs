//! Memory of the caller: places to write answers to, structs with their sizes, arrays with their lengths.

use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::slice;

use kron_core::Decision;

use crate::fault::Fault;

/// A place for one answer. It may be uninitialised: it is only ever written.
#[derive(Debug)]
pub(crate) struct Out<T>(NonNull<T>);

impl<T> Out<T> {
    /// # Safety
    ///
    /// The pointer is NULL or valid for writing a `T` until this is used.
    #[inline]
    pub(crate) unsafe fn new(place: *mut T, name: &'static str) -> Result<Out<T>, Fault> {
        NonNull::new(place).map(Out).ok_or_else(|| Fault::Null(name))
    }

    /// A place of our own.
    #[inline]
    pub(crate) fn of(place: &mut MaybeUninit<T>) -> Out<T> {
        Out(NonNull::from(place).cast())
    }

    /// Where to write the answer by parts.
    #[inline]
    pub(crate) fn place(self) -> *mut T {
        self.0.as_ptr()
    }

    /// Writes the answer.
    #[inline]
    pub(crate) fn set(self, value: T) {
        // SAFETY: `new` was promised that the place is valid.
        unsafe { self.0.write(value) }
    }
}

/// Plain structs that C allocates and whose size it passes, so that they can grow at their end: a program built before
/// knows a smaller size and goes on getting what it knows.
///
/// There is one version of each so far. One that grows keeps its old sizes here and is written only as far as the
/// caller's size reaches.
pub(crate) trait Struct: Copy {}

#[inline]
fn check_size<T: Struct>(size: usize, name: &'static str) -> Result<(), Fault> {
    if size == size_of::<T>() { Ok(()) } else { Err(Fault::Size { name, size, known: size_of::<T>() }) }
}

/// A place for a struct.
///
/// # Safety
///
/// As [`Out::new`].
#[inline]
pub(crate) unsafe fn struct_out<T: Struct>(
    place: *mut T,
    size: usize,
    name: &'static str,
) -> Result<Out<T>, Fault> {
    // SAFETY: the caller's.
    let out = unsafe { Out::new(place, name) }?;
    check_size::<T>(size, name)?;
    Ok(out)
}

/// A struct that the caller filled.
///
/// # Safety
///
/// The pointer is NULL or valid for reading a `T`, if the size is that of a `T`.
pub(crate) unsafe fn struct_in<T: Struct>(
    place: *const T,
    size: usize,
    name: &'static str,
) -> Result<T, Fault> {
    if place.is_null() {
        return Err(Fault::Null(name));
    }
    check_size::<T>(size, name)?;
    // SAFETY: the caller's.
    Ok(unsafe { place.read() })
}

/// A value that may be left out with NULL.
///
/// # Safety
///
/// The pointer is NULL or valid for reading a `T`.
pub(crate) unsafe fn optional<T: Copy>(place: *const T) -> Option<T> {
    // SAFETY: the caller's.
    unsafe { place.as_ref() }.copied()
}

/// Refuses what no object in memory can have.
fn check_length<T>(length: usize, name: &'static str) -> Result<(), Fault> {
    let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize);
    bytes.map(drop).ok_or_else(|| Fault::Length { name, length })
}

/// An array of the caller. NULL is an empty one if the length is 0.
///
/// # Safety
///
/// The pointer is NULL or valid for reading so many `T` until the end of `'a`.
pub(crate) unsafe fn array<'a, T>(
    first: *const T,
    length: usize,
    name: &'static str,
) -> Result<&'a [T], Fault> {
    match (first.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Fault::Null(name)),
        _ => {
            check_length::<T>(length, name)?;
            // SAFETY: not NULL, of a possible length, and the rest is the caller's.
            Ok(unsafe { slice::from_raw_parts(first, length) })
        }
    }
}

/// An array of structs that the caller filled.
///
/// # Safety
///
/// As [`array`], if the size is that of a `T`.
pub(crate) unsafe fn structs_in<'a, T: Struct>(
    first: *const T,
    length: usize,
    size: usize,
    name: &'static str,
) -> Result<&'a [T], Fault> {
    check_size::<T>(size, name)?;
    // SAFETY: the caller's.
    unsafe { array(first, length, name) }
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
/// The pointer is NULL or valid for writing so many `T` until the end of `'a`, if the size is that of a `T`.
pub(crate) unsafe fn structs_out<'a, T: Struct>(
    first: *mut T,
    length: usize,
    size: usize,
    name: &'static str,
) -> Result<&'a mut [Slot<T>], Fault> {
    check_size::<T>(size, name)?;
    match (first.is_null(), length) {
        (_, 0) => Ok(&mut []),
        (true, _) => Err(Fault::Null(name)),
        _ => {
            check_length::<T>(length, name)?;
            // SAFETY: not NULL, of a possible length, and the rest is the caller's. Nothing is read from it.
            Ok(unsafe { slice::from_raw_parts_mut(first.cast(), length) })
        }
    }
}
