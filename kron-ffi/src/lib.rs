//! `libkron`: the core in C. See `README.md` for its use from C and C++, and `include/kron.h` for every function.
//!
//! Nothing is decided here. Each function turns C values into those of `kron_core`, calls it, and turns the answer back.
//! There is one file for each family of objects; `memory.rs`, `handle.rs`, `text.rs` and `tied.rs` hold all that is done
//! with raw pointers.
//!
//! Every extern function has the same shape: one unsafe block that reads its arguments, then `guard`
//! around the work, which is safe code.

// The names in Rust are the names in C, so that one search finds both.
#![expect(non_camel_case_types, reason = "types have the names that C sees")]

#[cfg(panic = "abort")]
compile_error!("libkron answers a panic with KRON_RESULT_PANIC, which needs `panic = \"unwind\"`");

mod batch;
mod builder;
mod builder_distribution;
mod builder_parts;
mod choices;
mod clause;
mod decide;
mod decision;
mod duration;
mod error;
mod explain;
mod fault;
mod fleet;
mod fleet_builder;
mod fleet_series;
mod handle;
mod job;
mod memory;
mod nominal_series;
mod plan;
mod policy;
mod result;
mod schedule;
mod series;
mod string;
mod text;
mod tied;
mod tzdb;
mod version;
mod zone;

pub use batch::*;
pub use builder::*;
pub use builder_distribution::*;
pub use builder_parts::*;
pub use choices::*;
pub use clause::*;
pub use decide::*;
pub use decision::*;
pub use duration::*;
pub use error::*;
pub use explain::*;
pub use fleet::*;
pub use fleet_builder::*;
pub use fleet_series::*;
pub use job::*;
pub use nominal_series::*;
pub use plan::*;
pub use policy::*;
pub use result::kron_result;
pub use schedule::*;
pub use series::*;
pub use string::*;
pub use tzdb::*;
pub use version::*;
pub use zone::*;
