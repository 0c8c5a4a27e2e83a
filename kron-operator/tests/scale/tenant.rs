//! A tenant with large templates whose starts fail: what the others notice, and how much memory the operator takes.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use kron_api_model::{Fault, Match, Server, SimulatedClock, Status, Verb};
use kron_crd::custom_resource_definition;
use kron_operator::engine::Options;
use kron_operator::operator::Operator;
use serde_json::{Value, json};
use stats_alloc::Region;
use tokio_util::sync::CancellationToken;

use crate::process::Replica;
use crate::{ALLOCATOR, MIDNIGHT, resident};

const LATENCY: Duration = Duration::from_millis(20);
const OTHERS: usize = 100;
const MINUTES: i64 = 2;
/// The memory limit of the Deployment in `deploy/base`, in MiB.
const LIMIT: f64 = 256.0;

fn kronjob(namespace: &str, number: usize, bytes: usize) -> Value {
    json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
        "metadata": {"name": format!("job-{number}"), "namespace": namespace},
        "spec": {
            "schedule": "* * * * *", "policy": {"concurrency": "allow"},
            "jobTemplate": {"spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{
                    "name": "main", "image": "registry.example/job:1", "args": ["x".repeat(bytes)],
                }],
            }}}},
        },
    })
}

/// A tenant with so many minutely KronJobs, whose templates have so many bytes, and whose creates the API server rejects.
fn check(kronjobs: usize, bytes: usize) {
    let _turn = crate::TURN.lock();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let time = |second: i64| DateTime::from_timestamp(second, 0).unwrap();
        let clock = SimulatedClock::new(time(MIDNIGHT + 90));
        let server = Server::new(clock.of_server());
        server.set_history_limit(20);
        server.create(custom_resource_definition(false)).unwrap();
        server.create_namespace("large").unwrap();
        for number in 0..kronjobs {
            server.create(kronjob("large", number, bytes)).unwrap();
        }
        for number in 0..OTHERS {
            let namespace = format!("team-{}", number % 10);
            if number < 10 {
                server.create_namespace(&namespace).unwrap();
            }
            server.create(kronjob(&namespace, number, 0)).unwrap();
        }
        let asked = Match::any().caller("operator").when(|call| call.verb != Verb::Watch);
        server.inject(asked, Fault::DelayBefore(LATENCY), None);
        let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
        let refusal = Status::quota_exceeded("batch", "jobs", "large", "quota");
        let refused =
            server.inject(creates.clone().namespace("large"), Fault::Reject(refusal), None);

        let region = Region::new(ALLOCATOR);
        let before = resident("self", "VmRSS");
        // Begins a new peak.
        let _ = std::fs::write("/proc/self/clear_refs", "5");
        let operator =
            Operator::new(server.client("operator"), clock.of_operator(), "operator", None, Options::default());
        let stop = CancellationToken::new();
        let running = tokio::spawn({
            let (operator, stop) = (operator.clone(), stop.clone());
            async move { operator.run(stop).await }
        });
        let first = MIDNIGHT + 180;
        let end = time(first + 60 * MINUTES - 1);
        while let Ok(left) = (end - clock.now()).to_std() {
            tokio::time::sleep(left.max(Duration::from_millis(1))).await;
        }
        let change = region.change();
        let held = (change.bytes_allocated as f64 - change.bytes_deallocated as f64) / 1_048_576.0;
        let peak = resident("self", "VmHWM") - before;

        let others = server.requests(&creates.when(|call| call.namespace != "large"));
        let others: Vec<_> = others.iter().filter(|request| request.time >= time(first)).collect();
        assert_eq!(others.len(), OTHERS * usize::try_from(MINUTES).unwrap());
        let late = |time: DateTime<chrono::Utc>| TimeDelta::milliseconds(time.timestamp_millis() % 60_000);
        let last = others.iter().map(|request| late(request.time)).max().unwrap();
        let last = last.to_std().unwrap() + LATENCY;
        let refused = server.hits(refused);
        println!(
            "{kronjobs} KronJobs of {bytes} bytes, minutely, {refused} creates refused in {MINUTES} minutes: the last start of \
             another tenant is answered {} ms after its second; held {held:.1} MiB, peak {peak:.0} MiB",
            last.as_millis()
        );
        assert!(refused > kronjobs, "{refused}");
        assert!(last <= Duration::from_secs(1), "{last:?}");
        // With the log and the last versions of objects that the model keeps.
        assert!(held < 150.0, "{held} MiB");
        stop.cancel();
        running.await.unwrap().unwrap();
    });
}

#[test]
fn a_tenant_with_large_templates_that_fail_holds_up_no_other() {
    check(60, 100_000);
}

#[test]
#[ignore = "takes minutes, and 2 GiB"]
fn a_thousand_templates_of_a_megabyte_that_fail_hold_up_no_other() {
    check(1000, 1_000_000);
}

/// The operator as a process, in real time, for so many minutes after it has read all. Its peak holds nothing of the model.
fn check_memory(kronjobs: usize, bytes: usize, minutes: u64) {
    let _turn = crate::TURN.lock();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let server = Server::new(Arc::new(chrono::Utc::now));
        server.set_history_limit(20);
        server.set_log_limit(10_000);
        server.create(custom_resource_definition(false)).unwrap();
        server.create_namespace("large").unwrap();
        for number in 0..kronjobs {
            server.create(kronjob("large", number, bytes)).unwrap();
        }
        let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
        let refused = server.inject(
            creates,
            Fault::Reject(Status::quota_exceeded("batch", "jobs", "large", "quota")),
            None,
        );
        let replica = Replica::start(&server, "tenant", &[]).await;
        while !replica.is_ready().await {
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        let read = replica.resident("VmHWM");
        tokio::time::sleep(Duration::from_secs(60 * minutes)).await;
        let (now, peak) = (replica.resident("VmRSS"), replica.resident("VmHWM"));
        println!(
            "{kronjobs} KronJobs of {bytes} bytes, minutely, {} creates refused in {minutes} minutes: peak {peak:.0} MiB, of \
             them {read:.0} MiB until all were read; {now:.0} MiB at the end",
            server.hits(refused)
        );
        assert!(server.hits(refused) > kronjobs);
        assert!(peak < LIMIT, "{peak} MiB");
    });
}

#[test]
#[ignore = "takes six minutes, and 2 GiB"]
fn the_operator_of_a_thousand_templates_of_a_megabyte_that_fail_stays_within_its_memory() {
    check_memory(1000, 1_000_000, 5);
}
