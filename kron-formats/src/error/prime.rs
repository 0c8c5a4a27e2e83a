//! Errors of priming a schedule.

use std::fmt;

use chrono::NaiveDate;
use kron_core::ErrorCode;
use kron_core::error::{ErrorMessage, Place, Snippet};

use crate::limits::{LEAD_MAX_MINUTES, LEAD_MIN_MINUTES};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum PrimeError {
    /// A lead that is out of bounds or not in whole minutes.
    Lead { lead: String },
    /// No cron expressions fire at these times: one date is needed, but another date of its day of the month and
    /// another one of its day of the week must not be named.
    Impossible {
        schedule: Snippet,
        lead: String,
        needed: NaiveDate,
        same_day_of_month: NaiveDate,
        same_day_of_week: NaiveDate,
    },
    /// A job whose starts are not its nominal times.
    NotOnTime { has: &'static str },
}

impl PrimeError {
    /// What [`NotOnTime`](PrimeError::NotOnTime) says of a job with such rules, which no KronJob has.
    pub(crate) const RULES_OF_DAYS: &'static str = "rules of days";
}

impl ErrorMessage for PrimeError {
    fn code(&self) -> ErrorCode {
        match self {
            PrimeError::Lead { .. } => ErrorCode::OutOfBounds,
            PrimeError::Impossible { .. } => ErrorCode::PrimeImpossible,
            PrimeError::NotOnTime { .. } => ErrorCode::PrimeNotOnTime,
        }
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, _: Place) -> fmt::Result {
        match self {
            PrimeError::Lead { lead } => write!(
                f,
                "`{lead}` is not a lead: a lead is in whole minutes, from {LEAD_MIN_MINUTES}m to {}h",
                LEAD_MAX_MINUTES / 60
            ),
            PrimeError::Impossible { schedule, lead, needed, same_day_of_month, same_day_of_week } => write!(
                f,
                "no cron expressions fire {lead} before {schedule}: they would have to fire on {needed} but not on \
                 {same_day_of_month} (the same day of the month) and not on {same_day_of_week} (the same day of the \
                 week in that month)"
            ),
            PrimeError::NotOnTime { has } => {
                write!(
                    f,
                    "a job with {has} does not start at its cron times, so no cron expression fires before its starts"
                )
            }
        }
    }

    fn help(&self) -> String {
        match self {
            PrimeError::Lead { .. } => "write for example `10m`",
            PrimeError::Impossible { .. } => {
                "ask for a cover (`kron prime --cover`), which also fires at some other times, or use `spec.primer` of a KronJob"
            }
            PrimeError::NotOnTime { has: PrimeError::RULES_OF_DAYS } => {
                "prime the schedule without `@days` and `@nodays`; it then also fires before days that they leave out"
            }
            PrimeError::NotOnTime { .. } => "use `spec.primer` of a KronJob, which is exact for every job",
        }
        .to_string()
    }
}
