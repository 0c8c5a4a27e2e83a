//! Periods: `--nominal`.

use super::day::DayArg;
use super::instant::{TIME_FORMS, TimeArg};

/// A period as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NominalArg {
    /// The last one before an instant.
    Previous,
    /// The first one of a day.
    FirstOf(DayArg),
    /// The one of an instant.
    At(TimeArg),
}

impl NominalArg {
    /// Reads a nominal time. The error is a sentence for the user.
    pub(crate) fn parse(text: &str) -> Result<NominalArg, String> {
        match text {
            "previous" => Ok(NominalArg::Previous),
            "yesterday" => DayArg::parse(text).map(NominalArg::FirstOf),
            _ => match TimeArg::parse(text) {
                Ok(TimeArg::Day(day)) => Ok(NominalArg::FirstOf(day)),
                Ok(time) => Ok(NominalArg::At(time)),
                Err(error) if error == TIME_FORMS => Err(format!("{TIME_FORMS}, or previous or yesterday")),
                Err(error) => Err(error),
            },
        }
    }
}
