#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub use kron_core;

pub mod compare;
pub mod diff;
mod error;
mod fleet;
pub mod forecast;
mod human_length;
mod limits;
pub mod lint;
pub mod spread;
#[cfg(feature = "json")]
pub mod zones;
/// Seconds and minutes of a day.
pub(crate) const DAY: i64 = 86_400;
pub(crate) const DAY_MINUTES: i64 = 1440;

pub use fleet::{Fleet, FleetPeriods, FleetPeriodsBack, FleetStarts, FleetStartsBack};
pub use human_length::HumanLength;
