//! Several replicas: one leads, another takes over, and nothing runs twice.

use std::time::Duration;

use serde_json::{Value, json};

use super::cluster::{Cluster, Replica, SOON, label_of, on_cluster, text_of};

/// How long a Lease that is not released counts, for its holder; others wait 3 s longer.
const LEASE: Duration = Duration::from_secs(12);

async fn holder(cluster: &Cluster) -> Option<String> {
    let leases = cluster.api("coordination.k8s.io/v1", "Lease", "leases", Some(&cluster.namespace));
    let lease = leases.get_opt("kron-operator").await.unwrap()?;
    lease.data["spec"]["holderIdentity"].as_str().filter(|holder| !holder.is_empty()).map(str::to_string)
}

async fn leads(cluster: &Cluster, replica: &Replica) {
    let held = async || replica.operator.leads().then_some(());
    cluster.until(SOON, "it leads", held).await;
}

#[test]
fn one_of_two_replicas_leads_and_each_period_runs_once() {
    on_cluster(async |cluster| {
        let (a, b) = (cluster.replica("a"), cluster.replica("b"));
        cluster
            .until(SOON, "one leads", async || (a.operator.leads() || b.operator.leads()).then_some(()))
            .await;
        let kronjob = cluster.create("db", json!({"policy": {"concurrency": "allow"}})).await;
        let start = kronjob.start(cluster.now() + 3);
        cluster.job_of(&kronjob, start).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "executed");
        assert!(a.operator.leads() != b.operator.leads(), "exactly one leads");
        cluster.reach(start.chosen + 5).await;
        let label = label_of(start.nominal);
        let jobs = cluster.jobs(&kronjob).await;
        let of_period =
            jobs.iter().filter(|job| job["metadata"]["labels"]["kron.io/period-id"] == label).count();
        assert_eq!(of_period, 1);
        let created = cluster.events(&kronjob, "SuccessfulCreate").await;
        assert_eq!(created.iter().filter(|text| text.contains(&text_of(start.nominal))).count(), 1);
    });
}

#[test]
fn when_the_leader_dies_another_takes_over_within_the_lease() {
    on_cluster(async |cluster| {
        let a = cluster.replica("a");
        leads(cluster, &a).await;
        let b = cluster.replica("b");
        let ready = async || b.operator.health().ready().then_some(());
        cluster.until(SOON, "the other has read everything, too", ready).await;
        cluster.with_time_in_this_minute(40).await;
        let kronjob =
            cluster.create("db", json!({"policy": {"deadline": "40s", "concurrency": "allow"}})).await;
        let start = kronjob.start(cluster.now());
        let claimed = |status: &Value| status["claim"]["periodID"] == text_of(start.nominal);
        cluster.status("db", SOON, "the claim", claimed).await;
        // It dies just before the start that it has claimed.
        cluster.reach(start.chosen - 3).await;
        let killed = tokio::time::Instant::now();
        a.kill().await;
        assert!(
            holder(cluster).await.is_some_and(|holder| holder.starts_with("a_")),
            "the Lease is not released"
        );
        let taken = async || b.operator.leads().then_some(());
        cluster.until(Duration::from_secs(25), "the other leads", taken).await;
        let took = killed.elapsed();
        assert!(took > Duration::from_secs(5), "{took:?}");
        cluster.job_of(&kronjob, start).await;
        let handled = |status: &Value| status["lastPeriodID"] == text_of(start.nominal);
        let status = cluster.status("db", SOON, "the outcome", handled).await;
        assert_eq!(status["lastOutcome"], "executed");
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1);
    });
}

#[test]
fn a_replica_that_is_stopped_releases_the_lease_and_the_other_goes_on_at_once() {
    on_cluster(async |cluster| {
        let a = cluster.replica("a");
        leads(cluster, &a).await;
        let b = cluster.replica("b");
        let ready = async || b.operator.health().ready().then_some(());
        cluster.until(SOON, "the other has read everything, too", ready).await;
        let kronjob = cluster
            .create("db", json!({"window": {"duration": "50s"}, "policy": {"concurrency": "allow"}}))
            .await;
        cluster.observed("db").await;
        let took = a.stop().await;
        assert!(took < LEASE, "{took:?}");
        assert!(
            holder(cluster).await.is_none_or(|holder| holder.starts_with("b_")),
            "it is free, or taken already"
        );
        let taken = async || b.operator.leads().then_some(());
        cluster.until(LEASE, "the other leads without waiting for the Lease to expire", taken).await;
        let start = kronjob.start(cluster.now() + 3);
        cluster.job_of(&kronjob, start).await;
    });
}

#[test]
fn another_namespace_is_never_touched() {
    on_cluster(async |cluster| {
        let other = cluster.in_other_namespace();
        let namespaces = cluster.api("v1", "Namespace", "namespaces", None);
        let body = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": other.namespace}});
        namespaces.create(&kube::api::PostParams::default(), &super::cluster::object(body)).await.unwrap();
        let _operator = cluster.operator().await;
        let theirs = other.create("db", json!({})).await;
        let ours = cluster.create("db", json!({"policy": {"concurrency": "allow"}})).await;
        cluster.job_of(&ours, ours.start(cluster.now() + 3)).await;
        cluster.reach(theirs.start(theirs.created() + 3).chosen + 3).await;
        let seen = other.get("db").await;
        assert!(seen.value["status"].is_null());
        assert!(other.jobs(&theirs).await.is_empty());
    });
}
