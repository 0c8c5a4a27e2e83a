//! CustomResourceDefinitions: checking them, and the resource that they describe.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use kron_api_schema::{ErrorKind, FieldError, Schema};
use serde_json::{Value, json};

use crate::json;
use crate::meta;
use crate::names;
use crate::resource::{Resource, Strategy};

/// The finalizer of a definition whose objects are still there.
pub(crate) const CLEANUP: &str = "customresourcecleanup.apiextensions.k8s.io";

/// How many compiled schemas are kept.
const KEPT: usize = 8;

/// The schemas that were compiled last, as a program with many servers gives all of them the same definitions.
static COMPILED: Mutex<Vec<(Value, Arc<Schema>)>> = Mutex::new(Vec::new());

/// Compiles the schema of a version.
fn compile(schema: &Value) -> Result<Arc<Schema>, String> {
    // Nothing panics while it holds the lock.
    let compiled = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = compiled().iter().find(|(of, _)| of == schema) {
        return Ok(known.clone());
    }
    let new = Arc::new(Schema::compile(schema)?);
    let mut kept = compiled();
    kept.truncate(KEPT - 1);
    kept.insert(0, (schema.clone(), new.clone()));
    Ok(new)
}

/// Fills in names that follow from others.
pub(crate) fn default(definition: &mut Value) {
    let kind = json::text_or_empty(definition, &["spec", "names", "kind"]).to_owned();
    json::default(definition, &["spec", "names", "singular"], kind.to_lowercase());
    json::default(definition, &["spec", "names", "listKind"], format!("{kind}List"));
    json::default(definition, &["spec", "conversion"], json!({"strategy": "None"}));
}

/// What is wrong with a definition.
pub(crate) fn causes(definition: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    let text = |path: &[&str]| json::text_or_empty(definition, path);
    let (group, plural) = (text(&["spec", "group"]), text(&["spec", "names", "plural"]));
    for (field, value) in [
        ("spec.group", group),
        ("spec.names.plural", plural),
        ("spec.names.kind", text(&["spec", "names", "kind"])),
    ] {
        if value.is_empty() {
            causes.push(FieldError::required(field, ""));
        } else if field == "spec.group"
            && let Some(cause) = names::subdomain(value)
        {
            causes.push(FieldError::invalid(field, value, &cause));
        }
    }
    let name = text(&["metadata", "name"]);
    if name != format!("{plural}.{group}") {
        let detail = "must be spec.names.plural+\".\"+spec.group";
        causes.push(FieldError::invalid("metadata.name", name, detail));
    }
    let scope = text(&["spec", "scope"]);
    if !["Cluster", "Namespaced"].contains(&scope) {
        causes.push(FieldError::not_supported("spec.scope", scope, ["Cluster", "Namespaced"]));
    }
    let versions = json::list(definition, &["spec", "versions"]);
    if versions.iter().filter(|version| is_true(version, "storage")).count() != 1 {
        let versions = json::at(definition, &["spec", "versions"]).unwrap_or(&Value::Null);
        let detail = "must have exactly one version marked as storage version";
        causes.push(FieldError::invalid("spec.versions", versions.clone(), detail));
    }
    for (index, version) in versions.iter().enumerate() {
        let field = format!("spec.versions[{index}].schema.openAPIV3Schema");
        match json::at(version, &["schema", "openAPIV3Schema"]) {
            None => causes.push(FieldError::required(field, "schemas are required")),
            Some(schema) => {
                if let Err(cause) = compile(schema) {
                    causes.push(FieldError::new(ErrorKind::Invalid, field, None, cause));
                }
            }
        }
    }
    causes
}

/// What may not change in a definition.
pub(crate) fn update_causes(old: &Value, new: &Value) -> Vec<FieldError> {
    [&["spec", "group"][..], &["spec", "scope"], &["spec", "names", "plural"], &["spec", "names", "kind"]]
        .into_iter()
        .filter_map(|path| meta::changed(old, new, path))
        .collect()
}

fn is_true(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}

/// The resource that a valid definition describes, and the versions it is served in.
pub(crate) fn resource(definition: &Value) -> (Resource, Vec<String>) {
    let text = |path: &[&str]| json::text_or_empty(definition, path).to_owned();
    let (mut schemas, mut served) = (BTreeMap::new(), Vec::new());
    let (mut storage, mut status) = (String::new(), false);
    for version in json::list(definition, &["spec", "versions"]) {
        let name = json::text_or_empty(version, &["name"]).to_owned();
        if is_true(version, "storage") {
            storage.clone_from(&name);
            status = json::at(version, &["subresources", "status"]).is_some();
        }
        if is_true(version, "served") {
            served.push(name.clone());
        }
        let schema = json::at(version, &["schema", "openAPIV3Schema"]).map(compile);
        if let Some(Ok(schema)) = schema {
            schemas.insert(name, schema);
        }
    }
    let resource = Resource {
        group: text(&["spec", "group"]),
        plural: text(&["spec", "names", "plural"]),
        kind: text(&["spec", "names", "kind"]),
        list_kind: text(&["spec", "names", "listKind"]),
        singular: text(&["spec", "names", "singular"]),
        short_names: texts(definition, &["spec", "names", "shortNames"]),
        categories: texts(definition, &["spec", "names", "categories"]),
        namespaced: text(&["spec", "scope"]) == "Namespaced",
        status,
        strategy: Strategy::Custom { storage, schemas },
    };
    (resource, served)
}

fn texts(definition: &Value, path: &[&str]) -> Vec<String> {
    json::list(definition, path).iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The status of a definition at its creation: nothing is accepted yet.
pub(crate) fn initial_status(definition: &Value) -> Value {
    let stored: Vec<&Value> = json::list(definition, &["spec", "versions"])
        .iter()
        .filter(|version| is_true(version, "storage"))
        .filter_map(|version| version.get("name"))
        .collect();
    json!({"conditions": [], "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": stored})
}

/// The status of a definition whose resource is served.
pub(crate) fn established_status(definition: &Value, now: DateTime<Utc>) -> Value {
    let condition = |kind: &str, reason: &str, message: &str| {
        json!({"type": kind, "status": "True", "reason": reason, "message": message,
            "lastTransitionTime": meta::time(now)})
    };
    let mut status = initial_status(definition);
    let names = json::at(definition, &["spec", "names"]).cloned().unwrap_or_default();
    json::set(&mut status, &["acceptedNames"], names);
    let conditions = vec![
        condition("NamesAccepted", "NoConflicts", "no conflicts found"),
        condition("Established", "InitialNamesAccepted", "the initial names have been accepted"),
    ];
    json::set(&mut status, &["conditions"], conditions);
    status
}
