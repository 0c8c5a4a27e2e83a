//! What the caller passes by pointer: structs with their sizes, arrays with their lengths.

use std::slice;

use crate::abi::failure::Failure;
use crate::abi::size::{Struct, check_length, check_size};

/// A struct that the caller filled.
///
/// # Safety
///
/// The pointer is NULL or valid for reading a `T`, if the size is that of a `T`.
pub(crate) unsafe fn struct_in<T: Struct>(
    place: *const T,
    size: usize,
    name: &'static str,
) -> Result<T, Failure> {
    if place.is_null() {
        return Err(Failure::Null(name));
    }
    check_size::<T>(size, name)?;
    // SAFETY: the caller's.
    Ok(unsafe { place.read() })
}

/// A value of the caller, or nothing if the pointer is NULL.
///
/// # Safety
///
/// The pointer is NULL or valid for reading a `T`.
pub(crate) unsafe fn optional<T: Copy>(place: *const T) -> Option<T> {
    // SAFETY: the caller's.
    unsafe { place.as_ref() }.copied()
}

/// An array of the caller. NULL is an empty one if the length is 0.
///
/// # Safety
///
/// The pointer is NULL or valid for reading this many `T` until the end of `'a`.
pub(crate) unsafe fn array<'a, T>(
    first: *const T,
    length: usize,
    name: &'static str,
) -> Result<&'a [T], Failure> {
    match (first.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::Null(name)),
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
/// Like [`array`], if the size is that of a `T`.
pub(crate) unsafe fn structs_in<'a, T: Struct>(
    first: *const T,
    length: usize,
    size: usize,
    name: &'static str,
) -> Result<&'a [T], Failure> {
    check_size::<T>(size, name)?;
    // SAFETY: the caller's.
    unsafe { array(first, length, name) }
}
