//! Times of a run.

use chrono::{DateTime, Utc};

/// The chrono time of a Unix second.
pub(crate) fn time(second: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(second, 0).unwrap_or_default()
}

/// A Unix second as the time of day.
pub(crate) fn clock(second: i64) -> String {
    time(second).format("%H:%M:%S").to_string()
}
