//! Cases of `testing/data/kronjob`, run through the schema as an API server runs a request.

use kron_api_schema::{FieldError, Schema, aggregate};
use kron_crd::custom_resource_definition;
use serde_json::{Value, json};

/// All cases for the plain definition.
pub const PLAIN: [&str; 2] = [
    include_str!("../../../testing/data/kronjob/corpus.jsonl"),
    include_str!("../../../testing/data/kronjob/corpus-more.jsonl"),
];

/// The cases for the definition of strict mode.
pub const STRICT: &str = include_str!("../../../testing/data/kronjob/corpus-strict.jsonl");

/// Reads cases, except those about status fields of earlier names (see the README next to the cases).
pub fn read(text: &str) -> Vec<Value> {
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    cases.filter(|case| !is_of_earlier_names(case)).collect()
}

pub fn is_of_earlier_names(case: &Value) -> bool {
    ["handledPeriods", "effectiveFrom"].iter().any(|field| case["status"].get(field).is_some())
        && case["strict"] != true
}

/// The schema of a definition.
pub fn openapi_schema(definition: &Value) -> &Value {
    &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
}

/// The names of the fields of the status.
pub fn status_fields() -> Vec<String> {
    let definition = custom_resource_definition(false);
    let status = &openapi_schema(&definition)["properties"]["status"];
    status["properties"].as_object().unwrap().keys().cloned().collect()
}

pub fn schema(strict: bool) -> Schema {
    Schema::compile(openapi_schema(&custom_resource_definition(strict))).unwrap()
}

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

/// A minimal valid object with the case's spec merged in.
pub fn object(spec: &Value, case: &Value) -> Value {
    let mut object = json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "case", "namespace": "default"},
        "spec": {"schedule": "0 0 * * *", "jobTemplate": {"spec": {"template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox"}]}}}}},
    });
    merge(&mut object["spec"], spec);
    if let Some(name) = case.get("name") {
        object["metadata"]["name"] = name.clone();
    }
    object
}

/// The object of a create or update, without what the case drops.
pub fn sent(case: &Value) -> Value {
    let mut object = object(&case["spec"], case);
    for path in case["drop"].as_array().into_iter().flatten() {
        let path = path.as_str().unwrap();
        let (parent, field) = path.rsplit_once('.').unwrap_or(("", path));
        let pointer =
            if parent.is_empty() { String::new() } else { format!("/{}", parent.replace('.', "/")) };
        let parent = object.pointer_mut(&pointer).and_then(Value::as_object_mut).unwrap();
        parent.remove(field).unwrap_or_else(|| panic!("nothing at {path}"));
    }
    object
}

/// What the server answers.
pub struct Answer {
    /// The object as it would be stored.
    pub object: Value,
    /// Unknown fields: an error under strict field validation.
    pub unknown: Vec<String>,
    /// All other errors.
    pub errors: Vec<FieldError>,
}

impl Answer {
    /// The text of the refusal under strict field validation, or without.
    pub fn refusal(&self, strict_fields: bool) -> Option<String> {
        if strict_fields && !self.unknown.is_empty() {
            return Some(format!("strict decoding error: {}", self.unknown.join(", ")));
        }
        (!self.errors.is_empty()).then(|| aggregate(&self.errors))
    }
}

/// Runs a case.
pub fn run(schema: &Schema, case: &Value) -> Answer {
    let stored = (case.get("old").is_some() || case.get("status").is_some()).then(|| {
        let mut stored = object(case.get("old").unwrap_or(&json!({})), case);
        schema.admit(&mut stored, None).unwrap_or_else(|errors| panic!("{case}: {}", aggregate(&errors)));
        stored
    });
    let mut object = match (case.get("status"), &stored) {
        (Some(status), Some(stored)) => {
            let mut object = stored.clone();
            object["status"] = status.clone();
            object
        }
        _ => sent(case),
    };
    let unknown = schema.prune(&mut object);
    schema.default(&mut object);
    let errors = schema.validate(&object, stored.as_ref()).err().unwrap_or_default();
    Answer { object, unknown, errors }
}
