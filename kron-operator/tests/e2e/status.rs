//! The status: what comes next, what was last, conditions; always what the core says of the same manifest.

use std::time::Duration;

use serde_json::{Value, json};

use super::cluster::{Cluster, SOON, condition, has_condition, on_cluster, text_of};
use super::manifest::Manifest;
use crate::crd::cases::status_fields;

/// `status.next*` is what `kron next -f` prints first for the manifest at that time.
fn assert_next(manifest: &Manifest, status: &Value, now: i64) {
    let start = manifest.start(now);
    assert_eq!(status["nextPeriodID"], text_of(start.nominal), "{status}");
    assert_eq!(status["nextNominalTime"], text_of(start.nominal));
    assert_eq!(status["nextChosenTime"], text_of(start.chosen));
}

async fn observed(cluster: &Cluster, name: &str) -> Value {
    let status = cluster.observed(name).await;
    assert!(cluster.now().rem_euclid(60) < 55, "the minute must not end meanwhile");
    status
}

#[test]
fn the_next_start_is_that_of_the_core_for_every_kind_of_spec() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let specs = [
            json!({"schedule": "0 0 * * *"}),
            json!({"schedule": "@hourly", "window": {"duration": "45m"}}),
            json!({"schedule": "0 0 * * *", "timezone": "Europe/Paris", "window": {"mode": "around", "duration": "3h"}}),
            json!({"schedule": "30 2 * * *", "timezone": "America/New_York", "window": {"duration": "6h"},
                "distribution": {"name": "normal", "params": {"mu": "mid", "sigma": "40m"}}}),
            json!({"schedule": "0 4 * * *", "window": {"duration": "12h"}, "distribution": {"name": "skewEarly"},
                "seed": {"strategy": "daily"}}),
            json!({"schedule": "0 4 * * 1", "window": {"duration": "12h"}, "distribution": {"name": "skewLate"},
                "seed": {"strategy": "weekly", "salt": "pepper"}}),
            json!({"schedule": "0 5 * * *", "window": {"duration": "2h"},
                "distribution": {"name": "exponential", "params": {"lambda": "3"}}}),
            json!({"schedule": "0 6 * * *", "window": {"duration": "12h"},
                "constraints": {"only": [{"hours": "9-17", "dow": "MON-FRI"}], "avoid": [{"between": "12:00-13:00"}]}}),
            json!({"schedule": "0 7 * * *", "window": {"duration": "30h"}, "algorithm": "sha256-splitmix64/1"}),
        ];
        for (index, spec) in specs.iter().enumerate() {
            cluster.create(&format!("db-{index}"), spec.clone()).await;
        }
        for index in 0..specs.len() {
            let name = format!("db-{index}");
            let status = cluster.observed(&name).await;
            let manifest = cluster.get(&name).await;
            assert_next(&manifest, &status, cluster.now());
        }
    });
}

#[test]
fn the_next_start_follows_each_reconcile_and_each_edit() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(40).await;
        cluster.create("db", json!({"schedule": "0 3 * * *", "window": {"duration": "2h"}})).await;
        for edit in [
            json!({"window": {"duration": "8h"}}),
            json!({"timezone": "Asia/Tokyo"}),
            json!({"seed": {"salt": "other"}}),
            json!({"seed": {"strategy": "weekly"}}),
            json!({"constraints": {"avoid": [{"hours": "3"}]}}),
            json!({"distribution": {"name": "skewLate"}}),
            json!({"schedule": "17 5 * * *"}),
            json!({"policy": {"suspend": true}}),
        ] {
            let manifest = cluster.edit("db", edit).await;
            let status = observed(cluster, "db").await;
            assert_next(&manifest, &status, cluster.now());
        }
        // And after a start.
        let kronjob = cluster
            .create("each-minute", json!({"window": {"duration": "30s"}, "policy": {"concurrency": "allow"}}))
            .await;
        let start = kronjob.start(cluster.now() + 3);
        cluster.job_of(&kronjob, start).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        let status = cluster.status("each-minute", SOON, "the outcome", handled).await;
        assert_next(&kronjob, &status, start.chosen);
    });
}

#[test]
fn a_new_kronjob_has_nothing_but_what_comes() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": "0 0 1 1 *"})).await;
        let known = |status: &Value| has_condition(status, "InvalidSpec", "False", "Valid");
        let status = cluster.status("db", SOON, "the dry run is answered", known).await;
        let present = [
            "claim",
            "conditions",
            "configuration",
            "nextChosenTime",
            "nextNominalTime",
            "nextPeriodID",
            "observedGeneration",
        ];
        for field in status_fields() {
            assert_eq!(!status[&field].is_null(), present.contains(&field.as_str()), "{field}: {status}");
        }
        assert_eq!(status["observedGeneration"], 1);
        assert_eq!(status["configuration"]["since"], text_of(kronjob.created()));
        for (kind, holds, reason) in [
            ("Ready", "True", "Scheduled"),
            ("InvalidSpec", "False", "Valid"),
            ("SchedulingError", "False", "NoError"),
            ("Unschedulable", "False", "Schedulable"),
        ] {
            assert!(has_condition(&status, kind, holds, reason), "{kind}: {status}");
            let found = condition(&status, kind).unwrap();
            assert_eq!(found["observedGeneration"], 1);
            assert!(found["lastTransitionTime"].is_string() && found["message"].is_string());
        }
        // Times are RFC 3339 in UTC.
        for field in ["nextPeriodID", "nextNominalTime", "nextChosenTime"] {
            let text = status[field].as_str().unwrap();
            assert!(text.len() == 20 && text.ends_with('Z'), "{text}");
        }
        // Once the status is complete, nothing is written.
        let version = cluster.get("db").await.value["metadata"]["resourceVersion"].clone();
        cluster.reach(cluster.now() + 8).await;
        assert_eq!(cluster.get("db").await.value["metadata"]["resourceVersion"], version);
    });
}

#[test]
fn the_time_of_a_transition_stays_while_the_status_does() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.create("db", json!({"schedule": "0 0 1 1 *"})).await;
        let before = cluster.observed("db").await;
        cluster.reach(cluster.now() + 2).await;
        cluster.edit("db", json!({"window": {"duration": "1h"}})).await;
        let after = cluster.observed("db").await;
        let time = |status: &Value| condition(status, "Ready").unwrap()["lastTransitionTime"].clone();
        assert_eq!(time(&before), time(&after));
        assert_eq!(condition(&after, "Ready").unwrap()["observedGeneration"], 2);
        cluster.reach(cluster.now() + 2).await;
        cluster.edit("db", json!({"policy": {"suspend": true}})).await;
        let suspended = cluster.observed("db").await;
        assert!(has_condition(&suspended, "Ready", "False", "Suspended"), "{suspended}");
        assert_ne!(time(&after), time(&suspended));
    });
}

#[test]
fn overlapping_windows_list_their_periods_and_start_in_order_of_chosen_time() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let spec = json!({"window": {"duration": "150s"}, "policy": {"concurrency": "allow"}});
        let kronjob = cluster.create("db", spec).await;
        let starts = kronjob.starts(cluster.now() + 3, 2);
        for start in &starts {
            let job = cluster.job_of(&kronjob, *start).await;
            let entry = |status: &Value| {
                let mut periods = status["periods"].as_array().into_iter().flatten();
                periods.find(|entry| entry["periodID"] == text_of(start.nominal)).cloned()
            };
            // Up to the watermark all are handled; beyond it they are listed.
            let passed = |status: &Value| {
                let through = status["configuration"]["handledThrough"].as_str();
                through.is_some_and(|through| through >= text_of(start.nominal).as_str())
            };
            let handled = |status: &Value| passed(status) || entry(status).is_some();
            let status = cluster.status("db", SOON, "the period is handled", handled).await;
            assert!(passed(&status) == entry(&status).is_none(), "{status}");
            if let Some(entry) = entry(&status) {
                assert_eq!(entry["outcome"], "executed");
                assert_eq!(entry["jobName"], job["metadata"]["name"]);
                assert_eq!(entry["chosenTime"], text_of(start.chosen));
            }
        }
        // Where windows do not overlap there is no list.
        let apart = cluster.create("apart", json!({"window": {"duration": "20s"}})).await;
        let start = apart.start(cluster.now() + 3);
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        let status = cluster.status("apart", Duration::from_secs(90), "the outcome", handled).await;
        assert!(status["periods"].is_null(), "{status}");
    });
}
