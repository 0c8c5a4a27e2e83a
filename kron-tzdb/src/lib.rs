//! Reads a time zone database for [`kron_core`] from a directory of TZif files.
//!
//! `kron-core` does no I/O. The command, the operator and the bindings read directories with this crate, so that all of
//! them take the same directories and the same setting:
//!
//! * the system's directory, usually `/usr/share/zoneinfo`;
//! * the `zoneinfo` directory of the PyPI package `tzdata`, or the package's own directory;
//! * any directory to which `zic` compiled a release of the IANA database.
//!
//! ```no_run
//! use kron_core::Parser;
//! let database = kron_tzdb::read_dir("/usr/share/zoneinfo")?;
//! println!("time zone database {}", database.version().unwrap_or("unknown"));
//! let parser = Parser::new().with_tz_database(database);
//! # Ok::<(), kron_tzdb::ReadError>(())
//! ```

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod dir;
mod error;
mod setting;

pub use dir::read_dir;
pub use error::ReadError;
pub use setting::{COMPILED_IN, Setting};
