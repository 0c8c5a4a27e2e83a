//! How values cross the border between C and Rust: codes, failures, pointers, handles, strings. What touches raw memory is
//! here.

pub(crate) mod result;

pub(crate) mod failure;

pub(crate) mod panic;

pub(crate) mod size;

pub(crate) mod input;

pub(crate) mod output;

pub(crate) mod text;

pub(crate) mod handle;

pub(crate) mod owning_series;
