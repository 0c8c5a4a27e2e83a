//! One namespace does not hold up another, and a busy server is asked less.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use kron_api_model::{Call, Fault, Hook, Match, Server, Status, Verb};
use kron_formats::names::{NAME_LABEL, label_of_name};
use kron_operator::engine::Options;
use kron_operator::operator::Operator;
use serde_json::json;

use crate::e2e::cluster::{Cluster, Replica, SOON, on_model};

/// Many more than there are workers.
const MANY: usize = 300;

/// The only replica, which serves all namespaces.
fn operator_of_all(cluster: &Cluster, server: &Server) -> Replica {
    let client = server.client("operator");
    Replica::start(Operator::new(client, cluster.clock.clone(), "operator", None, Options::default()))
}

fn creates() -> Match {
    Match::any().verb(Verb::Create).resource("jobs").dry_run(false)
}

/// After how many other creates the first Job of a namespace was sent.
fn place(server: &Server, namespace: &str) -> Option<usize> {
    server.requests(&creates()).iter().position(|request| request.call.namespace == namespace)
}

/// A small namespace whose name comes after that of a large one, as does everything about it.
async fn large_and_small(cluster: &Cluster, server: &Server, spec: serde_json::Value) -> Cluster {
    let small = cluster.in_other_namespace();
    server.create_namespace(&small.namespace).unwrap();
    for number in 0..MANY {
        cluster.create(&format!("large-{number}"), spec.clone()).await;
    }
    small.create("small", spec).await;
    server.inject(creates(), Fault::DelayBefore(Duration::from_millis(200)), None);
    small
}

#[test]
fn starts_of_a_large_namespace_hold_up_no_other() {
    on_model(async |cluster, server| {
        let small = large_and_small(cluster, server, json!({"policy": {"concurrency": "allow"}})).await;
        let _operator = operator_of_all(cluster, server);
        cluster
            .until(Duration::from_secs(120), "the small namespace starts", async || {
                place(server, &small.namespace)
            })
            .await;
        let place = place(server, &small.namespace).unwrap();
        assert!(place < 64, "{place} starts of the other namespace went first");
        let all = async || (server.count_requests(&creates()) > MANY).then_some(());
        cluster.until(SOON, "all start", all).await;
    });
}

#[test]
fn run_now_of_a_large_namespace_holds_up_no_other() {
    on_model(async |cluster, server| {
        let spec = json!({"schedule": "0 0 1 1 *", "policy": {"concurrency": "allow"}});
        let small = large_and_small(cluster, server, spec).await;
        // Tokens that are there before the first status make no Jobs.
        let operator = operator_of_all(cluster, server);
        for number in 0..MANY {
            cluster.observed(&format!("large-{number}")).await;
        }
        small.observed("small").await;
        operator.kill().await;
        for number in 0..MANY {
            cluster.run_now(&format!("large-{number}"), "now").await;
        }
        small.run_now("small", "now").await;
        let _operator = operator_of_all(cluster, server);
        cluster.until(SOON, "the small namespace runs", async || place(server, &small.namespace)).await;
        let place = place(server, &small.namespace).unwrap();
        assert!(place < 64, "{place} Jobs of the other namespace went first");
    });
}

#[test]
fn a_server_that_answers_429_is_asked_less_and_nothing_is_missed() {
    on_model(async |cluster, server| {
        // Four creates at once take their time; whatever comes meanwhile is refused, also after a while.
        const AT_ONCE: usize = 4;
        let busy = Arc::new(AtomicUsize::new(0));
        let full = busy.clone();
        let refused = creates().when(move |_| full.load(Ordering::SeqCst) >= AT_ONCE);
        let time = Duration::from_millis(100);
        let refused = server.inject(refused, Fault::Reject(Status::too_many_requests(1)), None);
        let counted: Hook = {
            let busy = busy.clone();
            Arc::new(move |_, _| {
                let busy = busy.clone();
                // Counted at once, before another request is looked at.
                busy.fetch_add(1, Ordering::SeqCst);
                Box::pin(async move {
                    tokio::time::sleep(time).await;
                    busy.fetch_sub(1, Ordering::SeqCst);
                })
            })
        };
        let free = busy.clone();
        let taken = creates().when(move |_| free.load(Ordering::SeqCst) < AT_ONCE);
        server.inject(taken, Fault::Before(counted), None);
        for number in 0..MANY {
            let policy = json!({"concurrency": "allow", "deadline": "10m"});
            cluster.create(&format!("db-{number}"), json!({"schedule": "0 * * * *", "policy": policy})).await;
        }
        let _operator = operator_of_all(cluster, server);
        let all = async || {
            (cluster.jobs_api().list(&Default::default()).await.unwrap().items.len() >= MANY).then_some(())
        };
        cluster.until(Duration::from_secs(600), "all start", all).await;
        let refusals = server.hits(refused);
        assert!(refusals < 3 * MANY, "{refusals} refusals");
        for number in 0..MANY {
            let status = cluster.get(&format!("db-{number}")).await.value["status"].clone();
            assert_ne!(status["lastOutcome"], "missed", "{status}");
        }
    });
}

/// Where one list for all fails, each start that is due reads what is active. What is ready is created before others are read.
#[test]
fn a_start_that_is_ready_is_created_before_all_others_are_read() {
    on_model(async |cluster, server| {
        let spec = json!({"schedule": "0 * * * *", "policy": {"deadline": "10m"}});
        for number in 0..MANY {
            cluster.create(&format!("db-{number}"), spec.clone()).await;
        }
        let lists = Match::any().verb(Verb::List).resource("jobs").caller("operator");
        for requests in [lists.clone(), creates()] {
            server.inject(requests, Fault::DelayBefore(Duration::from_millis(100)), None);
        }
        let shared = lists.when(|call| call.namespace.is_empty());
        let refused = server.inject(shared, Fault::Reject(Status::internal_error("no")), None);
        let _operator = operator_of_all(cluster, server);
        let hour = (cluster.now() / 3600 + 1) * 3600;
        cluster.reach(hour - 1).await;
        server.clear_requests();
        let all = async || (server.count_requests(&creates()) >= MANY).then_some(());
        cluster.until(SOON, "all start", all).await;
        let asked = server.requests(&Match::any().caller("operator").resource("jobs").dry_run(false));
        let first_create = asked.iter().position(|request| request.call.verb == Verb::Create).unwrap();
        let own = |call: &Call| call.verb == Verb::List && !call.namespace.is_empty();
        assert_eq!(asked.iter().filter(|request| own(&request.call)).count(), MANY);
        assert!((1..20).contains(&server.hits(refused)), "{}", server.hits(refused));
        assert!(first_create < MANY / 2, "{first_create} requests went before the first create");
    });
}

/// Whoever may create Jobs can give many of them the label of a KronJob.
#[test]
fn the_list_of_a_kronjob_comes_in_pages() {
    on_model(async |cluster, server| {
        let spec = json!({"schedule": "0 * * * *", "policy": {"deadline": "2m"}});
        let kronjob = cluster.create("db", spec).await;
        for number in 0..50 {
            let job = json!({
                "apiVersion": "batch/v1",
                "kind": "Job",
                "metadata": {"name": format!("forged-{number}"), "labels": {NAME_LABEL: label_of_name("db")}},
                "spec": {"template": {"spec": {
                    "restartPolicy": "Never", "containers": [{"name": "job", "image": "job"}],
                }}},
            });
            let job = serde_json::from_value(job).unwrap();
            cluster.jobs_api().create(&Default::default(), &job).await.unwrap();
        }
        // All pages together may take longer than one request.
        let slow = Match::any().verb(Verb::List).resource("jobs").when(|call| !call.namespace.is_empty());
        server.inject(slow, Fault::DelayBefore(Duration::from_secs(4)), None);
        let _operator = cluster.operator().await;
        cluster.job_of(&kronjob, kronjob.start(cluster.now() + 1)).await;
        let lists = server.requests(&Match::any().verb(Verb::List).resource("jobs").caller("operator"));
        let own = lists
            .iter()
            .filter(|list| list.call.parameter("labelSelector").is_some_and(|it| it.contains('=')));
        let limits: Vec<_> = own.map(|list| list.call.parameter("limit")).collect();
        assert_eq!(limits, [Some("20"); 3]);
    });
}
