//! The meaning of times and days as arguments, in several zones.

use chrono::{DateTime, NaiveDate, Utc};
use kron_core::Zone;

use super::day::DAY_FORMS;
use super::*;
use crate::output::time;

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
        assert_eq!(at("2026-03-01T00:00Z", name), "2026-03-01T00:00:00Z");
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
    // A day has 24 hours, whatever the clocks do.
    assert_eq!(at("-98d", "Europe/Paris"), "2026-03-28T22:30:00.750Z");
    assert_eq!(at("+1w1d", "UTC"), "2026-07-12T22:30:00.750Z");
    assert_eq!(at("-750ms", "UTC"), "2026-07-04T22:30:00Z");
    // In Tokyo it is the 5th already.
    assert_eq!(at("today", "UTC"), "2026-07-04T00:00:00Z");
    assert_eq!(at("today", "Asia/Tokyo"), "2026-07-04T15:00:00Z");
    assert_eq!(at("tomorrow", "Asia/Tokyo"), "2026-07-05T15:00:00Z");
    assert_eq!(at("yesterday", "Asia/Tokyo"), "2026-07-03T15:00:00Z");
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
                assert!(time::local_of(second, &zone(name)).starts_with(&date.to_string()), "{name} {date}");
            }
            end = Some(day.end);
            date = date.succ_opt().expect("a date");
        }
    }
}

#[test]
fn periods_are_named_by_days_too() {
    let parse = NominalArg::parse;
    assert_eq!(parse("previous"), Ok(NominalArg::Previous));
    assert_eq!(parse("yesterday"), Ok(NominalArg::FirstOf(DayArg::FromToday(-1))));
    assert_eq!(parse("today"), Ok(NominalArg::FirstOf(DayArg::FromToday(0))));
    assert_eq!(parse("now"), TimeArg::parse("now").map(NominalArg::At));
    assert!(parse("prev").is_err_and(|error| error.ends_with("+24h or -90m, or previous or yesterday")));
    assert_eq!(parse("2026-02-30"), Err("there is no such date in the calendar".to_string()));
}

#[test]
fn nonsense_is_an_error() {
    for text in [
        "",
        " ",
        "last week",
        "Now",
        "+",
        "-",
        "+-1h",
        "--1h",
        "+1",
        "+1y",
        "+d",
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

#[test]
fn lengths_of_time_have_days_and_weeks() {
    let p = |text: &str| duration(text).map(|length| length.to_string());
    for (text, want) in [
        ("0", "0s"),
        ("90m", "1h30m0s"),
        ("1d", "24h0m0s"),
        ("2w", "336h0m0s"),
        ("1w1d1h", "193h0m0s"),
        ("1.5d", "36h0m0s"),
        (".5w", "84h0m0s"),
        ("1h1d", "25h0m0s"),
        ("106751d", "2562024h0m0s"),
    ] {
        assert_eq!(p(text).as_deref(), Ok(want), "{text}");
    }
    let forms = "expected a length of time up to 292 years, such as 90s, 15m, 24h, 7d or 2w";
    for text in [
        "",
        "d",
        "1",
        "1d0",
        "-1d",
        "+1d",
        "1 d",
        "1D",
        "1dd",
        "1y",
        "1.2.3d",
        "106752d",
        "99999999999999w",
        "1d9223372036854775807ns",
    ] {
        assert_eq!(p(text), Err(forms.to_string()), "{text:?}");
    }
    // A text of a job has no such units.
    assert!(kron_core::Duration::parse("1d").is_err());
}

/// Changed words of the grammar, as in the fuzz targets of the core: nothing panics, and every valid argument has an
/// instant or an error message.
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
    let seeds =
        ["2026-03-29T02:30:00Z", "2026-03-29", "2026-10-25T02:30", "+1h30m", "-90m", "9999-12-31T23:59:60"];
    for _ in 0..20_000 {
        let mut text = seeds[below(seeds.len())].to_string();
        for _ in 0..below(4) {
            let place = (0..=text.len()).filter(|place| text.is_char_boundary(*place)).collect::<Vec<_>>();
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
