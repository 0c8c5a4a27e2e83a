//! Errors of forecasts.

use alloc::string::{String, ToString};
use core::fmt;

use kron_core::ErrorCode;
use kron_core::error::{ErrorMessage, Place, Snippet};
use kron_core::time::Rfc3339;

use crate::human_length::HumanLength;
use crate::limits::{BASE_MAX, FORECAST_BUCKETS, FORECAST_PER_MAX};

#[derive(Debug)]
pub(crate) enum ForecastError {
    /// A range that ends where it begins, or before.
    Range { from: i64, to: i64 },
    /// A bucket length that is out of bounds or not in whole seconds.
    Per { per: String },
    /// A range with too many buckets.
    Buckets { buckets: u64 },
    /// A bucket that would have too many starts already.
    Base,
    /// A duration of an execution that is too long.
    Duration { name: Snippet, duration: HumanLength },
}

impl ErrorMessage for ForecastError {
    fn code(&self) -> ErrorCode {
        ErrorCode::OutOfBounds
    }

    fn message(&self, f: &mut fmt::Formatter<'_>, _: Place) -> fmt::Result {
        match self {
            ForecastError::Range { from, to } => {
                write!(
                    f,
                    "the end of the range, {}, is not after its beginning, {}",
                    Rfc3339(*to),
                    Rfc3339(*from)
                )
            }
            ForecastError::Per { per } => {
                write!(
                    f,
                    "`{per}` is not the length of a bucket: it is in whole seconds, from 1s to {}h",
                    FORECAST_PER_MAX / 3600
                )
            }
            ForecastError::Buckets { buckets } => {
                write!(f, "the range has {buckets} buckets, and at most {FORECAST_BUCKETS} are counted")
            }
            ForecastError::Base => {
                write!(
                    f,
                    "the base has more than {BASE_MAX} starts in a bucket, or its unit is no number above 0"
                )
            }
            ForecastError::Duration { name, duration } => {
                write!(f, "the duration `{duration:#}` of the job {name} is longer than 366 days")
            }
        }
    }

    fn help(&self) -> String {
        match self {
            ForecastError::Range { .. } => "",
            ForecastError::Per { .. } => "write for example `1m`",
            ForecastError::Buckets { .. } => "choose longer buckets or a shorter range",
            ForecastError::Base => "choose a greater unit",
            ForecastError::Duration { .. } => "write how long one execution takes, such as `5m`",
        }
        .to_string()
    }
}
