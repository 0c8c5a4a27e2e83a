//! Primers: Jobs that keep a node ready for a start. A start has at most one, which is deleted after it and never
//! delays it.

use std::time::Duration;

use kube::api::DeleteParams;
use serde_json::{Value, json};

use super::cluster::{Cluster, SOON, Start, label_of, on_cluster, text_of};
use super::manifest::{Manifest, template};

/// The primers of a KronJob.
pub async fn primers(cluster: &Cluster, kronjob: &Manifest) -> Vec<Value> {
    let mut jobs = cluster.jobs(kronjob).await;
    jobs.retain(|job| !job["metadata"]["labels"]["kron.io/primer-for"].is_null());
    jobs
}

/// Waits for the primer of a start.
pub async fn primer_of(cluster: &Cluster, kronjob: &Manifest, start: Start) -> Value {
    let label = label_of(start.nominal);
    let left = Duration::from_secs((start.chosen - cluster.now()).max(0) as u64);
    cluster
        .until(left + SOON, "the start has a primer", async || {
            let primers = primers(cluster, kronjob).await;
            primers.into_iter().find(|job| job["metadata"]["labels"]["kron.io/primer-for"] == label)
        })
        .await
}

/// Names of primers, from an implementation of their rule in another language.
fn name_of_vectors(name: &str, period: &str) -> String {
    let vectors: Value =
        serde_json::from_str(include_str!("../../../testing/data/vectors/names.json")).unwrap();
    let rows = vectors["cases"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == name && row["primerFor"] == period).unwrap();
    row["jobName"].as_str().unwrap().to_string()
}

#[test]
fn a_start_has_a_primer_until_its_job_is_created() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let mut template = template();
        template["spec"]["parallelism"] = json!(2);
        template["spec"]["completions"] = json!(6);
        let pods = &mut template["spec"]["template"];
        pods["metadata"] = json!({"labels": {"app": "report"}});
        pods["spec"]["containers"][0]["resources"] = json!({"requests": {"cpu": "1500m", "memory": "1Gi"}});
        pods["spec"]["initContainers"] = json!([{
            "name": "proxy", "image": "registry.k8s.io/pause:3.10", "restartPolicy": "Always",
            "resources": {"requests": {"cpu": "250m"}},
        }]);
        // Once an hour, and not within the next 45 s: an earlier start would leave an active Job, and this one would be skipped.
        let minute = (cluster.now() + 45).div_euclid(60) + 1;
        let spec = json!({
            "schedule": format!("{} * * * *", minute.rem_euclid(60)), "policy": {"deadline": "20s"},
            "primer": {"lead": "80s"}, "jobTemplate": template,
        });
        let kronjob = cluster.create("report", spec).await;
        let start = kronjob.start(cluster.now());
        let primer = primer_of(cluster, &kronjob, start).await;

        let (labels, label) = (&primer["metadata"]["labels"], label_of(start.nominal));
        assert_eq!(labels["kron.io/name"], "report");
        assert_eq!(
            (&labels["kron.io/primer-for"], &labels["kron.io/period-id"]),
            (&json!(label), &Value::Null)
        );
        let name = primer["metadata"]["name"].as_str().unwrap();
        assert!(name.starts_with("report-"), "{name}");
        let status = cluster.get("report").await.value["status"].take();
        assert_eq!(status["primer"]["periodID"], text_of(start.nominal));
        assert_eq!(status["primer"]["jobName"], name);
        assert!(status["primer"]["time"].as_str() <= primer["metadata"]["creationTimestamp"].as_str());

        let spec = &primer["spec"];
        assert_eq!((&spec["parallelism"], &spec["completions"]), (&json!(2), &json!(2)));
        let pod = &spec["template"]["spec"];
        assert_eq!(pod["nodeSelector"], json!({"kron.io/test": "no-node-has-this-label"}));
        assert_eq!(pod["containers"].as_array().unwrap().len(), 1);
        let requests = &pod["containers"][0]["resources"]["requests"];
        // A server writes quantities in its own way.
        assert!(["1750m", "1.75"].iter().any(|cpu| requests["cpu"] == *cpu), "{requests}");
        assert!(["1Gi", "1073741824"].iter().any(|memory| requests["memory"] == *memory), "{requests}");
        assert_eq!(pod["terminationGracePeriodSeconds"], 1);
        let pod_labels = &spec["template"]["metadata"]["labels"];
        assert_eq!((&pod_labels["app"], &pod_labels["kron.io/name"]), (&Value::Null, &Value::Null));
        assert_eq!(pod_labels["kron.io/primer-for"], label);

        let job = cluster.job_of(&kronjob, start).await;
        // A busy machine may make it late.
        assert!(job["metadata"]["creationTimestamp"].as_str() >= Some(text_of(start.chosen).as_str()));
        cluster
            .until(SOON, "the primer is gone", async || {
                let primers = primers(cluster, &kronjob).await;
                primers.iter().all(|primer| primer["metadata"]["name"] != *name).then_some(())
            })
            .await;
        let status = cluster.get("report").await.value["status"].take();
        let active: Vec<&Value> =
            status["active"].as_array().unwrap().iter().map(|job| &job["name"]).collect();
        assert_eq!(active, [&job["metadata"]["name"]]);
        cluster.event(&kronjob, "SuccessfulCreate", &["primer", name]).await;
        cluster.event(&kronjob, "SuccessfulDelete", &["primer", name]).await;
    });
}

#[test]
fn names_of_primers_are_those_of_the_vectors() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("a", json!({"schedule": "@hourly", "primer": {"lead": "24h"}})).await;
        let start = kronjob.start(cluster.now() + 30);
        let primer = primer_of(cluster, &kronjob, start).await;
        let name = primer["metadata"]["name"].as_str().unwrap();
        // The hash does not depend on the name of the KronJob, as that is not cut; two rows show which text it is of.
        let vectors = name_of_vectors("a", "2026-03-01T00:00:00Z");
        assert_eq!(kron_formats::names::primer_job_name("a", 1_772_323_200), vectors);
        assert_eq!(name, kron_formats::names::primer_job_name("a", start.nominal));
    });
}

#[test]
fn a_template_of_its_own_and_an_image_are_used_as_they_are() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let mut own = template();
        own["metadata"] = json!({"labels": {"team": "warm"}});
        own["spec"]["template"]["spec"]["priorityClassName"] = Value::Null;
        own["spec"]["template"]["spec"]["containers"][0]["args"] = json!(["warm", "x".repeat(9000)]);
        let spec = json!({"schedule": "@hourly", "primer": {"lead": "24h", "jobTemplate": own}});
        let kronjob = cluster.create("own", spec).await;
        let primer = primer_of(cluster, &kronjob, kronjob.start(cluster.now() + 30)).await;
        assert_eq!(primer["metadata"]["labels"]["team"], "warm");
        let args = &primer["spec"]["template"]["spec"]["containers"][0]["args"];
        assert_eq!(args[1].as_str().map(str::len), Some(9000), "a large template is read again");

        let spec = json!({"schedule": "@hourly", "primer": {"lead": "24h", "image": "warm.example/wait:1"}});
        let kronjob = cluster.create("image", spec).await;
        let primer = primer_of(cluster, &kronjob, kronjob.start(cluster.now() + 30)).await;
        assert_eq!(primer["spec"]["template"]["spec"]["containers"][0]["image"], "warm.example/wait:1");
    });
}

#[test]
fn a_suspended_kronjob_has_no_primer() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let spec = json!({"schedule": "@hourly", "primer": {"lead": "24h"}});
        let kronjob = cluster.create("db", spec).await;
        primer_of(cluster, &kronjob, kronjob.start(cluster.now() + 30)).await;
        cluster.edit("db", json!({"policy": {"suspend": true}})).await;
        cluster
            .until(SOON, "the primer is gone", async || {
                primers(cluster, &kronjob).await.is_empty().then_some(())
            })
            .await;
        // Its start had a primer, and has no other.
        cluster.edit("db", json!({"policy": {"suspend": false}})).await;
        cluster.observed("db").await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert!(primers(cluster, &kronjob).await.is_empty());
    });
}

#[test]
fn a_primer_that_somebody_deletes_is_not_made_again() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": "@hourly", "primer": {"lead": "24h"}})).await;
        let primer = primer_of(cluster, &kronjob, kronjob.start(cluster.now() + 30)).await;
        let name = primer["metadata"]["name"].as_str().unwrap();
        cluster.jobs_api().delete(name, &DeleteParams::background()).await.unwrap();
        tokio::time::sleep(Duration::from_secs(5)).await;
        assert!(primers(cluster, &kronjob).await.is_empty());
    });
}

#[test]
fn a_job_with_the_label_alone_is_no_primer() {
    on_cluster(async |cluster| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"schedule": "@yearly"})).await;
        let mut job = template();
        job["apiVersion"] = json!("batch/v1");
        job["kind"] = json!("Job");
        job["metadata"] = json!({
            "name": "mine", "namespace": cluster.namespace,
            "labels": {"kron.io/name": "db", "kron.io/primer-for": "20260301T000000Z"},
            "ownerReferences": [{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db", "uid": kronjob.uid(),
                "controller": true}],
        });
        cluster.create_job(job).await;
        let status = cluster
            .status("db", SOON, "it is active", |status| {
                !status["active"].as_array().is_none_or(Vec::is_empty)
            })
            .await;
        assert_eq!(status["active"][0]["name"], "mine");
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1, "it is not deleted as a primer");
    });
}
