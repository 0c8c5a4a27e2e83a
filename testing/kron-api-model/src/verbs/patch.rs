//! Changing parts of an object: merge patch, JSON patch, and what the model has of strategic merge patch. `apply.rs` has server-side
//! apply.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};

use crate::call::Call;
use crate::encode;
use crate::json;
use crate::options;
use crate::resource::Strategy;
use crate::status::{Cause, Status};
use crate::store::Store;
use crate::verbs::{Reply, Target, apply, update};

const JSON_PATCH: &str = "application/json-patch+json";
const MERGE_PATCH: &str = "application/merge-patch+json";
const STRATEGIC_PATCH: &str = "application/strategic-merge-patch+json";
/// Server-side apply.
pub(crate) const APPLY: &str = "application/apply-patch+yaml";
/// The lists of a pod template whose elements strategic merge patches merge by name.
const BY_NAME: [&str; 2] = ["containers", "initContainers"];

pub(crate) fn patch(
    store: &mut Store,
    call: &Call,
    target: &Target,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let place = target.place(&call.namespace, &call.name);
    let old = store.table(target.table).get(&place.key).cloned();
    if call.content_type == APPLY {
        return apply::apply(store, call, target, old.as_ref(), now);
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
        STRATEGIC_PATCH if !matches!(target.resource.strategy, Strategy::Custom { .. }) => {
            strategic_merge(&mut new, &call.body)?;
        }
        _ => return Err(Status::unsupported_media_type(&[JSON_PATCH, MERGE_PATCH])),
    }
    check_identity(call, target, &new)?;
    update::replace(store, call, target, &old, new, now)
}

/// The answer to what real servers can do and the model cannot.
fn not_modelled(what: &str) -> Status {
    Status::new(501, "NotImplemented", format!("the model of the API server has no {what}"))
}

/// Applies a strategic merge patch of objects, single values and containers; others are refused.
fn strategic_merge(target: &mut Value, patch: &Value) -> Result<(), Status> {
    let Some(fields) = patch.as_object() else {
        *target = patch.clone();
        return Ok(());
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    for (key, value) in fields {
        // The order of elements stays: patches of the model add none.
        if key.strip_prefix("$setElementOrder/").is_some_and(|list| BY_NAME.contains(&list)) {
            continue;
        }
        if key.starts_with('$') {
            return Err(not_modelled(&format!("{key} in strategic merge patches")));
        }
        match value {
            Value::Null => drop(json::remove(target, &[key])),
            Value::Array(elements) if BY_NAME.contains(&key.as_str()) => {
                let there = target.get_mut(key).and_then(Value::as_array_mut);
                let there = there.ok_or_else(|| not_modelled("strategic merge patch that adds a list"))?;
                for element in elements {
                    let old = there.iter_mut().find(|old| old["name"] == element["name"]);
                    let old =
                        old.ok_or_else(|| not_modelled("strategic merge patch that adds an element"))?;
                    strategic_merge(old, element)?;
                }
            }
            Value::Array(_) => return Err(not_modelled(&format!("strategic merge patch of the list {key}"))),
            Value::Object(_) => strategic_merge(&mut target[key.as_str()], value)?,
            value => json::set(target, &[key], value.clone()),
        }
    }
    Ok(())
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
