//! The operator was away: minutes with a claim written, hours, a season.

use std::time::Duration;

use kron_api_model::Run;
use serde_json::{Value, json};

use crate::e2e::cluster::{Cluster, SOON, label_of, on_model, text_of};
use crate::e2e::manifest::template;

const HOUR: i64 = 3600;

fn with_ttl(ttl: i64) -> Value {
    let mut template = template();
    template["spec"]["ttlSecondsAfterFinished"] = json!(ttl);
    template
}

#[test]
fn after_hours_at_most_one_old_period_is_started() {
    on_model(async |cluster, _| {
        let operator = cluster.operator().await;
        let spec = json!({"schedule": "@hourly", "window": {"duration": "20m"},
            "policy": {"deadline": "24h", "concurrency": "allow"}});
        let kronjob = cluster.create("db", spec).await;
        let first = kronjob.start(cluster.now());
        cluster.job_of(&kronjob, first).await;
        cluster.reach(cluster.now() + 5).await;
        operator.stop().await;
        let away = kronjob.starts(first.chosen, 5);
        cluster.reach(away[4].chosen + 60).await;
        let _operator = cluster.operator().await;
        // The latest runs, late; the others are missed, each with its Event. The first of them had been claimed.
        cluster.job_of(&kronjob, away[4]).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(away[4].nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "executed");
        cluster.event(&kronjob, "ClaimLost", &[&text_of(away[0].nominal)]).await;
        for start in &away[1..4] {
            cluster
                .event(
                    &kronjob,
                    "MissSchedule",
                    &[&text_of(start.nominal), "a later missed period is executed"],
                )
                .await;
        }
        assert_eq!(cluster.jobs(&kronjob).await.len(), 2);
        // And the schedule goes on.
        cluster.job_of(&kronjob, kronjob.start(cluster.now())).await;
    });
}

#[test]
fn those_up_to_ten_seconds_late_are_all_started() {
    on_model(async |cluster, _| {
        let spec =
            json!({"window": {"duration": "59m"}, "policy": {"deadline": "1m", "concurrency": "allow"}});
        let kronjob = cluster.create("db", spec).await;
        // Where windows overlap, starts can be seconds apart.
        let starts = kronjob.starts(cluster.now(), 200);
        let pair = starts.windows(2).find(|pair| pair[1].chosen - pair[0].chosen < 5).unwrap();
        let operator = cluster.operator().await;
        cluster.reach(pair[0].chosen - 2).await;
        operator.kill().await;
        cluster.reach(pair[1].chosen + 3).await;
        let _operator = cluster.operator().await;
        for start in pair {
            cluster.job_of(&kronjob, *start).await;
        }
    });
}

#[test]
fn after_a_season_the_older_misses_are_a_count() {
    on_model(async |cluster, _| {
        let operator = cluster.operator().await;
        let kronjob =
            cluster.create("db", json!({"schedule": "*/10 * * * *", "policy": {"deadline": "5m"}})).await;
        cluster.job_of(&kronjob, kronjob.start(cluster.now())).await;
        operator.kill().await;
        cluster.reach(cluster.now() + 90 * 24 * HOUR).await;
        let _operator = cluster.operator().await;
        cluster.event(&kronjob, "TooManyMissedTimes", &["older periods were missed"]).await;
        cluster.reach(cluster.now() + 60).await;
        let named = cluster.events(&kronjob, "MissSchedule").await.len();
        assert!((99..=101).contains(&named), "{named}");
        assert!(cluster.jobs(&kronjob).await.len() <= 2);
        let finished = cluster.jobs(&kronjob).await.remove(0);
        cluster.finish(&finished, true).await;
        let next = kronjob.start(cluster.now() + 1);
        cluster.job_of(&kronjob, next).await;
    });
}

/// Lets the operator die with the claim of the first period written, and another one come some seconds after its start.
async fn die_with_the_claim(
    cluster: &Cluster,
    spec: Value,
    late: i64,
) -> (crate::e2e::manifest::Manifest, Value) {
    let operator = cluster.operator().await;
    let kronjob = cluster.create("db", spec).await;
    let start = kronjob.start(cluster.now());
    let claimed = |status: &Value| status["claim"]["periodID"] == text_of(start.nominal);
    cluster.status("db", SOON, "the claim", claimed).await;
    operator.kill().await;
    cluster.reach(start.chosen + late).await;
    std::mem::forget(cluster.operator().await);
    let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
    let status = cluster.status("db", SOON, "the outcome", handled).await;
    (kronjob, status)
}

#[test]
fn a_claimed_period_without_a_job_is_created_within_its_deadline() {
    on_model(async |cluster, _| {
        let spec = json!({"schedule": "@hourly", "policy": {"deadline": "5m"}});
        let (kronjob, status) = die_with_the_claim(cluster, spec, 100).await;
        assert_eq!(status["lastOutcome"], "executed");
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
    });
}

#[test]
fn a_claimed_period_past_its_deadline_is_missed_and_reported_as_lost() {
    on_model(async |cluster, _| {
        let spec = json!({"schedule": "@hourly", "policy": {"deadline": "1m"}});
        let (kronjob, status) = die_with_the_claim(cluster, spec, 100).await;
        assert_eq!(status["lastOutcome"], "missed");
        cluster.event(&kronjob, "ClaimLost", &[]).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
    });
}

#[test]
fn a_claimed_period_is_not_created_when_a_ttl_may_have_removed_its_job() {
    for (ttl, outcome) in [(60, "missed"), (0, "missed"), (600, "executed")] {
        on_model(async |cluster, _| {
            let spec =
                json!({"schedule": "@hourly", "policy": {"deadline": "5m"}, "jobTemplate": with_ttl(ttl)});
            let (kronjob, status) = die_with_the_claim(cluster, spec, 100).await;
            assert_eq!(status["lastOutcome"], outcome, "TTL {ttl}");
            let jobs = cluster.jobs(&kronjob).await.len();
            assert_eq!(jobs, usize::from(outcome == "executed"), "TTL {ttl}");
            if outcome == "missed" {
                cluster.event(&kronjob, "ClaimLost", &["may have been created before"]).await;
            }
        });
    }
}

#[test]
fn a_clock_that_is_set_forward_makes_a_late_start_and_one_set_back_none() {
    on_model(async |cluster, _| {
        let _operator = cluster.operator().await;
        let spec = json!({"schedule": "@hourly", "policy": {"deadline": "10m", "concurrency": "allow"}});
        let kronjob = cluster.create("db", spec).await;
        cluster.observed("db").await;
        let start = kronjob.start(cluster.now());
        let by = start.chosen - cluster.now() + 120;
        cluster.simulated_clock().step(chrono::TimeDelta::seconds(by));
        let job = cluster.job_of(&kronjob, start).await;
        assert_eq!(job["metadata"]["labels"]["kron.io/period-id"], label_of(start.nominal));
        // Back to before it: it is handled, and the next one is the one after it.
        cluster.simulated_clock().step(chrono::TimeDelta::seconds(-1200));
        cluster.reach(start.chosen + 900).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
        cluster.job_of(&kronjob, kronjob.start(cluster.now())).await;
    });
}

#[test]
fn a_day_passes_with_each_hour_in_its_window() {
    on_model(async |cluster, server| {
        let _job_controller =
            server.start_job_controller(|_| Some(Run { time: Duration::from_secs(300), succeeds: true }));
        let _operator = cluster.operator().await;
        let spec = json!({"schedule": "@hourly", "timezone": "Europe/Paris", "window": {"duration": "40m"},
            "successfulJobsHistoryLimit": 100});
        let kronjob = cluster.create("db", spec).await;
        let starts = kronjob.starts(cluster.now(), 24);
        cluster.reach(starts[23].chosen + 600).await;
        let jobs = cluster.jobs(&kronjob).await;
        let mut created: Vec<&str> =
            jobs.iter().map(|job| job["metadata"]["creationTimestamp"].as_str().unwrap()).collect();
        created.sort_unstable();
        let wanted: Vec<String> = starts.iter().map(|start| text_of(start.chosen)).collect();
        assert_eq!(created, wanted, "each in its very second");
    });
}
