//! The tests of libkron from Rust: its header, its source, its allocations, and the fuzz target.

mod fuzz;
mod header;
mod no_alloc;
mod source;
mod words;
