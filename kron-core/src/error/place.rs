//! Errors of declarations, which place the schedules of other systems.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::{Place, Snippet};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PlaceError {
    /// A part of a text that one place of a plain schedule cannot keep, and what to write instead.
    Refused { part: String, help: &'static str },
    /// A field that a declaration does not have.
    Field { text: Snippet },
    /// No shift is left; how many whole minutes the window has, and how many of them each rule takes.
    Nowhere { window: u32, taken: Taken },
    /// An expression that is not the schedule of the job.
    OtherSchedule { text: Snippet, schedule: String },
}

/// How many whole minutes of a window each rule of candidates takes. A minute counts for the first rule that takes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// The next or the previous nominal time would be reached.
    pub gap: u32,
    /// The civil day would be left, and the schedule does not match every day.
    pub day: u32,
    /// The shifted times are no set of hours times a set of minutes.
    pub product: u32,
    /// A constraint forbids a shifted time.
    pub constraints: u32,
}

impl Taken {
    /// The rule that takes most minutes, as words.
    ///
    /// ```
    /// let declaration = kron_core::Parser::new().declaration("*/15 * * * * @win(after,1h) name=a", None)?;
    /// assert!(declaration.candidates()?.taken().main_reason().starts_with("a run would reach the nominal time"));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn main_reason(&self) -> &'static str {
        let Taken { gap, day, product, constraints } = *self;
        let rules = [
            (constraints, "the constraints forbid a shifted time on some day of the schedule"),
            (gap, "a run would reach the nominal time before or after it"),
            (day, "a run would leave its civil day, and the day fields are restricted"),
            (product, "the shifted times cannot be written as one expression of five fields"),
        ];
        rules.into_iter().max_by_key(|(count, _)| *count).map_or("", |(_, words)| words)
    }
}

impl ErrorMessage for PlaceError {
    fn code(&self) -> ErrorCode {
        match self {
            PlaceError::Refused { .. } | PlaceError::Field { .. } => ErrorCode::PlaceRefused,
            PlaceError::OtherSchedule { .. } => ErrorCode::PlaceRefused,
            PlaceError::Nowhere { .. } => ErrorCode::PlaceNowhere,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, at: Place) -> fmt::Result {
        match self {
            PlaceError::Refused { part, .. } => {
                write!(
                    f,
                    "a schedule of another system is placed once for all periods, so it cannot have {part}"
                )
            }
            PlaceError::Field { text } => write!(f, "a declaration has no field {text}{at}"),
            PlaceError::Nowhere { window, taken } => {
                let minutes = if *window == 1 { "the one whole minute" } else { "none of the whole minutes" };
                let (none, count) = match window {
                    1 => (" is not", String::new()),
                    _ => (" is", format!(" ({window})")),
                };
                write!(
                    f,
                    "{minutes}{count} of the window{none} a place for the schedule: {}",
                    taken.main_reason()
                )
            }
            PlaceError::OtherSchedule { text, schedule } => {
                write!(f, "{text}{at} is not the schedule of the job, `{schedule}`")
            }
        }
    }

    fn help(&self) -> String {
        match self {
            PlaceError::Refused { help, .. } => (*help).to_string(),
            PlaceError::Field { .. } => "leave it out; only `name=` follows the text".to_string(),
            PlaceError::Nowhere { taken, .. } if taken.constraints > 0 => {
                "loosen the constraints, or widen the window".to_string()
            }
            PlaceError::Nowhere { .. } => "widen the window".to_string(),
            PlaceError::OtherSchedule { .. } => String::new(),
        }
    }
}
