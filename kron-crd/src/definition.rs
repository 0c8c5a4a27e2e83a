//! The CustomResourceDefinition of KronJob.

use serde_json::{Value, json};

use super::rules::immutable::immutable;
use super::spec::KronJobSpec;
use super::status::KronJobStatus;
use super::structural::schema_of;

/// Fields that strict mode holds, as JSON pointers within the schema of an object.
const HELD: [&str; 3] = [
    "/properties/spec/properties/schedule",
    "/properties/spec/properties/timezone",
    "/properties/spec/properties/seed/properties/strategy",
];

/// The place of an object's schema in the definition.
const SCHEMA: &str = "/spec/versions/0/schema/openAPIV3Schema";

const RULES: &str = "x-kubernetes-validations";

/// The CustomResourceDefinition of `KronJob`, `kron.io/v1alpha1`: structural schema, defaults, bounds and CEL rules. It
/// needs Kubernetes 1.30 or later (`optionalOldSelf`).
///
/// With `strict`, `spec.schedule`, `spec.timezone` and `spec.seed.strategy` cannot be changed after creation.
///
/// ```
/// let definition = kron_crd::custom_resource_definition(false);
/// assert_eq!(definition["metadata"]["name"], "kronjobs.kron.io");
/// let spec = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
/// assert_eq!(spec["properties"]["timezone"]["default"], "UTC");
/// ```
pub fn custom_resource_definition(strict: bool) -> Value {
    let mut definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "kronjobs.kron.io"},
        "spec": {
            "group": "kron.io",
            "scope": "Namespaced",
            "names": {
                "kind": "KronJob",
                "listKind": "KronJobList",
                "plural": "kronjobs",
                "singular": "kronjob",
                "shortNames": ["kj"],
            },
            "versions": [{
                "name": "v1alpha1",
                "served": true,
                "storage": true,
                "subresources": {"status": {}},
                "additionalPrinterColumns": printer_columns(),
                "schema": {"openAPIV3Schema": object_schema()},
            }],
        },
    });
    for field in HELD.iter().filter(|_| strict) {
        // Before the others, so that their messages come after this one.
        match definition.pointer_mut(&format!("{SCHEMA}{field}")).map(|field| &mut field[RULES]) {
            Some(Value::Array(rules)) => rules.insert(0, json!(immutable())),
            Some(rules) => *rules = json!([immutable()]),
            None => {}
        }
    }
    definition
}

fn object_schema() -> Value {
    json!({
        "description": "KronJob starts a Job once per period of a cron schedule, at a time drawn from a window around it.",
        "type": "object",
        "required": ["spec"],
        "properties": {
            "apiVersion": {"type": "string"},
            "kind": {"type": "string"},
            "metadata": {"type": "object"},
            "spec": schema_of::<KronJobSpec>(),
            "status": schema_of::<KronJobStatus>(),
        },
    })
}

/// What `kubectl get kj` shows, and with `-o wide` after that.
fn printer_columns() -> Value {
    json!([
        {"name": "Schedule", "type": "string", "jsonPath": ".spec.schedule"},
        {"name": "Timezone", "type": "string", "jsonPath": ".spec.timezone"},
        {"name": "Window", "type": "string", "jsonPath": ".spec.window.duration"},
        {"name": "Suspend", "type": "boolean", "jsonPath": ".spec.policy.suspend"},
        {"name": "Ready", "type": "string", "jsonPath": ".status.conditions[?(@.type==\"Ready\")].status"},
        // A column is a JSONPath, and JSONPath cannot count: the name of a Job that runs says that one does. A server
        // prints the first value that the path finds.
        {
            "name": "Active", "type": "string", "jsonPath": ".status.active[*].name",
            "description": "A Job that has not finished; status.active lists all.",
        },
        {"name": "Last outcome", "type": "string", "jsonPath": ".status.lastOutcome"},
        // As a string: a column of type date is printed as an age, and the age of a time to come is <invalid>.
        {
            "name": "Next start", "type": "string", "jsonPath": ".status.nextChosenTime",
            "description": "Chosen start of the next period.",
        },
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
        {"name": "Mode", "type": "string", "jsonPath": ".spec.window.mode", "priority": 1},
        {"name": "Distribution", "type": "string", "jsonPath": ".spec.distribution.name", "priority": 1},
        {"name": "Last start", "type": "string", "jsonPath": ".status.lastChosenTime", "priority": 1},
        {"name": "Last success", "type": "date", "jsonPath": ".status.lastSuccessfulTime", "priority": 1},
    ])
}
