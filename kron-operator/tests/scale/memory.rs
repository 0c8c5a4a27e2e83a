//! How much the operator holds, counted by an allocator, and how long evaluating takes, which is printed and not tested.

use std::alloc::System;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kron_api_model::{Server, SimulatedClock};
use kron_crd::custom_resource_definition;
use kron_operator::engine::Options;
use kron_operator::engine::state::{Planned, Source, State, Watched};
use kron_operator::lease::LeaseConfig;
use kron_operator::namespaces::Scope;
use kron_operator::object::{JobView, Key, KronJobView};
use kron_operator::operator::Operator;
use kron_operator::plan::{Moment, Objects, Observation, Observed, Request, Response};
use serde_json::{Value, json};
use stats_alloc::Region;
use tokio_util::sync::CancellationToken;

use crate::{ALLOCATOR, MIDNIGHT, resident};

const KRONJOBS: usize = 10_000;
const JOBS_EACH: usize = 5;
const LIMIT: f64 = 200.0;

fn mebibytes(region: &Region<'_, System>) -> f64 {
    let change = region.change();
    (change.bytes_allocated as f64 - change.bytes_deallocated as f64) / 1_048_576.0
}

/// A KronJob with a job template of two KiB.
fn kronjob(number: usize) -> Value {
    let mut template = json!({"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{
        "name": "main", "image": "registry.example/team/some-job:1.2.3", "env": [],
    }]}}}});
    while template.to_string().len() < 2048 {
        let variables =
            template.pointer_mut("/spec/template/spec/containers/0/env").unwrap().as_array_mut().unwrap();
        let name = format!("SETTING_{}", variables.len());
        variables.push(json!({"name": name, "value": format!("value of setting {name} of job {number}")}));
    }
    json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
        "metadata": {"name": format!("job-{number}"), "namespace": format!("team-{}", number % 100)},
        "spec": {"schedule": "0 0 * * *", "window": {"duration": "3h"}, "jobTemplate": template},
    })
}

fn fill(server: &Server) {
    (0..100).for_each(|team| drop(server.create_namespace(&format!("team-{team}")).unwrap()));
    for number in 0..KRONJOBS {
        let made = server.create(kronjob(number)).unwrap();
        for run in 0..JOBS_EACH {
            let mut job = made["spec"]["jobTemplate"].clone();
            job["apiVersion"] = json!("batch/v1");
            job["kind"] = json!("Job");
            job["metadata"] = json!({
                "name": format!("job-{number}-abcdefghij{run}"), "namespace": made["metadata"]["namespace"],
                "labels": {
                    "kron.io/name": format!("job-{number}"), "kron.io/period-id": format!("2026022{run}T000000Z"),
                    "kron.io/chosen-time": format!("2026022{run}T001500Z"),
                },
                "ownerReferences": [{
                    "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "controller": true,
                    "name": made["metadata"]["name"], "uid": made["metadata"]["uid"],
                }],
            });
            server.create(job).unwrap();
        }
    }
}

#[test]
fn ten_thousand_kronjobs_and_fifty_thousand_jobs_fit() {
    let _turn = crate::TURN.lock();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let clock = SimulatedClock::new(chrono::DateTime::from_timestamp(MIDNIGHT - 3600, 0).unwrap());
        let server = Server::new(clock.of_server());
        server.create(custom_resource_definition(false)).unwrap();
        fill(&server);
        // Another replica holds the Lease, so that this one reads and does not write: a server in the same process would
        // grow with what is written.
        let other = LeaseConfig::new("default", "kron-operator", "other");
        let micros = clock.now().to_rfc3339_opts(chrono::SecondsFormat::Micros, true);
        let held = json!({
            "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
            "metadata": {"name": other.name, "namespace": other.namespace},
            "spec": {"holderIdentity": other.identity, "leaseDurationSeconds": 3600, "renewTime": micros, "acquireTime": micros},
        });
        server.create(held).unwrap();
        let region = Region::new(ALLOCATOR);
        let lease = LeaseConfig::new("default", "kron-operator", "this");
        let operator = Operator::new(server.client("this"), clock.of_operator(), "this", Some(lease), Options::default());
        let stop = CancellationToken::new();
        let running = tokio::spawn({
            let (operator, stop) = (operator.clone(), stop.clone());
            async move { operator.run(stop).await }
        });
        while !operator.health().ready() {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        tokio::time::sleep(Duration::from_secs(5)).await;
        let held = mebibytes(&region);
        println!("{KRONJOBS} KronJobs with templates of 2 KiB and {} Jobs: {held:.1} MiB", KRONJOBS * JOBS_EACH);
        assert!(held < LIMIT, "{held} MiB");
        assert!(held > 20.0, "{held} MiB are too few: the templates alone are 20");
        stop.cancel();
        running.await.unwrap().unwrap();
    });
}

/// What a leader keeps of a KronJob that waits for its next start, with two finished Jobs, without its template.
#[test]
fn a_kronjob_and_its_jobs_take_few_bytes() {
    const COUNT: usize = 5_000;
    const MOST: usize = 3_000;
    let _turn = crate::TURN.lock();
    let now = chrono::DateTime::from_timestamp(MIDNIGHT - 3600, 0).unwrap();
    let parser = kron_core::Parser::new();
    let read = |number: usize, status: Value| {
        let mut object = kronjob(number);
        let metadata = object["metadata"].as_object_mut().unwrap();
        metadata.insert("uid".into(), json!(format!("00000000-0000-4000-8000-{number:012}")));
        metadata.insert("resourceVersion".into(), json!((1_000_000 + number).to_string()));
        metadata.insert("generation".into(), json!(1));
        metadata.insert("creationTimestamp".into(), json!("2026-02-26T12:00:00Z"));
        let spec = object["spec"].as_object_mut().unwrap();
        // Longer than what is kept.
        spec["jobTemplate"]["metadata"] = json!({"annotations": {"note": "x".repeat(10_000)}});
        object["status"] = status;
        KronJobView::read(&serde_json::from_value(object).unwrap(), &parser)
    };
    let job = |number: usize, run: usize| {
        let job = json!({
            "apiVersion": "batch/v1", "kind": "Job",
            "metadata": {
                "name": format!("job-{number}-abcdefghij{run}"), "namespace": format!("team-{}", number % 100),
                "uid": format!("00000000-0000-4000-800{run}-{number:012}"), "creationTimestamp": "2026-02-28T00:15:00Z",
                "labels": {
                    "kron.io/name": format!("job-{number}"), "kron.io/period-id": format!("2026022{run}T000000Z"),
                    "kron.io/chosen-time": format!("2026022{run}T001500Z"),
                },
                "ownerReferences": [{
                    "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "controller": true,
                    "name": format!("job-{number}"), "uid": format!("00000000-0000-4000-8000-{number:012}"),
                }],
            },
            "spec": {},
            "status": {
                "startTime": "2026-02-28T00:15:00Z", "completionTime": "2026-02-28T00:16:00Z",
                "conditions": [{"type": "Complete", "status": "True", "lastTransitionTime": "2026-02-28T00:16:00Z"}],
            },
        });
        JobView::read(&serde_json::from_value(job).unwrap())
    };
    let key = |number: usize| Key::new(&format!("team-{}", number % 100), &format!("job-{number}"));
    let all = || 0..COUNT;
    let listed = |status: &dyn Fn(usize) -> Value| {
        let mut state = State::new("kron-operator-6d4cf56db6-x7k2p");
        state.activate(1);
        state.begin_list(Watched::KronJobs, &Scope::All);
        for number in all() {
            state.put_kronjob(read(number, status(number)), Source::List);
        }
        state.end_list(Watched::KronJobs, &Scope::All);
        state.begin_list(Watched::Jobs, &Scope::All);
        for (number, run) in all().flat_map(|number| [(number, 7), (number, 8)]) {
            state.put_job(job(number, run), Source::List, &Scope::All);
        }
        state.end_list(Watched::Jobs, &Scope::All);
        state
    };
    let plan = |state: &mut State, number| {
        let Some(Planned::Plan(planned)) = state.plan(&key(number), now) else { panic!("no plan") };
        planned.0.status
    };
    let held = |what: &str, region: &Region<'_, System>| {
        let change = region.change();
        let each = (change.bytes_allocated - change.bytes_deallocated) / COUNT;
        println!("a KronJob and two Jobs, {what}: {each} bytes");
        assert!(each < MOST, "{each} bytes, {what}");
        assert!(each > 500, "{each} bytes are too few");
    };

    let region = Region::new(ALLOCATOR);
    let mut first = listed(&|_| Value::Null);
    let term = first.term().unwrap();
    for number in all() {
        let (key, uid) = (key(number), first.kronjob(&key(number)).unwrap().uid.clone());
        let status = plan(&mut first, number).expect("a status to write");
        let kept = read(number, serde_json::to_value(&status).unwrap());
        let status = Box::new(status);
        let write = Request::UpdateStatus { status, urgent: false, fence: None, ended: Vec::new() };
        first.observe(&key, &uid, term, Observation::Sending(&write), now);
        let at = Moment { now: now.timestamp(), retry_at: &|_, _, _| 0 };
        first.answered(&kept.clone(), term, &write, &Response::KronJob(Some(Arc::new(kept))), at);
        plan(&mut first, number);
    }
    held("in the leader that wrote the statuses", &region);
    let status = |number| first.kronjob(&key(number)).unwrap().status.clone().unwrap();
    let written: Vec<Value> = all().map(|number| serde_json::to_value(status(number)).unwrap()).collect();
    drop(first);

    let region = Region::new(ALLOCATOR);
    let mut second = listed(&|number| written[number].clone());
    all().for_each(|number| drop(plan(&mut second, number)));
    held("in a leader that found them", &region);
}

/// Templates of a megabyte belong to users, and must not decide how much memory the operator takes.
#[test]
fn large_templates_are_not_kept() {
    const LARGE: usize = 250;
    const BYTES: usize = 850_000;
    let _turn = crate::TURN.lock();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let clock = SimulatedClock::new(chrono::DateTime::from_timestamp(MIDNIGHT - 3600, 0).unwrap());
        let server = Server::new(clock.of_server());
        server.create(custom_resource_definition(false)).unwrap();
        server.create_namespace("team-0").unwrap();
        for number in 0..LARGE {
            let mut object = kronjob(number);
            object["metadata"]["namespace"] = json!("team-0");
            object["spec"]["jobTemplate"]["metadata"] = json!({"annotations": {"note": "x".repeat(200_000)}});
            let pod = object.pointer_mut("/spec/jobTemplate/spec/template/spec/containers/0").unwrap();
            pod["args"] = json!(["x".repeat(BYTES - 200_000)]);
            server.create(object).unwrap();
        }
        // What the model keeps of earlier versions is not the operator's.
        server.set_history_limit(20);
        for start in ["at the first start", "after a restart"] {
            let region = Region::new(ALLOCATOR);
            let before = resident("self", "VmRSS");
            // Begins a new peak.
            let _ = std::fs::write("/proc/self/clear_refs", "5");
            let operator =
                Operator::new(server.client("this"), clock.of_operator(), "this", None, Options::default());
            let stop = CancellationToken::new();
            let running = tokio::spawn({
                let (operator, stop) = (operator.clone(), stop.clone());
                async move { operator.run(stop).await }
            });
            // Dry runs go out at twenty in a second.
            tokio::time::sleep(Duration::from_secs(60)).await;
            assert!(operator.health().ready());
            let claimed = |object: &Value| object["status"]["claim"].is_object();
            assert!(server.list("kron.io/v1alpha1", "kronjobs").iter().all(claimed));
            let (held, peak) = (mebibytes(&region), resident("self", "VmHWM") - before);
            println!(
                "{LARGE} KronJobs with templates of {BYTES} bytes, {start}: {held:.1} MiB, peak {peak:.0} MiB"
            );
            assert!(held < 40.0, "{held} MiB, {start}");
            stop.cancel();
            running.await.unwrap().unwrap();
        }
    });
}

#[test]
fn ten_thousand_evaluations_of_one_second() {
    let _turn = crate::TURN.lock();
    let objects: Vec<KronJobView> = (0..KRONJOBS)
        .map(|number| {
            let mut object = kronjob(number);
            object["spec"]["window"] = json!({"duration": "0s"});
            object["metadata"]["uid"] = json!(number.to_string());
            object["metadata"]["creationTimestamp"] = json!("2026-02-28T12:00:00Z");
            KronJobView::read(&serde_json::from_value(object).unwrap(), &kron_core::Parser::new())
        })
        .collect();
    let mut observed = vec![Observed::default(); KRONJOBS];
    let now = chrono::DateTime::from_timestamp(MIDNIGHT, 0).unwrap();
    let begun = Instant::now();
    for (kronjob, observed) in objects.iter().zip(&mut observed) {
        // What comes next is the period of the next midnight.
        let objects = Objects::new(kronjob, &[], observed, now);
        assert_eq!(observed.evaluate(&objects), Some(MIDNIGHT + 86_400));
    }
    println!("{KRONJOBS} evaluations of one second: {:.1} ms", begun.elapsed().as_secs_f64() * 1000.0);
}
