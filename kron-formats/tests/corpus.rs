//! The corpus of KronJob specs that real API servers accepted and refused: the core's reader of manifests agrees with
//! them, case by case.

use kron_core::ErrorCode;
use kron_core::Parser;
use kron_formats::kronjob::KronJob;
use serde_json::{Value, json};

fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                match into.get_mut(key) {
                    Some(old) if old.is_object() && value.is_object() => merge(old, value),
                    _ => drop(into.insert(key.clone(), value.clone())),
                }
            }
        }
        (into, from) => *into = from.clone(),
    }
}

fn remove(object: &mut Value, path: &str) {
    let (parent, field) = path.rsplit_once('.').unwrap_or(("", path));
    let pointer = if parent.is_empty() { String::new() } else { format!("/{}", parent.replace('.', "/")) };
    let parent = object.pointer_mut(&pointer).and_then(Value::as_object_mut).unwrap();
    parent.remove(field).unwrap_or_else(|| panic!("nothing at {path}"));
}

#[test]
fn the_core_agrees_with_api_servers() {
    let minimal = json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "case", "namespace": "default"},
        "spec": {"schedule": "0 0 * * *", "jobTemplate": {"spec": {"template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox"}]}}}}},
    });
    let mut checked = 0;
    let cases = [
        include_str!("../../testing/data/kronjob/corpus.jsonl"),
        include_str!("../../testing/data/kronjob/corpus-more.jsonl"),
    ];
    for line in cases.into_iter().flat_map(str::lines) {
        let case: Value = serde_json::from_str(line).unwrap();
        if case.get("status").is_some() || case.get("old").is_some() {
            continue;
        }
        let mut object = minimal.clone();
        merge(&mut object["spec"], &case["spec"]);
        if let Some(name) = case.get("name") {
            object["metadata"]["name"] = name.clone();
        }
        for path in case["drop"].as_array().into_iter().flatten() {
            remove(&mut object, path.as_str().unwrap());
        }
        let read = KronJob::from_value(&Parser::new(), &object);
        // What an API server cannot see, the core refuses: windows that can overlap in more than 100 periods, and what the
        // first algorithm does not compute.
        let unseen = read.as_ref().is_err_and(|error| match error.code() {
            ErrorCode::ManifestOverlap => true,
            ErrorCode::AlgorithmUnsupported => case["blind"] == true,
            _ => false,
        });
        let accepted = read.is_ok() || unseen;
        assert_eq!(accepted, case["want"] == "accept", "{}: {:?}", case["why"], read.err());
        checked += 1;
    }
    assert!(checked > 1300, "{checked} cases");
}
