//! Sizes that the caller passes: of structs, and of arrays.

use crate::abi::failure::Failure;

/// A plain struct that C allocates and whose size it passes, so that a later version can add fields at the end: a program
/// that was built with an earlier version passes a smaller size, and gets the fields that it knows.
///
/// Each struct has one version so far. A struct that gets more fields keeps its earlier sizes here, and is written up to
/// the size that the caller passes.
pub(crate) trait Struct: Copy {}

#[inline]
pub(crate) fn check_size<T: Struct>(size: usize, name: &'static str) -> Result<(), Failure> {
    if size == size_of::<T>() { Ok(()) } else { Err(Failure::Size { name, size, known: size_of::<T>() }) }
}

/// Refuses a length that no array in memory can have.
pub(crate) fn check_length<T>(length: usize, name: &'static str) -> Result<(), Failure> {
    let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize);
    bytes.map(drop).ok_or_else(|| Failure::Length { name, length })
}
