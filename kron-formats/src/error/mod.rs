//! The messages of this crate's errors. The type of all errors is [`kron_core::Error`].

#[cfg(feature = "icalendar")]
mod icalendar;
#[cfg(feature = "kronjob")]
mod manifest;

#[cfg(feature = "icalendar")]
pub(crate) use self::icalendar::ICalendarError;
#[cfg(feature = "kronjob")]
pub(crate) use self::manifest::ManifestError;
