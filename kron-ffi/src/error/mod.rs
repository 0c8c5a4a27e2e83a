//! Errors: what a handle holds, how a function reports, and how C reads it.

pub(crate) mod details;

pub(crate) mod guard;

pub(crate) mod read;

pub use details::*;
pub use read::*;
