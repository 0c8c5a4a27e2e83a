//! Finalizers, propagation, garbage collection, namespaces, definitions.

use std::time::Duration;

use k8s_openapi::api::core::v1::Namespace;
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams, Preconditions};
use serde_json::{Value, json};

use crate::world::{
    job, job_value, jobs, kronjob, kronjobs, owned_job, refusal, run_ready_tasks, with_kronjobs,
};

#[tokio::test(start_paused = true)]
async fn dependents_follow_their_owner() {
    let server = with_kronjobs();
    let client = server.client("test");
    let owner = kronjobs(&client).create(&PostParams::default(), &kronjob("k")).await.unwrap();
    let jobs = jobs(&client);
    jobs.create(&PostParams::default(), &owned_job("a", &owner)).await.unwrap();
    jobs.create(&PostParams::default(), &job("other")).await.unwrap();
    server.set_gc_delay(Duration::from_secs(5));
    kronjobs(&client).delete("k", &DeleteParams::default()).await.unwrap();
    assert_eq!(server.count("kron.io/v1alpha1", "kronjobs"), 0);
    assert_eq!(server.count("batch/v1", "jobs"), 2, "not yet");
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(server.count("batch/v1", "jobs"), 1);
    // The owner is gone: what names it now is collected, too.
    jobs.create(&PostParams::default(), &owned_job("late", &owner)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(server.count("batch/v1", "jobs"), 1);
    // One of the same name is another one.
    kronjobs(&client).create(&PostParams::default(), &kronjob("k")).await.unwrap();
    jobs.create(&PostParams::default(), &owned_job("late", &owner)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(6)).await;
    assert_eq!(server.count("batch/v1", "jobs"), 1);
}

#[tokio::test(start_paused = true)]
async fn foreground_and_orphan() {
    let server = with_kronjobs();
    let client = server.client("test");
    let (jobs, api) = (jobs(&client), kronjobs(&client));
    let owner = api.create(&PostParams::default(), &kronjob("k")).await.unwrap();
    let mut blocking = owned_job("a", &owner);
    blocking.metadata.finalizers = Some(vec!["example.com/wait".into()]);
    jobs.create(&PostParams::default(), &blocking).await.unwrap();
    let deleted = api.delete("k", &DeleteParams::foreground()).await.unwrap().left().unwrap();
    assert_eq!(deleted.metadata.finalizers, Some(vec!["foregroundDeletion".into()]));
    assert!(deleted.metadata.deletion_timestamp.is_some());
    run_ready_tasks().await;
    assert_eq!(server.count("kron.io/v1alpha1", "kronjobs"), 1, "waits for the Job");
    let job = jobs.get("a").await.unwrap();
    assert!(job.metadata.deletion_timestamp.is_some());
    let release = Patch::Merge(json!({"metadata": {"finalizers": null}}));
    jobs.patch("a", &PatchParams::default(), &release).await.unwrap();
    run_ready_tasks().await;
    assert_eq!(server.count("batch/v1", "jobs") + server.count("kron.io/v1alpha1", "kronjobs"), 0);

    let owner = api.create(&PostParams::default(), &kronjob("k")).await.unwrap();
    jobs.create(&PostParams::default(), &owned_job("b", &owner)).await.unwrap();
    api.delete("k", &DeleteParams::orphan()).await.unwrap();
    run_ready_tasks().await;
    assert_eq!(server.count("kron.io/v1alpha1", "kronjobs"), 0);
    assert_eq!(jobs.get("b").await.unwrap().metadata.owner_references, None);
}

#[tokio::test(start_paused = true)]
async fn finalizers_hold_an_object() {
    let server = with_kronjobs();
    let jobs = jobs(&server.client("test"));
    let mut object = job("a");
    object.metadata.finalizers = Some(vec!["example.com/wait".into()]);
    jobs.create(&PostParams::default(), &object).await.unwrap();
    let terminating = jobs.delete("a", &DeleteParams::default()).await.unwrap().left().unwrap();
    assert_eq!(terminating.metadata.generation, Some(2));
    let (code, _, message) = refusal(jobs.create(&PostParams::default(), &object).await);
    assert_eq!((code, message.as_str()), (409, "object is being deleted: jobs.batch \"a\" already exists"));
    let version = server.version();
    jobs.delete("a", &DeleteParams::default()).await.unwrap();
    assert_eq!(server.version(), version, "deleting it again changes nothing");
    let more = Patch::Merge(json!({"metadata": {"finalizers": ["example.com/wait", "example.com/more"]}}));
    let (code, _, message) = refusal(jobs.patch("a", &PatchParams::default(), &more).await);
    assert_eq!(code, 422);
    assert!(message.contains("metadata.finalizers: Forbidden: no new finalizers can be added"), "{message}");
    let release = Patch::Merge(json!({"metadata": {"finalizers": []}}));
    jobs.patch("a", &PatchParams::default(), &release).await.unwrap();
    assert_eq!(server.count("batch/v1", "jobs"), 0);
}

#[tokio::test(start_paused = true)]
async fn preconditions() {
    let server = with_kronjobs();
    let jobs = jobs(&server.client("test"));
    let object = jobs.create(&PostParams::default(), &job("a")).await.unwrap();
    let with = |preconditions| DeleteParams { preconditions: Some(preconditions), ..DeleteParams::default() };
    let wrong = with(Preconditions { uid: Some("x".into()), resource_version: None });
    let (code, _, message) = refusal(jobs.delete("a", &wrong).await);
    assert_eq!(code, 409);
    assert!(
        message.starts_with(
            "Operation cannot be fulfilled on Job.batch \"a\": the UID in the precondition (x) does not match the UID in \
             record ("
        ),
        "{message}"
    );
    let stale = with(Preconditions { uid: None, resource_version: Some("1".into()) });
    assert_eq!(refusal(jobs.delete("a", &stale).await).0, 409);
    let right = with(Preconditions {
        uid: object.metadata.uid.clone(),
        resource_version: object.metadata.resource_version.clone(),
    });
    jobs.delete("a", &right).await.unwrap();
    assert_eq!(refusal(jobs.delete("a", &DeleteParams::default()).await).0, 404);
}

#[tokio::test(start_paused = true)]
async fn collections() {
    let server = with_kronjobs();
    let jobs = jobs(&server.client("test"));
    for (name, app) in [("a", "x"), ("b", "y"), ("c", "x")] {
        let mut value = job_value(name);
        value["metadata"]["labels"] = json!({"app": app});
        server.create(value).unwrap();
    }
    let chosen = ListParams::default().labels("app=x");
    let deleted = jobs.delete_collection(&DeleteParams::default(), &chosen).await.unwrap().left().unwrap();
    assert_eq!(deleted.items.len(), 2);
    let left = server.list("batch/v1", "jobs");
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["metadata"]["name"], "b");
}

#[tokio::test(start_paused = true)]
async fn a_namespace_ends_when_it_is_empty() {
    let server = with_kronjobs();
    let client = server.client("test");
    server.create_namespace("team").unwrap();
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let team = |name: &str| -> Value {
        let mut value = job_value(name);
        value["metadata"]["namespace"] = json!("team");
        value["metadata"]["finalizers"] = json!(["example.com/wait"]);
        value
    };
    server.create(team("a")).unwrap();
    let deleted = namespaces.delete("team", &DeleteParams::default()).await.unwrap().left().unwrap();
    assert_eq!(deleted.status.unwrap().phase, Some("Terminating".into()));
    run_ready_tasks().await;
    let error = server.create(team("b")).unwrap_err();
    assert_eq!(
        error.message,
        "jobs.batch \"b\" is forbidden: unable to create new content in namespace team because it is being terminated"
    );
    assert_eq!(error.details["causes"][0]["reason"], "NamespaceTerminating");
    assert_eq!(server.count("v1", "namespaces"), 3);
    let jobs: Api<k8s_openapi::api::batch::v1::Job> = Api::namespaced(client, "team");
    let release = Patch::Merge(json!({"metadata": {"finalizers": null}}));
    jobs.patch("a", &PatchParams::default(), &release).await.unwrap();
    run_ready_tasks().await;
    assert_eq!(server.count("v1", "namespaces"), 2);
    assert_eq!(refusal(namespaces.delete("default", &DeleteParams::default()).await).0, 403);
}

#[tokio::test(start_paused = true)]
async fn a_definition_takes_its_objects_along() {
    let server = with_kronjobs();
    let client = server.client("test");
    let crds: Api<
        k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    > = Api::all(client.clone());
    let name = "kronjobs.kron.io";
    let established = kube::runtime::wait::conditions::is_crd_established();
    kube::runtime::wait::await_condition(crds.clone(), name, established).await.unwrap();
    kronjobs(&client).create(&PostParams::default(), &kronjob("k")).await.unwrap();
    crds.delete(name, &DeleteParams::default()).await.unwrap();
    run_ready_tasks().await;
    assert_eq!(refusal(crds.get(name).await).0, 404);
    assert_eq!(refusal(kronjobs(&client).get("k").await).0, 404);
    crds.create(&PostParams::default(), &serde_json::from_value(crate::world::definition()).unwrap())
        .await
        .unwrap();
    assert_eq!(kronjobs(&client).list(&ListParams::default()).await.unwrap().items.len(), 0);
    let mut wrong = crate::world::definition();
    wrong["metadata"]["name"] = json!("other.kron.io");
    let error = server.create(wrong).unwrap_err();
    assert!(error.message.contains("must be spec.names.plural+\".\"+spec.group"), "{error}");
}
