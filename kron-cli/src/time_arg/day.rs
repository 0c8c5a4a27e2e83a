//! Civil days: `--day`, and instants that are the first of a day.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use kron_core::Zone;

use super::civil::{NEAR, in_zone, out_of_range, shape};
use crate::output::diagnostic::Diagnostic;

/// The forms of a day, for messages.
pub(super) const DAY_FORMS: &str = "expected a date, such as 2026-03-01, or today, tomorrow or yesterday";

/// A civil day as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DayArg {
    /// A date.
    Date(NaiveDate),
    /// This many days after the present one: -1, 0 or 1.
    FromToday(i8),
}

/// A civil day in a zone: from its first instant to the first instant of the next day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CivilDay {
    pub(crate) date: NaiveDate,
    /// The first Unix second.
    pub(crate) first: i64,
    /// The first Unix second of the next day.
    pub(crate) end: i64,
}

impl DayArg {
    /// Reads a day. The error is a sentence for the user.
    pub(crate) fn parse(text: &str) -> Result<DayArg, String> {
        match text {
            "yesterday" => Ok(DayArg::FromToday(-1)),
            "today" => Ok(DayArg::FromToday(0)),
            "tomorrow" => Ok(DayArg::FromToday(1)),
            _ if shape(text) == "0-0-0" => NaiveDate::parse_from_str(text, "%Y-%m-%d")
                .map(DayArg::Date)
                .map_err(|_| "there is no such date in the calendar".to_string()),
            _ => Err(DAY_FORMS.to_string()),
        }
    }

    /// The day in a zone. `now` is called only by forms that depend on the present time.
    ///
    /// The error is about a day that clocks skip, or one that is out of range.
    pub(crate) fn resolve(
        self,
        zone: &Zone,
        now: impl FnOnce() -> DateTime<Utc>,
    ) -> Result<CivilDay, Box<Diagnostic>> {
        let date = match self {
            DayArg::Date(date) => Some(date),
            DayArg::FromToday(days) => {
                let now = now().timestamp();
                let civil = now.saturating_add(i64::from(zone.offset_at(now)));
                DateTime::from_timestamp(civil, 0).and_then(|civil| {
                    let (today, distance) = (civil.date_naive(), Days::new(days.unsigned_abs().into()));
                    if days < 0 { today.checked_sub_days(distance) } else { today.checked_add_days(distance) }
                })
            }
        };
        let date = date.ok_or_else(out_of_range)?;
        let next = date.succ_opt().ok_or_else(out_of_range)?;
        let (first, end) = (first_second(date, zone), first_second(next, zone));
        if first == end {
            let mut error = Diagnostic::error(format!("clocks in {zone} skip the day {date}"));
            error.help = Some(format!("the next day begins at {}", in_zone(end, zone)));
            return Err(Box::new(error));
        }
        Ok(CivilDay { date, first, end })
    }
}

/// The first Unix second of a day: the first at which clocks show this date or, if they skip midnight or all of the day, a
/// later time.
fn first_second(date: NaiveDate, zone: &Zone) -> i64 {
    let midnight = date.and_time(NaiveTime::MIN).and_utc().timestamp();
    let mut span_start = midnight - NEAR;
    for change in zone.changes(span_start).take_while(|change| change.timestamp <= midnight + NEAR) {
        let first = span_start.max(midnight - i64::from(change.offset_before));
        if first < change.timestamp {
            return first;
        }
        span_start = change.timestamp;
    }
    span_start.max(midnight - i64::from(zone.offset_at(span_start)))
}
