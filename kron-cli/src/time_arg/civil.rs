//! Civil times: the shape of their texts, and the instants at which clocks in a zone show them.

use chrono::{DateTime, MappedLocalTime, NaiveDateTime, TimeDelta, TimeZone as _, Utc};
use kron_core::Zone;
use kron_core::time::OffsetChange;

use crate::output::diagnostic::Diagnostic;
use crate::output::time;

/// Clock changes within this distance of a civil time can affect it: no offset is a day or longer.
pub(super) const NEAR: i64 = 2 * 86_400;

/// The form of a date or a civil time with one `0` for each number that has its full width; an empty text for all others.
pub(super) fn shape(text: &str) -> String {
    let mut shape = String::new();
    let widths = [4, 2, 2, 2, 2, 2];
    let mut numbers = text.split(['-', 'T', 't', ' ', ':', '.']);
    let full = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // The seventh number is a fraction, of any width that chrono supports.
    let widths_fit =
        widths.into_iter().zip(numbers.by_ref()).all(|(width, number)| full(number) && number.len() == width)
            && numbers.next().is_none_or(|fraction| full(fraction) && fraction.len() <= 9)
            && numbers.next().is_none();
    if widths_fit {
        let mut in_number = false;
        for c in text.chars() {
            if !c.is_ascii_digit() {
                shape.push(if matches!(c, 't' | ' ') { 'T' } else { c });
            } else if !in_number {
                shape.push('0');
            }
            in_number = c.is_ascii_digit();
        }
    }
    shape
}

/// A civil time of the right shape.
pub(super) fn civil(text: &str) -> Result<NaiveDateTime, String> {
    let text = text.replace(['t', ' '], "T");
    let form = if text.matches(':').count() == 1 { "%Y-%m-%dT%H:%M" } else { "%Y-%m-%dT%H:%M:%S%.f" };
    NaiveDateTime::parse_from_str(&text, form)
        .map_err(|_| "there is no such date and time in the calendar".to_string())
}

/// The one instant at which clocks show a civil time.
pub(super) fn civil_in(civil: NaiveDateTime, zone: &Zone) -> Result<DateTime<Utc>, Box<Diagnostic>> {
    let (problem, instants) = match zone.from_local_datetime(&civil) {
        MappedLocalTime::Single(time) => return Ok(time.to_utc()),
        MappedLocalTime::Ambiguous(first, second) => {
            ("occurs twice", Some((first.timestamp(), second.timestamp())))
        }
        MappedLocalTime::None => {
            let second = civil.and_utc().timestamp();
            // Each of the two offsets gives an instant.
            let both = change_that_skips(second, zone).map(|change| {
                (second - i64::from(change.offset_after), second - i64::from(change.offset_before))
            });
            ("does not exist", both)
        }
    };
    let message = format!("{} {problem} in {zone}, because of a clock change", show(civil));
    let mut error = Diagnostic::error(message);
    error.help = instants
        .map(|(first, second)| format!("write {} or {}", in_zone(first, zone), in_zone(second, zone)));
    Err(Box::new(error))
}

/// The error of a time outside the range of the calendar.
pub(super) fn out_of_range() -> Box<Diagnostic> {
    Box::new(Diagnostic::error("the time is out of range"))
}

/// The Unix second so many days after another, at the same time of day in the zone: at its first occurrence if it occurs twice, and
/// after the clock change if it does not exist. `None` if it is out of range.
pub(crate) fn days_after(at: i64, days: i64, zone: &Zone) -> Option<i64> {
    let civil = DateTime::from_timestamp(at.checked_add(i64::from(zone.offset_at(at)))?, 0)?;
    let civil = civil.checked_add_signed(TimeDelta::try_days(days)?)?.naive_utc();
    match zone.from_local_datetime(&civil) {
        MappedLocalTime::Single(time) | MappedLocalTime::Ambiguous(time, _) => Some(time.timestamp()),
        MappedLocalTime::None => {
            change_that_skips(civil.and_utc().timestamp(), zone).map(|change| change.timestamp)
        }
    }
}

/// The clock change that skips a civil time, in seconds since 1970-01-01T00:00 on a clock without zone.
fn change_that_skips(second: i64, zone: &Zone) -> Option<OffsetChange> {
    let skips = |change: &OffsetChange| {
        let change_in = |offset: i32| change.timestamp + i64::from(offset);
        (change_in(change.offset_before)..change_in(change.offset_after)).contains(&second)
    };
    let near = |change: &OffsetChange| change.timestamp <= second + NEAR;
    zone.changes(second - NEAR).take_while(near).find(skips)
}

/// `2026-03-29T02:30`, with seconds if they are not 0.
fn show(civil: NaiveDateTime) -> String {
    let text = civil.format("%Y-%m-%dT%H:%M:%S").to_string();
    text.strip_suffix(":00").map(str::to_string).unwrap_or(text)
}

/// An instant in RFC 3339, with the zone's offset where RFC 3339 can express it.
pub(super) fn in_zone(second: i64, zone: &Zone) -> String {
    if zone.offset_at(second) % 60 == 0 { time::local_of(second, zone) } else { time::utc_of(second) }
}
