//! Times, days and lengths as arguments: what `--at`, `--from`, `--until`, `--nominal`, `--day` and `--for` accept.
//!
//! Parsing needs neither a clock nor a time zone, so that mistakes are found before anything is read. The instants are
//! computed afterwards, with the rules of the zone of `--tz`.

mod civil;
mod day;
mod instant;
mod length;
mod nominal;

pub(crate) use civil::days_after;
pub(crate) use day::{CivilDay, DayArg};
pub(crate) use instant::TimeArg;
pub(crate) use length::{LengthArg, duration};
pub(crate) use nominal::NominalArg;

#[cfg(test)]
mod tests;
