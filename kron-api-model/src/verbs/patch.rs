//! Changing parts of an object: merge patch, JSON patch, server-side apply.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::call::Call;
use crate::encode;
use crate::json;
use crate::kinds::Part;
use crate::options;
use crate::status::{Cause, Status};
use crate::store::Store;
use crate::verbs::{self, Reply, Target, create, update};

const JSON_PATCH: &str = "application/json-patch+json";
const MERGE_PATCH: &str = "application/merge-patch+json";
const APPLY: &str = "application/apply-patch+yaml";

pub(crate) fn patch(
    store: &mut Store,
    call: &Call,
    target: &Target,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let place = target.place(&call.namespace, &call.name);
    let old = store.table(target.table).get(&place.key).cloned();
    if call.content_type == APPLY {
        return apply(store, call, target, now);
    }
    if call.parameter("force").is_some() {
        let cause = Cause::forbidden("force", "may not be specified for non-apply patch");
        return Err(options::refuse("PatchOptions", &[cause]));
    }
    let Some(old) = old else { return Err(target.not_found(call)) };
    let mut new = encode::to_view(&old.value, &target.view);
    match call.content_type.as_str() {
        MERGE_PATCH => {
            if !call.body.is_object() {
                return Err(Status::bad_request("error decoding patch: a merge patch is a JSON object"));
            }
            json_patch::merge(&mut new, &call.body);
        }
        JSON_PATCH => {
            let operations: json_patch::Patch = serde_json::from_value((*call.body).clone())
                .map_err(|error| Status::bad_request(format!("error decoding patch: {error}")))?;
            json_patch::patch(&mut new, &operations).map_err(|error| {
                Status::new(
                    422,
                    "Invalid",
                    format!("the server rejected our request due to an error in our request: {error}"),
                )
            })?;
        }
        _ => return Err(Status::unsupported_media_type(&[JSON_PATCH, MERGE_PATCH, APPLY])),
    }
    check_identity(call, target, &new)?;
    update::replace(store, call, target, &old, new, now)
}

/// A patch may not make another object of it.
fn check_identity(call: &Call, target: &Target, new: &Value) -> Result<(), Status> {
    let view = &target.view;
    if json::text_or_empty(new, &["apiVersion"]) != view.api_version
        || json::text_or_empty(new, &["kind"]) != view.kind
    {
        return Err(Status::bad_request("a patch may not change apiVersion and kind"));
    }
    for (key, expected) in [("name", &call.name), ("namespace", &call.namespace)] {
        let found = json::text_or_empty(new, &["metadata", key]);
        if found != expected {
            let cause = Cause::immutable(format!("metadata.{key}"), &Value::from(found));
            return Err(Status::invalid(&call.group, &view.kind, &call.name, &[cause]));
        }
    }
    Ok(())
}

/// Server-side apply: what the manager names is set, what it named before and does not name any more is removed.
fn apply(store: &mut Store, call: &Call, target: &Target, now: DateTime<Utc>) -> Result<Reply, Status> {
    if call.field_manager.is_empty() {
        let cause = Cause::required("fieldManager", "is required for apply patch");
        return Err(options::refuse("PatchOptions", &[cause]));
    }
    let wanted = verbs::read_object(call, target)?;
    if json::at(&wanted, &["metadata", "managedFields"]).is_some() {
        return Err(Status::bad_request("metadata.managedFields must be nil"));
    }
    let place = target.place(&call.namespace, &call.name);
    let Some(old) = store.table(target.table).get(&place.key).cloned() else {
        if verbs::part(call) == Part::Status {
            return Err(target.not_found(call));
        }
        if !json::text_or_empty(&wanted, &["metadata", "uid"]).is_empty() {
            let cause = "uid mismatch: the provided object specified uid, and no existing object was found";
            return Err(Status::conflict(&call.group, &call.resource, &call.name, cause));
        }
        let reply = create::insert(store, call, target, wanted.clone(), now)?;
        remember(store, call, target, wanted);
        return Ok(reply);
    };
    let managers = store.applied.get(old.uid());
    let former = managers.and_then(|managers| managers.get(&call.field_manager)).cloned();
    if call.parameter("force") != Some("true") {
        let others = managers.into_iter().flatten().filter(|(manager, _)| **manager != call.field_manager);
        for (manager, theirs) in others {
            let mut fields = Vec::new();
            differences(&wanted, theirs, "", &mut fields);
            if !fields.is_empty() {
                return Err(apply_conflict(manager, &fields));
            }
        }
    }
    let mut new = encode::to_view(&old.value, &target.view);
    if let Some(former) = &former {
        forget(&mut new, former, &wanted);
    }
    merge(&mut new, &wanted);
    let reply = update::replace(store, call, target, &old, new, now)?;
    remember(store, call, target, wanted);
    Ok(reply)
}

fn remember(store: &mut Store, call: &Call, target: &Target, mut wanted: Value) {
    let uid = store.get(target.table, &call.namespace, &call.name).map(|object| object.uid().to_owned());
    if let (Some(uid), false) = (uid, call.dry_run) {
        // What identifies an object belongs to nobody.
        for path in [&["apiVersion"][..], &["kind"]] {
            json::remove(&mut wanted, path);
        }
        for key in ["name", "namespace", "uid", "resourceVersion"] {
            json::remove(&mut wanted, &["metadata", key]);
        }
        store.applied.entry(uid).or_default().insert(call.field_manager.clone(), wanted);
    }
}

fn apply_conflict(manager: &str, fields: &[String]) -> Status {
    let causes: Vec<Value> = fields
        .iter()
        .map(|field| {
            serde_json::json!({"reason": "FieldManagerConflict", "field": field,
                "message": format!("conflict with {manager:?}")})
        })
        .collect();
    let count = fields.len();
    let plural = if count == 1 { "conflict" } else { "conflicts" };
    let mut status = Status::new(
        409,
        "Conflict",
        format!("Apply failed with {count} {plural}: {plural} with {manager:?}: {}", fields.join(", ")),
    );
    status.details = serde_json::json!({"causes": causes});
    status
}

/// The fields that both set, to different values.
fn differences(ours: &Value, theirs: &Value, path: &str, fields: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (key, value) in ours {
                if let Some(other) = theirs.get(key) {
                    differences(value, other, &format!("{path}.{key}"), fields);
                }
            }
        }
        _ if ours != theirs => fields.push(path.to_owned()),
        _ => {}
    }
}

/// Removes what was applied before and is not applied now.
fn forget(object: &mut Value, former: &Value, wanted: &Value) {
    let (Value::Object(object), Value::Object(former)) = (object, former) else { return };
    let nothing = Value::Object(Map::new());
    for (key, value) in former {
        match wanted.get(key) {
            Some(wanted) => {
                if let Some(object) = object.get_mut(key) {
                    forget(object, value, wanted);
                }
            }
            None if value.is_object() => {
                if let Some(inner) = object.get_mut(key) {
                    forget(inner, value, &nothing);
                    if inner.as_object().is_some_and(Map::is_empty) {
                        object.remove(key);
                    }
                }
            }
            None => drop(object.remove(key)),
        }
    }
}

/// Maps are merged, everything else is set.
fn merge(object: &mut Value, wanted: &Value) {
    match (object, wanted) {
        (Value::Object(object), Value::Object(wanted)) => {
            for (key, value) in wanted {
                merge(object.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (object, wanted) => *object = wanted.clone(),
    }
}
