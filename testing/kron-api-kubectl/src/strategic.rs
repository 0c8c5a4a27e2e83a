//! Strategic merge patches, as far as kubectl and Helm send them.

use kron_api_model::{Server, Status};
use serde_json::{Map, Value};

use crate::definition::definition;

/// The lists of a pod template whose elements strategic merge patches merge by name.
const BY_NAME: [&str; 2] = ["containers", "initContainers"];

/// An object with a patch applied. Custom resources have no such patches.
pub(crate) fn patch(server: &Server, object: &Value, patch: &Value) -> Result<Value, Status> {
    let text = |key: &str| object[key].as_str().unwrap_or_default();
    if definition(server, text("apiVersion"), text("kind")).is_some() {
        return Err(Status::unsupported_media_type(&[
            "application/json-patch+json",
            "application/merge-patch+json",
        ]));
    }
    let mut new = object.clone();
    strategic_merge(&mut new, patch)?;
    Ok(new)
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
            Value::Null => drop(target.as_object_mut().and_then(|map| map.remove(key))),
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
            value => target[key.as_str()] = value.clone(),
        }
    }
    Ok(())
}
