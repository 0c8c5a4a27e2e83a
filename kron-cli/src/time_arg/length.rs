//! Lengths: of ranges, `--for`, and durations.

use chrono::{DateTime, TimeDelta};
use kron_core::{Duration, Zone};

use super::civil::{first_instant, out_of_range};
use crate::output::diagnostic::Diagnostic;

/// The longest range.
const DAYS_MAX: u32 = 366;
/// The forms of a length, for messages.
const LENGTH_FORMS: &str = "expected days, such as 30d, or a duration, such as 720h or 90m";

/// Reads a duration. The core checks whether it is in range. The error is a sentence for the user.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    Duration::parse(text).map_err(|error| match error.help() {
        Some(help) => format!("{}; {help}", error.reason()),
        None => error.reason(),
    })
}

/// A length of time as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LengthArg {
    /// This many days on the clocks of `--tz`.
    Days(u32),
    /// A duration in whole seconds.
    Exact(i64),
}

impl LengthArg {
    /// Reads a length from 1s to 366d. The error is a sentence for the user.
    pub(crate) fn parse(text: &str) -> Result<LengthArg, String> {
        let too_long = || format!("a range has at most {DAYS_MAX} days");
        if let Some(days) = text.strip_suffix('d')
            && !days.is_empty()
            && days.bytes().all(|byte| byte.is_ascii_digit())
        {
            // A number that does not fit 64 bits is too great, too.
            return match days.parse().unwrap_or(u32::MAX) {
                0 => Err("the range is empty; write at least 1d".to_string()),
                days if days > DAYS_MAX => Err(too_long()),
                days => Ok(LengthArg::Days(days)),
            };
        }
        let duration =
            Duration::parse(text).map_err(|error| format!("{}; {LENGTH_FORMS}", error.reason()))?;
        if duration.as_nanos() % 1_000_000_000 != 0 || duration.is_zero() {
            return Err("a range has whole seconds, at least one".to_string());
        }
        if duration.as_secs() > i64::from(DAYS_MAX) * 86_400 {
            return Err(too_long());
        }
        Ok(LengthArg::Exact(duration.as_secs()))
    }

    /// The Unix second this length after another. Days end at the same time of day in the zone: at its first occurrence
    /// if it occurs twice, and after the clock change if it does not exist.
    pub(crate) fn after(self, from: i64, zone: &Zone) -> Result<i64, Box<Diagnostic>> {
        self.shifted(from, 1, zone)
    }

    /// The Unix second that lies so far before another. Days begin at the same time of day, as in
    /// [`after`](LengthArg::after).
    pub(crate) fn before(self, until: i64, zone: &Zone) -> Result<i64, Box<Diagnostic>> {
        self.shifted(until, -1, zone)
    }

    fn shifted(self, at: i64, sign: i64, zone: &Zone) -> Result<i64, Box<Diagnostic>> {
        let shifted = match self {
            LengthArg::Exact(seconds) => at.checked_add(sign * seconds),
            LengthArg::Days(days) => {
                let civil = at.checked_add(i64::from(zone.offset_at(at)));
                let civil = civil.and_then(|civil| DateTime::from_timestamp(civil, 0));
                let days = TimeDelta::days(sign * i64::from(days));
                let civil = civil.and_then(|civil| civil.checked_add_signed(days));
                civil.and_then(|civil| first_instant(civil.naive_utc(), zone))
            }
        };
        shifted.ok_or_else(out_of_range)
    }
}
