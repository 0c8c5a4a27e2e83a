//! The metadata of objects: what is filled in, what is checked, what may change.

use chrono::{DateTime, SecondsFormat, Utc};
use kron_api_schema::{ErrorKind, FieldError};
use serde_json::{Map, Value};

use crate::json;
use crate::names;
use crate::resource::{Resource, Strategy};

/// The fields that metadata have; others are pruned.
const FIELDS: &[&str] = &[
    "annotations",
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "labels",
    "managedFields",
    "name",
    "namespace",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// The finalizers that need no prefix.
const STANDARD: [&str; 3] = ["orphan", "foregroundDeletion", "kubernetes"];

/// A time as metadata have it: whole seconds.
pub(crate) fn time(now: DateTime<Utc>) -> String {
    now.to_rfc3339_opts(SecondsFormat::Secs, true)
}

/// Removes metadata fields that there are not, and says so of each.
pub(crate) fn prune(object: &mut Value) -> Vec<String> {
    let mut unknown = Vec::new();
    json::map_mut(object, &["metadata"]).retain(|key, _| {
        let known = FIELDS.contains(&key.as_str());
        if !known {
            unknown.push(kron_api_schema::unknown_field(&format!("metadata.{key}")));
        }
        known
    });
    unknown
}

/// Checks what is written by callers: name, labels, annotations, finalizers, owners.
pub(crate) fn causes(resource: &Resource, object: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    let name = json::text_or_empty(object, &["metadata", "name"]);
    let generate = json::text_or_empty(object, &["metadata", "generateName"]);
    if name.is_empty() && generate.is_empty() {
        causes.push(FieldError::required("metadata.name", "name or generateName is required"));
    } else if let Some(cause) = name_cause(resource, name) {
        causes.push(FieldError::invalid("metadata.name", name, cause));
    }
    causes.extend(label_causes(object, &["metadata", "labels"], "metadata.labels"));
    causes.extend(annotation_causes(object));
    // Custom resources and their definitions may have finalizers without a prefix.
    let qualified_only = matches!(resource.strategy, Strategy::Custom { .. } | Strategy::Definition);
    for finalizer in json::list(object, &["metadata", "finalizers"]) {
        let text = finalizer.as_str().unwrap_or_default();
        if let Some(cause) = names::qualified_name(text) {
            causes.push(FieldError::invalid("metadata.finalizers", text, cause));
        } else if !qualified_only && !text.contains('/') && !STANDARD.contains(&text) {
            let detail = "name is neither a standard finalizer name nor is it fully qualified";
            causes.push(FieldError::invalid("metadata.finalizers", text, detail));
        }
    }
    causes.extend(owner_causes(object));
    causes
}

fn name_cause(resource: &Resource, name: &str) -> Option<String> {
    if name == "." || name == ".." {
        return Some(format!("may not be '{name}'"));
    }
    match resource.strategy {
        Strategy::Namespace => names::label(name),
        _ => names::subdomain(name),
    }
}

/// Checks keys and values of a map of labels.
pub(crate) fn label_causes(object: &Value, path: &[&str], field: &str) -> Vec<FieldError> {
    let mut causes = Vec::new();
    let empty = Map::new();
    let labels = json::at(object, path).and_then(Value::as_object).unwrap_or(&empty);
    for (key, value) in labels {
        if let Some(cause) = names::qualified_name(key) {
            causes.push(FieldError::invalid(field, key.as_str(), cause));
        }
        let value = value.as_str().unwrap_or_default();
        if let Some(cause) = names::label_value(value) {
            causes.push(FieldError::invalid(field, value, cause));
        }
    }
    causes
}

fn annotation_causes(object: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    let mut size = 0;
    let empty = Map::new();
    let annotations =
        json::at(object, &["metadata", "annotations"]).and_then(Value::as_object).unwrap_or(&empty);
    for (key, value) in annotations {
        size += key.len() + value.as_str().map_or(0, str::len);
        if let Some(cause) = names::qualified_name(&key.to_lowercase()) {
            causes.push(FieldError::invalid("metadata.annotations", key.as_str(), cause));
        }
    }
    if size > 256 * 1024 {
        let detail = "may not be more than 262144 bytes";
        causes.push(FieldError::new(ErrorKind::TooLong, "metadata.annotations", None, detail));
    }
    causes
}

fn owner_causes(object: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    let mut controller: Option<&str> = None;
    for (index, owner) in json::list(object, &["metadata", "ownerReferences"]).iter().enumerate() {
        for key in ["apiVersion", "kind", "name", "uid"] {
            if json::text_or_empty(owner, &[key]).is_empty() {
                let detail =
                    if key == "apiVersion" { "version must not be empty" } else { "must not be empty" };
                let field = format!("metadata.ownerReferences[{index}].{key}");
                causes.push(FieldError::invalid(field, "", detail));
            }
        }
        if json::at(owner, &["controller"]) == Some(&Value::Bool(true)) {
            let name = json::text_or_empty(owner, &["name"]);
            if let Some(other) = controller {
                let detail = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {other} and {name}"
                );
                let references = json::at(object, &["metadata", "ownerReferences"]).unwrap_or(&Value::Null);
                causes.push(FieldError::invalid("metadata.ownerReferences", references.clone(), detail));
            }
            controller = Some(name);
        }
    }
    causes
}

/// Whether labels and annotations are maps of texts, which every typed decoder asks for.
pub(crate) fn decode_error(object: &Value) -> Option<String> {
    for key in ["labels", "annotations"] {
        let Some(map) = json::at(object, &["metadata", key]) else { continue };
        let Some(map) = map.as_object() else {
            return Some(format!("metadata.{key}: expected a map, but found `{map}`"));
        };
        if let Some((name, value)) = map.iter().find(|(_, value)| !value.is_string() && !value.is_null()) {
            return Some(format!("metadata.{key}.{name}: expected a string, but found `{value}`"));
        }
    }
    for key in ["name", "namespace", "generateName", "uid", "resourceVersion"] {
        if let Some(value) = json::at(object, &["metadata", key]).filter(|value| !value.is_string()) {
            return Some(format!("metadata.{key}: expected a string, but found `{value}`"));
        }
    }
    None
}

/// The error of a field that may not change and has changed.
pub(crate) fn changed(old: &Value, new: &Value, path: &[&str]) -> Option<FieldError> {
    let (before, after) = (json::at(old, path), json::at(new, path));
    (before != after).then(|| {
        FieldError::invalid(path.join("."), after.cloned().unwrap_or_default(), "field is immutable")
    })
}

/// Carries over what callers cannot change, and checks what they tried to.
pub(crate) fn carry_over(old: &Value, new: &mut Value) -> Vec<FieldError> {
    for key in [
        "uid",
        "creationTimestamp",
        "generation",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "generateName",
    ] {
        json::copy(old, new, &["metadata", key]);
    }
    if json::at(new, &["metadata", "managedFields"]).is_none() {
        json::copy(old, new, &["metadata", "managedFields"]);
    }
    let mut causes = Vec::new();
    if json::at(old, &["metadata", "deletionTimestamp"]).is_some() {
        let added: Vec<String> = json::list(new, &["metadata", "finalizers"])
            .iter()
            .filter(|finalizer| !json::list(old, &["metadata", "finalizers"]).contains(finalizer))
            .map(Value::to_string)
            .collect();
        if !added.is_empty() {
            let detail = format!(
                "no new finalizers can be added if the object is being deleted, found new finalizers []string{{{}}}",
                added.join(", ")
            );
            causes.push(FieldError::forbidden("metadata.finalizers", detail));
        }
    }
    causes
}
