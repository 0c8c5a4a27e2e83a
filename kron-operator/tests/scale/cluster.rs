//! A large cluster whose next starts are hours away: what a leader holds, what it does meanwhile, and what a change of leader
//! costs. The operator runs as processes of their own, in real time.

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use kron_api_model::{Match, Server, Verb};
use kron_crd::custom_resource_definition;
use kron_formats::names::{job_name, label_of_name, label_time};
use kron_formats::{LoadOptions, load};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::process::Replica;
use crate::resident;

const JOBS_EACH: i64 = 2;
const TEMPLATE_BYTES: usize = 4096;
/// The most memory of a leader, in MiB.
const MOST: f64 = 400.0;

/// Requests of a replica that are not its Lease, a watch, or a look at the version.
fn asked(replica: &str) -> Match {
    Match::any().caller(replica).when(|call| call.verb != Verb::Watch && call.resource != "leases")
}

fn status_updates(replica: &str) -> Match {
    Match::any().caller(replica).resource("kronjobs").subresource("status")
}

/// A daily KronJob that starts half a day from now, with a template of four KiB.
fn kronjob(number: usize, now: DateTime<Utc>) -> Value {
    let hour = (now + TimeDelta::hours(10)).format("%-H").to_string();
    json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
        "metadata": {"name": format!("job-{number}"), "namespace": format!("team-{}", number % 100)},
        "spec": {
            "schedule": format!("0 {hour} * * *"), "window": {"duration": "3h"},
            "jobTemplate": {"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [{
                "name": "main", "image": "registry.example/team/some-job:1.2.3",
                "args": vec![format!("{number:0100}"); TEMPLATE_BYTES / 103],
            }]}}}},
        },
    })
}

/// A Job that completed, of a period of a KronJob.
fn finished_job(kronjob: &Value, nominal: i64, chosen: i64) -> Value {
    let metadata = &kronjob["metadata"];
    let name = metadata["name"].as_str().unwrap();
    let at =
        |second: i64| DateTime::from_timestamp(second, 0).unwrap().to_rfc3339_opts(SecondsFormat::Secs, true);
    let mut job = kronjob["spec"]["jobTemplate"].clone();
    job["apiVersion"] = json!("batch/v1");
    job["kind"] = json!("Job");
    job["metadata"] = json!({
        "name": job_name(name, nominal), "namespace": metadata["namespace"],
        "labels": {
            "kron.io/name": label_of_name(name), "kron.io/period-id": label_time(nominal),
            "kron.io/chosen-time": label_time(chosen),
        },
        "ownerReferences": [{
            "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "controller": true,
            "name": name, "uid": metadata["uid"],
        }],
    });
    let condition =
        |kind: &str| json!({"type": kind, "status": "True", "lastTransitionTime": at(chosen + 60)});
    job["status"] = json!({
        "startTime": at(chosen), "completionTime": at(chosen + 60), "succeeded": 1,
        "conditions": [condition("SuccessCriteriaMet"), condition("Complete")],
    });
    job
}

fn fill(server: &Server, kronjobs: usize) {
    let now = server.now();
    (0..100).for_each(|team| drop(server.create_namespace(&format!("team-{team}")).unwrap()));
    for number in 0..kronjobs {
        let made = server.create(kronjob(number, now)).unwrap();
        let (namespace, name) =
            (made["metadata"]["namespace"].as_str().unwrap(), made["metadata"]["name"].as_str().unwrap());
        // It is older than its Jobs.
        let created = (now - TimeDelta::hours(24 * JOBS_EACH)).to_rfc3339_opts(SecondsFormat::Secs, true);
        let made = server
            .edit("kron.io/v1alpha1", "kronjobs", namespace, name, |object| {
                object["metadata"]["creationTimestamp"] = json!(created);
            })
            .unwrap();
        let loaded = load(&kron_core::Parser::new(), &made.to_string(), &LoadOptions::default()).unwrap();
        let job = &loaded.jobs[0].job;
        let ended = now.timestamp() - 3600;
        for period in job.periods(ended - 86_400 * JOBS_EACH..ended) {
            let (nominal, chosen) = (period.nominal_timestamp(), period.chosen_timestamp().unwrap());
            let finished = finished_job(&made, nominal, chosen);
            let status = finished["status"].clone();
            server.create(finished).unwrap();
            server
                .edit("batch/v1", "jobs", namespace, &job_name(name, nominal), |job| job["status"] = status);
        }
    }
}

/// Waits until something holds, and gives the time that this took.
async fn until(limit: Duration, what: &str, mut holds: impl AsyncFnMut() -> bool) -> Duration {
    let begun = Instant::now();
    while !holds().await {
        assert!(begun.elapsed() < limit, "not within {limit:?}: {what}");
        sleep(Duration::from_millis(100)).await;
    }
    begun.elapsed()
}

fn leads(server: &Server, replica: &str) -> bool {
    let lease = server.get("coordination.k8s.io/v1", "leases", "default", "kron-operator");
    lease.is_some_and(|lease| {
        let holder = lease["spec"]["holderIdentity"].as_str().unwrap_or_default();
        holder.starts_with(&format!("{replica}_"))
    })
}

/// Waits until a replica has asked for nothing for some time.
async fn quiet(server: &Server, replica: &str) {
    let (mut before, mut since) = (0, Instant::now());
    until(Duration::from_secs(3600), "nothing is left to do", async || {
        let now = server.count_requests(&asked(replica));
        if now != before {
            (before, since) = (now, Instant::now());
        }
        since.elapsed() > Duration::from_secs(10)
    })
    .await;
}

/// How long it takes a client to read all objects by pages, as the operator does.
async fn list_time(server: &Server) -> Duration {
    let begun = Instant::now();
    let client = server.client("reader");
    for path in ["/apis/kron.io/v1alpha1/kronjobs", "/apis/batch/v1/jobs"] {
        let mut next = String::new();
        loop {
            let uri = format!("{path}?limit=500&continue={next}");
            let page: Value =
                client.request(http::Request::get(uri).body(Vec::new()).unwrap()).await.unwrap();
            next = page["metadata"]["continue"].as_str().unwrap_or_default().to_string();
            if next.is_empty() {
                break;
            }
        }
    }
    begun.elapsed()
}

/// A first leader, a second replica, and the death of the first; for so long each is watched while nothing is to be done.
fn check(kronjobs: usize, watched: Duration) {
    let _turn = crate::TURN.lock();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let server = Server::new(Arc::new(Utc::now));
        server.set_history_limit(1000);
        server.set_log_limit(20 * kronjobs + 10_000);
        server.create(custom_resource_definition(false)).unwrap();
        fill(&server, kronjobs);
        let jobs = server.count("batch/v1", "jobs");
        assert_eq!(jobs, kronjobs * usize::try_from(JOBS_EACH).unwrap());
        println!("{kronjobs} KronJobs and {jobs} Jobs; the model of the API server takes {:.0} MiB", resident("self", "VmRSS"));

        let fast = ["--dry-runs", "1000"];
        let first = Replica::start(&server, "first", &fast).await;
        let ready = until(Duration::from_secs(900), "the first replica is ready", async || first.is_ready().await).await;
        println!("first leader: ready after {:.1} s", ready.as_secs_f64());
        quiet(&server, "first").await;
        let claimed = |object: &Value| object["status"]["claim"].is_object();
        assert!(server.list("kron.io/v1alpha1", "kronjobs").iter().all(claimed));
        println!("first leader, all statuses written: {:.0} MiB, peak {:.0} MiB", first.resident("VmRSS"), first.resident("VmHWM"));
        assert!(first.resident("VmHWM") < MOST);

        let (asked_before, time_before) = (server.count_requests(&asked("first")), first.processor_time());
        sleep(watched).await;
        let idle = (first.processor_time() - time_before) / watched.as_secs_f64();
        let requests = server.count_requests(&asked("first")) - asked_before;
        println!("first leader, idle: {:.2} % of a core, {requests} requests but Lease and watches in {watched:?}", 100.0 * idle);
        assert_eq!(requests, 0);

        let lists = list_time(&server).await;
        let second = Replica::start(&server, "second", &fast).await;
        let ready = until(Duration::from_secs(900), "the second replica is ready", async || second.is_ready().await).await;
        println!(
            "second replica: ready after {:.1} s (reading all by pages, without anything else, takes {:.1} s)",
            ready.as_secs_f64(), lists.as_secs_f64()
        );
        drop(first);
        until(Duration::from_secs(60), "the second replica leads", async || leads(&server, "second")).await;
        let written = server.count_requests(&status_updates("second"));
        assert_eq!(written, 0, "before it leads");
        sleep(watched).await;
        let written = server.count_requests(&status_updates("second"));
        println!("change of leader: {written} statuses written in {watched:?} ({:.2} %)", 100.0 * written as f64 / kronjobs as f64);
        println!("second leader: {:.0} MiB, peak {:.0} MiB", second.resident("VmRSS"), second.resident("VmHWM"));
        assert!(second.resident("VmHWM") < MOST);
        assert!(written * 100 < kronjobs, "{written}");
    });
}

/// `KRON_SCALE_KRONJOBS` makes the cluster smaller.
#[test]
#[ignore = "takes ten minutes, and 6 GiB"]
fn a_hundred_thousand_kronjobs() {
    let kronjobs = std::env::var("KRON_SCALE_KRONJOBS").map_or(100_000, |number| number.parse().unwrap());
    check(kronjobs, Duration::from_secs(60));
}
