//! Answers that are refusals, late, or lost: what is tried again, what is not, and what is reported.

use std::time::Duration;

use kron_api_model::{Fault, FaultKind, Match, Partition, Run, Server, Status, Verb};
use kron_operator::engine::Options;
use kron_operator::namespaces::Namespaces;
use kron_operator::operator::Operator;
use kube::api::DeleteParams;
use serde_json::{Value, json};

use super::without_answer;
use crate::e2e::cluster::{Replica, SOON, condition, has_condition, on_model, text_of};
use crate::e2e::manifest::template;

fn creates() -> Match {
    Match::any().verb(Verb::Create).resource("jobs").dry_run(false)
}

/// The milliseconds that the server was given for each create.
fn limits_of_creates(server: &Server) -> Vec<u32> {
    let limit = |text: &str| text.strip_suffix("ms")?.parse().ok();
    let requests = server.requests(&creates());
    requests.iter().map(|record| record.call.parameter("timeout").and_then(limit).unwrap()).collect()
}

fn dry_runs() -> Match {
    Match::any().verb(Verb::Create).resource("jobs").dry_run(true)
}

fn is_executed(status: &Value) -> bool {
    status["lastOutcome"] == "executed"
}

fn is_valid(status: &Value) -> bool {
    has_condition(status, "InvalidSpec", "False", "Valid")
}

#[test]
fn a_create_whose_answer_is_lost_makes_one_job() {
    for (fault, _) in FaultKind::ALL.iter().filter_map(|kind| without_answer(*kind)) {
        on_model(async |cluster, server| {
            let _operator = cluster.operator().await;
            let kronjob = cluster.create("db", json!({"schedule": "@hourly"})).await;
            let start = kronjob.start(cluster.now());
            let injected = server.inject(creates(), fault.clone(), 1);
            cluster.reach(start.chosen + 15).await;
            cluster.status("db", SOON, "the outcome", is_executed).await;
            assert_eq!(server.hits(injected), 1);
            assert_eq!(cluster.jobs(&kronjob).await.len(), 1, "{fault:?}");
            assert!(cluster.events(&kronjob, "NameTaken").await.is_empty());
        });
    }
}

#[test]
fn a_create_that_is_held_up_is_not_made_after_another_process_has_decided() {
    on_model(async |cluster, server| {
        let a = cluster.replica("a");
        cluster.until(SOON, "it leads", async || a.operator.leads().then_some(())).await;
        let _b = cluster.replica("b");
        let kronjob = cluster.create("db", json!({"schedule": "@hourly"})).await;
        let start = kronjob.start(cluster.now());
        // A webhook takes its time, and the process that waits for the answer is stopped.
        let held = server.inject(creates(), Fault::DelayBefore(Duration::from_secs(30)), 1);
        cluster.reach(start.chosen + 1).await;
        assert_eq!(server.hits(held), 1);
        a.freezer.freeze();
        let missed = |status: &Value| status["lastOutcome"] == "missed";
        cluster.status("db", SOON * 3, "another one decides", missed).await;
        cluster.reach(start.chosen + 60).await;
        a.freezer.thaw();
        cluster.reach(start.chosen + 120).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
        let status = cluster.get("db").await.value["status"].clone();
        assert_eq!(status["lastPeriodID"], text_of(start.nominal), "{status}");
        assert!(missed(&status), "{status}");
        // At most eight seconds, and no more than the Lease.
        let limits = limits_of_creates(server);
        assert!(matches!(limits[..], [4000..=8000]), "{limits:?}");
    });
}

#[test]
fn a_create_has_no_more_time_than_the_lease() {
    on_model(async |cluster, server| {
        let a = cluster.replica("a");
        cluster.until(SOON, "it leads", async || a.operator.leads().then_some(())).await;
        let kronjob = cluster.create("db", json!({"schedule": "@hourly"})).await;
        let start = kronjob.start(cluster.now());
        // The last renewal is 5 to 10.5 s old at the start, and a renewal counts for 12 s.
        cluster.reach(start.chosen - 5).await;
        let renewals = Match::any().verb(Verb::Update).resource("leases");
        server.inject(renewals, Fault::Reject(Status::service_unavailable()), 4);
        cluster.reach(start.chosen + 30).await;
        cluster.status("db", SOON, "the outcome", is_executed).await;
        let limits = limits_of_creates(server);
        assert!(matches!(limits[..], [1000..=7100]), "{limits:?}");
    });
}

#[test]
fn passing_refusals_are_tried_again_and_reported_once() {
    let refusals = [
        Status::too_many_requests(1),
        Status::service_unavailable(),
        Status::internal_error("etcdserver: request timed out"),
        Status::quota_exceeded("batch", "jobs", "db", "quota"),
        Status::conflict("", "resourcequotas", "quota", "the object has been modified"),
    ];
    for refusal in refusals {
        on_model(async |cluster, server| {
            let _operator = cluster.operator().await;
            let kronjob = cluster.create("db", json!({"schedule": "@hourly"})).await;
            let start = kronjob.start(cluster.now());
            let fault = server.inject(creates(), Fault::Reject(refusal.clone()), 3);
            cluster.reach(start.chosen + 9).await;
            let status = cluster.status("db", SOON, "the outcome", is_executed).await;
            assert_eq!(
                (server.hits(fault), status["lastPeriodID"].clone()),
                (3, json!(text_of(start.nominal)))
            );
            let events = cluster.events(&kronjob, "FailedCreate").await;
            assert_eq!(events.len(), 1, "{events:?}");
            assert!(has_condition(&status, "SchedulingError", "False", "Created"), "{status}");
        });
    }
}

#[test]
fn what_fails_for_longer_than_ten_seconds_or_the_deadline_is_missed() {
    for (deadline, patience) in [("0s", 10), ("2m", 120)] {
        on_model(async |cluster, server| {
            let _operator = cluster.operator().await;
            let spec = json!({"schedule": "@hourly", "policy": {"deadline": deadline}});
            let kronjob = cluster.create("db", spec).await;
            let start = kronjob.start(cluster.now());
            server.inject(creates(), Fault::Reject(Status::service_unavailable()), None);
            cluster.reach(start.chosen + patience - 2).await;
            let status = cluster.get("db").await.value["status"].clone();
            assert!(status["lastPeriodID"].is_null(), "{deadline}: it is tried for so long: {status}");
            assert!(has_condition(&status, "SchedulingError", "True", "FailedCreate"), "{status}");
            assert!(has_condition(&status, "Ready", "False", "SchedulingError"), "{status}");
            cluster.reach(start.chosen + patience + 4).await;
            let missed = |status: &Value| status["lastOutcome"] == "missed";
            cluster.status("db", SOON, "it is missed", missed).await;
            cluster.event(&kronjob, "FailedCreate", &["attempts within", &text_of(start.nominal)]).await;
            server.end_faults();
            cluster.reach(start.chosen + patience + 60).await;
            assert_eq!(cluster.jobs(&kronjob).await.len(), 0, "{deadline}: never later");
            cluster.job_of(&kronjob, kronjob.start(cluster.now())).await;
        });
    }
}

#[test]
fn dry_runs_that_are_not_judged_are_events_and_no_condition() {
    on_model(async |cluster, server| {
        let _operator = cluster.operator().await;
        let quota = Status::quota_exceeded("batch", "jobs", "db", "quota");
        let fault = server.inject(dry_runs(), Fault::Reject(quota), 2);
        let kronjob = cluster.create("db", json!({"schedule": "@hourly"})).await;
        cluster.event(&kronjob, "DryRunDeferred", &["exceeded quota"]).await;
        let status = cluster.observed("db").await;
        assert!(condition(&status, "InvalidSpec").is_none_or(|found| found["status"] == "False"), "{status}");
        assert!(has_condition(&status, "Ready", "True", "Scheduled"), "{status}");
        cluster.status("db", SOON * 3, "it is tried again", is_valid).await;
        assert_eq!(server.hits(fault), 2);
        assert_eq!(cluster.events(&kronjob, "DryRunDeferred").await.len(), 1);

        server.inject(dry_runs(), Fault::Reject(Status::too_many_requests(2)), 1);
        let busy = cluster.create("busy", json!({"schedule": "@hourly"})).await;
        cluster.event(&busy, "DryRunDeferred", &[]).await;
        cluster.status("busy", SOON * 3, "it is tried again", is_valid).await;
    });
}

#[test]
fn a_status_that_conflicts_is_written_on_what_is_new() {
    on_model(async |cluster, server| {
        // Somebody is always a little faster.
        let namespace = cluster.namespace.clone();
        let meddle = Fault::before(move |server, _| {
            let version = server.version();
            server.edit("kron.io/v1alpha1", "kronjobs", &namespace, "db", |object| {
                object["metadata"]["labels"] = json!({"touched": version.to_string()});
            });
        });
        let writes = Match::any().verb(Verb::Update).resource("kronjobs").subresource("status");
        let fault = server.inject(writes, meddle, 4);
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({})).await;
        let start = kronjob.start(cluster.now());
        cluster.job_of(&kronjob, start).await;
        cluster.status("db", SOON, "the outcome", is_executed).await;
        assert_eq!(server.hits(fault), 4);
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
    });
}

#[test]
fn a_token_that_is_taken_back_while_its_template_is_read_sends_no_create() {
    on_model(async |cluster, server| {
        let _operator = cluster.operator().await;
        // So long a template is not kept in memory: each create reads it.
        let mut template = template();
        template["spec"]["template"]["spec"]["containers"][0]["args"] = json!(["x".repeat(10_000)]);
        cluster.create("db", json!({"schedule": "0 0 1 1 *", "jobTemplate": template})).await;
        cluster.status("db", SOON, "the template is tried", is_valid).await;
        let reads = Match::any().caller("operator").verb(Verb::Get).resource("kronjobs");
        let held = server.inject(reads, Fault::DelayAfter(Duration::from_secs(3)), 1);
        cluster.run_now("db", "regretted").await;
        let is_read = async || (server.hits(held) == 1).then_some(());
        cluster.until(SOON, "the template is being read", is_read).await;
        cluster.take_back("db").await;
        let decided = |status: &Value| status["lastRunNow"]["outcome"].is_string();
        let status = cluster.status("db", SOON, "the outcome", decided).await;
        assert_eq!(status["lastRunNow"]["outcome"], "missed");
        cluster.reach(cluster.now() + 10).await;
        assert_eq!(server.count_requests(&creates()), 0);
    });
}

#[test]
fn two_operators_that_both_believe_to_lead_create_one_job() {
    on_model(async |cluster, server| {
        let start = |name: &str, namespaces: Namespaces| {
            let options = Options { namespaces, ..Options::default() };
            Replica::start(Operator::new(server.client(name), cluster.clock.clone(), name, None, options))
        };
        // One of the cluster and one of the namespace.
        let _both = (start("a", Namespaces::default()), start("b", cluster.namespace.parse().unwrap()));
        let kronjob = cluster.create("db", json!({"policy": {"concurrency": "allow"}})).await;
        let starts = kronjob.starts(cluster.now() + 1, 5);
        let noticed = |status: &Value| has_condition(status, "SchedulingError", "True", "ClaimedByAnother");
        cluster.status("db", Duration::from_secs(200), "they notice each other", noticed).await;
        cluster.event(&kronjob, "ClaimedByAnother", &["two operators"]).await;
        cluster.reach(starts[4].chosen + 30).await;
        let jobs = cluster.jobs(&kronjob).await;
        assert!(jobs.len() >= 5);
        let mut periods: Vec<&Value> =
            jobs.iter().map(|job| &job["metadata"]["labels"]["kron.io/period-id"]).collect();
        periods.dedup();
        assert_eq!(periods.len(), jobs.len());
        let count = server.count_requests(&Match::any().resource("kronjobs").verb(Verb::Update));
        assert!(count < 5 * 60, "they do not fight: {count} writes in five minutes");
    });
}

#[test]
fn a_suspended_kronjob_costs_one_write_a_period_which_moves_what_comes_next() {
    on_model(async |cluster, server| {
        let _operator = cluster.operator().await;
        let spec = json!({"schedule": "@hourly", "policy": {"suspend": true}});
        let kronjob = cluster.create("db", spec).await;
        cluster.observed("db").await;
        // The dry run of the template is answered, too.
        cluster.reach(cluster.now() + 30).await;
        let starts = kronjob.starts(cluster.now(), 6);
        server.clear_requests();
        for pair in starts.windows(2) {
            cluster.reach(pair[0].chosen + 60).await;
            let status = cluster.get("db").await.value["status"].clone();
            assert_eq!(status["nextChosenTime"], text_of(pair[1].chosen));
        }
        let of_operator = Match::any().caller("operator");
        let writes = server.count_requests(&of_operator.clone().verb(Verb::Update).resource("kronjobs"));
        let watches = server.count_requests(&of_operator.clone().verb(Verb::Watch));
        assert_eq!((writes, server.count_requests(&of_operator) - watches), (5, 5));
    });
}

#[test]
fn a_replica_that_is_cut_off_creates_nothing_when_its_lease_is_over() {
    for &partition in Partition::ALL {
        on_model(async |cluster, server| {
            let a = cluster.replica("a");
            cluster.until(SOON, "a leads", async || a.operator.leads().then_some(())).await;
            let _b = cluster.replica("b");
            let spec =
                json!({"schedule": "*/2 * * * *", "policy": {"deadline": "50s", "concurrency": "allow"}});
            let kronjob = cluster.create("db", spec).await;
            cluster.observed("db").await;
            let start = kronjob.start(cluster.now() + 5);
            cluster.reach(start.chosen - 5).await;
            server.partition("a", Some(partition));
            cluster.job_of(&kronjob, start).await;
            cluster.reach(start.chosen + 60).await;
            server.partition("a", None);
            cluster.reach(start.chosen + 100).await;
            assert!(!a.operator.leads());
            assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
            let late = creates().caller("a");
            let created = server.requests(&late).iter().filter(|record| record.executed).count();
            assert_eq!(created, 0, "what waited is not carried out");
        });
    }
}

#[test]
fn an_operator_at_rest_asks_for_little() {
    on_model(async |cluster, server| {
        let _operator = cluster.operator().await;
        for name in ["a", "b", "c"] {
            cluster.create(name, json!({"schedule": "0 0 1 1 *"})).await;
        }
        cluster.reach(cluster.now() + 60).await;
        server.clear_requests();
        cluster.reach(cluster.now() + 3600).await;
        let log = server.requests(&Match::any().caller("operator"));
        let others = log.iter().filter(|record| record.call.verb != Verb::Watch).count();
        assert_eq!(others, 0, "{:?}", log.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert!(log.len() < 40, "{} watches", log.len());
    });
}

#[test]
fn a_start_costs_one_create_one_write_and_one_event() {
    on_model(async |cluster, server| {
        let _job_controller =
            server.start_job_controller(|_| Some(Run { time: Duration::from_secs(10), succeeds: true }));
        let _operator = cluster.operator().await;
        for policy in ["allow", "forbid", "replace"] {
            let name = format!("with-{policy}");
            let spec = json!({"policy": {"concurrency": policy}, "successfulJobsHistoryLimit": 100});
            let kronjob = cluster.create(&name, spec).await;
            // The first start of a leader's term lists what is active.
            let first = kronjob.start(cluster.now());
            cluster.reach(first.chosen + 30).await;
            server.clear_requests();
            cluster.reach(first.chosen + 30 + 600).await;
            let log = server.requests(&Match::any().caller("operator"));
            let count = |verb, resource: &str| {
                let same = log.iter().filter(|record| record.call.verb == verb);
                same.filter(|record| record.call.resource_path() == resource).count()
            };
            assert_eq!(count(Verb::Create, "jobs"), 10, "{policy}");
            // One has the outcome and the next claim, one the end of the Job.
            assert_eq!(count(Verb::Update, "kronjobs/status"), 20, "{policy}");
            // One for the start, one for its end, or a repeat of it.
            assert_eq!(count(Verb::Create, "events") + count(Verb::Patch, "events"), 20, "{policy}");
            let watches = log.iter().filter(|record| record.call.verb == Verb::Watch).count();
            assert_eq!(log.len() - watches, 50, "{policy}: nothing else");
            cluster.kronjobs().delete(&name, &DeleteParams::background()).await.unwrap();
            cluster.reach(cluster.now() + 5).await;
        }
    });
}
