//! Primers while requests fail: at most one is made, and no start is late for it.

use std::time::Duration;

use kron_api_model::{Fault, FaultKind, Match, Status, Verb};
use kron_formats::names::primer_job_name;
use serde_json::json;

use super::without_answer;
use crate::e2e::cluster::{SOON, on_model, text_of};
use crate::e2e::primers::{primer_of, primers};

/// Requests to create a primer.
fn creates() -> Match {
    let label = |body: &serde_json::Value| !body["metadata"]["labels"]["kron.io/primer-for"].is_null();
    Match::any().verb(Verb::Create).resource("jobs").dry_run(false).when(move |call| label(&call.body))
}

#[test]
fn a_create_without_an_answer_is_not_sent_again() {
    let faults = FaultKind::ALL.iter().filter_map(|kind| without_answer(*kind));
    // An answer that leaves open whether the request was executed.
    let unclear = Fault::Reject(Status::internal_error("etcdserver: request timed out"));
    for (fault, executed) in faults.chain([(unclear, false)]) {
        on_model(async |cluster, server| {
            let _operator = cluster.operator().await;
            let injected = server.inject(creates(), fault.clone(), None);
            let kronjob =
                cluster.create("db", json!({"schedule": "@hourly", "primer": {"lead": "24h"}})).await;
            let start = kronjob.start(cluster.now() + 45);
            tokio::time::sleep(SOON).await;
            assert_eq!(
                (server.hits(injected), primers(cluster, &kronjob).await.len()),
                (1, usize::from(executed)),
                "{fault:?}"
            );
            let job = cluster.job_of(&kronjob, start).await;
            assert_eq!(job["metadata"]["creationTimestamp"], text_of(start.chosen), "{fault:?}");
        });
    }
}

#[test]
fn what_was_surely_refused_is_sent_again_and_reported_once() {
    for fault in [
        Fault::Reject(Status::too_many_requests(1)),
        Fault::Reject(Status::service_unavailable()),
        Fault::Reject(Status::quota_exceeded("batch", "jobs", "db", "quota")),
    ] {
        on_model(async |cluster, server| {
            let _operator = cluster.operator().await;
            let injected = server.inject(creates(), fault.clone(), 3);
            let kronjob =
                cluster.create("db", json!({"schedule": "@hourly", "primer": {"lead": "24h"}})).await;
            primer_of(cluster, &kronjob, kronjob.start(cluster.now() + 45)).await;
            assert_eq!(server.hits(injected), 3, "{fault:?}");
            let events = cluster.events(&kronjob, "FailedCreate").await;
            assert!(events.len() == 1 && events[0].contains("primer"), "{events:?}");
        });
    }
}

#[test]
fn a_primer_that_cannot_be_deleted_delays_no_start() {
    // A primer does not count as active, for `forbid` or `replace`.
    for concurrency in ["allow", "forbid", "replace"] {
        on_model(async |cluster, server| {
            let _operator = cluster.operator().await;
            let spec = json!({"schedule": "*/5 * * * *", "primer": {"lead": "2m"}, "policy": {"concurrency": concurrency}});
            let kronjob = cluster.create("db", spec).await;
            let deletes = Match::any().verb(Verb::Delete).resource("jobs");
            let fault = server.inject(deletes, Fault::Reject(Status::service_unavailable()), None);
            for start in kronjob.starts(cluster.now(), 4) {
                if start.chosen - 30 >= cluster.now() {
                    primer_of(cluster, &kronjob, start).await;
                }
                let job = cluster.job_of(&kronjob, start).await;
                assert_eq!(job["metadata"]["creationTimestamp"], text_of(start.chosen));
                cluster.finish(&job, true).await;
            }
            assert!(server.hits(fault) > 3);
            let events = cluster.events(&kronjob, "FailedDelete").await;
            assert_eq!(events.len(), 1, "{events:?}");
            server.end_fault(fault);
            cluster
                .until(Duration::from_secs(180), "the primers of starts that are over are gone", async || {
                    (primers(cluster, &kronjob).await.len() <= 1).then_some(())
                })
                .await;
        });
    }
}

#[test]
fn a_leader_that_dies_between_fence_and_create_leaves_the_start_without_a_primer() {
    on_model(async |cluster, server| {
        let first = cluster.replica("a");
        // What hangs on the way to the server is gone with the process.
        server.inject(creates().caller("a"), Fault::Hang, None);
        let kronjob = cluster.create("db", json!({"schedule": "@hourly", "primer": {"lead": "24h"}})).await;
        let start = kronjob.start(cluster.now());
        cluster.status("db", SOON, "the fence", |status| !status["primer"].is_null()).await;
        first.kill().await;
        let _second = cluster.replica("b");
        let job = cluster.job_of(&kronjob, start).await;
        assert_eq!(job["metadata"]["creationTimestamp"], text_of(start.chosen));
        primer_of(cluster, &kronjob, kronjob.start(start.chosen)).await;
        let name = primer_job_name("db", start.nominal);
        let of_first = Match::any().verb(Verb::Create).resource("jobs").when(move |call| call.name == name);
        let callers: Vec<String> =
            server.requests(&of_first).into_iter().map(|record| record.call.caller).collect();
        assert_eq!(callers, ["a"]);
    });
}
