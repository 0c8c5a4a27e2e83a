//! Many starts of one second, on an API server that takes its time. The clock is tokio's, so waiting costs nothing, the
//! numbers are exact, and the speed of the machine does not matter.

use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use kron_api_model::{Fault, Match, Run, Server, SimulatedClock, Verb};
use kron_crd::custom_resource_definition;
use kron_operator::engine::Options;
use kron_operator::lease::LeaseConfig;
use kron_operator::operator::Operator;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::MIDNIGHT;

/// A kind of start, and what it costs.
struct Kind {
    policy: &'static str,
    /// Whether the Job of the start before is still active.
    active: bool,
    /// Requests of one start up to its create.
    requests: usize,
}

const KINDS: [Kind; 4] = [
    Kind { policy: "allow", active: false, requests: 1 },
    Kind { policy: "forbid", active: false, requests: 1 },
    Kind { policy: "replace", active: false, requests: 1 },
    Kind { policy: "replace", active: true, requests: 3 },
];

pub(crate) const NAMESPACES: usize = 100;

/// When the last Job was created after its second, and the time that the requests take at least.
struct Wait {
    latency: Duration,
    last: Duration,
    bound: Duration,
}

pub(crate) fn kronjob(number: usize, policy: &str) -> serde_json::Value {
    json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
        "metadata": {"name": format!("job-{number}"), "namespace": format!("team-{}", number % NAMESPACES)},
        "spec": {
            "schedule": "0 * * * *", "policy": {"concurrency": policy},
            "jobTemplate": {"spec": {"template": {"spec": {
                "restartPolicy": "Never", "containers": [{"name": "main", "image": "registry.example/job:1"}],
            }}}},
        },
    })
}

/// Lets so many KronJobs start at each hour, and the API server take a latency for each request around each of these hours.
fn waits(kind: &Kind, kronjobs: usize, latencies: &[Duration]) -> Vec<Wait> {
    let _turn = crate::TURN.lock();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async {
        let time = |second: i64| DateTime::from_timestamp(second, 0).unwrap();
        let clock = SimulatedClock::new(time(MIDNIGHT + 60));
        let server = Server::new(clock.of_server());
        server.set_log_limit(10 * kronjobs + 10_000);
        server.create(custom_resource_definition(false)).unwrap();
        for team in 0..NAMESPACES {
            server.create_namespace(&format!("team-{team}")).unwrap();
        }
        for number in 0..kronjobs {
            server.create(kronjob(number, kind.policy)).unwrap();
        }
        let run = Run { time: Duration::from_secs(if kind.active { 5400 } else { 1 }), succeeds: true };
        let _job_controller = server.start_job_controller(move |_| Some(run));
        let options = Options::default();
        let in_flight = options.concurrency;
        let lease = LeaseConfig::new("default", "kron-operator", "operator");
        let operator =
            Operator::new(server.client("operator"), clock.of_operator(), "operator", Some(lease), options);
        let stop = CancellationToken::new();
        let running = tokio::spawn({
            let stop = stop.clone();
            async move { operator.run(stop).await }
        });
        let reach = async |second: i64| {
            while let Ok(left) = (time(second) - clock.now()).to_std() {
                tokio::time::sleep(left.max(Duration::from_millis(1))).await;
            }
        };
        let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
        let mut waits = Vec::new();
        // The first start of a term costs a list more, so measuring begins with the second one.
        for (hour, latency) in (2..).zip(latencies) {
            let second = MIDNIGHT + 3600 * hour;
            // The claims are made by then.
            reach(second - 120).await;
            let asked = Match::any().caller("operator").when(|call| call.verb != Verb::Watch);
            let slow = server.inject(asked, Fault::DelayBefore(*latency), None);
            reach(second - 1).await;
            server.clear_requests();
            reach(second + 1200).await;
            server.end_fault(slow);
            let created = server.requests(&creates);
            assert_eq!(created.len(), kronjobs, "{} {latency:?}", kind.policy);
            let last = created.iter().map(|request| request.time - time(second)).max().unwrap();
            assert!(created.iter().all(|request| request.time >= time(second)), "none before its second");
            let total = u32::try_from(kronjobs * kind.requests).unwrap();
            waits.push(Wait {
                latency: *latency,
                last: (last + TimeDelta::from_std(*latency).unwrap()).to_std().unwrap(),
                bound: *latency * total / u32::try_from(in_flight).unwrap(),
            });
            let period = time(second).format("%Y-%m-%dT%H:%M:%SZ").to_string();
            for kronjob in server.list("kron.io/v1alpha1", "kronjobs") {
                let status = &kronjob["status"];
                assert_eq!(status["lastPeriodID"], period, "{status}");
                assert_eq!(status["lastOutcome"], "executed", "{status}");
            }
        }
        stop.cancel();
        running.await.unwrap().unwrap();
        waits
    })
}

/// The last create is answered within 1.2 times what the requests take if as many as allowed are under way all the time.
fn check(kronjobs: usize, latencies: &[Duration]) {
    println!("| {kronjobs} starts of one second | latency | bound | last create answered | ÷ bound |");
    println!("|---|---:|---:|---:|---:|");
    let mut late = Vec::new();
    for kind in &KINDS {
        let name = format!("`{}`, {} Job active", kind.policy, if kind.active { "a" } else { "no" });
        for Wait { latency, last, bound } in waits(kind, kronjobs, latencies) {
            let ratio = last.as_secs_f64() / bound.as_secs_f64();
            println!(
                "| {name} | {} ms | {:.2} s | {:.2} s | {ratio:.2} |",
                latency.as_millis(),
                bound.as_secs_f64(),
                last.as_secs_f64()
            );
            if ratio > 1.2 {
                late.push(format!("{name}, {latency:?}: {last:?} of {bound:?}"));
            }
        }
    }
    assert!(late.is_empty(), "{late:?}");
}

#[test]
fn the_last_of_many_starts_waits_for_the_requests_and_no_longer() {
    check(320, &[Duration::from_millis(100)]);
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_starts_of_one_second() {
    check(10_000, &[1, 20, 100].map(Duration::from_millis));
}
