//! Objects that no request could have stored: of an older shape, or mangled by hand. And servers that stream no lists, or do not
//! answer at first.

use kron_api_model::{Fault, Match, Partition, Status, Verb};
use kube::api::{DeleteParams, PropagationPolicy};
use serde_json::{Value, json};

use crate::e2e::cluster::{SOON, condition, on_model};

#[test]
fn odd_objects_break_nothing_for_the_others() {
    on_model(async |cluster, server| {
        for name in ["status", "fields", "spec", "schedule", "template", "none"] {
            cluster.create(name, json!({})).await;
        }
        let edit = |name: &str, change: &dyn Fn(&mut Value)| {
            server
                .edit("kron.io/v1alpha1", "kronjobs", &cluster.namespace, name, |object| change(object))
                .unwrap();
        };
        edit("status", &|object| object["status"] = json!({"lastPeriodID": 7, "periods": "none"}));
        edit("fields", &|object| object["spec"]["cron"] = json!("an older name"));
        edit("spec", &|object| object["spec"] = json!([1, 2, 3]));
        edit("schedule", &|object| object["spec"]["schedule"] = json!({"minute": 0}));
        edit("template", &|object| object["spec"]["jobTemplate"] = json!("none"));
        edit("none", &|object| drop(object.as_object_mut().unwrap().remove("spec")));
        let operator = cluster.operator().await;
        let sound = cluster.create("sound", json!({"policy": {"concurrency": "allow"}})).await;
        let start = sound.start(cluster.now() + 1);
        cluster.job_of(&sound, start).await;
        // While it runs, too.
        edit("sound", &|object| object["spec"]["window"] = json!(5));
        cluster.event(&sound, "InvalidSpec", &["window"]).await;
        edit("sound", &|object| object["spec"]["window"] = json!({"mode": "after", "duration": "0s"}));
        cluster.job_of(&sound, sound.start(cluster.now() + 1)).await;
        assert!(operator.operator.health().ready());
        // A status that cannot be read is not guessed: nothing is started, and an Event reports it.
        let odd = cluster.get("status").await;
        assert_eq!(cluster.jobs(&odd).await.len(), 0);
        cluster.event(&odd, "FailedGet", &["status cannot be read"]).await;
        // A spec that cannot be read is reported as an error of its own; where the server still accepts the object, in
        // the status, too.
        let fields = cluster.get("fields").await;
        cluster.event(&fields, "InvalidSpec", &["cron"]).await;
    });
}

#[test]
fn a_kronjob_goes_on_once_its_status_is_readable() {
    on_model(async |cluster, server| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"policy": {"concurrency": "allow"}})).await;
        cluster.job_of(&kronjob, kronjob.start(cluster.now() + 1)).await;
        cluster.reach(cluster.now() + 2).await;
        let before = cluster.jobs(&kronjob).await.len();
        let namespace = &cluster.namespace;
        let kept = cluster.get("db").await.value["status"].clone();
        server.edit("kron.io/v1alpha1", "kronjobs", namespace, "db", |object| {
            object["status"]["lastPeriodID"] = json!(7)
        });
        let next = kronjob.start(cluster.now() + 1);
        cluster.reach(next.chosen + 5).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), before, "nothing on a guess");
        server
            .edit("kron.io/v1alpha1", "kronjobs", namespace, "db", |object| object["status"] = kept.clone());
        cluster.job_of(&kronjob, kronjob.start(cluster.now() + 1)).await;
    });
}

/// A server whose cache is late answers a list of any version with one that is older than what the watch has shown.
#[test]
fn every_watch_begins_with_a_consistent_list() {
    on_model(async |cluster, server| {
        let _operator = cluster.operator().await;
        let kronjob = cluster.create("db", json!({"policy": {"concurrency": "allow"}})).await;
        cluster.job_of(&kronjob, kronjob.start(cluster.now() + 1)).await;
        let lists = Match::any().when(|call| call.parameter("sendInitialEvents").is_some());
        let versions = server.requests(&lists).into_iter().map(|list| {
            let version = list.call.parameter("resourceVersion").unwrap_or_default();
            (list.call.resource_path(), version.to_string())
        });
        let mut versions: Vec<(String, String)> = versions.collect();
        versions.sort();
        let expected = ["jobs", "kronjobs"];
        assert_eq!(versions, expected.map(|resource| (resource.to_string(), String::new())));
    });
}

#[test]
fn a_foreground_deletion_is_not_held_up_and_starts_nothing() {
    on_model(async |cluster, server| {
        let _operator = cluster.operator().await;
        let spec = json!({"policy": {"concurrency": "allow"}});
        let kronjob = cluster.create("db", spec).await;
        let start = kronjob.start(cluster.now() + 1);
        let job = cluster.job_of(&kronjob, start).await;
        // Another program's finalizer keeps the Job, and so the KronJob, for a while.
        let name = job["metadata"]["name"].as_str().unwrap().to_string();
        let set = |finalizers: Value| {
            server.edit("batch/v1", "jobs", &cluster.namespace, &name, |job| {
                job["metadata"]["finalizers"] = finalizers.clone()
            });
        };
        set(json!(["example.com/hold"]));
        let foreground = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Foreground),
            ..DeleteParams::default()
        };
        cluster.kronjobs().delete("db", &foreground).await.unwrap();
        cluster.reach(kronjob.starts(start.chosen, 3)[2].chosen + 1).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 1, "a KronJob that is being deleted starts nothing");
        let patch = kube::api::Patch::Merge(json!({"metadata": {"finalizers": null}}));
        cluster.jobs_api().patch(&name, &kube::api::PatchParams::default(), &patch).await.unwrap();
        let gone = async || cluster.kronjobs().get_opt("db").await.unwrap().is_none().then_some(());
        cluster.until(SOON, "it is gone", gone).await;
        assert_eq!(cluster.jobs(&kronjob).await.len(), 0);
    });
}

#[test]
fn a_kronjob_of_the_same_name_is_another_one() {
    on_model(async |cluster, _| {
        let _operator = cluster.operator().await;
        let spec = json!({"schedule": "@hourly", "policy": {"deadline": "1h"}});
        let first = cluster.create("db", spec.clone()).await;
        let start = first.start(cluster.now());
        cluster.job_of(&first, start).await;
        cluster.kronjobs().delete("db", &DeleteParams::background()).await.unwrap();
        cluster.reach(start.chosen + 20).await;
        let second = cluster.create("db", spec).await;
        let status = cluster.observed("db").await;
        assert_ne!(first.uid(), second.uid());
        assert!(status["lastPeriodID"].is_null(), "what the first handled is not its own: {status}");
        assert!(condition(&status, "Ready").is_some());
        cluster.reach(start.chosen + 600).await;
        assert_eq!(cluster.jobs(&second).await.len(), 0, "it was created after that start");
        cluster.job_of(&second, second.start(cluster.now())).await;
    });
}

#[test]
fn a_server_that_cannot_be_reached_at_first_streams_its_lists_later() {
    for &partition in Partition::ALL {
        on_model(async |cluster, server| {
            server.partition("a", Some(partition));
            let _operator = cluster.replica("a");
            cluster.reach(cluster.now() + 60).await;
            server.partition("a", None);
            cluster.create("db", json!({})).await;
            cluster.observed("db").await;
            let lists = server.requests(&Match::any().caller("a").verb(Verb::List));
            assert!(lists.is_empty(), "{partition:?}: {lists:#?}");
        });
    }
}

#[test]
fn a_server_that_refuses_streamed_lists_is_asked_for_pages() {
    on_model(async |cluster, server| {
        let streamed =
            Match::any().verb(Verb::Watch).when(|call| call.parameter("sendInitialEvents").is_some());
        let cause = "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled";
        server.inject(streamed, Fault::Reject(Status::bad_request(cause)), None);
        cluster.create("db", json!({})).await;
        let _operator = cluster.operator().await;
        cluster.observed("db").await;
        let lists = server.requests(&Match::any().caller("operator").verb(Verb::List).resource("kronjobs"));
        assert!(!lists.is_empty());
    });
}
