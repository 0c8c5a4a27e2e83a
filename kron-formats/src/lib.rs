//! x
#![forbid(unsafe_code)]
pub use kron_core;
#[cfg(feature = "convert")]
pub mod convert;
mod error;
#[cfg(feature = "icalendar")]
pub mod icalendar;
#[cfg(feature = "kronjob")]
pub mod kronjob;
mod limits;
#[cfg(feature = "kronjob")]
mod load;
#[cfg(feature = "kronjob")]
pub mod snapshot;
#[cfg(feature = "kronjob")]
pub use limits::FILE_BYTES;
#[cfg(feature = "kronjob")]
pub use load::{LoadCode, LoadError, LoadOptions, Loaded, LoadedJob, load};
