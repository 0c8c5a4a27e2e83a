//! The messages of this crate: those of errors, whose type is [`kron_core::Error`], and those of conversions, which are findings.

#[cfg(feature = "convert")]
pub(crate) mod base;
#[cfg(feature = "convert")]
pub(crate) mod convert;
#[cfg(feature = "icalendar")]
mod icalendar;
#[cfg(feature = "kronjob")]
mod manifest;
mod prime;
#[cfg(feature = "kronjob")]
pub(crate) mod yaml_syntax;

#[cfg(feature = "convert")]
pub(crate) mod place;

#[cfg(feature = "icalendar")]
pub(crate) use self::icalendar::ICalendarError;
#[cfg(feature = "kronjob")]
pub(crate) use self::manifest::ManifestError;
pub(crate) use self::prime::PrimeError;
