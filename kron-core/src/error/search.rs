//! Errors of deciding and searching.

use alloc::string::{String, ToString};
use core::fmt;

use super::code::ErrorCode;
use super::message::ErrorMessage;
use super::snippet::Place;
use crate::time::rfc3339::Rfc3339;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SearchError {
    NominalRange,
    NominalFraction,
    /// With the nominal time that the search came to, if no period was unschedulable.
    Horizon {
        up: bool,
        until: i64,
        barren: u32,
        next: i64,
    },
    Unschedulable {
        periods: u32,
        last: i64,
    },
    NoPeriod {
        after: bool,
    },
}

impl ErrorMessage for SearchError {
    fn code(&self) -> ErrorCode {
        match self {
            SearchError::NominalRange | SearchError::NominalFraction => ErrorCode::NominalTime,
            SearchError::Horizon { .. } => ErrorCode::NoStartInSight,
            SearchError::Unschedulable { .. } => ErrorCode::NoSchedulablePeriod,
            SearchError::NoPeriod { .. } => ErrorCode::NoPeriod,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, _: Place) -> fmt::Result {
        match self {
            SearchError::NominalRange => {
                write!(f, "a nominal time lies from 1970-01-01T00:00:00Z to 2099-12-31T23:59:59Z")
            }
            SearchError::NominalFraction => write!(f, "a nominal time is a whole second"),
            SearchError::Horizon { up, until, barren, next } => {
                let (way, further) =
                    if *up { ("up", "next nominal time") } else { ("back", "nominal time before") };
                write!(f, "no start in the five years {way} to {}", Rfc3339(*until))?;
                match barren {
                    0 => write!(f, "; the {further} is {}", Rfc3339(*next)),
                    1 => write!(f, ", as no second of the last period is allowed"),
                    _ => write!(f, ", as no second of the {barren} periods is allowed"),
                }
            }
            SearchError::Unschedulable { periods, last } => write!(
                f,
                "{periods} periods in a row have no second that the constraints allow, the last one of {}",
                Rfc3339(*last)
            ),
            SearchError::NoPeriod { after: true } => {
                write!(f, "the schedule has no further nominal time up to 2099")
            }
            SearchError::NoPeriod { after: false } => {
                write!(f, "the schedule has no earlier nominal time from 1970 on")
            }
        }
    }

    fn help(&self) -> String {
        match self {
            SearchError::Unschedulable { .. } | SearchError::Horizon { barren: 1.., .. } => {
                "widen the window or loosen the constraints".to_string()
            }
            _ => String::new(),
        }
    }
}
