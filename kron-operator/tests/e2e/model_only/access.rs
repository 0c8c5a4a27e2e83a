//! What the operator may do, and what it does with it; the strict variant of the resource.

use std::time::Duration;

use kron_api_model::{Fault, Match, Run, Status, Verb};
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};

use crate::deploy::rules;
use crate::e2e::cluster::{SOON, on_model, on_strict_model, refusal};

#[test]
fn the_rules_of_deploy_suffice_and_every_one_is_used() {
    on_model(async |cluster, server| {
        let namespace = cluster.namespace.as_str();
        // As a Role in the namespace: a request for all namespaces would be refused.
        let (work, lease) = (rules("ClusterRole"), rules("Role"));
        server.allow_in("a", namespace, work.clone());
        server.allow_in("a", namespace, lease);
        server.allow("test", vec![json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]})]);
        let _job_controller =
            server.start_job_controller(|_| Some(Run { time: Duration::from_secs(100), succeeds: true }));
        // An answer that is lost makes it read a Job, a write that conflicts a KronJob.
        let creates = Match::any().verb(Verb::Create).resource("jobs").dry_run(false);
        server.inject(creates, Fault::LoseAnswer, 1);
        let writes = Match::any().verb(Verb::Update).resource("kronjobs");
        server.inject(writes, Fault::Reject(Status::modified("kron.io", "kronjobs", "forbid")), 1);
        let _operator = cluster.replica("a");
        for (name, policy) in [("forbid", "forbid"), ("allow", "allow"), ("replace", "replace")] {
            let spec = json!({"policy": {"concurrency": policy}, "successfulJobsHistoryLimit": 1});
            cluster.create(name, spec).await;
        }
        // Without the watch, only a look at the Job says whose it is.
        let stall = server.stall_watches(Match::any().caller("a").resource("jobs"));
        cluster.reach(cluster.now() + 90).await;
        server.release_watches(stall);
        cluster.reach(cluster.now() + 600).await;
        let log = server.requests(&Match::any().caller("a"));
        let refused: Vec<String> = log
            .iter()
            .filter(|record| matches!(record.code, Some(401 | 403)))
            .map(ToString::to_string)
            .collect();
        assert!(refused.is_empty(), "{refused:#?}");
        // And it is the least: what no request used is not asked for. These are for servers that guard owner references,
        // for Events that repeat, and for servers that do not stream lists.
        let spare = [("kronjobs/finalizers", "update"), ("events", "patch"), ("kronjobs", "list")];
        for rule in &work {
            let resource = rule["resources"][0].as_str().unwrap();
            for verb in rule["verbs"].as_array().unwrap().iter().map(|verb| verb.as_str().unwrap()) {
                let used = log.iter().any(|record| {
                    record.call.resource_path() == resource && record.call.verb.as_str() == verb
                });
                assert!(used || spare.contains(&(resource, verb)), "{verb} {resource}");
            }
        }
    });
}

#[test]
fn strict_mode_refuses_changes_of_schedule_zone_and_strategy_alone() {
    on_strict_model(async |cluster, _| {
        let _operator = cluster.operator().await;
        cluster.create("db", json!({})).await;
        for (field, edit) in [
            ("spec.schedule", json!({"schedule": "0 0 * * *"})),
            ("spec.timezone", json!({"timezone": "Europe/Paris"})),
            ("spec.seed.strategy", json!({"seed": {"strategy": "weekly"}})),
        ] {
            let (code, message) = refusal(cluster.try_edit("db", edit).await.map(|manifest| manifest.value));
            assert_eq!(code, 422, "{field}");
            assert!(
                message.contains(field) && message.contains("cannot be changed after creation"),
                "{message}"
            );
        }
        for edit in [
            json!({"window": {"duration": "10s"}}),
            json!({"seed": {"salt": "other"}}),
            json!({"policy": {"suspend": true, "deadline": "1h"}}),
            json!({"constraints": {"avoid": [{"hours": "3"}]}}),
        ] {
            cluster.edit("db", edit).await;
        }
        // Labels, annotations and the status are not part of it.
        let patch = Patch::Merge(json!({"metadata": {"labels": {"a": "b"}}}));
        cluster.kronjobs().patch("db", &PatchParams::default(), &patch).await.unwrap();
        cluster.observed("db").await;
    });
}

#[test]
fn events_that_nobody_may_write_hold_nothing_up() {
    on_model(async |cluster, server| {
        let without: Vec<Value> =
            rules("ClusterRole").into_iter().filter(|rule| rule["resources"][0] != "events").collect();
        server.allow("operator", without);
        server.allow("test", vec![json!({"apiGroups": ["*"], "resources": ["*"], "verbs": ["*"]})]);
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"policy": {"concurrency": "allow"}})).await;
        let start = kronjob.start(cluster.now() + 1);
        let job = cluster.job_of(&kronjob, start).await;
        assert_eq!(job["metadata"]["creationTimestamp"], crate::e2e::cluster::text_of(start.chosen));
        cluster.status("db", SOON, "the outcome", |status| status["lastOutcome"] == "executed").await;
        assert!(cluster.events(&kronjob, "SuccessfulCreate").await.is_empty());
    });
}
