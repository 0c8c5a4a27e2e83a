//! Times and days as arguments: what `--at`, `--from`, `--until`, `--nominal` and `--day` accept.
//!
//! Parsing needs neither a clock nor a time zone, so that mistakes are found before anything is read. The instants are
//! computed afterwards, with the rules of the zone of `--tz`.

use chrono::{
    DateTime, Days, FixedOffset, MappedLocalTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta,
    TimeZone as _, Utc,
};
use kron_core::{Duration, OffsetChange, Zone};

use crate::output::diagnostic::Diagnostic;
use crate::output::time;

/// What an instant can be written as.
const TIME_FORMS: &str = "expected RFC 3339, such as 2026-03-01T00:00:00Z, or a date, a date and time, now, today, \
                          tomorrow, +24h or -90m";
/// What a day can be written as.
const DAY_FORMS: &str = "expected a date, such as 2026-03-01, or today, tomorrow or yesterday";
/// Clock changes within this distance of a civil time can affect it: no offset is a day or longer.
const NEAR: i64 = 2 * 86_400;

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

/// A period as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NominalArg {
    /// The last one before an instant.
    Previous,
    /// The first one of a day.
    FirstOf(DayArg),
    /// The one of an instant.
    At(TimeArg),
}

/// A civil day as an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DayArg {
    /// A date.
    Date(NaiveDate),
    /// So many days after the present one: -1, 0 or 1.
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

impl TimeArg {
    /// Reads an instant. The error is a sentence for the user.
    pub(crate) fn parse(text: &str) -> Result<TimeArg, String> {
        let forms = || TIME_FORMS.to_string();
        match text {
            "now" => return Ok(TimeArg::FromNow(TimeDelta::zero())),
            "today" | "tomorrow" => return DayArg::parse(text).map(TimeArg::Day),
            _ => {}
        }
        if let Some(length) = text.strip_prefix(['+', '-']) {
            // A second sign is not a duration of Go's either.
            let duration = Duration::parse(length).map_err(|error| match error.help() {
                Some(help) => format!("{}; {help}", error.reason()),
                None => error.reason(),
            })?;
            let length = TimeDelta::nanoseconds(duration.as_nanos());
            return Ok(TimeArg::FromNow(if text.starts_with('-') { -length } else { length }));
        }
        match shape(text).as_str() {
            "0-0-0" => DayArg::parse(text).map(TimeArg::Day),
            "0-0-0T0:0" | "0-0-0T0:0:0" | "0-0-0T0:0:0.0" => civil(text).map(TimeArg::Civil),
            _ => DateTime::parse_from_rfc3339(text)
                .map(|time: DateTime<FixedOffset>| TimeArg::Exact(time.to_utc()))
                .map_err(|_| forms()),
        }
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

impl NominalArg {
    /// Reads a nominal time. The error is a sentence for the user.
    pub(crate) fn parse(text: &str) -> Result<NominalArg, String> {
        match text {
            "previous" => Ok(NominalArg::Previous),
            _ => Ok(match TimeArg::parse(text)? {
                TimeArg::Day(day) => NominalArg::FirstOf(day),
                time => NominalArg::At(time),
            }),
        }
    }
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

fn out_of_range() -> Box<Diagnostic> {
    Box::new(Diagnostic::error("the time is out of range"))
}

/// The form of a date or a civil time with one `0` for each number that has its full width; an empty text for all others.
fn shape(text: &str) -> String {
    let mut shape = String::new();
    let widths = [4, 2, 2, 2, 2, 2];
    let mut numbers = text.split(['-', 'T', 't', ' ', ':', '.']);
    let full = |number: &str| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    // The seventh number is a fraction, of any width that chrono keeps.
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
fn civil(text: &str) -> Result<NaiveDateTime, String> {
    let text = text.replace(['t', ' '], "T");
    let form = if text.matches(':').count() == 1 { "%Y-%m-%dT%H:%M" } else { "%Y-%m-%dT%H:%M:%S%.f" };
    NaiveDateTime::parse_from_str(&text, form)
        .map_err(|_| "there is no such date and time in the calendar".to_string())
}

/// The one instant at which clocks show a civil time.
fn civil_in(civil: NaiveDateTime, zone: &Zone) -> Result<DateTime<Utc>, Box<Diagnostic>> {
    let (problem, instants) = match zone.from_local_datetime(&civil) {
        MappedLocalTime::Single(time) => return Ok(time.to_utc()),
        MappedLocalTime::Ambiguous(first, second) => {
            ("occurs twice", Some((first.timestamp(), second.timestamp())))
        }
        MappedLocalTime::None => {
            let second = civil.and_utc().timestamp();
            let skips = |change: &OffsetChange| {
                let change_in = |offset: i32| change.timestamp + i64::from(offset);
                (change_in(change.offset_before)..change_in(change.offset_after)).contains(&second)
            };
            let near = |change: &OffsetChange| change.timestamp <= second + NEAR;
            let change = zone.changes(second - NEAR).take_while(near).find(skips);
            // Each of the two offsets gives an instant.
            let both = change.map(|change| {
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

/// `2026-03-29T02:30`, with seconds where there are some.
fn show(civil: NaiveDateTime) -> String {
    let text = civil.format("%Y-%m-%dT%H:%M:%S").to_string();
    text.strip_suffix(":00").map(str::to_string).unwrap_or(text)
}

/// An instant in RFC 3339, with the zone's offset where RFC 3339 can express it.
fn in_zone(second: i64, zone: &Zone) -> String {
    if zone.offset_at(second) % 60 == 0 { time::local_of(second, zone) } else { time::utc_of(second) }
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-07-04T22:30:00.75Z";

    fn zone(name: &str) -> Zone {
        Zone::parse(name).expect("the zone exists")
    }

    fn now() -> DateTime<Utc> {
        NOW.parse().expect("a time")
    }

    fn resolved(text: &str, name: &str) -> Result<String, (String, Option<String>)> {
        let time = TimeArg::parse(text).map_err(|error| (error, None))?;
        match time.resolve(&zone(name), now) {
            Ok(time) => Ok(time.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true)),
            Err(error) => Err((error.message, error.help)),
        }
    }

    fn at(text: &str, name: &str) -> String {
        resolved(text, name).expect(text)
    }

    fn day(text: &str, name: &str) -> (String, i64) {
        let day = DayArg::parse(text).expect(text).resolve(&zone(name), now).expect(text);
        (time::utc_of(day.first), day.end - day.first)
    }

    #[test]
    fn instants_with_offsets_need_no_zone() {
        for name in ["UTC", "Europe/Paris"] {
            assert_eq!(at("2026-03-01T00:00:00Z", name), "2026-03-01T00:00:00Z");
            assert_eq!(at("2026-03-01T00:00:00.25+01:00", name), "2026-02-28T23:00:00.250Z");
            assert_eq!(at("2026-03-01 00:00:00-03:30", name), "2026-03-01T03:30:00Z");
        }
    }

    #[test]
    fn civil_times_are_read_in_the_zone() {
        assert_eq!(at("2026-03-01", "UTC"), "2026-03-01T00:00:00Z");
        assert_eq!(at("2026-03-01", "Europe/Paris"), "2026-02-28T23:00:00Z");
        assert_eq!(at("2026-07-01T09:30", "Europe/Paris"), "2026-07-01T07:30:00Z");
        assert_eq!(at("2026-07-01 09:30:15", "America/St_Johns"), "2026-07-01T12:00:15Z");
        assert_eq!(at("2026-07-01t09:30:15.5", "UTC"), "2026-07-01T09:30:15.500Z");
    }

    #[test]
    fn times_relative_to_now() {
        assert_eq!(at("now", "Asia/Tokyo"), "2026-07-04T22:30:00.750Z");
        assert_eq!(at("+24h", "Asia/Tokyo"), "2026-07-05T22:30:00.750Z");
        assert_eq!(at("-90m", "UTC"), "2026-07-04T21:00:00.750Z");
        assert_eq!(at("+1h30m", "UTC"), "2026-07-05T00:00:00.750Z");
        assert_eq!(at("-750ms", "UTC"), "2026-07-04T22:30:00Z");
        // In Tokyo it is the 5th already.
        assert_eq!(at("today", "UTC"), "2026-07-04T00:00:00Z");
        assert_eq!(at("today", "Asia/Tokyo"), "2026-07-04T15:00:00Z");
        assert_eq!(at("tomorrow", "Asia/Tokyo"), "2026-07-05T15:00:00Z");
    }

    #[test]
    fn civil_times_that_do_not_exist_or_exist_twice() {
        let error = |message: &str, help: &str| Err((message.to_string(), Some(help.to_string())));
        assert_eq!(
            resolved("2026-03-29T02:30", "Europe/Paris"),
            error(
                "2026-03-29T02:30 does not exist in Europe/Paris, because of a clock change",
                "write 2026-03-29T01:30:00+01:00 or 2026-03-29T03:30:00+02:00"
            )
        );
        assert_eq!(
            resolved("2026-10-25T02:30:01", "Europe/Paris"),
            error(
                "2026-10-25T02:30:01 occurs twice in Europe/Paris, because of a clock change",
                "write 2026-10-25T02:30:01+02:00 or 2026-10-25T02:30:01+01:00"
            )
        );
        // The edges exist once.
        assert_eq!(at("2026-03-29T01:59:59", "Europe/Paris"), "2026-03-29T00:59:59Z");
        assert_eq!(at("2026-03-29T03:00", "Europe/Paris"), "2026-03-29T01:00:00Z");
        assert_eq!(at("2026-10-25T03:00", "Europe/Paris"), "2026-10-25T02:00:00Z");
        // RFC 3339 has no seconds in offsets.
        assert_eq!(
            resolved("1972-01-07T00:30", "Africa/Monrovia"),
            error(
                "1972-01-07T00:30 does not exist in Africa/Monrovia, because of a clock change",
                "write 1972-01-07T00:30:00Z or 1972-01-07T01:14:30+00:00"
            )
        );
    }

    #[test]
    fn days_last_from_their_first_instant_to_that_of_the_next() {
        let hours = |text: &str, name: &str| {
            let (first, seconds) = day(text, name);
            (first, seconds as f64 / 3600.0)
        };
        let want = |first: &str, hours: f64| (first.to_string(), hours);
        assert_eq!(hours("2026-03-01", "UTC"), want("2026-03-01T00:00:00Z", 24.0));
        assert_eq!(hours("2026-03-29", "Europe/Paris"), want("2026-03-28T23:00:00Z", 23.0));
        assert_eq!(hours("2026-10-25", "Europe/Paris"), want("2026-10-24T22:00:00Z", 25.0));
        assert_eq!(hours("2026-10-04", "Australia/Lord_Howe"), want("2026-10-03T13:30:00Z", 23.5));
        // Clocks go from 24:00 to 01:00: the day begins at one.
        assert_eq!(hours("2026-04-24", "Africa/Cairo"), want("2026-04-23T22:00:00Z", 23.0));
        assert_eq!(at("2026-04-24", "Africa/Cairo"), "2026-04-23T22:00:00Z");
        // Clocks go from 24:00 back to 23:00: the day before is longer.
        assert_eq!(hours("2026-10-29", "Africa/Cairo"), want("2026-10-28T21:00:00Z", 25.0));
        assert_eq!(hours("2026-10-30", "Africa/Cairo"), want("2026-10-29T22:00:00Z", 24.0));
        assert_eq!(hours("yesterday", "UTC"), want("2026-07-03T00:00:00Z", 24.0));
        assert_eq!(hours("today", "Asia/Tokyo"), want("2026-07-04T15:00:00Z", 24.0));
        assert_eq!(hours("tomorrow", "Asia/Tokyo"), want("2026-07-05T15:00:00Z", 24.0));
        // Samoa had no such day.
        assert_eq!(hours("2011-12-29", "Pacific/Apia"), want("2011-12-29T10:00:00Z", 24.0));
        let error = DayArg::parse("2011-12-30").expect("a date").resolve(&zone("Pacific/Apia"), now);
        let error = error.expect_err("the day is skipped");
        assert_eq!(error.message, "clocks in Pacific/Apia skip the day 2011-12-30");
        assert_eq!(error.help.as_deref(), Some("the next day begins at 2011-12-31T00:00:00+14:00"));
    }

    #[test]
    fn days_follow_each_other_without_gaps() {
        for name in ["UTC", "Europe/Paris", "Africa/Cairo", "America/Sao_Paulo", "Africa/Casablanca"] {
            let mut end = None;
            let mut date = NaiveDate::from_ymd_opt(2015, 1, 1).expect("a date");
            for _ in 0..2000 {
                let day = DayArg::Date(date).resolve(&zone(name), now).expect("the day exists");
                assert!(end.is_none_or(|end| end == day.first), "{name} {date}");
                // Clocks show the date at both ends.
                for second in [day.first, day.end - 1] {
                    assert!(
                        time::local_of(second, &zone(name)).starts_with(&date.to_string()),
                        "{name} {date}"
                    );
                }
                end = Some(day.end);
                date = date.succ_opt().expect("a date");
            }
        }
    }

    #[test]
    fn nonsense_is_an_error() {
        for text in [
            "",
            " ",
            "yesterday",
            "Now",
            "+",
            "-",
            "+-1h",
            "--1h",
            "+1",
            "+1d",
            "+h",
            "2026",
            "2026-3-1",
            "2026-03",
            "2026-03-01T",
            "2026-03-01T9:00",
            "2026-03-01T09",
            "2026-03-01T09:00:00.",
            "2026-03-01T09:00:00.0000000001",
            "02026-03-01",
            "2026-03-01Z",
            "2026/03/01",
            "2026-03-01T00:00Z",
            "-0001-01-01",
            "+2026-03-01",
            "２０２６-03-01",
            "2026-03-01-00",
            "2026:03:01",
            "2026-03-01T00-00",
        ] {
            assert!(TimeArg::parse(text).is_err(), "{text:?}");
        }
        for text in ["", "now", "+24h", "2026-03-01T00:00", "2026-03-01T00:00:00Z", "2026-3-1"] {
            assert_eq!(DayArg::parse(text), Err(DAY_FORMS.to_string()), "{text:?}");
        }
        let calendar = |text: &str| TimeArg::parse(text).expect_err(text);
        assert_eq!(calendar("2026-02-29"), "there is no such date in the calendar");
        assert_eq!(calendar("2026-03-01T24:00"), "there is no such date and time in the calendar");
        assert_eq!(TimeArg::parse("+9223372036854775807ns").map(|_| ()), Ok(()));
    }

    /// Changed words of the grammar, as in the fuzz targets of the core: nothing panics, and what reads has an instant or a
    /// message.
    #[test]
    fn no_input_panics() {
        let words = [
            "2026",
            "-",
            "03",
            "29",
            "T",
            "02",
            ":",
            "30",
            "Z",
            "+",
            "24h",
            "90m",
            "now",
            "today",
            ".",
            "5",
            "99",
            "0000",
            "9999",
            "12",
            "31",
            " ",
            "t",
            "é",
            "\0",
            "1h30m",
            "9223372036854775807ns",
            "+01:00",
        ];
        let zones = ["UTC", "Europe/Paris", "Pacific/Apia", "Africa/Monrovia"].map(zone);
        let mut state: u64 = 1;
        let mut below = |end: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % end
        };
        let mut read = 0;
        let seeds = [
            "2026-03-29T02:30:00Z",
            "2026-03-29",
            "2026-10-25T02:30",
            "+1h30m",
            "-90m",
            "9999-12-31T23:59:60",
        ];
        for _ in 0..20_000 {
            let mut text = seeds[below(seeds.len())].to_string();
            for _ in 0..below(4) {
                let place =
                    (0..=text.len()).filter(|place| text.is_char_boundary(*place)).collect::<Vec<_>>();
                let from = place[below(place.len())];
                let end = place.iter().copied().find(|place| *place > from && below(2) == 0).unwrap_or(from);
                text.replace_range(from..end, words[below(words.len())]);
            }
            let zone = &zones[below(zones.len())];
            for now in [now(), DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
                if let Ok(time) = TimeArg::parse(&text) {
                    read += 1;
                    let _ = time.resolve(zone, || now).map_err(|error| assert!(!error.message.is_empty()));
                }
                if let Ok(day) = DayArg::parse(&text) {
                    let _ = day.resolve(zone, || now).map(|day| assert!(day.first < day.end));
                }
                for day in [-1, 0, 1].map(DayArg::FromToday) {
                    let _ = day.resolve(zone, || now);
                }
            }
        }
        assert!(read > 1000, "{read}");
    }
}
