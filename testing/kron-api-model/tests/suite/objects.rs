//! Creating, reading, replacing and deleting.

use kube::api::{DeleteParams, ListParams, PostParams};
use serde_json::json;

use crate::world::{START, job, job_value, jobs, kronjob, kronjobs, refusal, server, with_kronjobs};

#[tokio::test(start_paused = true)]
async fn a_job_is_created_with_what_servers_add() {
    let server = server();
    let jobs = jobs(&server.client("test"));
    let created = jobs.create(&PostParams::default(), &job("a")).await.unwrap();
    let value = serde_json::to_value(&created).unwrap();
    let uid = created.metadata.uid.clone().unwrap();
    assert_eq!(value["metadata"]["creationTimestamp"], START);
    assert_eq!(value["metadata"]["generation"], 1);
    assert_eq!(value["metadata"]["resourceVersion"], server.version().to_string());
    let spec = &value["spec"];
    for (key, expected) in [
        ("parallelism", json!(1)),
        ("completions", json!(1)),
        ("backoffLimit", json!(6)),
        ("completionMode", json!("NonIndexed")),
        ("suspend", json!(false)),
        ("podReplacementPolicy", json!("TerminatingOrFailed")),
        ("selector", json!({"matchLabels": {"batch.kubernetes.io/controller-uid": uid}})),
    ] {
        assert_eq!(spec[key], expected, "{key}");
    }
    assert_eq!(
        spec["template"]["metadata"]["labels"],
        json!({"batch.kubernetes.io/controller-uid": uid, "controller-uid": uid,
            "batch.kubernetes.io/job-name": "a", "job-name": "a"})
    );
    assert_eq!(jobs.get("a").await.unwrap(), created);
}

#[tokio::test(start_paused = true)]
async fn errors_have_the_words_of_servers() {
    let server = with_kronjobs();
    let client = server.client("test");
    let (jobs, kronjobs) = (jobs(&client), kronjobs(&client));
    let post = PostParams::default();
    jobs.create(&post, &job("a")).await.unwrap();
    assert_eq!(
        refusal(jobs.create(&post, &job("a")).await),
        (409, "AlreadyExists".into(), "jobs.batch \"a\" already exists".into())
    );
    assert_eq!(refusal(jobs.get("b").await), (404, "NotFound".into(), "jobs.batch \"b\" not found".into()));
    let mut kronjob = kronjobs.create(&post, &kronjob("k")).await.unwrap();
    kronjob.data["spec"]["schedule"] = json!("1 * * * *");
    kronjobs.replace("k", &post, &kronjob).await.unwrap();
    assert_eq!(
        refusal(kronjobs.replace("k", &post, &kronjob).await),
        (
            409,
            "Conflict".into(),
            "Operation cannot be fulfilled on kronjobs.kron.io \"k\": the object has been modified; please apply your \
             changes to the latest version and try again"
                .into()
        )
    );
    kronjob.metadata.resource_version = None;
    assert_eq!(
        refusal(kronjobs.replace("k", &post, &kronjob).await),
        (
            422,
            "Invalid".into(),
            "kronjobs.kron.io \"k\" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an \
             update"
                .into()
        )
    );
}

#[tokio::test(start_paused = true)]
async fn deleting_a_job_answers_success() {
    let server = server();
    let jobs = jobs(&server.client("test"));
    jobs.create(&PostParams::default(), &job("a")).await.unwrap();
    let status = jobs.delete("a", &DeleteParams::default()).await.unwrap().right().unwrap();
    assert!(status.is_success());
    assert_eq!(jobs.list(&ListParams::default()).await.unwrap().items.len(), 0);
    assert_eq!(server.get("batch/v1", "jobs", "default", "a"), None);
    assert!(server.create(job_value("a")).is_ok());
}
