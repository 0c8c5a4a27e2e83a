//! `kron audit`. What became of a period is tested in kron-formats, and against simulations of the operator in its tests.

use kron_formats::names::{job_name, label_time};
use serde_json::{Value, json};

use crate::support::{file, fine, kron, kron_now, kron_on_terminal, kron_with, refused, with_path_hidden};

/// 2026-03-01T00:00:00Z.
const START: i64 = 1_772_323_200;

/// A KronJob that starts at each full hour, and whose host has handled so many of them.
fn kronjob(hours: i64, policy: Value) -> Value {
    let through = chrono::DateTime::from_timestamp(START + hours * 3600, 0).expect("a time");
    json!({"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {
        "name": "sync", "namespace": "prod", "uid": "k", "generation": 1, "creationTimestamp": "2026-03-01T00:00:00Z",
    }, "spec": {"schedule": "@hourly", "policy": policy, "jobTemplate": {"spec": {"template": {"spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}],
    }}}}}, "status": {"observedGeneration": 1, "configuration": {
        "since": "2026-03-01T00:00:00Z",
        "hash": kron_formats::names::configuration_hash(&"@hourly".parse().expect("a spec")),
        "handledThrough": through.to_rfc3339(),
    }}})
}

fn job(hour: i64) -> Value {
    let nominal = START + hour * 3600;
    let (name, label) = (job_name("sync", nominal), label_time(nominal));
    let labels = json!({"kron.io/name": "sync", "kron.io/period-id": label, "kron.io/chosen-time": label});
    json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {
        "name": name, "uid": format!("j{hour}"), "namespace": "prod", "labels": labels,
        "creationTimestamp": chrono::DateTime::from_timestamp(nominal, 0).expect("a time").to_rfc3339(),
        "ownerReferences": [{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "sync", "uid": "k", "controller": true}],
    }, "spec": {"template": {"metadata": {"labels": labels}}}})
}

fn event(hour: i64, outcome: &str, cause: &str) -> Value {
    let period = label_time(START + hour * 3600);
    let annotations =
        json!({"kron.io/period-id": period, "kron.io/outcome": outcome, "kron.io/cause": cause});
    json!({"apiVersion": "v1", "kind": "Event", "metadata": {"annotations": annotations}, "involvedObject": {"uid": "k"}})
}

fn list(items: &[Value]) -> String {
    json!({"apiVersion": "v1", "kind": "List", "items": items}).to_string()
}

#[test]
fn a_cluster_in_order_has_no_findings() {
    let path = file("audit-fine.json", list(&[kronjob(2, json!({})), job(1), job(2)]));
    let text = fine(&["audit", "-f", &path, "--until", "2026-03-01T02:30:00Z"]);
    let summary = "No findings: 1 KronJob, 2 periods from 2026-03-01T01:00:00Z until 2026-03-01T02:30:00Z\n2 executed\n";
    assert_eq!(text, summary);
}

#[test]
fn a_span_with_too_many_periods_is_refused() {
    let mut minutely = kronjob(0, json!({}));
    minutely["spec"]["schedule"] = "* * * * *".into();
    minutely["metadata"]["creationTimestamp"] = "2025-01-01T00:00:00Z".into();
    minutely.as_object_mut().expect("an object").remove("status");
    let path = file("audit-many.json", list(&[minutely]));
    let text = refused(&["audit", "-f", &path, "--until", "2026-03-01T00:00:00Z", "--for", "366d"]);
    assert!(text.contains("the range has more than 300000 periods"), "{text}");
    assert!(text.contains("choose a shorter range"), "{text}");
}

#[test]
fn each_miss_is_a_line_with_its_reason() {
    let items = [
        kronjob(4, json!({})),
        job(1),
        event(2, "missed", "deadline"),
        event(3, "skipped", "forbid"),
        job(4),
    ];
    let path = file("audit-misses.json", list(&items));
    let ran = kron(&["audit", "-f", &path, "--until", "2026-03-01T06:00:00Z"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert_eq!(
        ran.out,
        "\
3 findings: 1 KronJob, 6 periods from 2026-03-01T01:00:00Z until 2026-03-01T06:00:00Z
2 executed, 1 skipped, 1 missed, 1 overdue, 1 pending

KRONJOB    PERIOD OR JOB         FINDING      WHAT IS WRONG
prod/sync  2026-03-01T02:00:00Z  deadline     missed, start 2026-03-01T02:00:00Z: it was decided after its deadline
prod/sync  2026-03-01T03:00:00Z  forbid       skipped, start 2026-03-01T03:00:00Z: an earlier Job was active, and the policy is forbid
prod/sync  2026-03-01T05:00:00Z  unexplained  overdue, start 2026-03-01T05:00:00Z: no operator has handled it
"
    );
    let allowed = ["--allow", "deadline", "--allow", "forbid", "--allow", "unexplained"];
    let until = ["audit", "-f", path.as_str(), "--until", "2026-03-01T06:00:00Z"];
    assert!(fine(&[&until[..], &allowed].concat()).starts_with("No findings: 1 KronJob, "));
    let ran = kron(&[&until[..], &["--allow", "deadline"]].concat());
    assert!(ran.code == 1 && ran.out.starts_with("2 findings: "), "{}", ran.out);
}

/// What is wrong is broken between words, in its column or below its row.
#[test]
fn sentences_fit_the_terminal() {
    let cluster = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/audit/cluster.json");
    let args = ["audit", "-f", cluster, "--until", "2026-03-02T04:30:00Z"];
    let p = |columns: u16| {
        let out = kron_on_terminal(&args, &[], columns).out;
        assert!(out.lines().all(|line| line.len() <= columns.into()), "{columns}: {out}");
        out
    };
    let sentence = "T01:35:24Z: an earlier Job was active, and the policy is forbid";
    assert!(p(160).contains(sentence));
    let middle = p(110);
    assert!(middle.contains("  WHAT IS WRONG\n") && !middle.contains(sentence), "{middle}");
    let narrow = p(80);
    assert!(narrow.contains("  forbid\n    skipped, start 2026-03-02T01:35:24Z: an earlier Job"), "{narrow}");
    assert!(!narrow.contains("WHAT IS WRONG"), "{narrow}");
}

#[test]
fn misses_in_a_row_share_a_line() {
    let misses = (2..=40).map(|hour| event(hour, "missed", "deadline"));
    let items: Vec<Value> = [kronjob(44, json!({})), job(1)]
        .into_iter()
        .chain(misses)
        .chain((41..=44).map(|hour| event(hour, "skipped", "forbid")))
        .collect();
    let path = file("audit-many-misses.json", list(&items));
    let ran = kron(&["audit", "-f", &path, "--until", "2026-03-02T20:30:00Z"]);
    let (summary, table) = ran.out.split_once("\n\n").expect("a table");
    assert!(summary.starts_with("43 findings: 1 KronJob, 44 periods from "), "{summary}");
    assert_eq!(
        table,
        "\
KRONJOB    PERIOD OR JOB         FINDING   WHAT IS WRONG
prod/sync  2026-03-01T02:00:00Z  deadline  missed, start 2026-03-01T02:00:00Z: it was decided after its deadline
prod/sync  2026-03-02T16:00:00Z  deadline  and 38 more up to this one
prod/sync  2026-03-02T17:00:00Z  forbid    skipped, start 2026-03-02T17:00:00Z: an earlier Job was active, and the policy is forbid
prod/sync  2026-03-02T20:00:00Z  forbid    and 3 more up to this one
"
    );
}

#[test]
fn the_same_objects_twice_make_no_findings() {
    let path = file("audit-twice.json", list(&[kronjob(2, json!({})), job(1), job(2)]));
    let text = fine(&["audit", "-f", &path, "-f", &path, "--until", "2026-03-01T02:30:00Z"]);
    assert!(text.starts_with("No findings: ") && text.ends_with("\n2 executed\n"), "{text}");
}

#[test]
fn an_input_without_jobs_or_of_manifests_says_so() {
    let path = file("audit-no-jobs.json", list(&[kronjob(1, json!({}))]));
    let until = ["--until", "2026-03-01T01:30:00Z"];
    let ran = kron(&[&["audit", "-f", &path][..], &until].concat());
    assert_eq!(ran.code, 1);
    let line = "prod/sync  2026-03-01T01:00:00Z  noJobs   not executed, start 2026-03-01T01:00:00Z: the input has no Job, so it may have been \
                executed\n";
    assert!(ran.out.contains(line), "{}", ran.out);
    assert!(
        ran.err.contains("note: the input has no Job: nothing shows which periods were executed"),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("help: read Jobs, too: `kubectl get kronjobs,jobs,events -A -o json`"),
        "{}",
        ran.err
    );

    let mut manifest = kronjob(0, json!({}));
    manifest.as_object_mut().expect("an object").remove("status");
    manifest["metadata"] = json!({"name": "sync", "namespace": "prod"});
    let path = file("audit-manifest.json", list(&[manifest]));
    let ran = kron(&[&["audit", "-f", &path][..], &until].concat());
    let line = "prod/sync  -              notFromCluster  it has no creation time and no status, as in a manifest: no period can be audited\n";
    assert!(ran.code == 1 && ran.out.contains(line), "{}", ran.out);
    assert!(ran.out.starts_with("1 finding: 1 KronJob, 0 periods from "), "{}", ran.out);
}

#[test]
fn json_has_all_periods() {
    let mut wrong = job(2);
    wrong["metadata"]["labels"]["kron.io/name"] = json!("other");
    let path =
        file("audit-json.json", list(&[kronjob(3, json!({})), job(1), wrong, event(3, "missed", "queue")]));
    let ran = kron(&["audit", "-f", &path, "--until", "2026-03-01T03:00:00Z", "-o", "json"]);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(
        (ran.code, &found["findings"], &found["until"]),
        (1, &json!(3), &json!("2026-03-01T03:00:00Z"))
    );
    let kronjob = &found["kronjobs"][0];
    assert_eq!(kronjob["counts"], json!({"executed": 2, "missed": 1}));
    assert_eq!(
        kronjob["periods"][2],
        json!({"periodId": "2026-03-01T03:00:00Z", "chosenTime": "2026-03-01T03:00:00Z", "onSchedule": true,
            "state": "missed", "cause": "queue"})
    );
    assert_eq!(kronjob["periods"][0]["job"], json!(job_name("sync", START + 3600)));
    assert_eq!(
        kronjob["findings"][1],
        json!({"code": "nameLabel", "job": job_name("sync", START + 7200), "message": "label kron.io/name is `other`, not sync"})
    );
}

#[test]
fn the_span_ends_now_unless_the_arguments_say_otherwise() {
    let path = file("audit-span.json", list(&[kronjob(3, json!({})), job(1), job(2), job(3)]));
    let periods = |args: &[&str]| {
        let ran = kron_now("2026-03-01T03:30:00Z", &[&["audit", "-f", &path], args].concat());
        let (_, rest) = ran.out.split_once("1 KronJob, ").expect("a summary");
        rest.lines().take(2).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(periods(&[]), "3 periods from 2026-03-01T01:00:00Z until 2026-03-01T03:30:00Z\n3 executed");
    assert_eq!(
        periods(&["--for", "1h"]),
        "1 period from 2026-03-01T02:30:00Z until 2026-03-01T03:30:00Z\n1 executed"
    );
    assert_eq!(
        periods(&["--for", "1d", "--tz", "Europe/Paris"]),
        "24 periods from 2026-02-28T03:30:00Z until 2026-03-01T03:30:00Z\n3 executed, 21 not in force"
    );
    assert_eq!(
        periods(&["--from", "2026-03-01T02:00:00Z"]),
        "2 periods from 2026-03-01T02:00:00Z until 2026-03-01T03:30:00Z\n2 executed"
    );
}

#[test]
fn suspended_kronjobs_are_in_order() {
    let path = file("audit-suspended.json", list(&[kronjob(1, json!({"suspend": true}))]));
    let text = fine(&["audit", "-f", &path, "--until", "2026-03-01T04:00:00Z", "--for", "2h"]);
    assert!(text.ends_with("\n3 suspended\n"), "{text}");
}

#[test]
fn objects_may_come_in_yaml_and_in_several_files() {
    let yaml = format!("---\n{}\n---\n{}\n", kronjob(1, json!({})), job(1));
    let ran = kron_with(&["audit", "-f", "-", "--until", "2026-03-01T01:30:00Z"], yaml.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let (kronjobs, jobs) = (
        file("audit-kronjobs.json", list(&[kronjob(1, json!({}))])),
        file("audit-jobs.json", list(&[job(1)])),
    );
    let text = fine(&["audit", "-f", &jobs, "-f", &kronjobs, "--until", "2026-03-01T01:30:00Z"]);
    assert!(text.contains("1 executed"), "{text}");
}

#[test]
fn jobs_of_other_kronjobs_are_counted() {
    let mut other = job(1);
    other["metadata"]["ownerReferences"][0]["uid"] = json!("other");
    let path = file("audit-others.json", list(&[kronjob(0, json!({"suspend": true})), other]));
    let ran = kron(&["audit", "-f", &path, "--until", "2026-03-01T01:30:00Z"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "note: 1 Job of KronJobs that are not in the input\n"));
}

#[test]
fn objects_that_are_old_are_named() {
    let path = file("audit-old.json", list(&[kronjob(0, json!({"suspend": true})), job(1)]));
    let p = |now: &str, more: &[&str]| kron_now(now, &[&["audit", "-f", &path], more].concat()).err;
    let note = "note: the newest object of the input was created at 2026-03-01T01:00:00Z\n = help: if the input was read then, \
                add `--until 2026-03-01T01:00:00Z`\n";
    assert!(p("2026-03-04T00:00:00Z", &[]).ends_with(note), "{}", p("2026-03-04T00:00:00Z", &[]));
    assert_eq!(p("2026-03-01T12:00:00Z", &[]), "");
    assert_eq!(kron(&["audit", "-f", &path, "--until", "2026-03-04T00:00:00Z"]).err, "");
}

#[test]
fn input_that_is_no_cluster_is_refused() {
    let until = ["--until", "2026-03-01T01:30:00Z"];
    let p = |text: &str| {
        let path = file("audit-wrong", text);
        with_path_hidden(&refused(&[&["audit", "-f", &path], &until[..]].concat()), &path)
    };
    assert!(
        p("0 0 * * * name=a/b\n").contains("this is a job file, and an audit is of KronJobs in a cluster")
    );
    assert!(p("{").starts_with("error: the JSON ends too early\n --> FILE:1:1\n"), "{}", p("{"));
    let none = p("{\"kind\": \"List\", \"items\": []}");
    assert!(
        none.contains("there is no KronJob in the input")
            && none.contains("kubectl get kronjobs,jobs,events -A -o json")
    );
    let jobs = p("backup: 0 2 * * * @win(after,3h)\nrotate: 0 3 * * *\n");
    assert!(
        jobs.contains("help: an audit reads what `kubectl get kronjobs,jobs,events -A -o json` writes"),
        "{jobs}"
    );
    let path = file("audit-backwards.json", list(&[kronjob(0, json!({}))]));
    let err = refused(&["audit", "-f", &path, "--until", "2026-03-01", "--from", "2026-03-01"]);
    assert!(err.contains("--from is not before --until"), "{err}");
    let day = ["--from", "2026-03-01", "--until", "2026-03-02"];
    let audit = |range: &[&str]| kron(&[&["audit", &path], range].concat());
    for range in [
        &["--day", "2026-03-01"][..],
        &["--from", "2026-03-01", "--for", "1d"],
        &["--until", "2026-03-02", "--for", "1d"],
    ] {
        assert_eq!(audit(range), audit(&day), "{range:?}");
    }
    assert!(audit(&[&day[..], &["--for", "1d"]].concat()).err.contains("name the end twice"));
    let err = refused(&["audit", "-f", &path, "--until", "2026-03-01", "--from", "2024-03-01"]);
    assert!(err.contains("an audit spans at most 366 days"), "{err}");
    assert!(
        refused(&["audit", "-f", &path, "--allow", "nonsense"])
            .contains("`nonsense` is not a value of --allow")
    );
}
