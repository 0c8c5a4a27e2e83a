//! The ranges of `kron next`, and the times among its arguments.

use crate::support::{MARCH, MORE, kron, kron_now, refused};

#[test]
fn ranges_begin_after_at_and_end_before_until() {
    let p = |at: &str, until: &str| {
        let args = ["next", "0 * * * *", "--name", "a", "--at", at, "--until", until, "-o", "ndjson"];
        let ran = kron(&args);
        (ran.code, ran.out.lines().count())
    };
    assert_eq!(p("2026-03-01T00:00:00Z", "2026-03-01T02:00:00Z"), (0, 1));
    assert_eq!(p("2026-02-28T23:59:59.999Z", "2026-03-01T02:00:00.001Z"), (0, 3));
    assert_eq!(p("2026-03-01T01:00:00+01:00", "2026-03-01T03:00:00+01:00"), (0, 1));
    assert_eq!(p("2026-03-01T00:00:00Z", "2026-03-01T01:00:00Z"), (1, 0));
    let err = refused(&["next", "@daily", "--name", "a", "--at", MARCH, "--until", MARCH]);
    assert_eq!(
        err,
        "error: --until is not after 2026-03-01T00:00:00Z, where the range begins\n = help: choose a later --until\n"
    );
}

/// The chosen times of an hourly job, by the arguments for the range.
#[track_caller]
fn hours(now: &str, range: &[&str]) -> Vec<String> {
    let args = ["next", "0 * * * *", "--name", "a", "-o", "ndjson"];
    let ran = kron_now(now, &[&args[..], range].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let time = |line: &str| {
        let decision: serde_json::Value = serde_json::from_str(line).expect("JSON");
        decision["chosenTime"].as_str().expect("a text").to_string()
    };
    ran.out.lines().map(time).collect()
}

#[test]
fn ranges_begin_at_from() {
    let args = ["--from", "2026-03-01T00:00:00Z", "--until", "2026-03-01T02:00:00Z"];
    assert_eq!(hours(MARCH, &args), ["2026-03-01T00:00:00Z", "2026-03-01T01:00:00Z"]);
    let args = ["--from", "2026-03-01T00:00:00.001Z", "--until", "2026-03-01T02:00:00Z"];
    assert_eq!(hours(MARCH, &args), ["2026-03-01T01:00:00Z"]);
    assert_eq!(hours(MARCH, &["--from", MARCH, "--nominal", "-c", "1"]), [MARCH]);
    let err = refused(&["next", "@daily", "--name", "a", "--from", MARCH, "--until", MARCH]);
    assert_eq!(
        err,
        "error: --until is not after 2026-03-01T00:00:00Z, where the range begins\n = help: choose a later --until\n"
    );
    let ran = kron(&[
        "next",
        "@daily",
        "--name",
        "a",
        "--from",
        "2026-03-01T01:00:00Z",
        "--until",
        "2026-03-01T02:00:00Z",
    ]);
    let err = "error: there is no start from 2026-03-01T01:00:00Z on and before 2026-03-01T02:00:00Z\n";
    assert_eq!((ran.code, ran.err.as_str()), (1, err));
}

#[test]
fn a_day_is_that_of_a_zone() {
    let day = |day: &str, zone: &str| {
        let starts = hours("2026-03-28T23:30:00Z", &["--day", day, "--tz", zone]);
        (starts.len(), starts[0].clone())
    };
    assert_eq!(day("2026-03-01", "UTC"), (24, "2026-03-01T00:00:00Z".to_string()));
    assert_eq!(day("2026-03-29", "Europe/Paris"), (23, "2026-03-28T23:00:00Z".to_string()));
    assert_eq!(day("2026-10-25", "Europe/Paris"), (25, "2026-10-24T22:00:00Z".to_string()));
    assert_eq!(day("today", "UTC"), (24, "2026-03-28T00:00:00Z".to_string()));
    assert_eq!(day("today", "Europe/Paris"), (23, "2026-03-28T23:00:00Z".to_string()));
    assert_eq!(day("tomorrow", "Europe/Paris"), (24, "2026-03-29T22:00:00Z".to_string()));
    assert_eq!(day("yesterday", "Europe/Paris"), (24, "2026-03-27T23:00:00Z".to_string()));
    // The list of the day is what --from and --until give.
    let args = ["--from", "2026-10-25", "--until", "2026-10-26", "--tz", "Europe/Paris"];
    let day = ["--day", "2026-10-25", "--tz", "Europe/Paris"];
    assert_eq!(hours(MARCH, &args), hours(MARCH, &day));
    let ran = kron(&["next", "@monthly", "--name", "a", "--day", "2026-03-02", "--tz", "Asia/Tokyo"]);
    let err = "error: there is no start on 2026-03-02 in Asia/Tokyo\n";
    assert_eq!((ran.code, ran.err.as_str()), (1, err));
    // A time that clocks skip.
    let skipped = "30 2 * * * @tz(Europe/Paris)";
    let ran = kron(&["next", skipped, "--name", "a", "--day", "2026-03-29"]);
    let err = "error: there is no start on 2026-03-29 in UTC\n = help: 2026-03-29T02:30 does not exist in Europe/Paris: \
               clocks go from +01:00 to +02:00 at 2026-03-29T01:00:00Z\n";
    assert_eq!((ran.code, ran.err.as_str()), (1, err));
    let ran = kron(&[
        "next",
        skipped,
        "--name",
        "a",
        "--from",
        "2026-03-28T12:00:00Z",
        "--until",
        "2026-03-29T00:00:00Z",
    ]);
    assert!(ran.code == 1 && !ran.err.contains("help"), "{}", ran.err);
    let err = refused(&["next", "@daily", "--name", "a", "--day", "2011-12-30", "--tz", "Pacific/Apia"]);
    let help = "help: the next day begins at 2011-12-31T00:00:00+14:00\n";
    assert!(err.starts_with("error: --day: clocks in Pacific/Apia skip the day 2011-12-30\n"), "{err}");
    assert!(err.ends_with(help), "{err}");
}

#[test]
fn relative_times_and_civil_times() {
    let now = "2026-03-01T05:30:00Z";
    let first = |args: &[&str]| hours(now, args)[0].clone();
    assert_eq!(first(&["--at", "now"]), "2026-03-01T06:00:00Z");
    assert_eq!(first(&[]), "2026-03-01T06:00:00Z");
    assert_eq!(first(&["--from", "today"]), "2026-03-01T00:00:00Z");
    assert_eq!(first(&["--at", "today"]), "2026-03-01T01:00:00Z");
    assert_eq!(first(&["--from", "tomorrow", "--tz", "Asia/Tokyo"]), "2026-03-01T15:00:00Z");
    assert_eq!(first(&["--at", "-90m"]), "2026-03-01T05:00:00Z");
    assert_eq!(first(&["--at=-1h30m"]), "2026-03-01T05:00:00Z");
    assert_eq!(first(&["--at", "+1h30m"]), "2026-03-01T08:00:00Z");
    assert_eq!(first(&["--from", "2026-07-01T09:00", "--tz", "Europe/Paris"]), "2026-07-01T07:00:00Z");
    assert_eq!(hours(now, &["--until", "+24h"]).len(), 24);
    let err = refused(&["next", "@daily", "--name", "a", "--at", "2026-03-29T02:30", "--tz", "Europe/Paris"]);
    assert_eq!(
        err,
        "\
error: --at: 2026-03-29T02:30 does not exist in Europe/Paris, because of a clock change
 = help: write 2026-03-29T01:30:00+01:00 or 2026-03-29T03:30:00+02:00
"
    );
}

#[test]
fn other_commands_read_times_in_the_same_forms() {
    let now = "2026-03-29T00:30:00Z";
    let p = |args: &[&str]| kron_now(now, args).out;
    let zone = ["zones", "Europe/Paris", "-c", "1", "--tz", "Europe/Paris", "--at"];
    let out = p(&[&zone[..], &["2026-10-26"]].concat());
    assert!(out.contains("+01:00 at 2026-10-25T23:00:00Z\n"), "{out}");
    assert!(p(&[&zone[..], &["tomorrow"]].concat()).contains("+02:00 at 2026-03-29T22:00:00Z\n"));
    let explain = ["explain", "0 * * * *", "--name", "a", "--tz", "Europe/Paris"];
    let out = p(&[&explain[..], &["--nominal", "2026-03-29T03:00"]].concat());
    assert!(out.contains("Period       2026-03-29T01:00:00Z\n"), "{out}");
    let out = p(&[&explain[..], &["--at", "+24h"]].concat());
    assert!(out.contains("Period       2026-03-30T01:00:00Z\n"), "{out}");
    let lint = ["lint", "30 2 * * * @tz(Europe/Paris)", "--at"];
    assert!(p(&[&lint[..], &["2026-03-29"]].concat()).contains("2026-03-29T02:30 does not exist"));
    assert!(p(&[&lint[..], &["+1h"]].concat()).contains("2027-03-28T02:30 does not exist"));
}

#[test]
fn count_and_until_bound_together() {
    let p = |extra: &[&str]| {
        let args = ["next", "0 * * * *", "--name", "a", "--at", MARCH, "-o", "ndjson"];
        let ran = kron(&[&args[..], extra].concat());
        assert_eq!(ran.code, 0);
        (ran.out.lines().count(), ran.err)
    };
    let complete = |count| (count, String::new());
    let cut = |count| (count, MORE.to_string());
    assert_eq!(p(&[]), cut(10));
    assert_eq!(p(&["-c", "3"]), complete(3));
    assert_eq!(p(&["--until", "2026-03-02T00:00:00Z"]), complete(23));
    assert_eq!(p(&["--until", "2026-03-02T00:00:00Z", "-c", "3"]), cut(3));
    assert_eq!(p(&["--until", "2026-03-02T00:00:00Z", "-c", "23"]), complete(23));
    assert_eq!(p(&["--until", "2026-03-02T00:00:00Z", "-c", "22"]), cut(22));
    assert_eq!(p(&["--until", "2026-03-01T02:30:00Z", "-c", "3"]), complete(2));
    let periods = (10, "more periods follow; use -c N\n".to_string());
    assert_eq!(p(&["--nominal"]), periods);
}

#[test]
fn a_list_that_ends_by_itself_is_not_cut() {
    let args = ["next", "@yearly", "--name", "a", "-o", "ndjson", "--at"];
    let lines = |at: &str| {
        let ran = kron(&[&args[..], &[at]].concat());
        (ran.code, ran.out.lines().count(), ran.err)
    };
    // The last one is in 2099.
    assert_eq!(lines("2089-06-01"), (0, 10, String::new()));
    assert_eq!(lines("2088-06-01"), (0, 10, MORE.to_string()));
}
