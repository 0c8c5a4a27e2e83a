//! Instants: `--at`, `--from` and `--until`.

use chrono::{DateTime, FixedOffset, NaiveDateTime, TimeDelta, Utc};
use kron_core::Zone;

use super::civil::{civil, civil_in, out_of_range, shape};
use super::day::DayArg;
use super::length::duration;
use crate::output::diagnostic::Diagnostic;

/// The forms of an instant, for messages.
pub(super) const TIME_FORMS: &str = "expected RFC 3339, such as 2026-03-01T00:00:00Z, or a date, a date and time, now, today, \
                          tomorrow, yesterday, +24h or -90m";

/// An instant as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeArg {
    /// With its offset from UTC.
    Exact(DateTime<Utc>),
    /// A date and time on the clocks of `--tz`.
    Civil(NaiveDateTime),
    /// The first instant of a day.
    Day(DayArg),
    /// A distance from now.
    FromNow(TimeDelta),
}

impl TimeArg {
    /// Reads an instant. The error is a sentence for the user.
    pub(crate) fn parse(text: &str) -> Result<TimeArg, String> {
        let forms = || TIME_FORMS.to_string();
        match text {
            "now" => return Ok(TimeArg::FromNow(TimeDelta::zero())),
            "today" | "tomorrow" | "yesterday" => return DayArg::parse(text).map(TimeArg::Day),
            _ => {}
        }
        if let Some(length) = text.strip_prefix(['+', '-']) {
            // A duration with a second sign is invalid, too.
            let length = TimeDelta::nanoseconds(duration(length)?.as_nanos());
            return Ok(TimeArg::FromNow(if text.starts_with('-') { -length } else { length }));
        }
        // RFC 3339 wants the seconds, and people leave them out.
        let minutes = text.strip_suffix(['Z', 'z']).filter(|minutes| shape(minutes) == "0-0-0T0:0");
        if let Some(minutes) = minutes {
            return civil(minutes).map(|time| TimeArg::Exact(time.and_utc()));
        }
        match shape(text).as_str() {
            "0-0-0" => DayArg::parse(text).map(TimeArg::Day),
            "0-0-0T0:0" | "0-0-0T0:0:0" | "0-0-0T0:0:0.0" => civil(text).map(TimeArg::Civil),
            _ => DateTime::parse_from_rfc3339(text)
                .map(|time: DateTime<FixedOffset>| TimeArg::Exact(time.to_utc()))
                .map_err(|_| forms()),
        }
    }

    /// Whether it is a distance from now.
    pub(crate) const fn is_relative(self) -> bool {
        matches!(self, TimeArg::FromNow(_))
    }

    /// The instant. `now` is called only by forms that depend on the present time.
    ///
    /// The error is about a civil time that does not exist in the zone or exists twice, or a time that is out of range.
    pub(crate) fn resolve(
        self,
        zone: &Zone,
        now: impl FnOnce() -> DateTime<Utc>,
    ) -> Result<DateTime<Utc>, Box<Diagnostic>> {
        match self {
            TimeArg::Exact(time) => Ok(time),
            TimeArg::Civil(civil) => civil_in(civil, zone),
            TimeArg::Day(day) => {
                let day = day.resolve(zone, now)?;
                DateTime::from_timestamp(day.first, 0).ok_or_else(out_of_range)
            }
            TimeArg::FromNow(distance) => now().checked_add_signed(distance).ok_or_else(out_of_range),
        }
    }
}
