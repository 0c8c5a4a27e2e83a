//! Errors: the content of a handle, how functions report an error, and the functions that read it.

pub(crate) mod details;

pub(crate) mod guard;

pub(crate) mod read;

pub use details::*;
pub use read::*;
