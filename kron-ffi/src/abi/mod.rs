//! Conversions between C and Rust that all functions use: results, failures, pointers, strings, handles. This folder reads
//! and writes the memory of the caller.

pub(crate) mod result;

pub(crate) mod failure;

pub(crate) mod panic;

pub(crate) mod size;

pub(crate) mod input;

pub(crate) mod output;

pub(crate) mod text;

pub(crate) mod handle;

pub(crate) mod owning_series;
