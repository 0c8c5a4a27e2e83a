//! A server whose wall clock follows tokio's, and some objects.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use k8s_openapi::api::batch::v1::Job;
use kron_api_model::Server;
use kube::api::{Api, ApiResource, DynamicObject, GroupVersionKind};
use serde_json::{Value, json};

/// The wall clock at the start of each test.
pub const START: &str = "2026-03-01T00:00:00Z";

pub fn server() -> Server {
    let start: DateTime<Utc> = START.parse().unwrap();
    let began = tokio::time::Instant::now();
    Server::new(Arc::new(move || start + TimeDelta::from_std(began.elapsed()).unwrap()))
}

/// A server that serves KronJobs under a schema of nothing but an object.
pub fn with_kronjobs() -> Server {
    let server = server();
    server.create(definition()).unwrap();
    server
}

pub fn definition() -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "kronjobs.kron.io"},
        "spec": {
            "group": "kron.io", "scope": "Namespaced",
            "names": {"kind": "KronJob", "plural": "kronjobs", "singular": "kronjob", "shortNames": ["kj"]},
            "versions": [{
                "name": "v1alpha1", "served": true, "storage": true, "subresources": {"status": {}},
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
            }],
        },
    })
}

pub fn kronjobs(client: &kube::Client) -> Api<DynamicObject> {
    let resource = ApiResource::from_gvk_with_plural(
        &GroupVersionKind::gvk("kron.io", "v1alpha1", "KronJob"),
        "kronjobs",
    );
    Api::namespaced_with(client.clone(), "default", &resource)
}

pub fn kronjob(name: &str) -> DynamicObject {
    serde_json::from_value(json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": name},
        "spec": {"schedule": "0 * * * *", "jobTemplate": {"spec": {}}},
    }))
    .unwrap()
}

pub fn jobs(client: &kube::Client) -> Api<Job> {
    Api::namespaced(client.clone(), "default")
}

pub fn job_value(name: &str) -> Value {
    json!({
        "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name},
        "spec": {"template": {"spec": {"restartPolicy": "Never",
            "containers": [{"name": "main", "image": "busybox"}]}}},
    })
}

pub fn job(name: &str) -> Job {
    serde_json::from_value(job_value(name)).unwrap()
}

/// A Job of an owner.
pub fn owned_job(name: &str, owner: &DynamicObject) -> Job {
    let mut value = job_value(name);
    value["metadata"]["ownerReferences"] = json!([{
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": owner.metadata.name,
        "uid": owner.metadata.uid, "controller": true, "blockOwnerDeletion": true,
    }]);
    serde_json::from_value(value).unwrap()
}

/// Lets all tasks run that are ready.
pub async fn run_ready_tasks() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

/// The code, reason and message of a refusal.
pub fn refusal<T: std::fmt::Debug>(result: Result<T, kube::Error>) -> (u16, String, String) {
    match result {
        Err(kube::Error::Api(status)) => (status.code, status.reason.clone(), status.message.clone()),
        other => panic!("expected a refusal, but found {other:?}"),
    }
}
