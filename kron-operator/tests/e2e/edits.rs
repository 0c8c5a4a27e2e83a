//! Edits and suspension: what is handled stays handled, and nothing starts retroactively.

use std::time::Duration;

use serde_json::{Value, json};

use super::cluster::{SOON, has_condition, label_of, on_cluster, text_of};
use super::manifest::Manifest;

fn since(status: &Value) -> String {
    status["configuration"]["since"].as_str().unwrap_or_default().to_string()
}

#[test]
fn schedule_zone_and_strategy_make_a_new_configuration() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": "0 0 1 1 *"})).await;
        let mut before = cluster.observed("db").await;
        assert_eq!(since(&before), text_of(kronjob.created()));
        for edit in [
            json!({"schedule": "0 0 2 1 *"}),
            json!({"timezone": "Europe/Paris"}),
            json!({"seed": {"strategy": "weekly"}}),
        ] {
            cluster.reach(cluster.now() + 2).await;
            let edited = cluster.now();
            cluster.edit("db", edit.clone()).await;
            let after = cluster.observed("db").await;
            assert_ne!(after["configuration"]["hash"], before["configuration"]["hash"], "{edit}");
            assert!(since(&after) >= text_of(edited) && since(&after) > since(&before), "{edit}: {after}");
            before = after;
        }
    });
}

#[test]
fn other_fields_and_other_spellings_are_no_new_configuration() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.create("db", json!({"schedule": "0 0 1 1 *"})).await;
        let before = cluster.observed("db").await;
        for edit in [
            json!({"schedule": "@yearly"}),
            json!({"timezone": "UTC"}),
            json!({"window": {"duration": "2h"}}),
            json!({"seed": {"salt": "x"}}),
            json!({"policy": {"deadline": "1h", "concurrency": "allow"}}),
            json!({"distribution": {"name": "normal"}}),
            json!({"constraints": {"avoid": [{"hours": "1"}]}}),
            json!({"successfulJobsHistoryLimit": 7}),
        ] {
            cluster.reach(cluster.now() + 1).await;
            cluster.edit("db", edit.clone()).await;
            let after = cluster.observed("db").await;
            assert_eq!(after["configuration"], before["configuration"], "{edit}");
        }
    });
}

#[test]
fn a_new_schedule_starts_nothing_that_passed() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.create("db", json!({"schedule": "0 0 1 1 *", "policy": {"deadline": "1h"}})).await;
        cluster.observed("db").await;
        cluster.with_time_in_this_minute(20).await;
        let edited = cluster.now();
        let kronjob = cluster.edit("db", json!({"schedule": "* * * * *"})).await;
        let first = kronjob.start(edited);
        let job = cluster.job_of(&kronjob, first).await;
        // The deadline would have allowed sixty earlier ones.
        let jobs = cluster.jobs(&kronjob).await;
        assert_eq!(jobs.len(), 1, "{jobs:?}");
        assert_eq!(job["metadata"]["labels"]["kron.io/period-id"], label_of(first.nominal));
    });
}

/// A salt with which the next start is so many seconds ahead; another one for each number.
fn salt_of(kronjob: &Manifest, now: i64, ahead: &std::ops::Range<i64>, number: u32) -> String {
    let mut salted = kronjob.clone();
    let salts = (0..).map(|count: u32| format!("{number}-{count}"));
    let mut salts = salts.filter(|salt| {
        salted.value["spec"]["seed"]["salt"] = json!(salt);
        ahead.contains(&(salted.start(now).chosen - now))
    });
    salts.next().unwrap()
}

#[test]
fn other_edits_decide_the_open_periods_anew() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let spec = json!({"schedule": "0 0 1 1 *", "policy": {"concurrency": "allow", "deadline": "1m"}});
        cluster.create("db", spec).await;
        cluster.observed("db").await;
        // From now on the window of this hour is open, and the next one opens when it ends.
        let mut kronjob =
            cluster.edit("db", json!({"schedule": "@hourly", "window": {"duration": "59m59s"}})).await;
        cluster.observed("db").await;
        // No start comes before the edit is observed; the last one comes soon after.
        for (number, ahead) in (0..).zip([60..3600, 60..3600, 60..3600, 30..90]) {
            let salt = salt_of(&kronjob, cluster.now(), &ahead, number);
            kronjob = cluster.edit("db", json!({"seed": {"salt": salt}})).await;
            let status = cluster.observed("db").await;
            let next = kronjob.start(cluster.now());
            assert_eq!(status["claim"]["periodID"], text_of(next.nominal), "{salt}: {status} {next:?}");
            assert_eq!(status["nextChosenTime"], text_of(next.chosen), "{salt}: {status} {next:?}");
        }
        let start = kronjob.start(cluster.now());
        let job = cluster.job_of(&kronjob, start).await;
        assert_eq!(job["metadata"]["labels"]["kron.io/chosen-time"], label_of(start.chosen));
    });
}

#[test]
fn handled_periods_stay_handled_whatever_is_edited() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let spec =
            json!({"window": {"duration": "5s"}, "policy": {"concurrency": "allow", "deadline": "5m"}});
        let kronjob = cluster.create("db", spec).await;
        let start = kronjob.start(cluster.now() + 2);
        cluster.job_of(&kronjob, start).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        cluster.status("db", SOON, "the outcome", handled).await;
        // Its window is open again, its start moved; the second one also changes the configuration.
        for edit in [
            json!({"window": {"duration": "59s"}, "seed": {"salt": "moved"}}),
            json!({"seed": {"strategy": "daily"}}),
            json!({"timezone": "Europe/Paris"}),
        ] {
            cluster.edit("db", edit).await;
            let status = cluster.observed("db").await;
            assert_ne!(status["claim"]["periodID"], text_of(start.nominal));
        }
        cluster.reach(start.nominal + 62).await;
        let label = label_of(start.nominal);
        let jobs = cluster.jobs(&kronjob).await;
        let again = jobs.iter().filter(|job| job["metadata"]["labels"]["kron.io/period-id"] == label).count();
        assert_eq!(again, 1);
    });
}

#[test]
fn a_suspended_kronjob_starts_nothing_and_handles_nothing() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let spec = json!({"policy": {"suspend": true, "deadline": "10m", "concurrency": "allow"}});
        let kronjob = cluster.create("db", spec).await;
        let status = cluster.observed("db").await;
        assert!(has_condition(&status, "Ready", "False", "Suspended"), "{status}");
        assert!(status["claim"].is_null());
        let next = kronjob.start(cluster.now());
        assert!(status["nextChosenTime"].is_string(), "what would come next is shown");
        cluster.reach(next.chosen + 4).await;
        let status = cluster.get("db").await.value["status"].clone();
        assert!(status["lastPeriodID"].is_null() && status["lastOutcome"].is_null(), "{status}");
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);

        // Resumed, only what comes counts, though the deadline would allow what passed.
        let resumed = cluster.now();
        cluster.edit("db", json!({"policy": {"suspend": false}})).await;
        let status = cluster.observed("db").await;
        assert!(since(&status) >= text_of(resumed), "{status}");
        assert!(has_condition(&status, "Ready", "True", "Scheduled"), "{status}");
        let first = kronjob.start(cluster.now());
        cluster.job_of(&kronjob, first).await;
        let executed = |status: &Value| status["lastOutcome"] == "executed";
        let status = cluster.status("db", Duration::from_secs(30), "the outcome", executed).await;
        assert_eq!(status["lastPeriodID"], text_of(first.nominal));
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
        assert!(cluster.events(&kronjob, "MissSchedule").await.is_empty());
    });
}

#[test]
fn suspension_keeps_configuration_and_running_jobs() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(10).await;
        let kronjob = cluster.create("db", json!({})).await;
        let start = kronjob.start(cluster.now() + 3);
        let job = cluster.job_of(&kronjob, start).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        cluster.status("db", SOON, "the outcome", handled).await;
        let suspended = cluster.edit("db", json!({"policy": {"suspend": true}})).await;
        let status = cluster.observed("db").await;
        assert_eq!(status["active"][0]["name"], job["metadata"]["name"], "what runs goes on");
        assert_eq!(status["lastOutcome"], "executed");
        let mut spec = suspended.value["spec"].clone();
        spec["policy"]["suspend"] = json!(false);
        assert_eq!(spec, kronjob.value["spec"]);
    });
}
