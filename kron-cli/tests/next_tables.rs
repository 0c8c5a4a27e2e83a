//! Tables of `kron next`, and the primers of its starts.

use crate::support::{MARCH, file, fine, kron_on_terminal, kron_with, refused};

#[test]
fn columns_are_aligned_by_display_width() {
    let jobs = "@daily name=日本/夜\n@daily name=a/b\n";
    let ran = kron_with(&["next", "-f", "-", "--at", MARCH, "-c", "2"], jobs.as_bytes());
    assert_eq!(
        ran.out,
        "\
START                 JOB      NOMINAL               WINDOW
2026-03-02T00:00:00Z  日本/夜  2026-03-02T00:00:00Z  -
2026-03-02T00:00:00Z  a/b      2026-03-02T00:00:00Z  -
"
    );
}

/// A KronJob with a primer, and one without.
const PRIMED: &str = "\
apiVersion: kron.io/v1alpha1
kind: KronJob
metadata: {name: report, namespace: prod}
spec:
  schedule: '0,5 6 * * *'
  primer: {lead: 10m}
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
---
apiVersion: kron.io/v1alpha1
kind: KronJob
metadata: {name: clean, namespace: prod}
spec:
  schedule: '0 7 * * *'
  window: {duration: 90m}
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}
";

#[test]
fn primers_are_listed_beside_the_starts() {
    let file = file("primed.yaml", PRIMED);
    let list = |more: &[&str]| {
        fine(&[&["next", "-f", file.as_str(), "--primers", "--at", MARCH, "-c", "3"], more].concat())
    };
    assert_eq!(
        list(&[]),
        "\
START                 JOB          NOMINAL               WINDOW        PRIMER
2026-03-01T06:00:00Z  prod/report  2026-03-01T06:00:00Z  -             2026-03-01T05:50:00Z
2026-03-01T06:05:00Z  prod/report  2026-03-01T06:05:00Z  -             2026-03-01T06:00:00Z
2026-03-01T07:21:34Z  prod/clean   2026-03-01T07:00:00Z  after 1h 30m
"
    );
    assert_eq!(
        list(&["-o", "csv", "--columns", "name,chosenTime"]),
        "\
name,chosenTime,primerTime
prod/report,2026-03-01T06:00:00Z,2026-03-01T05:50:00Z
prod/report,2026-03-01T06:05:00Z,2026-03-01T06:00:00Z
prod/clean,2026-03-01T07:21:34Z,
"
    );
    let json: serde_json::Value = serde_json::from_str(&list(&["-o", "json"])).expect("JSON");
    let times: serde_json::Value =
        json.as_array().expect("a list").iter().map(|start| start["primerTime"].clone()).collect();
    assert_eq!(times, serde_json::json!(["2026-03-01T05:50:00Z", "2026-03-01T06:00:00Z", null]));
    assert_eq!(list(&["-o", "ndjson"]).lines().filter(|line| line.contains("\"primerTime\"")).count(), 3);
    // The start before counts even if it is not listed.
    let later =
        fine(&["next", "-f", &file, "--primers", "--from", "2026-03-01T06:05:00Z", "-c", "1", "-o", "csv"]);
    assert!(later.ends_with(",2026-03-01T06:00:00Z\n"), "{later}");
}

#[test]
fn primers_are_made_for_starts() {
    let file = file("primed-nominal.yaml", PRIMED);
    let error = refused(&["next", "-f", &file, "--primers", "--nominal"]);
    assert!(error.contains("--nominal"), "{error}");
}

#[test]
fn a_table_that_is_wider_than_the_terminal_has_no_years() {
    let args =
        ["next", "0 1 * * * @win(after,3h)", "--name", "db/a-backup-of-tables", "--at", MARCH, "-c", "1"];
    let lines = |columns| kron_on_terminal(&args, &[], columns).out;
    let wide = "\
START                 JOB                    NOMINAL               WINDOW
2026-03-01T01:42:13Z  db/a-backup-of-tables  2026-03-01T01:00:00Z  after 3h
";
    assert_eq!(lines(80), wide);
    let narrow = lines(70);
    assert!(
        narrow.contains("\n01 Mar 01:42:13Z  db/a-backup-of-tables  01 Mar 01:00:00Z  after 3h\n"),
        "{narrow}"
    );
    assert!(narrow.lines().all(|line| line.len() <= 70), "{narrow}");
    // Times of other zones are longer, and a window says least.
    let local = kron_on_terminal(&[&args[..], &["--local"]].concat(), &[], 70).out;
    assert!(
        local.contains("\n01 Mar 01:42:13+00:00  db/a-backup-of-tables  01 Mar 01:00:00+00:00\n"),
        "{local}"
    );
    assert!(!local.contains("WINDOW"), "{local}");
    // What is no terminal has whole times.
    assert_eq!(fine(&args), wide);
}
