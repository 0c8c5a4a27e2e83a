//! Updates, patches, status writes, dry runs.

use kron_api_model::Match;
use kube::api::{Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use crate::world::{job, jobs, kronjob, kronjobs, refusal, with_kronjobs};

#[tokio::test(start_paused = true)]
async fn spec_and_status_are_written_apart() {
    let server = with_kronjobs();
    let api = kronjobs(&server.client("test"));
    let post = PostParams::default();
    let mut object = kronjob("k");
    object.data["status"] = json!({"lastOutcome": "executed"});
    let created = api.create(&post, &object).await.unwrap();
    assert_eq!(created.data.get("status"), None, "a create has no status");

    let mut change = created.clone();
    change.data["status"] = json!({"lastOutcome": "executed"});
    change.data["spec"]["schedule"] = json!("1 * * * *");
    let main = api.replace("k", &post, &change).await.unwrap();
    assert_eq!(main.data.get("status"), None);
    assert_eq!(main.data["spec"]["schedule"], "1 * * * *");
    assert_eq!(main.metadata.generation, Some(2));

    let mut change = main.clone();
    change.data["status"] = json!({"lastOutcome": "missed"});
    change.data["spec"]["schedule"] = json!("2 * * * *");
    change.metadata.labels = Some([("a".to_owned(), "b".to_owned())].into());
    let status = api.replace_status("k", &post, &change).await.unwrap();
    assert_eq!(status.data["status"]["lastOutcome"], "missed");
    assert_eq!(status.data["spec"]["schedule"], "1 * * * *");
    assert_eq!(status.metadata.labels, None);
    assert_eq!(status.metadata.generation, Some(2));

    let mut labelled = status.clone();
    labelled.metadata.labels = Some([("a".to_owned(), "b".to_owned())].into());
    let labelled = api.replace("k", &post, &labelled).await.unwrap();
    assert_eq!(labelled.metadata.generation, Some(2), "metadata are not counted");
}

#[tokio::test(start_paused = true)]
async fn a_write_that_changes_nothing_is_none() {
    let server = with_kronjobs();
    let api = kronjobs(&server.client("test"));
    let created = api.create(&PostParams::default(), &kronjob("k")).await.unwrap();
    let version = server.version();
    let again = api.replace("k", &PostParams::default(), &created).await.unwrap();
    assert_eq!(again, created);
    let patch = json!({"spec": {"schedule": "0 * * * *"}});
    api.patch("k", &PatchParams::default(), &Patch::Merge(patch)).await.unwrap();
    assert_eq!(server.version(), version);
}

#[tokio::test(start_paused = true)]
async fn a_uid_is_a_precondition() {
    let server = with_kronjobs();
    let api = kronjobs(&server.client("test"));
    let mut object = api.create(&PostParams::default(), &kronjob("k")).await.unwrap();
    object.metadata.uid = Some("other".into());
    let (code, reason, message) = refusal(api.replace("k", &PostParams::default(), &object).await);
    assert_eq!((code, reason.as_str()), (409, "Conflict"));
    assert!(
        message.contains("Precondition failed: UID in precondition: other, UID in object meta: "),
        "{message}"
    );
}

#[tokio::test(start_paused = true)]
async fn merge_patches_and_json_patches() {
    let server = with_kronjobs();
    let api = kronjobs(&server.client("test"));
    let created = api.create(&PostParams::default(), &kronjob("k")).await.unwrap();
    let params = PatchParams::default();
    let merge = json!({"metadata": {"annotations": {"kron.io/run-now": "x"}}, "spec": {"jobTemplate": null}});
    let merged = api.patch("k", &params, &Patch::Merge(merge)).await.unwrap();
    assert_eq!(merged.metadata.annotations.as_ref().unwrap()["kron.io/run-now"], "x");
    assert_eq!(merged.data["spec"], json!({"schedule": "0 * * * *"}));

    let operations: json_patch::Patch = serde_json::from_value(json!([
        {"op": "test", "path": "/spec/schedule", "value": "0 * * * *"},
        {"op": "replace", "path": "/spec/schedule", "value": "5 * * * *"},
    ]))
    .unwrap();
    let patched = api.patch("k", &params, &Patch::<()>::Json(operations.clone())).await.unwrap();
    assert_eq!(patched.data["spec"]["schedule"], "5 * * * *");
    assert_eq!(
        refusal(api.patch("k", &params, &Patch::<()>::Json(operations)).await).0,
        422,
        "the test fails now"
    );

    let stale = json!({"metadata": {"resourceVersion": created.metadata.resource_version}, "spec": {"a": 1}});
    assert_eq!(refusal(api.patch("k", &params, &Patch::Merge(stale)).await).0, 409);
    let renamed = json!({"metadata": {"name": "other"}});
    assert_eq!(refusal(api.patch("k", &params, &Patch::Merge(renamed)).await).0, 422);
    let strategic: Patch<Value> = Patch::Strategic(json!({}));
    assert_eq!(refusal(api.patch("k", &params, &strategic).await).0, 415);
}

#[tokio::test(start_paused = true)]
async fn dry_runs_check_all_and_store_nothing() {
    let server = with_kronjobs();
    let client = server.client("test");
    let jobs = jobs(&client);
    let version = server.version();
    let dry = PostParams { dry_run: true, ..PostParams::default() };
    let tried = jobs.create(&dry, &job("a")).await.unwrap();
    assert_eq!(tried.metadata.resource_version, None);
    assert!(tried.metadata.uid.is_some());
    let mut wrong = job("b");
    wrong.spec.as_mut().unwrap().template.spec.as_mut().unwrap().restart_policy = Some("Always".into());
    assert_eq!(refusal(jobs.create(&dry, &wrong).await).0, 422);
    assert_eq!(server.version(), version);
    assert_eq!(server.count("batch/v1", "jobs"), 0);

    jobs.create(&PostParams::default(), &job("a")).await.unwrap();
    let version = server.version();
    let params = PatchParams { dry_run: true, ..PatchParams::default() };
    let patched = jobs.patch("a", &params, &Patch::Merge(json!({"spec": {"suspend": true}}))).await.unwrap();
    assert_eq!(patched.spec.unwrap().suspend, Some(true));
    let delete = kube::api::DeleteParams { dry_run: true, ..kube::api::DeleteParams::default() };
    jobs.delete("a", &delete).await.unwrap();
    assert_eq!(server.version(), version);
    assert_eq!(server.count_requests(&Match::any().dry_run(true)), 4);
}

#[tokio::test(start_paused = true)]
async fn generated_names_and_jobs_without_a_version() {
    let server = with_kronjobs();
    let jobs = jobs(&server.client("test"));
    let mut object = job("x");
    object.metadata.name = None;
    object.metadata.generate_name = Some("backup-".into());
    let first = jobs.create(&PostParams::default(), &object).await.unwrap();
    let second = jobs.create(&PostParams::default(), &object).await.unwrap();
    let name = first.metadata.name.clone().unwrap();
    assert_eq!(name.len(), "backup-".len() + 5);
    assert_ne!(Some(&name), second.metadata.name.as_ref());

    let mut change = first.clone();
    change.metadata.resource_version = None;
    change.spec.as_mut().unwrap().parallelism = Some(2);
    let changed = jobs.replace(&name, &PostParams::default(), &change).await.unwrap();
    assert_eq!(changed.spec.as_ref().unwrap().parallelism, Some(2));
    assert_eq!(changed.metadata.generation, Some(2));
}

#[tokio::test(start_paused = true)]
async fn a_webhook_changes_what_is_created() {
    let server = with_kronjobs();
    let api = jobs(&server.client("test"));
    server.mutate_creates(|resource, object| {
        if resource == "jobs" {
            object["spec"]["ttlSecondsAfterFinished"] = json!(7);
        }
    });
    let created = api.create(&PostParams::default(), &job("one")).await.unwrap();
    assert_eq!(created.spec.unwrap().ttl_seconds_after_finished, Some(7));
    assert_eq!(api.get("one").await.unwrap().spec.unwrap().ttl_seconds_after_finished, Some(7));
    server.end_mutation();
    let created = api.create(&PostParams::default(), &job("two")).await.unwrap();
    assert_eq!(created.spec.unwrap().ttl_seconds_after_finished, None);

    // What it makes invalid is refused.
    server.mutate_creates(|_, object| object["spec"]["ttlSecondsAfterFinished"] = json!(-1));
    let (code, ..) = refusal(api.create(&PostParams::default(), &job("three")).await);
    assert_eq!(code, 422);
}
