//! Instants and time spans as text. The only computation is the difference of two seconds.

use chrono::{DateTime, FixedOffset, SecondsFormat, Utc};
use kron_core::{Window, Zone};
use kron_fleet::HumanLength;

/// `2026-03-01T00:19:37Z`.
pub(crate) fn utc(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// As [`utc`], from Unix seconds.
pub(crate) fn utc_of(timestamp: i64) -> String {
    DateTime::from_timestamp(timestamp, 0).map_or_else(|| timestamp.to_string(), utc)
}

/// `2026-03-01T01:19:37+01:00`: civil time and offset in a zone.
pub(crate) fn local(time: DateTime<Utc>, zone: &Zone) -> String {
    let seconds = zone.offset_at(time.timestamp());
    let Some(offset) = FixedOffset::east_opt(seconds) else { return utc(time) };
    // Offsets had seconds until 1972; rounding them away would make the civil time wrong.
    let form = if seconds % 60 == 0 { "%Y-%m-%dT%H:%M:%S%:z" } else { "%Y-%m-%dT%H:%M:%S%::z" };
    time.with_timezone(&offset).format(form).to_string()
}

/// As [`local`], from Unix seconds.
pub(crate) fn local_of(timestamp: i64, zone: &Zone) -> String {
    DateTime::from_timestamp(timestamp, 0).map_or_else(|| timestamp.to_string(), |time| local(time, zone))
}

/// `29 Nov 00:31:00Z` for a time of [`utc`] or [`local`], where there is little room. Other words stay as they are.
pub(crate) fn without_year(text: &str) -> String {
    let form = if text.ends_with('Z') { "%d %b %H:%M:%SZ" } else { "%d %b %H:%M:%S%:z" };
    DateTime::parse_from_rfc3339(text).map_or_else(|_| text.to_string(), |time| time.format(form).to_string())
}

/// An offset from UTC in seconds: `+01:00`.
pub(crate) fn offset(seconds: i32) -> String {
    FixedOffset::east_opt(seconds).map_or_else(|| seconds.to_string(), |offset| offset.to_string())
}

/// `Sun 1 March 2026`: the civil day of a Unix second in a zone.
pub(crate) fn day_of(timestamp: i64, zone: &Zone) -> String {
    civil(timestamp, zone, "%a %-d %B %Y")
}

/// `01:19:37`: the time of day in a zone.
pub(crate) fn clock_of(timestamp: i64, zone: &Zone) -> String {
    civil(timestamp, zone, "%H:%M:%S")
}

/// What the clocks of a zone show, in a form of chrono.
pub(crate) fn civil(timestamp: i64, zone: &Zone, form: &str) -> String {
    let shown = timestamp.saturating_add(zone.offset_at(timestamp).into());
    DateTime::from_timestamp(shown, 0)
        .map_or_else(|| timestamp.to_string(), |time| time.format(form).to_string())
}

/// A window as people read it: `after 3h`; `-` if it is one second, as there is nothing to choose.
pub(crate) fn window(window: Window) -> String {
    match window.duration() {
        duration if duration.is_zero() => "-".to_string(),
        duration => format!("{} {}", window.mode(), HumanLength::of(duration)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_without_their_year() {
        assert_eq!(without_year("2026-03-01T00:19:37Z"), "01 Mar 00:19:37Z");
        assert_eq!(without_year("2026-03-01T00:19:37-03:30"), "01 Mar 00:19:37-03:30");
        assert_eq!(without_year("suspended"), "suspended");
    }

    #[test]
    fn times_in_zones() {
        let p = |timestamp, zone: &str| local_of(timestamp, &Zone::parse(zone).unwrap());
        assert_eq!(p(1_772_324_377, "Europe/Paris"), "2026-03-01T01:19:37+01:00");
        assert_eq!(p(1_772_324_377, "America/St_Johns"), "2026-02-28T20:49:37-03:30");
        assert_eq!(p(0, "Africa/Monrovia"), "1969-12-31T23:15:30-00:44:30");
        assert_eq!(utc_of(0), "1970-01-01T00:00:00Z");
        assert_eq!((offset(20_700).as_str(), offset(-12_600).as_str()), ("+05:45", "-03:30"));
        let paris = Zone::parse("Europe/Paris").unwrap();
        assert_eq!(day_of(1_772_324_377, &paris), "Sun 1 March 2026");
        assert_eq!(clock_of(1_772_324_377, &paris), "01:19:37");
    }
}
