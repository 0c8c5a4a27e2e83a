//! Errors: what a handle holds, how functions report one, and the functions that read it.

pub(crate) mod details;

pub(crate) mod guard;

pub(crate) mod read;

pub use details::*;
pub use read::*;
