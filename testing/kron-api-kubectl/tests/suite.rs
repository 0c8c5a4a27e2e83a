//! What programs such as kubectl and Helm ask for beyond what clients of kube do.

use kron_api_model::{Server, StoredKind};
use serde_json::{Value, json};

#[path = "../../kron-api-model/tests/suite/world.rs"]
#[allow(dead_code, reason = "the suite of the model uses all of it")]
mod world;

use world::{kronjob, kronjobs, with_kronjobs};

/// The code and the JSON of an answer.
async fn ask(server: &Server, request: http::request::Builder, body: Value) -> (u16, Value) {
    let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
    let request = request.body(kube::client::Body::from(body)).unwrap();
    let answer = kron_api_kubectl::client(server, "program").send(request).await.unwrap();
    let code = answer.status().as_u16();
    let bytes = answer.into_body().collect_bytes().await.unwrap();
    (code, serde_json::from_slice(&bytes).unwrap())
}

async fn get(server: &Server, path: &str) -> (u16, Value) {
    ask(server, http::Request::get(path), Value::Null).await
}

async fn patch(server: &Server, path: &str, kind: &str, body: Value) -> (u16, Value) {
    ask(server, http::Request::patch(path).header("content-type", kind), body).await
}

const STRATEGIC: &str = "application/strategic-merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";
const DEPLOYMENTS: &str = "/apis/apps/v1/namespaces/default/deployments";

fn with_deployment() -> Server {
    let server = with_kronjobs();
    server.serve(&StoredKind {
        api_version: "apps/v1",
        kind: "Deployment",
        plural: "deployments",
        short_names: &["deploy"],
        namespaced: true,
    });
    let containers = json!([{"name": "a", "image": "one", "args": ["x"]}, {"name": "b", "image": "two"}]);
    server
        .create(json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "default"},
            "spec": {"replicas": 2, "template": {"spec": {"containers": containers}}},
        }))
        .unwrap();
    server
}

#[tokio::test(start_paused = true)]
async fn what_is_served_can_be_discovered() {
    let server = with_deployment();
    let (_, groups) = get(&server, "/apis").await;
    let names: Vec<&Value> =
        groups["groups"].as_array().unwrap().iter().map(|group| &group["name"]).collect();
    assert!(names.contains(&&json!("kron.io")) && names.contains(&&json!("apps")), "{names:?}");
    assert!(!names.contains(&&json!("")), "{names:?}");
    let (_, group) = get(&server, "/apis/kron.io").await;
    assert_eq!(group["preferredVersion"], json!({"groupVersion": "kron.io/v1alpha1", "version": "v1alpha1"}));
    let (_, resources) = get(&server, "/apis/kron.io/v1alpha1").await;
    let kronjobs = &resources["resources"][0];
    assert_eq!(kronjobs["name"], "kronjobs");
    assert_eq!(kronjobs["shortNames"], json!(["kj"]));
    assert_eq!(resources["resources"][1]["name"], "kronjobs/status");
    let (_, core) = get(&server, "/api/v1").await;
    assert!(core["resources"].as_array().unwrap().iter().any(|resource| resource["name"] == "namespaces"));
    let (_, documents) = get(&server, "/openapi/v3").await;
    let url = documents["paths"]["apis/apps/v1"]["serverRelativeURL"].as_str().unwrap();
    let (_, document) = get(&server, url).await;
    let patch = &document["paths"]["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"]["patch"];
    assert!(
        patch["parameters"].as_array().unwrap().iter().any(|p| p["name"] == "fieldValidation"),
        "{document}"
    );
    for nothing in ["/apis/other.example", "/apis/kron.io/v9", "/openapi/v3/apis/other.example/v1"] {
        assert_eq!(get(&server, nothing).await.0, 404, "{nothing}");
    }
}

#[tokio::test(start_paused = true)]
async fn tables_have_the_columns_of_the_definition() {
    let server = with_kronjobs();
    let name = "kronjobs.kron.io";
    let table = async || {
        let accept = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";
        let request = http::Request::get("/apis/kron.io/v1alpha1/kronjobs").header("accept", accept);
        ask(&server, request, Value::Null).await.1
    };
    kronjobs(&server.client("user")).create(&Default::default(), &kronjob("a")).await.unwrap();
    tokio::time::sleep(std::time::Duration::from_secs(130)).await;
    let usual = table().await;
    assert_eq!(usual["rows"][0]["cells"], json!(["a", "2m10s"]));
    assert_eq!(usual["rows"][0]["object"]["metadata"]["namespace"], "default");
    let columns = json!([
        {"name": "Schedule", "type": "string", "jsonPath": ".spec.schedule"},
        {"name": "Missing", "type": "string", "jsonPath": ".status.nothing"},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp", "priority": 1},
    ]);
    server.edit("apiextensions.k8s.io/v1", "customresourcedefinitions", "", name, |definition| {
        definition["spec"]["versions"][0]["additionalPrinterColumns"] = columns;
    });
    let own = table().await;
    assert_eq!(own["rows"][0]["cells"], json!(["a", "0 * * * *", null, "2m10s"]));
    let heads = own["columnDefinitions"].as_array().unwrap();
    assert_eq!(heads[1]["name"], "Schedule");
    assert_eq!(heads[3]["priority"], 1);
}

#[tokio::test(start_paused = true)]
async fn strategic_merge_patches_know_containers_and_refuse_what_they_do_not_know() {
    let server = with_deployment();
    let path = format!("{DEPLOYMENTS}/web");
    let body = json!({"spec": {"template": {"spec": {
        "$setElementOrder/containers": [{"name": "a"}, {"name": "b"}],
        "containers": [{"name": "a", "image": "three"}],
    }}}});
    let (code, patched) = patch(&server, &path, STRATEGIC, body).await;
    assert_eq!(code, 200, "{patched}");
    let wanted = json!([{"name": "a", "image": "three", "args": ["x"]}, {"name": "b", "image": "two"}]);
    assert_eq!(patched["spec"]["template"]["spec"]["containers"], wanted);
    assert_eq!(patched["spec"]["replicas"], 2);
    assert_eq!(patched["metadata"]["generation"], 2);
    for body in [
        json!({"spec": {"template": {"spec": {"containers": [{"name": "c"}]}}}}),
        json!({"spec": {"template": {"spec": {"tolerations": [{"key": "a"}]}}}}),
        json!({"spec": {"$patch": "replace"}}),
    ] {
        let (code, refused) = patch(&server, &path, STRATEGIC, body).await;
        assert_eq!(code, 501, "{refused}");
    }
    // As on real servers.
    kronjobs(&server.client("user")).create(&Default::default(), &kronjob("a")).await.unwrap();
    let custom = "/apis/kron.io/v1alpha1/namespaces/default/kronjobs/a";
    assert_eq!(patch(&server, custom, STRATEGIC, json!({"spec": {}})).await.0, 415);
}

#[tokio::test(start_paused = true)]
async fn server_side_apply_makes_and_changes_what_its_callers_want() {
    let server = with_deployment();
    let object = |annotations: Value, replicas: Value| {
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "new", "annotations": annotations},
            "spec": {"replicas": replicas},
        })
    };
    let path = format!("{DEPLOYMENTS}/new");
    let first = object(json!({"a": "1", "b": "1"}), json!(1));
    assert_eq!(patch(&server, &path, APPLY, first.clone()).await.0, 422, "without a field manager");
    let one = format!("{path}?fieldManager=one");
    let (code, made) = patch(&server, &one, APPLY, first.clone()).await;
    assert_eq!(code, 201, "{made}");
    let managed = &made["metadata"]["managedFields"][0];
    assert_eq!((&managed["manager"], &managed["operation"]), (&json!("one"), &json!("Apply")));
    assert_eq!(managed["fieldsV1"]["f:metadata"]["f:annotations"], json!({"f:a": {}, "f:b": {}}));
    // The same again changes nothing but the time of the entry.
    assert_eq!(patch(&server, &one, APPLY, first).await.0, 200);
    // What is wanted no more goes; fields of other writers stay.
    let other = json!({"metadata": {"labels": {"team": "x"}}});
    assert_eq!(patch(&server, &path, "application/merge-patch+json", other).await.0, 200);
    let (code, changed) = patch(&server, &one, APPLY, object(json!({"a": "2"}), json!(1))).await;
    assert_eq!(code, 200, "{changed}");
    assert_eq!(changed["metadata"]["annotations"], json!({"a": "2"}));
    assert_eq!(changed["metadata"]["labels"], json!({"team": "x"}));
    // Another caller has a conflict, unless it has the same value or takes the field.
    let two = format!("{path}?fieldManager=two");
    assert_eq!(patch(&server, &two, APPLY, object(json!({"c": "3"}), json!(1))).await.0, 200);
    let (code, refused) = patch(&server, &two, APPLY, object(json!({"c": "3"}), json!(5))).await;
    assert_eq!((code, &refused["reason"]), (409, &json!("Conflict")), "{refused}");
    assert!(refused["message"].as_str().unwrap().contains(".spec.replicas"), "{refused}");
    let force = format!("{two}&force=true");
    let (code, forced) = patch(&server, &force, APPLY, object(json!({"c": "3"}), json!(5))).await;
    assert_eq!((code, &forced["spec"]["replicas"]), (200, &json!(5)), "{forced}");
    // The first one has it no more.
    let nothing = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "new"}});
    let (code, left) = patch(&server, &one, APPLY, nothing).await;
    assert_eq!((code, &left["spec"]["replicas"]), (200, &json!(5)), "{left}");
    assert_eq!(left["metadata"]["annotations"], json!({"c": "3"}));
}

#[tokio::test(start_paused = true)]
async fn bodies_in_protobuf_are_those_of_few_kinds() {
    let server = world::server();
    let create = async |kind: &[u8]| {
        let type_of = [b"\x0a\x02v1\x12", &[u8::try_from(kind.len()).unwrap()][..], kind].concat();
        let object = b"\x0a\x06\x0a\x04team";
        let mut body = b"k8s\0".to_vec();
        for (tag, field) in [(0x0a, &type_of[..]), (0x12, object)] {
            body.extend([tag, u8::try_from(field.len()).unwrap()]);
            body.extend(field);
        }
        let request = http::Request::post("/api/v1/namespaces")
            .header("content-type", "application/vnd.kubernetes.protobuf");
        let request = request.body(kube::client::Body::from(body)).unwrap();
        kron_api_kubectl::client(&server, "program").send(request).await.unwrap().status().as_u16()
    };
    assert_eq!(create(b"Pod").await, 415);
    assert_eq!(create(b"Namespace").await, 201);
    assert!(server.get("v1", "namespaces", "", "team").is_some());
}
