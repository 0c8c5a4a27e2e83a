//! Finished Jobs: how many stay, and which.

use std::time::Duration;

use serde_json::{Value, json};

use super::cluster::{Cluster, SOON, on_cluster};
use super::manifest::Manifest;

/// Lets run-now make a Job, and ends it. They count in the history as all others do, and need no minute each.
async fn run_one(cluster: &Cluster, kronjob: &Manifest, token: &str, successfully: bool) -> Value {
    // A token that is there before the first status makes no Job.
    cluster.observed(kronjob.name()).await;
    cluster.run_now(kronjob.name(), token).await;
    let job = cluster
        .until(SOON, "a Job for the token", async || {
            let jobs = cluster.jobs(kronjob).await;
            jobs.into_iter().find(|job| job["metadata"]["labels"]["kron.io/run-now"] == token)
        })
        .await;
    let spent = |status: &Value| {
        // Without an outcome, the Job is being created.
        let run = &status["lastRunNow"];
        run["token"] == token && run["outcome"].is_string()
    };
    cluster.status(kronjob.name(), SOON, "the token is spent", spent).await;
    cluster.finish(&job, successfully).await;
    // Start times are whole seconds, and order the history: the next Job begins in a later one.
    cluster.reach(cluster.now() + 1).await;
    job["metadata"]["name"].clone()
}

/// How long a Job stays after it has finished.
const STAYS: std::time::Duration = std::time::Duration::from_secs(60);

async fn left(cluster: &Cluster, kronjob: &Manifest, names: &[&Value]) {
    let mut wanted: Vec<Value> = names.iter().map(|name| (*name).clone()).collect();
    wanted.sort_by_key(Value::to_string);
    let what = format!("only {wanted:?} are left");
    cluster
        .until(SOON + STAYS, &what, async || {
            let jobs = cluster.jobs(kronjob).await;
            let names: Vec<Value> = jobs
                .iter()
                .filter(|job| job["metadata"]["deletionTimestamp"].is_null())
                .map(|job| job["metadata"]["name"].clone())
                .collect();
            (names == wanted).then_some(())
        })
        .await;
}

#[test]
fn three_successful_and_one_failed_job_stay_by_default() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": "0 0 1 1 *"})).await;
        let mut good = Vec::new();
        for token in ["a", "b", "c", "d"] {
            good.push(run_one(cluster, &kronjob, token, true).await);
        }
        let mut bad = Vec::new();
        for token in ["x", "y"] {
            bad.push(run_one(cluster, &kronjob, token, false).await);
        }
        left(cluster, &kronjob, &[&good[1], &good[2], &good[3], &bad[1]]).await;
        let oldest = good[0].as_str().unwrap();
        cluster.event(&kronjob, "SuccessfulDelete", &[oldest]).await;
    });
}

#[test]
fn a_limit_of_zero_keeps_none_and_the_time_of_success() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let limits =
            json!({"schedule": "0 0 1 1 *", "successfulJobsHistoryLimit": 0, "failedJobsHistoryLimit": 0});
        let kronjob = cluster.create("db", limits).await;
        let spec = &kronjob.value["spec"];
        assert_eq!(
            (&spec["successfulJobsHistoryLimit"], &spec["failedJobsHistoryLimit"]),
            (&json!(0), &json!(0))
        );
        run_one(cluster, &kronjob, "a", true).await;
        run_one(cluster, &kronjob, "x", false).await;
        left(cluster, &kronjob, &[]).await;
        let status = cluster.get("db").await.value["status"].clone();
        assert!(status["lastSuccessfulTime"].is_string(), "{status}");
        assert_eq!(status["lastRunNow"]["token"], "x");
    });
}

#[test]
fn a_lower_limit_takes_effect_at_once_and_spares_what_is_not_ours() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": "0 0 1 1 *"})).await;
        let one = run_one(cluster, &kronjob, "a", true).await;
        let other = run_one(cluster, &kronjob, "b", true).await;
        // A finished Job with our labels and no owner.
        let mut foreign = super::manifest::template();
        foreign["apiVersion"] = json!("batch/v1");
        foreign["kind"] = json!("Job");
        foreign["metadata"] =
            json!({"name": "foreign", "namespace": cluster.namespace, "labels": {"kron.io/name": "db"}});
        let foreign = cluster.create_job(foreign).await;
        cluster.finish(&foreign, true).await;
        left(cluster, &kronjob, &[&one, &other]).await;
        cluster.edit("db", json!({"successfulJobsHistoryLimit": 1})).await;
        left(cluster, &kronjob, &[&other]).await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(cluster.jobs_api().get_opt("foreign").await.unwrap().is_some());
    });
}
