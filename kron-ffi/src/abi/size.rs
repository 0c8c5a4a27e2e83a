//! Sizes that the caller passes: of structs, and of arrays.

use crate::abi::failure::Failure;

/// Plain structs that C allocates and whose size it passes, so that they can grow at their end: a program built before
/// knows a smaller size and goes on getting what it knows.
///
/// There is one version of each so far. One that grows keeps its old sizes here and is written only as far as the
/// caller's size reaches.
pub(crate) trait Struct: Copy {}

#[inline]
pub(crate) fn check_size<T: Struct>(size: usize, name: &'static str) -> Result<(), Failure> {
    if size == size_of::<T>() { Ok(()) } else { Err(Failure::Size { name, size, known: size_of::<T>() }) }
}

/// Refuses what no object in memory can have.
pub(crate) fn check_length<T>(length: usize, name: &'static str) -> Result<(), Failure> {
    let bytes = length.checked_mul(size_of::<T>()).filter(|bytes| *bytes <= isize::MAX as usize);
    bytes.map(drop).ok_or_else(|| Failure::Length { name, length })
}
