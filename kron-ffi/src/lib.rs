//! `libkron`: the core in C. See `README.md` for its use from C and C++, and `include/kron.h` for every function.
//!
//! This crate decides nothing. Each function converts C values to those of `kron_core`, calls it, and converts the
//! result back. There is one folder for each family of functions; CONTRIBUTING.md lists them. Raw pointers are read and
//! written in `abi/`.
//!
//! Every extern function has the same form: an unsafe block that reads its arguments, then one `guard` function around
//! the work, which is safe code.

// The names in Rust are the names in C, so that one search finds both.
#![expect(non_camel_case_types, reason = "types have the names that C sees")]

#[cfg(panic = "abort")]
compile_error!("libkron answers a panic with KRON_ERROR_PANIC, which needs `panic = \"unwind\"`");

// In the order in which data flows: a file imports only from its own folder and from those further up. The header has
// the same order. The empty lines keep it, because rustfmt sorts adjacent modules.
mod abi;

mod error;

mod value;

mod tzdb;

mod parser;

mod schedule;

mod job;

mod host;

mod fleet;

pub use abi::result::kron_result;
pub use error::*;
pub use fleet::*;
pub use host::*;
pub use job::*;
pub use parser::*;
pub use schedule::*;
pub use tzdb::*;
pub use value::*;
