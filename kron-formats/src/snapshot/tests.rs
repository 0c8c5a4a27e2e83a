//! Snapshots of a cluster: what is read of each object, and what is found wrong with Jobs.

use kron_core::{Job, Parser};
use serde_json::{Value, json};

use super::*;
use crate::audit::PeriodState;
use crate::names::{configuration_hash, job_name, label_time, primer_job_name, run_now_job_name};

/// 2026-03-01T00:00:00Z, when the KronJob was created.
const START: i64 = 1_772_323_200;
const DAY: i64 = 86_400;

fn template() -> Value {
    json!({"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}})
}

fn kronjob(spec: Value, status: Value) -> Value {
    let mut whole = json!({"schedule": "@daily", "window": {"duration": "1h"}, "jobTemplate": template()});
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    json!({"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "spec": whole, "status": status, "metadata": {
        "name": "db", "namespace": "prod", "uid": "k", "generation": 2, "creationTimestamp": "2026-03-01T00:00:00Z",
        "resourceVersion": "7",
    }})
}

/// A Job of the day, as the operator makes it.
fn job(day: i64) -> Value {
    let nominal = START + day * DAY;
    let core = Job::parse("prod/db", "@daily @win(after,1h)").unwrap();
    let chosen = core.decide(nominal).unwrap().chosen_timestamp().unwrap();
    let labels = json!({
        "kron.io/name": "db",
        "kron.io/period-id": label_time(nominal),
        "kron.io/chosen-time": label_time(chosen),
    });
    json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {
        "name": job_name("db", nominal), "namespace": "prod", "uid": format!("j{day}"), "labels": labels,
        "creationTimestamp": Rfc3339(chosen).to_string(),
        "ownerReferences": [{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db", "uid": "k", "controller": true}],
    }, "spec": {"template": {"metadata": {"labels": labels}}}})
}

fn handled_through(day: i64) -> Value {
    let through = Rfc3339(START + day * DAY);
    let spec = Job::parse("prod/db", "@daily").unwrap();
    let spec = spec.spec();
    let hash = configuration_hash(spec);
    json!({"observedGeneration": 2, "configuration": {
        "since": "2026-03-01T00:00:00Z", "hash": hash, "handledThrough": through.to_string(),
    }})
}

fn read(objects: &[Value]) -> KronJobSnapshot {
    let list = json!({"apiVersion": "v1", "kind": "List", "items": objects}).to_string();
    Snapshot::read(&Parser::new(), &[&list]).unwrap().kronjobs.remove(0)
}

const fn until(day: i64) -> AuditSpan {
    AuditSpan { from: None, now: START + day * DAY, has_all_jobs: false }
}

fn codes(objects: &[Value]) -> Vec<(ObjectFindingCode, String)> {
    let audited = read(objects);
    let found = audited.audit(until(5)).findings;
    found.into_iter().map(|finding| (finding.code, finding.message)).collect()
}

#[test]
fn jobs_are_the_executions_of_their_periods() {
    let snapshot = read(&[kronjob(json!({}), handled_through(3)), job(1), job(2), job(3)]);
    let audit = snapshot.audit(until(4));
    assert_eq!(audit.periods.len(), 3, "from the first Job on");
    assert!(audit.periods.iter().all(|period| period.state == PeriodState::Executed));
    assert_eq!(audit.findings, []);
    let name = job_name("db", START + DAY);
    assert_eq!(audit.periods[0].execution, Some(name.as_str()));
}

#[test]
fn a_missing_job_is_found_among_those_that_are_kept() {
    let objects = [kronjob(json!({}), handled_through(3)), job(1), job(3)];
    let audited = read(&objects);
    let audit = audited.audit(until(4));
    let states: Vec<PeriodState> = audit.periods.iter().map(|period| period.state).collect();
    assert_eq!(states, [PeriodState::Executed, PeriodState::NotExecuted, PeriodState::Executed]);

    // Three later ones were successful, so it may have been removed.
    let mut later: Vec<Value> = (2..5).map(job).collect();
    for job in &mut later {
        job["status"] = json!({"conditions": [{"type": "Complete", "status": "True"}]});
    }
    let objects = [&[kronjob(json!({}), handled_through(4))], &later[..]].concat();
    let audited = read(&objects);
    let span = AuditSpan { from: Some(START + DAY), ..until(5) };
    let first = audited.audit(span).periods[0];
    assert_eq!((first.nominal, first.state), (START + DAY, PeriodState::Unknown));
    let first = audited.audit(AuditSpan { has_all_jobs: true, ..span }).periods[0];
    assert_eq!((first.nominal, first.state), (START + DAY, PeriodState::NotExecuted));
}

#[test]
fn a_manifest_does_not_replace_the_object_of_the_cluster() {
    let of_cluster = kronjob(json!({}), handled_through(4));
    let mut manifest = kronjob(json!({}), json!({}));
    manifest["metadata"] = json!({"name": "db", "namespace": "prod"});
    for objects in [[of_cluster.clone(), manifest.clone()], [manifest, of_cluster]] {
        let found = read(&objects);
        assert_eq!(found.since(), Some(START));
    }
}

#[test]
fn a_job_that_is_read_twice_is_one_job() {
    let objects = [kronjob(json!({}), handled_through(2)), job(1), job(2)];
    let list = |objects: &[Value]| json!({"kind": "List", "items": objects}).to_string();
    let (once, mut later) = (list(&objects), objects);
    // It has ended since it was read first.
    later[2]["status"] = json!({"conditions": [{"type": "Complete", "status": "True"}]});
    let snapshot = Snapshot::read(&Parser::new(), &[&once, &list(&later)]).unwrap();
    let audit = snapshot.kronjobs[0].audit(until(3));
    assert_eq!((audit.periods.len(), audit.findings, snapshot.other_jobs), (2, Vec::new(), 0));
    let ended: Vec<Option<bool>> = snapshot.kronjobs[0].jobs.iter().map(|it| it.ended).collect();
    assert_eq!(ended, [None, Some(true)]);
    // Objects without UIDs are distinguished by their names.
    for job in &mut later[1..] {
        job["metadata"]["uid"].take();
    }
    let nameless = list(&later);
    let snapshot = Snapshot::read(&Parser::new(), &[&nameless, &nameless]).unwrap();
    assert_eq!(snapshot.kronjobs[0].audit(until(3)).findings, []);

    // A Job of the same name that was created after the first one was deleted.
    let mut second = job(1);
    second["metadata"]["uid"] = json!("again");
    let [kronjob, first, _] = &later;
    let found = codes(&[kronjob.clone(), first.clone(), second]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, ObjectFindingCode::TwoJobs);
}

#[test]
fn without_jobs_nothing_shows_what_was_executed() {
    let causes = |objects: &[Value], span: AuditSpan| {
        let audited = read(objects);
        let found = audited.audit(span).periods;
        found.into_iter().map(|period| (period.state, period.cause.unwrap())).collect::<Vec<_>>()
    };
    let alone = [kronjob(json!({}), handled_through(1))];
    let span = AuditSpan { from: Some(START + DAY), ..until(3) };
    let states = [PeriodState::NotExecuted, PeriodState::Overdue];
    let expected = |cause: MissCause| states.map(|state| (state, cause));
    assert_eq!(causes(&alone, span), expected(MissCause::NoJobs));
    assert_eq!(causes(&alone, AuditSpan { has_all_jobs: true, ..span }), expected(MissCause::Unexplained));
    // Jobs were read, and these periods have none.
    let of_others =
        json!({"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "x", "namespace": "prod"}});
    assert_eq!(causes(&[&alone[..], &[of_others]].concat(), span), expected(MissCause::Unexplained));
}

#[test]
fn a_manifest_is_not_audited() {
    let mut manifest = kronjob(json!({}), json!({}));
    let metadata = manifest["metadata"].as_object_mut().unwrap();
    metadata.retain(|key, _| ["name", "namespace"].contains(&key.as_str()));
    let audited = read(&[manifest.clone()]);
    for from in [None, Some(START)] {
        let audit = audited.audit(AuditSpan { from, ..until(4) });
        let found: Vec<ObjectFindingCode> = audit.findings.iter().map(|finding| finding.code).collect();
        assert_eq!((audit.periods, found), (Vec::new(), [ObjectFindingCode::NotFromCluster].to_vec()));
    }
    // The status says since when periods are in force.
    manifest["status"] = handled_through(1);
    let audited = read(&[manifest]);
    assert_eq!(audited.audit(until(4)).periods.len(), 3);
}

/// The start of a period depends on the namespace, so it cannot be computed without one.
#[test]
fn a_kronjob_without_a_namespace_is_not_audited() {
    let mut object = kronjob(json!({}), handled_through(1));
    object["metadata"]["namespace"].take();
    let audited = read(&[object]);
    assert_eq!(audited.name(), "db");
    let audit = audited.audit(until(4));
    let found: Vec<ObjectFindingCode> = audit.findings.iter().map(|finding| finding.code).collect();
    assert_eq!((audit.periods, found), (Vec::new(), [ObjectFindingCode::NotFromCluster].to_vec()));
}

#[test]
fn a_job_of_which_no_time_is_known_is_not_judged_by_it() {
    let mut timeless = job(1);
    timeless["metadata"]["creationTimestamp"].take();
    let mut elsewhere = timeless.clone();
    elsewhere["metadata"]["labels"]["kron.io/period-id"] = json!("20260302T010000Z");
    elsewhere["metadata"]["name"] = json!(job_name("db", START + DAY + 3600));
    elsewhere["spec"]["template"]["metadata"]["labels"] = elsewhere["metadata"]["labels"].clone();
    for job in [timeless.clone(), elsewhere] {
        assert_eq!(codes(&[kronjob(json!({}), handled_through(1)), job]), []);
    }
    // It may be from before the edit.
    let mut edited = kronjob(json!({"window": {"duration": "2h"}}), handled_through(1));
    edited["metadata"]["managedFields"] = json!([{"manager": "kubectl", "time": "2026-03-04T00:00:00Z"}]);
    assert_eq!(codes(&[edited, timeless.clone()]), []);
    // It may be the latest of those that are kept.
    timeless["status"] = json!({"conditions": [{"type": "Complete", "status": "True"}]});
    let objects = [kronjob(json!({"successfulJobsHistoryLimit": 1}), handled_through(4)), timeless];
    let audited = read(&objects);
    let audit = audited.audit(AuditSpan { from: Some(START + 3 * DAY), ..until(4) });
    assert_eq!(audit.periods[0].state, PeriodState::Unknown);
}

#[test]
fn events_of_both_versions_tell_outcomes() {
    let annotations = json!({"kron.io/period-id": "20260302T000000Z", "kron.io/outcome": "missed", "kron.io/cause": "queue"});
    let of_core = json!({"apiVersion": "v1", "kind": "Event", "metadata": {"annotations": annotations}, "involvedObject": {"uid": "k"}});
    let of_group = json!({"apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"annotations": annotations}, "regarding": {"uid": "k"}});
    for event in [of_core, of_group] {
        let snapshot = read(&[kronjob(json!({}), handled_through(1)), event]);
        let period = snapshot.audit(until(2)).periods[0];
        assert_eq!((period.state, period.cause), (PeriodState::Missed, Some(MissCause::Queue)));
    }
}

#[test]
fn labels_are_compared_with_the_decision() {
    let with = |path: &str, value: Value| {
        let mut job = job(1);
        let place = path.split('/').fold(&mut job, |place, key| &mut place[key.replace('|', "/")]);
        *place = value;
        codes(&[kronjob(json!({}), handled_through(1)), job])
    };
    let only = |found: Vec<(ObjectFindingCode, String)>, codes: &[ObjectFindingCode]| {
        assert!(found.iter().map(|(code, _)| code).eq(codes), "{found:?}");
        found.into_iter().next().unwrap().1
    };
    let message = only(
        with("metadata/labels/kron.io|name", json!("other")),
        &[ObjectFindingCode::NameLabel, ObjectFindingCode::PodLabels],
    );
    assert_eq!(message, "label kron.io/name is `other`, not db");
    let message =
        only(with("metadata/labels/kron.io|period-id", json!("x")), &[ObjectFindingCode::PeriodLabel]);
    assert_eq!(message, "label kron.io/period-id is `x`, not a time such as `20260301T000000Z`");
    let message = only(
        with("metadata/labels/kron.io|chosen-time", json!("20260302T000000Z")),
        &[ObjectFindingCode::ChosenTime, ObjectFindingCode::PodLabels],
    );
    assert!(
        message.starts_with("label kron.io/chosen-time is `20260302T000000Z`, not 20260302T00"),
        "{message}"
    );
    let message = only(with("metadata/name", json!("db-x")), &[ObjectFindingCode::JobName]);
    assert!(message.starts_with("the Job of period 2026-03-02T00:00:00Z is called db-"), "{message}");
    let message =
        only(with("metadata/creationTimestamp", json!("2026-03-01T23:00:00Z")), &[ObjectFindingCode::Early]);
    assert!(
        message.starts_with("it was created at 2026-03-01T23:00:00Z, before its chosen time"),
        "{message}"
    );
    let labels = json!({});
    let message = only(
        with("spec/template/metadata/labels", labels),
        &[ObjectFindingCode::PodLabels, ObjectFindingCode::PodLabels, ObjectFindingCode::PodLabels],
    );
    assert_eq!(message, "its pods have no label kron.io/name");
}

#[test]
fn a_job_of_no_period_and_a_second_job_are_found() {
    let mut copy = job(1);
    copy["metadata"]["name"] = json!("db-copy");
    copy["metadata"]["uid"] = json!("copy");
    let found = codes(&[kronjob(json!({}), handled_through(1)), job(1), copy]);
    let found: Vec<ObjectFindingCode> = found.into_iter().map(|(code, _)| code).collect();
    assert_eq!(found, [ObjectFindingCode::JobName, ObjectFindingCode::TwoJobs]);

    let mut future = job(9);
    future["metadata"]["name"] = json!("forged");
    future["metadata"]["creationTimestamp"] = json!("2026-03-04T00:00:00Z");
    let objects = [kronjob(json!({}), handled_through(1)), future];
    let audited = read(&objects);
    let audit = audited.audit(until(4));
    assert!(audit.periods.iter().all(|period| period.execution.is_none()));
    assert!(audit.findings.iter().any(|finding| finding.code == ObjectFindingCode::NotOnSchedule));
}

#[test]
fn a_job_from_before_an_edit_is_not_compared_with_the_present_spec() {
    let mut edited = kronjob(json!({"window": {"duration": "2h"}}), handled_through(1));
    assert_eq!(codes(&[edited.clone(), job(1)])[0].0, ObjectFindingCode::ChosenTime);
    edited["metadata"]["managedFields"] = json!([
        {"manager": "kubectl", "time": "2026-03-04T00:00:00Z"},
        {"manager": "kron-operator", "time": "2026-03-05T00:00:00Z", "subresource": "status"},
    ]);
    assert_eq!(codes(&[edited, job(1)]), []);
}

#[test]
fn run_now_jobs_and_primers_are_no_executions_of_periods() {
    let labelled = |key: &str, value: &str, name: String| {
        let mut job = job(1);
        job["metadata"]["labels"] = json!({"kron.io/name": "db", key: value});
        job["metadata"]["name"] = json!(name);
        job
    };
    let run_now = labelled("kron.io/run-now", "t", run_now_job_name("db", "t"));
    let primer = labelled("kron.io/primer-for", "20260302T000000Z", primer_job_name("db", START + DAY));
    let objects = [kronjob(json!({}), handled_through(0)), run_now, primer];
    let audited = read(&objects);
    let audit = audited.audit(until(1));
    assert_eq!(audit.findings, []);
    assert!(audit.periods.iter().all(|period| period.execution.is_none()));
}

#[test]
fn what_keeps_a_kronjob_from_running_is_a_finding() {
    let found = codes(&[kronjob(json!({"schedule": "61 * * * *"}), json!({}))]);
    assert_eq!(found[0].0, ObjectFindingCode::InvalidSpec);
    assert!(found[0].1.contains("spec.schedule.minute"), "{}", found[0].1);
    let mut stale = kronjob(json!({}), handled_through(4));
    stale["metadata"]["generation"] = json!(3);
    assert_eq!(codes(&[stale])[0].0, ObjectFindingCode::StaleStatus);
}

#[test]
fn jobs_of_others_are_counted() {
    let mut other = job(1);
    other["metadata"]["ownerReferences"][0]["uid"] = json!("gone");
    let mut elsewhere = job(2);
    elsewhere["metadata"]["namespace"] = json!("test");
    let mut unowned = job(3);
    unowned["metadata"]["ownerReferences"] = json!([]);
    let list = json!({"kind": "List", "items": [kronjob(json!({}), json!({})), other, elsewhere, unowned]})
        .to_string();
    assert_eq!(Snapshot::read(&Parser::new(), &[&list]).unwrap().other_jobs, 2);
}

#[test]
fn kronjobs_without_uids_are_distinguished_by_their_names() {
    let mut other = kronjob(json!({}), json!({}));
    other["metadata"]["name"] = json!("other");
    let mut objects = [kronjob(json!({}), json!({})), other, kronjob(json!({}), json!({}))];
    for object in &mut objects {
        object["metadata"]["uid"].take();
    }
    let list = json!({"kind": "List", "items": objects}).to_string();
    let snapshot = Snapshot::read(&Parser::new(), &[&list]).unwrap();
    assert!(snapshot.kronjobs.iter().map(KronJobSnapshot::name).eq(["prod/db", "prod/other"]));
}

#[test]
fn texts_of_other_things_are_errors() {
    let error = |text: &str| Snapshot::read(&Parser::new(), &[text]).unwrap_err().to_string();
    assert_eq!(error("[1]"), "expected an object, but found a list");
    assert_eq!(error("0 0 * * * name=x/y"), "expected an object, but found a string");
    assert_eq!(error("{"), "line 1: the JSON ends too early at column 1; write the rest of it");
    assert_eq!(error("a: 1\n---\n2\n"), "document 2: expected an object, but found a number");
    assert!(Snapshot::read(&Parser::new(), &["", "kind: Service"]).unwrap().kronjobs.is_empty());
}

#[test]
fn an_audit_begins_366_days_before_its_end_at_the_earliest() {
    let kronjob = read(&[kronjob(json!({}), handled_through(1)), job(1)]);
    let from = |days: i64| {
        kronjob.audit(AuditSpan { from: None, now: START + days * DAY, has_all_jobs: false }).from - START
    };
    // By default it begins with the first period that is known.
    assert!((DAY..DAY + 3600).contains(&from(3)), "{}", from(3));
    assert_eq!((from(500), from(600)), (134 * DAY, 234 * DAY));
}

#[test]
fn a_callback_ends_an_audit() {
    let kronjob = read(&[kronjob(json!({}), handled_through(2)), job(1), job(2)]);
    let span = AuditSpan { from: None, now: START + 4 * DAY, has_all_jobs: false };
    let mut calls = 0;
    let whole = kronjob.audit_with(span, || {
        calls += 1;
        Ok::<(), i32>(())
    });
    assert_eq!(whole, Ok(kronjob.audit(span)));
    // Each of the two Jobs is looked at twice, and each period once.
    assert_eq!(calls, 4 + whole.unwrap().periods.len() as i32);
    for last in 0..calls {
        let mut left = last;
        let ended = kronjob.audit_with(span, || {
            left -= 1;
            if left < 0 { Err(last) } else { Ok(()) }
        });
        assert_eq!(ended, Err(last));
    }
}
