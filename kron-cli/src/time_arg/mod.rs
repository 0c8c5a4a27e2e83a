//! Times, days and lengths as arguments: what `--at`, `--from`, `--until`, `--nominal`, `--day` and `--for` accept.
//!
//! Parsing needs neither a clock nor a time zone, so that mistakes are found before anything is read. The instants are
//! computed afterwards, with the rules of the zone of `--tz`.

mod civil;
mod day;
mod instant;
mod length;
mod nominal;

use crate::output::diagnostic::Diagnostic;

pub(crate) use day::{CivilDay, DayArg};
pub(crate) use instant::TimeArg;
pub(crate) use length::LengthArg;
pub(crate) use nominal::NominalArg;

fn out_of_range() -> Box<Diagnostic> {
    Box::new(Diagnostic::error("the time is out of range"))
}

#[cfg(test)]
mod tests;
