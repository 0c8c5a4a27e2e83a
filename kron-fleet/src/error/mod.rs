//! The messages of this crate's errors. The type of all errors is [`kron_core::Error`].

#[cfg(feature = "json")]
mod certificate;
mod forecast;
mod spread;

#[cfg(feature = "json")]
pub(crate) use self::certificate::DifferentCalendar;
pub(crate) use self::forecast::ForecastError;
pub(crate) use self::spread::SpreadError;
