//! What is refused.

use http::Request;
use kron_api_model::StoredKind;
use kube::api::PostParams;
use serde_json::{Value, json};

use crate::world::{job, job_value, jobs, kronjob, kronjobs, refusal, server, with_kronjobs};

fn post(query: &str, body: &Value) -> Request<Vec<u8>> {
    Request::post(format!("/apis/batch/v1/namespaces/default/jobs{query}"))
        .body(body.to_string().into())
        .unwrap()
}

#[tokio::test(start_paused = true)]
async fn wrong_jobs_are_refused_with_the_field() {
    let server = server();
    let client = server.client("test");
    let long = "a".repeat(64);
    for (path, value, expected) in [
        (
            "/metadata/name",
            json!("A"),
            "metadata.name: Invalid value: \"A\": a lowercase RFC 1123 subdomain must",
        ),
        ("/metadata/name", json!(long), "must be no more than 63 bytes"),
        ("/metadata/name", json!(""), "metadata.name: Required value: name or generateName is required"),
        (
            "/metadata/labels",
            json!({"a": "x:y"}),
            "metadata.labels: Invalid value: \"x:y\": a valid label must",
        ),
        (
            "/spec/template/spec/restartPolicy",
            json!("Always"),
            "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"",
        ),
        ("/spec/template/spec/containers", json!([]), "spec.template.spec.containers: Required value"),
        (
            "/spec/template/spec/containers",
            json!([{"name": "main"}]),
            "spec.template.spec.containers[0].image: Required value",
        ),
        ("/spec/selector", json!({"matchLabels": {"app": "x"}}), "`selector` not auto-generated"),
        (
            "/spec/parallelism",
            json!(-1),
            "spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
        ),
        (
            "/spec/template/metadata",
            json!({"labels": {"job-name": "other"}}),
            "spec.template.metadata.labels[job-name]: Invalid value: ",
        ),
    ] {
        let mut body = job_value("a");
        let (parents, key) = path.rsplit_once('/').unwrap();
        body.pointer_mut(parents).unwrap()[key] = value.clone();
        let (code, reason, message) = refusal(client.request::<Value>(post("", &body)).await);
        assert_eq!((code, reason.as_str()), (422, "Invalid"), "{path} {value}: {message}");
        assert!(message.starts_with("Job.batch "), "{message}");
        assert!(message.contains(expected), "{path} {value}: {message}");
    }
    let mut body = job_value("a");
    body["metadata"]["annotations"] = json!({"a": true});
    let (code, _, message) = refusal(client.request::<Value>(post("", &body)).await);
    assert_eq!(code, 400);
    assert!(
        message.starts_with("Job in version \"v1\" cannot be handled as a Job: json: cannot unmarshal"),
        "{message}"
    );
    let mut body = job_value("a");
    body["metadata"]["namespace"] = json!("other");
    assert_eq!(refusal(client.request::<Value>(post("", &body)).await).0, 400);
    let mut body = job_value("a");
    body["metadata"]["resourceVersion"] = json!("5");
    let (code, _, message) = refusal(client.request::<Value>(post("", &body)).await);
    assert_eq!((code, message.as_str()), (500, "resourceVersion should not be set on objects to be created"));
}

#[tokio::test(start_paused = true)]
async fn causes_name_the_fields() {
    let server = server();
    let mut object = job("a");
    let pod = object.spec.as_mut().unwrap().template.spec.as_mut().unwrap();
    pod.restart_policy = None;
    pod.containers[0].image = None;
    let error = jobs(&server.client("test")).create(&PostParams::default(), &object).await.unwrap_err();
    let kube::Error::Api(status) = error else { panic!("{error}") };
    let details = status.details.clone().unwrap();
    assert_eq!((details.group.as_str(), details.kind.as_str(), details.name.as_str()), ("batch", "Job", "a"));
    let fields: Vec<&str> = details.causes.iter().map(|cause| cause.field.as_str()).collect();
    assert_eq!(fields, ["spec.template.spec.containers[0].image", "spec.template.spec.restartPolicy"]);
    assert!(status.message.contains("is invalid: [spec.template"), "{}", status.message);
}

#[tokio::test(start_paused = true)]
async fn the_template_of_a_job_does_not_change() {
    let server = server();
    let jobs = jobs(&server.client("test"));
    let mut object = jobs.create(&PostParams::default(), &job("a")).await.unwrap();
    object.spec.as_mut().unwrap().template.spec.as_mut().unwrap().containers[0].image = Some("other".into());
    let (code, _, message) = refusal(jobs.replace("a", &PostParams::default(), &object).await);
    assert_eq!(code, 422);
    assert!(message.starts_with("Job.batch \"a\" is invalid: spec.template: Invalid value: "), "{message}");
    assert!(message.ends_with("field is immutable"), "{message}");
}

#[tokio::test(start_paused = true)]
async fn unknown_fields_as_asked_for() {
    let server = server();
    let client = server.client("test");
    let mut body = job_value("a");
    body["spec"]["paralelism"] = json!(2);
    let (code, reason, message) =
        refusal(client.request::<Value>(post("?fieldValidation=Strict", &body)).await);
    assert_eq!(
        (code, reason.as_str(), message.as_str()),
        (
            400,
            "BadRequest",
            "Job in version \"v1\" cannot be handled as a Job: strict decoding error: unknown field \"spec.paralelism\""
        )
    );
    let answer = client.send(post("?fieldValidation=Warn", &body).map(Into::into)).await.unwrap();
    assert_eq!(answer.status(), 201);
    assert_eq!(answer.headers()["warning"], "299 - \"unknown field \\\"spec.paralelism\\\"\"");
    body["metadata"]["name"] = json!("b");
    let answer = client.send(post("?fieldValidation=Ignore", &body).map(Into::into)).await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.headers().get("warning")), (201, None));
    for name in ["a", "b"] {
        assert_eq!(server.get("batch/v1", "jobs", "default", name).unwrap()["spec"].get("paralelism"), None);
    }
    assert_eq!(refusal(client.request::<Value>(post("?fieldValidation=Maybe", &body)).await).0, 422);
}

#[tokio::test(start_paused = true)]
async fn the_status_of_a_job_makes_sense_or_is_refused() {
    let server = server();
    let jobs = jobs(&server.client("test"));
    jobs.create(&PostParams::default(), &job("a")).await.unwrap();
    let condition = |kind: &str| json!({"type": kind, "status": "True"});
    let time = "2026-03-01T00:00:00Z";
    let params = kube::api::PatchParams::default();
    let patch = |status: Value| kube::api::Patch::Merge(json!({"status": status}));
    for (status, expected) in [
        (
            json!({"conditions": [condition("Complete")], "startTime": time, "completionTime": time}),
            "SuccessCriteriaMet",
        ),
        (json!({"conditions": [condition("Failed")], "startTime": time}), "FailureTarget"),
        (
            json!({"conditions": [condition("SuccessCriteriaMet"), condition("Complete")], "startTime": time}),
            "completionTime is required for Complete jobs",
        ),
        (
            json!({"conditions": [condition("FailureTarget"), condition("Failed")]}),
            "startTime is required for finished job",
        ),
        (
            json!({"completionTime": time}),
            "cannot set completionTime when there is no Complete=True condition",
        ),
        (json!({"ready": 1}), "cannot set more ready pods than active"),
    ] {
        let (code, _, message) = refusal(jobs.patch_status("a", &params, &patch(status)).await);
        assert_eq!(code, 422);
        assert!(message.contains(expected), "{message}");
    }
    let complete = json!({"conditions": [condition("SuccessCriteriaMet"), condition("Complete")],
        "startTime": time, "completionTime": time, "succeeded": 1});
    jobs.patch_status("a", &params, &patch(complete)).await.unwrap();
    let undone = jobs.patch_status("a", &params, &patch(json!({"conditions": []}))).await;
    assert!(refusal(undone).2.contains("cannot disable the terminal Complete=True condition"));
}

#[tokio::test(start_paused = true)]
async fn what_is_not_served_is_not_found() {
    let server = with_kronjobs();
    let client = server.client("test");
    for (uri, code) in [
        ("/apis/batch/v1/namespaces/default/cronjobs", 404),
        ("/apis/kron.io/v1beta1/namespaces/default/kronjobs", 404),
        ("/apis/kron.io/v1alpha1/namespaces/default/kronjobs/a/scale", 404),
        ("/apis/batch/v1/jobs/a", 404),
        ("/nothing", 404),
        ("/apis/batch/v1/namespaces/default/jobs?limit=x", 400),
        ("/apis/batch/v1/namespaces/default/jobs?labelSelector=a%20b", 400),
        ("/apis/batch/v1/namespaces/default/jobs?fieldSelector=spec.suspend%3Dtrue", 400),
        ("/apis/batch/v1/namespaces/default/jobs?resourceVersionMatch=Exact", 422),
    ] {
        let request = Request::get(uri).body(Vec::new()).unwrap();
        assert_eq!(refusal(client.request::<Value>(request).await).0, code, "{uri}");
    }
    let put = Request::put("/apis/batch/v1/namespaces/default/jobs").body(Vec::new()).unwrap();
    assert_eq!(refusal(client.request::<Value>(put).await).0, 405);
}

#[tokio::test(start_paused = true)]
async fn namespaces_must_be_there() {
    let server = with_kronjobs();
    let client = server.client("test");
    let api: kube::Api<k8s_openapi::api::batch::v1::Job> = kube::Api::namespaced(client.clone(), "team");
    assert_eq!(
        refusal(api.create(&PostParams::default(), &job("a")).await),
        (404, "NotFound".into(), "namespaces \"team\" not found".into())
    );
    kronjobs(&client).create(&PostParams::default(), &kronjob("k")).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn the_version_is_known() {
    let server = with_kronjobs();
    assert_eq!(server.client("test").apiserver_version().await.unwrap().major, "1");
}

#[tokio::test(start_paused = true)]
async fn fields_that_a_kind_of_kubernetes_does_not_have_are_found() {
    let server = server();
    server.serve(&StoredKind {
        api_version: "apps/v1",
        kind: "Deployment",
        plural: "deployments",
        short_names: &[],
        namespaced: true,
    });
    let create = async |spec: Value| {
        let body =
            json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "new"}, "spec": spec});
        let uri = "/apis/apps/v1/namespaces/default/deployments?fieldValidation=Strict";
        let request = Request::post(uri).body(body.to_string().into()).unwrap();
        server.client("test").request::<Value>(request).await
    };
    let (code, _, message) = refusal(create(json!({"replica": 2})).await);
    assert_eq!(code, 400);
    assert!(message.contains("unknown field \"spec.replica\""), "{message}");
    assert_eq!(refusal(create(json!({"replicas": "two"})).await).0, 400);
    assert_eq!(create(json!({"replicas": 2})).await.unwrap()["spec"]["replicas"], 2);
}
