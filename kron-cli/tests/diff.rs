//! `kron diff`, `kron tz-report` and `kron compare-tz`.

use serde_json::Value;

use crate::support::{
    Ran, file, fine, kron, kron_now, kron_on_terminal, kron_with, paris_without_winter_time, refused,
};

/// Compares two job files from an instant on, for a time.
#[track_caller]
fn diff(name: &str, old: &str, new: &str, from: &str, length: &str) -> Ran {
    let (old, new) = (file(&format!("{name}-old.kron"), old), file(&format!("{name}-new.kron"), new));
    kron(&["diff", &old, &new, "--from", from, "--for", length])
}

/// The same as JSON.
#[track_caller]
fn diff_json(name: &str, old: &str, new: &str, from: &str, length: &str) -> (u8, Value) {
    let (old, new) = (file(&format!("{name}-old.kron"), old), file(&format!("{name}-new.kron"), new));
    let ran = kron(&["diff", &old, &new, "--from", from, "--for", length, "-o", "json"]);
    assert_eq!(ran.err, "");
    (ran.code, serde_json::from_str(&ran.out).expect("JSON"))
}

/// Changes of a job in JSON: appear, vanish, move.
fn counts(job: &Value) -> [u64; 3] {
    ["appear", "vanish", "move"].map(|field| job[field].as_u64().expect("a number"))
}

const OLD: &str = "\
0 1 * * * name=db/backup
0 3 * * * name=db/vacuum
0 2 * * * @tz(Europe/Paris) name=web/report
0 5 * * * name=etl/orders
";
const NEW: &str = "\
# Another order, and another spelling.
0 2 * * * @tz(America/New_York) name=web/report
0 5 * * * @win(after,0s) name=etl/purchases
0 4 * * * name=db/check
0 1 * * * @tz(UTC) name=db/backup
";

#[test]
fn every_kind_of_change() {
    let ran = diff("kinds", OLD, NEW, "2026-03-01T00:00:00Z", "2d");
    let want = "\
4 starts appear, 4 vanish, Sun 1 to Mon 2 March, UTC
starts  8 -> 8
peak    2 a minute (2026-03-01T01:00:00Z) -> 1 a minute (2026-03-01T01:00:00Z)
jobs    1 unchanged, 1 changed, 1 renamed, 1 added, 1 removed

added db/check
    new   0 4 * * *
    2 starts appear
        appears   2026-03-01T04:00:00Z
        appears   2026-03-02T04:00:00Z
    last start none
    next start none -> 2026-03-01T04:00:00Z

removed db/vacuum
    old   0 3 * * *
    2 starts vanish
        vanishes  2026-03-01T03:00:00Z
        vanishes  2026-03-02T03:00:00Z
    last start 2026-02-28T03:00:00Z
    next start 2026-03-01T03:00:00Z -> none

renamed etl/orders -> etl/purchases
    text  0 5 * * *
    the same starts

changed web/report
    old   0 2 * * * @tz(Europe/Paris)
    new   0 2 * * * @tz(America/New_York)
    2 starts appear, 2 vanish
        vanishes  2026-03-01T01:00:00Z
        appears   2026-03-01T07:00:00Z
        vanishes  2026-03-02T01:00:00Z
        appears   2026-03-02T07:00:00Z
    last start 2026-02-28T01:00:00Z
    next start 2026-03-01T01:00:00Z -> 2026-03-01T07:00:00Z
";
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (1, "", want));
}

#[test]
fn the_same_starts() {
    let ran = diff(
        "same",
        "0 1 * * * @win(after,60m) name=a\n",
        "0 1 * * * @win(after,1h) name=a\n",
        "2026-03-01",
        "30d",
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("The same starts, Sun 1 to Mon 30 March, UTC\n"), "{}", ran.out);
    // A policy decides what a host does, and not when a period starts.
    let ran =
        diff("policy", "0 1 * * * name=a\n", "0 1 * * * @policy(deadline=1h) name=a\n", "2026-03-01", "30d");
    assert_eq!(ran.code, 0);
    assert!(ran.out.contains("changed a\n") && ran.out.contains("    the same starts\n"), "{}", ran.out);
}

#[test]
fn another_salt_moves_starts() {
    let old = "0 1 * * * @win(after,3h) name=db/backup\n";
    let new = "0 1 * * * @win(after,3h) @seed(stable,salt=v2) name=db/backup\n";
    let (code, value) = diff_json("salt", old, new, "2026-03-01T01:00:00Z", "720h");
    let job = &value["jobs"][0];
    assert_eq!((code, counts(job)), (1, [0, 0, 30]));
    let starts = job["starts"].as_array().expect("a list");
    assert_eq!(starts.len(), 30, "JSON lists all");
    // The same starts as of `kron next`.
    for (text, field) in [(old, "oldStart"), (new, "newStart")] {
        let text = text.split(" name=").next().expect("a text");
        let list = fine(&[
            "next",
            text,
            "--name",
            "db/backup",
            "--from",
            "2026-03-01T01:00:00Z",
            "--until",
            "2026-03-31T01:00:00Z",
            "-o",
            "json",
        ]);
        let list: Vec<Value> = serde_json::from_str(&list).expect("JSON");
        let want: Vec<&Value> = list.iter().map(|decision| &decision["chosenTime"]).collect();
        assert_eq!(starts.iter().map(|start| &start[field]).collect::<Vec<_>>(), want);
    }
}

#[test]
fn an_edit_skips_or_repeats_the_current_period() {
    // Start times that the constraints leave no choice of: an hour apart, before and after 02:30.
    let early = "0 1 * * * @win(after,3h) @only(between=01:00-01:59) name=a\n";
    let late = "0 1 * * * @win(after,3h) @only(between=03:00-03:59) name=a\n";
    let edit = "2026-03-01T02:30:00Z";
    let (code, value) = diff_json("skip", late, early, edit, "1h");
    let effect = &value["jobs"][0]["edit"];
    assert_eq!(
        (code, &effect["skipped"]["count"], &effect["repeated"]["count"]),
        (1, &Value::from(1), &Value::from(0))
    );
    assert_eq!(effect["skipped"]["periods"][0]["periodId"], "2026-03-01T01:00:00Z");
    assert!(effect["newNextStart"].as_str().expect("a time").starts_with("2026-03-02T01:"));
    let ran = diff("repeat", early, late, edit, "1h");
    let line = "    repeated by the edit: 1 period, the first is 2026-03-01T01:00:00Z (2026-03-01T01:";
    assert!(ran.code == 1 && ran.out.contains(line), "{}", ran.out);
    // An hour later, both have started.
    let (_, value) = diff_json("later", early, late, "2026-03-01T04:30:00Z", "1h");
    let effect = &value["jobs"][0]["edit"];
    assert_eq!([&effect["skipped"]["count"], &effect["repeated"]["count"]], [0, 0]);
}

#[test]
fn an_edit_takes_effect_with_the_first_second_of_the_range() {
    let (_, value) =
        diff_json("edge", "0 1 * * * name=a\n", "0 2 * * * name=a\n", "2026-03-01T01:00:00Z", "1h");
    let effect = &value["jobs"][0]["edit"];
    assert_eq!(effect["lastStart"], "2026-02-28T01:00:00Z");
    assert_eq!(
        (&effect["oldNextStart"], &effect["newNextStart"]),
        (&"2026-03-01T01:00:00Z".into(), &"2026-03-01T02:00:00Z".into())
    );
    // The end of the range is not in it.
    assert_eq!(counts(&value["jobs"][0]), [0, 1, 0]);
}

#[test]
fn ten_thousand_jobs_at_one_minute() {
    let mut old = String::new();
    let mut new = String::new();
    for i in 0..10_000 {
        old += &format!("0 1 * * * name=team/job-{i}\n");
        new += &format!("{} 1 * * * name=team/job-{i}\n", i % 50);
    }
    let (code, value) = diff_json("many", &old, &new, "2026-03-01T00:00:00Z", "1d");
    assert_eq!(code, 1);
    assert_eq!(value["jobs"].as_array().expect("a list").len(), 9_800);
    assert_eq!(value["unchanged"], 200);
    let peak = |which: &str| {
        (value["peak"][which]["startsPerMinute"].clone(), value["peak"][which]["minute"].clone())
    };
    assert_eq!(peak("old"), (10_000.into(), "2026-03-01T01:00:00Z".into()));
    assert_eq!(peak("new"), (200.into(), "2026-03-01T01:00:00Z".into()));
}

#[test]
fn lengths_are_exact() {
    // On the 29th of March, a day in Paris has 23 hours; a length of a day has 24.
    let (old, new) = (file("length-old.kron", "@daily name=a\n"), file("length-new.kron", "@daily name=a\n"));
    let range = |range: &[&str], zone: &str| {
        let out = fine(&[&["diff", &old, &new, "--tz", zone, "-o", "json"], range].concat());
        let found = serde_json::from_str::<Value>(&out).expect("JSON");
        [&found["from"], &found["until"]].map(|time| time.as_str().expect("a time").to_string())
    };
    let until = |from: &str, length: &str, zone: &str| {
        let [_, until] = range(&["--from", from, "--for", length], zone);
        until
    };
    assert_eq!(until("2026-03-29", "1d", "Europe/Paris"), "2026-03-29T23:00:00Z");
    assert_eq!(until("2026-03-29", "24h", "Europe/Paris"), "2026-03-29T23:00:00Z");
    assert_eq!(until("2026-03-01", "1w1d12h", "UTC"), "2026-03-09T12:00:00Z");
    assert_eq!(until("2026-03-01", "366d", "UTC"), "2027-03-02T00:00:00Z");
    // A day is one of the clocks, and the default length, too.
    let paris = |args: &[&str]| range(args, "Europe/Paris");
    assert_eq!(paris(&["--day", "2026-03-29"]), ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"]);
    assert_eq!(paris(&["--from", "2026-03-10"]), ["2026-03-09T23:00:00Z", "2026-04-08T22:00:00Z"]);
    let [_, until_30_days] = range(&["--from", "2026-03-29T03:30:00+02:00"], "Europe/Paris");
    assert_eq!(until_30_days, "2026-04-28T01:30:00Z");
    // Two of the three say it all.
    let march = ["2026-03-01T00:00:00Z", "2026-03-08T00:00:00Z"];
    assert_eq!(range(&["--from", "2026-03-01", "--until", "2026-03-08"], "UTC"), march);
    assert_eq!(range(&["--until", "2026-03-08", "--for", "7d"], "UTC"), march);
    let all = ["--from", "2026-03-01", "--until", "2026-03-08", "--for", "7d"];
    assert!(refused(&[&["diff", &old, &new], &all[..]].concat()).contains("name the end twice"));
    for (length, part) in [
        ("30", "expected a length of time"),
        ("0d", "whole seconds, at least one"),
        ("367d", "longer than 366 days"),
        ("99999999999999d", "expected a length of time up to 292 years"),
        ("8785h", "longer than 366 days"),
        ("0s", "whole seconds, at least one"),
        ("1.5s", "whole seconds, at least one"),
        ("d", "expected a length of time"),
        ("1d12", "expected a length of time"),
        ("-1d", "expected a length of time"),
    ] {
        let length = format!("--for={length}");
        let err = refused(&["diff", &old, &new, "--from", "2026-03-01", &length]);
        assert!(err.contains(part), "{length}: {err}");
    }
}

#[test]
fn files_and_standard_input() {
    let old = file("stdin-old.kron", "@daily name=a\n");
    let ran = kron_with(
        &["diff", &old, "-", "--from", "2026-03-01", "--for", "1d", "-c", "0"],
        b"@daily name=a\n@daily name=b\n",
    );
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(
        ran.out.contains("\n\nadded b\n    new   0 0 * * *\n    1 start appears\n    last start"),
        "{}",
        ran.out
    );
    assert!(
        refused(&["diff", "-", "-", "--from", "2026-03-01"]).contains("standard input can be read once only")
    );
    assert!(
        refused(&["diff", &old, "no-such-file", "--from", "2026-03-01"]).contains("there is no such file")
    );
    // All jobs of a file without jobs are removed.
    let empty = file("stdin-empty.kron", "# none\n");
    let ran = kron(&["diff", &old, &empty, "--from", "2026-03-01", "--for", "1d"]);
    assert!(ran.code == 1 && ran.out.contains("\n\nremoved a\n"), "{ran:?}");
    let broken = file("stdin-broken.kron", "61 * * * * name=a\n");
    assert!(refused(&["diff", &old, &broken, "--from", "2026-03-01"]).contains("minute"));
    // Without --from, the edit is now.
    let ran = kron_now("2026-03-01T00:00:00Z", &["diff", &old, &old, "-o", "json"]);
    let want = "{\"from\":\"2026-03-01T00:00:00Z\",\"until\":\"2026-03-31T00:00:00Z\",\"jobs\":[]\n,\"peak\":{\"old\":{\"starts\":30,\"startsPerMinute\":1,\"minute\":\"2026-03-01T00:00:00Z\"},\"new\":{\"starts\":30,\"startsPerMinute\":1,\"minute\":\"2026-03-01T00:00:00Z\"}},\"unchanged\":1}\n";
    assert_eq!((ran.code, ran.out.as_str()), (0, want));
}

#[test]
fn a_job_that_never_started_gains_all_its_starts() {
    let never = "* * * * * @only(date=1999-01-01) name=a\n";
    let ran = diff("gains", never, "@daily name=a\n", "2026-03-01", "100d");
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("100 starts appear"), "{}", ran.out);
}

/// The totals are first, or last on a screen that does not show the beginning.
#[test]
fn the_totals_stay_on_the_screen() {
    let jobs = |hour: usize, count: usize| {
        file(
            &format!("diff-screen-{hour}-{count}.kron"),
            (0..count).map(|i| format!("0 {hour} * * * name=a/{i}\n")).collect::<String>(),
        )
    };
    let p = |count: usize| {
        let (old, new) = (jobs(3, count), jobs(4, count));
        kron_on_terminal(&["diff", &old, &new, "--from", "2026-03-02", "--for", "1d"], &[], 80).out
    };
    assert!(p(1).starts_with("1 start appears, 1 vanishes, Mon 2 March, UTC\nstarts  1 -> 1\n"), "{}", p(1));
    let many = p(9);
    assert!(many.starts_with("changed a/0\n"), "{many}");
    assert!(many.lines().rev().nth(3).unwrap().starts_with("9 starts appear, 9 vanish, "), "{many}");
    assert!(many.ends_with("\njobs    9 changed\n"), "{many}");
}

#[test]
fn every_occurrence_that_clocks_skip_or_double() {
    let jobs = file(
        "tz-report.kron",
        "\
0,30 2 * * * @tz(Europe/Paris) @only(dow=MON-SAT) name=b/odd
0 12 * * * @tz(Europe/Paris) name=a/noon
30 1 * * * @tz(America/New_York) name=a/night
",
    );
    let ran = kron(&["tz-report", &jobs, "--from", "2026-01-01", "--years", "1"]);
    let want = "\
JOB      ZONE              CIVIL TIME        EFFECT   STARTS
b/odd    Europe/Paris      2026-03-29T02:00  skipped  none
b/odd    Europe/Paris      2026-03-29T02:30  skipped  none
b/odd    Europe/Paris      2026-10-25T02:00  doubled  unschedulable, unschedulable
b/odd    Europe/Paris      2026-10-25T02:30  doubled  unschedulable, unschedulable
a/night  America/New_York  2026-11-01T01:30  doubled  2026-11-01T05:30:00Z, 2026-11-01T06:30:00Z
";
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (1, "", want));
    // A narrow terminal breaks no word.
    let narrow = kron_on_terminal(&["tz-report", &jobs, "--from", "2026-10-31", "--years", "1"], &[], 60).out;
    let want = "\
a/night  America/New_York  2026-11-01T01:30  doubled
  starts 2026-11-01T05:30:00Z, 2026-11-01T06:30:00Z
";
    assert!(
        narrow.starts_with("JOB      ZONE              CIVIL TIME        EFFECT\n") && narrow.ends_with(want),
        "{narrow}"
    );
    let ran = kron(&["tz-report", &jobs, "--from", "2026-10-31", "--years", "1", "-o", "json"]);
    let list: Vec<Value> = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((ran.code, list.len()), (1, 3));
    let want = r#"{"name":"a/night","timezone":"America/New_York","effect":"doubled","civilTime":"2026-11-01T01:30","changeTime":"2026-11-01T06:00:00Z","offsetBefore":"-04:00","offsetAfter":"-05:00","periods":[{"periodId":"2026-11-01T05:30:00Z","chosenTime":"2026-11-01T05:30:00Z"},{"periodId":"2026-11-01T06:30:00Z","chosenTime":"2026-11-01T06:30:00Z"}]}"#;
    assert_eq!(list[2], serde_json::from_str::<Value>(want).expect("JSON"));
    // Three years by default, and nothing to say.
    let noon = file("tz-report-noon.kron", "0 12 * * * @tz(Europe/Paris) name=a/noon\n");
    let nothing = "no clock change skips or doubles a time of 1 job from 2026-01-01T00:00:00Z until 2029-01-01T00:00:00Z\n";
    assert_eq!(fine(&["tz-report", &noon, "--from", "2026-01-01"]), nothing);
    assert_eq!(fine(&["tz-report", &noon, "--from", "2026-01-01", "-o", "json"]), "[]\n");
    assert!(refused(&["tz-report", &noon, "--years", "0"]).contains("from 1 to 130"));
}

#[test]
fn starts_of_two_time_zone_databases() {
    let dir = paris_without_winter_time("compare-tz", "2026z");
    let text = "0 1 * * * @tz(Europe/Paris)";
    let range = ["--from", "2026-10-24", "--until", "2026-10-27"];
    let list = |form: &str, more: &[&str]| {
        fine(&[&["next", text, "--name", "db/backup", "-o", form][..], &range, more].concat())
    };
    let a = file("compare-a.json", list("json", &[]));
    let b = file("compare-b.ndjson", list("ndjson", &["--tzdb", dir.path()]));
    let ran = kron(&["compare-tz", &a, &b]);
    let want = "\
appears   2026-10-25T23:00:00Z db/backup
vanishes  2026-10-26T00:00:00Z db/backup
appears   2026-10-26T23:00:00Z db/backup
";
    assert_eq!((ran.code, ran.err.as_str(), ran.out.as_str()), (1, "", want));
    let ran = kron(&["compare-tz", &a, &b, "-o", "json"]);
    let first = r#"{"name":"db/backup","change":"appears","periodId":"2026-10-25T23:00:00Z","oldStart":null,"newStart":"2026-10-25T23:00:00Z"}"#;
    assert_eq!(ran.out.lines().nth(1), Some(&*format!("  {first},")));
    // The same list in two forms.
    let same = "both lists have the same starts\n";
    assert_eq!(fine(&["compare-tz", &a, &file("compare-a.ndjson", list("ndjson", &[]))]), same);
    let ran = kron_with(&["compare-tz", "-", &a, "-o", "json"], list("json", &[]).as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (0, "[]\n"));
}

#[test]
fn lists_that_cannot_be_compared() {
    let good = file("compare-good.json", "[]\n");
    for (name, content, part) in [
        ("table", "START  JOB\n", "error: this is not a list of decisions: it is no JSON\n--> FILE:1:1\n"),
        ("cut", "[{\"name\":\"a\"", "the text ends too early\n--> FILE:1:12\n"),
        (
            "number",
            "[1]",
            "an entry is an object with the texts `name`, `nominalTime` and `chosenTime`, each once\n--> FILE:1:",
        ),
        (
            "fields",
            "[{\"name\":\"a\",\"nominalTime\":\"2026-03-01T00:00:00Z\"}]",
            "an entry has no `chosenTime`\n--> FILE:1:50\n",
        ),
        (
            "time",
            "{\"name\":\"a\",\"nominalTime\":\"noon\",\"chosenTime\":null}",
            "`noon` is not a time in RFC 3339\n--> FILE\n",
        ),
    ] {
        let bad = file(&format!("compare-{name}.json"), content);
        let err = refused(&["compare-tz", &good, &bad]).replace(&bad, "FILE");
        assert!(err.contains(part) && err.contains("help: print it by `kron next"), "{name}: {err}");
    }
    assert!(refused(&["compare-tz", &good, "no-such-file"]).contains("there is no such file"));
    assert!(refused(&["compare-tz", "-", "-"]).contains("standard input can be read once only"));
    // An empty file is a list of nothing in lines.
    let empty = file("compare-empty.ndjson", "\n");
    assert_eq!(fine(&["compare-tz", &good, &empty]), "both lists are empty\n");
}
