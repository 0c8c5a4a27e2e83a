//! Changing parts of an object: merge patch and JSON patch.

use chrono::{DateTime, Utc};
use kron_api_schema::FieldError;
use serde_json::Value;

use crate::call::Call;
use crate::encode;
use crate::json;
use crate::options;
use crate::status::Status;
use crate::store::Store;
use crate::verbs::{Reply, Target, update};

const JSON_PATCH: &str = "application/json-patch+json";
const MERGE_PATCH: &str = "application/merge-patch+json";

pub(crate) fn patch(
    store: &mut Store,
    call: &Call,
    target: &Target,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let place = target.place(&call.namespace, &call.name);
    if call.parameter("force").is_some() {
        let cause = FieldError::forbidden("force", "may not be specified for non-apply patch");
        return Err(options::refuse("PatchOptions", &[cause]));
    }
    let old = store.table(target.table).get(&place.key).cloned().ok_or_else(|| target.not_found(call))?;
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
        _ => return Err(Status::unsupported_media_type(&[JSON_PATCH, MERGE_PATCH])),
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
            let cause = FieldError::invalid(format!("metadata.{key}"), found, "field is immutable");
            return Err(Status::invalid(&call.group, &view.kind, &call.name, &[cause]));
        }
    }
    Ok(())
}
