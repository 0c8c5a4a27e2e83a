//! CronJobs as inputs: which commands read them, and what the others say about them.

use serde_json::Value;

use crate::support::{file, kron, kron_with, refused, with_path_hidden};

/// As `kubectl get cronjobs -o json` prints it, shortened.
fn cronjob(name: &str, schedule: &str, more: &str) -> String {
    format!(
        r#"{{"apiVersion": "batch/v1", "kind": "CronJob",
          "metadata": {{"name": "{name}", "namespace": "prod", "uid": "7", "labels": {{"team": "{name}s"}}}},
          "spec": {{"schedule": "{schedule}", {more} "suspend": false, "jobTemplate": {{"spec": {{"template": {{"spec": {{
            "restartPolicy": "OnFailure", "containers": [{{"name": "c", "image": "busybox",
            "resources": {{"requests": {{"cpu": "250m", "memory": "64Mi"}}}}}}]}}}}}}}}}},
          "status": {{"lastScheduleTime": "2026-03-01T00:00:00Z"}}}}"#
    )
}

fn list(items: &[String]) -> String {
    format!(r#"{{"apiVersion": "v1", "kind": "List", "items": [{}]}}"#, items.join(", "))
}

const DAY: [&str; 4] = ["--from", "2026-03-02", "--until", "2026-03-03"];

#[test]
fn a_forecast_counts_cronjobs() {
    let herd = list(&[
        cronjob("backup", "0 3 * * *", r#""timeZone": "Europe/Paris","#),
        cronjob("report", "0 2 * * *", ""),
        cronjob("tick", "@every 90s", ""),
    ]);
    let ran = kron_with(
        &[&["forecast", "-", "--load", "cpu", "--by", "label=team", "-o", "json"], &DAY[..]].concat(),
        herd.as_bytes(),
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let kron = &found["kron"];
    assert_eq!((&kron["starts"]["peak"], &kron["load"]["peak"]), (&2.into(), &500.into()), "{found}");
    assert_eq!(kron["worst"][0]["at"], "2026-03-02T02:00:00Z", "{found}");
    assert_eq!(found["groups"].as_array().map(Vec::len), Some(2), "{found}");
    let said: Vec<&str> = ran.err.lines().filter(|line| !line.starts_with([' ', '-'])).collect();
    assert_eq!(
        said,
        [
            "warning: prod/tick: this schedule is left out: spec.schedule: `@every` is not a calendar schedule",
            "note: 1 CronJob has no `timeZone`, which means the time zone of the controller manager",
        ]
    );
}

#[test]
fn an_edit_of_cronjobs_is_a_diff() {
    let old = file("cronjobs-old.json", list(&[cronjob("backup", "0 3 * * *", "")]));
    let new = file("cronjobs-new.json", list(&[cronjob("backup", "0 4 * * *", "")]));
    let ran = kron(&["diff", &old, &new, "--from", "2026-03-02", "--for", "1d"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("prod/backup"), "{}", ran.out);
    // A KronJob without a window starts at the same times as its CronJob.
    let kronjobs = file("cronjobs-converted.yaml", kron(&["convert", &old]).out);
    let ran = kron(&["diff", &old, &kronjobs, "--from", "2026-03-02", "--for", "30d"]);
    assert_eq!(ran.code, 0, "{} {}", ran.out, ran.err);
}

#[test]
fn budgets_and_clock_changes_are_about_cronjobs_too() {
    let herd = list(&[
        cronjob("a", "30 2 * * *", r#""timeZone": "Europe/Paris","#),
        cronjob("b", "30 2 * * *", r#""timeZone": "Europe/Paris","#),
    ]);
    let path = file("cronjobs-budget.json", herd);
    let ran = kron(&["spread", &path, "--budget", "1", "--from", "2026-03-02"]);
    assert!(ran.code == 1 && ran.err.contains("2 starts in the fullest minute, from 2026-03-02T01:30:00Z on, and the budget is 1: prod/a, prod/b\n"), "{}", ran.err);
    let found = kron(&["tz-report", &path, "--from", "2026-03-01", "--years", "1"]).out;
    assert!(found.contains("prod/a") && found.contains("prod/b"), "{found}");
}

#[test]
fn cronjobs_beside_kronjobs_keep_their_places() {
    let kronjob = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: first, namespace: prod}\nspec:\n  schedule: '0 0 * * *'\n  \
                   jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c}]}}}}\n";
    let both = |kronjob: &str| format!("{kronjob}---\n{}\n", cronjob("second", "0 0 * * *", ""));
    let path = file("cronjobs-both.yaml", both(kronjob));
    let ran = kron(&[&["forecast", &path][..], &DAY[..]].concat());
    assert!(ran.out.contains("\n2 jobs, 2 starts, UTC\n"), "{}{}", ran.out, ran.err);
    let path = file("cronjobs-wrong.yaml", both(&kronjob.replace("0 0 * * *", "0 99 * * *")));
    let err = with_path_hidden(&refused(&[&["forecast", &path][..], &DAY[..]].concat()), &path);
    assert!(err.contains("document 1: "), "{err}");
}

#[test]
fn other_commands_say_what_to_do() {
    let path = file("cronjobs-other.json", list(&[cronjob("backup", "0 3 * * *", "")]));
    let err = refused(&["export", &path]);
    assert!(err.contains("error: prod/backup: CronJobs have Jobs, not commands"), "{err}");
    let err = refused(&["audit", &path]);
    assert!(err.contains("`kron convert` makes KronJobs of CronJobs"), "{err}");
}

#[test]
fn starts_and_findings_of_cronjobs() {
    let path = file("cronjobs-next.json", list(&[cronjob("backup", "0 3 * * *", "")]));
    let ran = kron(&["next", &path, "--at", "2026-03-01T00:00:00Z", "-c", "1"]);
    assert!(ran.code == 0 && ran.out.contains("2026-03-01T03:00:00Z  prod/backup"), "{ran:?}");
    let ran = kron(&["lint", &path, "--at", "2026-03-01T00:00:00Z"]);
    assert!(
        ran.out.contains("note[other-system]: 1 schedule of another system is read as a job: cronjob (1)"),
        "{ran:?}"
    );
    assert!(ran.err.ends_with("1 job read\n"), "{ran:?}");
}
