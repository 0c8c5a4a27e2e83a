//! The annotation `kron.io/run-now`.

use kube::api::{DeleteParams, PostParams};
use serde_json::{Value, json};

use super::cluster::{Cluster, SOON, on_cluster};
use super::manifest::Manifest;

const RARELY: &str = "0 0 1 1 *";

async fn spent(cluster: &Cluster, name: &str, token: &str) -> Value {
    let holds = |status: &Value| {
        // Without an outcome, the Job is being created.
        let run = &status["lastRunNow"];
        run["token"] == token && run["outcome"].is_string()
    };
    cluster.status(name, SOON, "the token is spent", holds).await
}

async fn jobs_of_token(cluster: &Cluster, kronjob: &Manifest, token: &str) -> Vec<Value> {
    let mut jobs = cluster.jobs(kronjob).await;
    jobs.retain(|job| job["metadata"]["labels"]["kron.io/run-now"] == token);
    jobs
}

#[test]
fn a_token_makes_one_job() {
    on_cluster(async |cluster| {
        let operator = cluster.operator().await;
        let kronjob = cluster.create("db-backup", json!({"schedule": RARELY})).await;
        cluster.observed("db-backup").await;
        cluster.run_now("db-backup", "now").await;
        let status = spent(cluster, "db-backup", "now").await;
        let jobs = jobs_of_token(cluster, &kronjob, "now").await;
        assert_eq!(jobs.len(), 1);
        // From an implementation of the rule in another language: testing/data/vectors/names.json.
        assert_eq!(jobs[0]["metadata"]["name"], "db-backup-ykgunuedr2ru");
        let labels = &jobs[0]["metadata"]["labels"];
        assert_eq!(labels["kron.io/name"], "db-backup");
        assert!(labels["kron.io/period-id"].is_null() && labels["kron.io/chosen-time"].is_null());
        assert_eq!(jobs[0]["spec"]["template"]["metadata"]["labels"]["kron.io/run-now"], "now");
        assert_eq!(jobs[0]["metadata"]["ownerReferences"][0]["uid"], kronjob.uid());
        assert_eq!(status["lastRunNow"]["outcome"], "executed");
        assert_eq!(status["lastRunNow"]["jobName"], jobs[0]["metadata"]["name"]);
        assert!(status["lastPeriodID"].is_null(), "it is not a period");
        let name = jobs[0]["metadata"]["name"].as_str().unwrap();
        cluster.event(&kronjob, "SuccessfulCreate", &[name, "run-now"]).await;
        // The same token again changes nothing, also for another operator.
        cluster.run_now("db-backup", "now").await;
        operator.kill().await;
        cluster.finish(&jobs[0], true).await;
        let _operator = cluster.operator().await;
        cluster.status("db-backup", SOON, "the end", |status| status["active"].is_null()).await;
        cluster.reach(cluster.now() + 2).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
    });
}

#[test]
fn run_now_waits_while_suspended() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": RARELY, "policy": {"suspend": true}})).await;
        cluster.observed("db").await;
        cluster.run_now("db", "later").await;
        cluster.reach(cluster.now() + 3).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
        cluster.edit("db", json!({"policy": {"suspend": false}})).await;
        let status = spent(cluster, "db", "later").await;
        assert_eq!(status["lastRunNow"]["outcome"], "executed");
        assert_eq!(jobs_of_token(cluster, &kronjob, "later").await.len(), 1);
    });
}

#[test]
fn run_now_is_skipped_under_forbid_and_counts_as_active() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": RARELY})).await;
        cluster.observed("db").await;
        cluster.run_now("db", "a").await;
        let status = spent(cluster, "db", "a").await;
        assert_eq!(
            status["active"][0]["name"], status["lastRunNow"]["jobName"],
            "it counts as active: {status}"
        );
        cluster.run_now("db", "b").await;
        let status = spent(cluster, "db", "b").await;
        assert_eq!(status["lastRunNow"]["outcome"], "skipped");
        assert!(status["lastRunNow"]["jobName"].is_null());
        cluster.event(&kronjob, "JobAlreadyActive", &["run-now b"]).await;
        // The token is used up: the end of the Job does not change that.
        let job = cluster.jobs(&kronjob).await.remove(0);
        cluster.finish(&job, true).await;
        cluster.status("db", SOON, "the end", |status| status["active"].is_null()).await;
        cluster.reach(cluster.now() + 2).await;
        assert!(jobs_of_token(cluster, &kronjob, "b").await.is_empty());
    });
}

#[test]
fn run_now_replaces_and_stands_beside_as_the_policy_says() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        for (name, policy, left) in [("beside", "allow", 2), ("instead", "replace", 1)] {
            let spec = json!({"schedule": RARELY, "policy": {"concurrency": policy}});
            let kronjob = cluster.create(name, spec).await;
            cluster.observed(name).await;
            for token in ["a", "b"] {
                cluster.run_now(name, token).await;
                let status = spent(cluster, name, token).await;
                assert_eq!(status["lastRunNow"]["outcome"], "executed", "{policy} {token}");
            }
            let active =
                |status: &Value| status["active"].as_array().is_some_and(|active| active.len() == left);
            cluster.status(name, SOON, "as many are active", active).await;
            assert_eq!(jobs_of_token(cluster, &kronjob, "b").await.len(), 1);
        }
    });
}

#[test]
fn a_run_now_job_keeps_a_period_of_forbid_from_starting() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        cluster.with_time_in_this_minute(15).await;
        let kronjob = cluster.create("db", json!({})).await;
        cluster.observed("db").await;
        cluster.run_now("db", "a").await;
        spent(cluster, "db", "a").await;
        let start = kronjob.start(cluster.now());
        cluster.reach(start.chosen).await;
        let skipped = |status: &Value| status["lastOutcome"] == "skipped";
        cluster.status("db", SOON, "the period is skipped", skipped).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
    });
}

#[test]
fn a_token_that_is_no_label_is_reported_once_and_makes_nothing() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": RARELY})).await;
        cluster.observed("db").await;
        cluster.run_now("db", "not a label!").await;
        cluster.event(&kronjob, "InvalidRunNow", &["not a label!"]).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
        assert!(cluster.get("db").await.value["status"]["lastRunNow"].is_null());
        cluster.run_now("db", "a-label").await;
        assert_eq!(spent(cluster, "db", "a-label").await["lastRunNow"]["outcome"], "executed");
    });
}

#[test]
fn a_token_of_a_restored_kronjob_makes_no_job() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": RARELY})).await;
        cluster.observed("db").await;
        cluster.run_now("db", "once").await;
        assert_eq!(spent(cluster, "db", "once").await["lastRunNow"]["outcome"], "executed");
        // A backup without its status, as Velero and a repository make it again.
        let mut saved = cluster.get("db").await.value;
        saved.as_object_mut().unwrap().remove("status");
        let metadata = saved["metadata"].as_object_mut().unwrap();
        metadata.retain(|key, _| ["name", "namespace", "annotations", "labels"].contains(&&**key));
        cluster.kronjobs().delete("db", &DeleteParams::background()).await.unwrap();
        cluster
            .until(SOON, "it is gone", async || {
                cluster.kronjobs().get_opt("db").await.unwrap().is_none().then_some(())
            })
            .await;
        cluster.reach(cluster.now() + 2).await;
        let object = serde_json::from_value(saved).unwrap();
        cluster.kronjobs().create(&PostParams::default(), &object).await.unwrap();
        let restored = cluster.get("db").await;
        assert_ne!(restored.uid(), kronjob.uid());
        let status = spent(cluster, "db", "once").await;
        assert_eq!(status["lastRunNow"]["outcome"], "skipped", "{status}");
        cluster.event(&restored, "RunNowSpent", &["once", "write another token"]).await;
        assert_eq!(cluster.jobs(&restored).await.len(), 0);
        cluster.run_now("db", "twice").await;
        assert_eq!(spent(cluster, "db", "twice").await["lastRunNow"]["outcome"], "executed");
    });
}
