//! The schema of `spec.jobTemplate`: free JSON, but for what would make every Job of it fail.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

use super::rules::template::job_spec;

/// Labels or annotations.
fn strings() -> Value {
    json!({"type": "object", "additionalProperties": {"type": "string"}})
}

/// An object of which only some fields are looked at; all others are kept as they were sent.
fn open(required: &[&str], properties: Value) -> Value {
    let mut schema = json!({
        "type": "object", "x-kubernetes-preserve-unknown-fields": true, "properties": properties,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// The few declared leaves only refuse what `batch/v1` refuses too: above all the unquoted `yes`, `no`, `y`, `n` and
/// numbers of YAML where a string belongs, which would fail every Job later on. And a selector.
pub(super) fn schema(_: &mut SchemaGenerator) -> Schema {
    let metadata = || open(&[], json!({"labels": strings(), "annotations": strings()}));
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    let variable = open(&[], json!({"name": {"type": "string"}, "value": {"type": "string"}}));
    let container = open(
        &[],
        json!({
            "name": {"type": "string"},
            "image": {"type": "string"},
            "command": texts(),
            "args": texts(),
            "env": {"type": "array", "items": variable},
        }),
    );
    let pod = open(
        &["containers", "restartPolicy"],
        json!({
            "restartPolicy": {"type": "string", "enum": ["Never", "OnFailure"]},
            "containers": {"type": "array", "minItems": 1, "items": container},
            "initContainers": {"type": "array", "items": container},
        }),
    );
    let pod_template = open(&["spec"], json!({"metadata": metadata(), "spec": pod}));
    let mut job = open(
        &["template"],
        json!({
            "template": pod_template,
            "selector": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
            "manualSelector": {"type": "boolean"},
        }),
    );
    job["x-kubernetes-validations"] = json!(job_spec());
    let template = open(&["spec"], json!({"metadata": metadata(), "spec": job}));
    template.try_into().unwrap_or_else(|_| json_schema!({"type": "object"}))
}
