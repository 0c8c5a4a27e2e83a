#![cfg_attr(all(feature = "icalendar", feature = "convert"), doc = include_str!("../README.md"))]
#![cfg_attr(
    not(all(feature = "icalendar", feature = "convert")),
    doc = "Files of other programs as jobs of Kron, and back. The documentation of all features is the README."
)]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use kron_core;
#[cfg(feature = "kronjob")]
pub use kron_host;

#[cfg(feature = "kronjob")]
pub mod audit;
#[cfg(feature = "convert")]
pub mod base;
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
pub mod names;
#[cfg(feature = "convert")]
pub mod place;
pub mod prime;
#[cfg(feature = "convert")]
pub mod read;
#[cfg(feature = "kronjob")]
pub mod snapshot;
mod without_days;

#[cfg(feature = "kronjob")]
pub use self::limits::FILE_BYTES;
#[cfg(feature = "kronjob")]
pub use self::load::{LoadCode, LoadError, LoadOptions, Loaded, LoadedJob, load};
pub use self::without_days::WithoutDays;
