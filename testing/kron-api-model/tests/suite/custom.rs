//! Custom resources with a schema: what is pruned, put in, refused and forgiven.

use kron_api_model::Server;
use kube::api::{Api, DynamicObject, Patch, PatchParams, PostParams};
use serde_json::{Value, json};

use crate::world::{definition, kronjob, kronjobs, refusal, server};

fn schema(limit: u32, default: u32) -> Value {
    let mut definition = definition();
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = json!({
        "type": "object", "required": ["spec"],
        "properties": {
            "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
            "spec": {"type": "object", "properties": {
                "schedule": {"type": "string", "maxLength": 20},
                "size": {"type": "integer", "default": default,
                    "x-kubernetes-validations": [{"rule": format!("self <= {limit}"), "message": "too big"}]},
                "jobTemplate": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            }},
            "status": {"type": "object", "properties": {"lastOutcome": {"type": "string", "enum": ["executed"]}}},
        },
    });
    definition
}

fn world() -> (Server, Api<DynamicObject>) {
    let server = server();
    server.create(schema(10, 3)).unwrap();
    let api = kronjobs(&server.client("test"));
    (server, api)
}

#[tokio::test(start_paused = true)]
async fn objects_are_pruned_defaulted_and_judged() {
    let (_server, api) = world();
    let mut object = kronjob("k");
    object.data["spec"]["colour"] = json!("red");
    object.data["spec"]["jobTemplate"] = json!({"any": {"thing": 1}});
    let strict = PostParams { field_manager: None, dry_run: false };
    let created = api.create(&strict, &object).await.unwrap();
    assert_eq!(
        created.data["spec"],
        json!({"schedule": "0 * * * *", "size": 3, "jobTemplate": {"any": {"thing": 1}}})
    );
    let mut wrong = kronjob("l");
    wrong.data["spec"]["size"] = json!(11);
    let (code, _, message) = refusal(api.create(&PostParams::default(), &wrong).await);
    assert_eq!(
        (code, message.as_str()),
        (422, "KronJob.kron.io \"l\" is invalid: spec.size: Invalid value: 11: too big")
    );
    let mut status = created.clone();
    status.data["status"] = json!({"lastOutcome": "unheard of", "odd": 1});
    let (code, _, message) = refusal(api.replace_status("k", &PostParams::default(), &status).await);
    assert_eq!(code, 422);
    assert!(message.contains("status.lastOutcome: Unsupported value: \"unheard of\""), "{message}");
    status.data["status"] = json!({"lastOutcome": "executed", "odd": 1});
    let written = api.replace_status("k", &PostParams::default(), &status).await.unwrap();
    assert_eq!(written.data["status"], json!({"lastOutcome": "executed"}));
}

#[tokio::test(start_paused = true)]
async fn strict_callers_get_unknown_fields_first() {
    let (server, _) = world();
    let mut object = serde_json::to_value(kronjob("k")).unwrap();
    object["spec"]["colour"] = json!("red");
    object["spec"]["size"] = json!(11);
    let uri = "/apis/kron.io/v1alpha1/namespaces/default/kronjobs?fieldValidation=Strict";
    let request = http::Request::post(uri).body(object.to_string().into_bytes()).unwrap();
    let (code, _, message) = refusal(server.client("test").request::<Value>(request).await);
    assert_eq!(
        (code, message.as_str()),
        (
            400,
            "KronJob in version \"v1alpha1\" cannot be handled as a KronJob: strict decoding error: unknown field \
             \"spec.colour\""
        )
    );
}

#[tokio::test(start_paused = true)]
async fn a_new_schema_meets_old_objects() {
    let (server, api) = world();
    let mut object = kronjob("k");
    object.data["spec"]["size"] = json!(9);
    api.create(&PostParams::default(), &object).await.unwrap();
    let crds = "customresourcedefinitions";
    let stricter = schema(5, 4);
    let client = server.client("test");
    let definitions: Api<
        k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
    > = Api::all(client);
    let patch = Patch::Merge(json!({"spec": stricter["spec"]}));
    definitions.patch("kronjobs.kron.io", &PatchParams::default(), &patch).await.unwrap();
    assert_eq!(server.count("apiextensions.k8s.io/v1", crds), 1);
    let params = PatchParams::default();
    let label = Patch::Merge(json!({"metadata": {"labels": {"a": "b"}}}));
    api.patch("k", &params, &label).await.unwrap();
    let worse = Patch::Merge(json!({"spec": {"size": 8}}));
    assert_eq!(refusal(api.patch("k", &params, &worse).await).0, 422, "only what did not change is forgiven");
    let status = Patch::Merge(json!({"status": {"lastOutcome": "executed"}}));
    api.patch_status("k", &params, &status).await.unwrap();
    let fresh = api.create(&PostParams::default(), &kronjob("l")).await.unwrap();
    assert_eq!(fresh.data["spec"]["size"], 4);
}
