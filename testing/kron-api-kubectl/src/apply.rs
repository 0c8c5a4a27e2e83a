//! Server-side apply: a caller says which fields it wants, and the server remembers who wanted which.
//!
//! Only fields of those who apply are remembered, in `managedFields`. Lists are single values.

use std::collections::BTreeSet;

use chrono::{DateTime, SecondsFormat, Utc};
use kron_api_model::{FieldError, Status};
use serde_json::{Map, Value, json};

const MANAGED: &str = "/metadata/managedFields";
/// What names an object belongs to nobody.
const IDENTITY: [&[&str]; 4] =
    [&["apiVersion"], &["kind"], &["metadata", "name"], &["metadata", "namespace"]];

/// The keys that lead to a field.
type Path = Vec<String>;

/// The object that a caller wants, made of the one that is there.
pub(crate) fn apply(
    old: Option<&Value>,
    wanted: &Value,
    query: &str,
    now: DateTime<Utc>,
) -> Result<Value, Status> {
    let parameter = |name: &str| {
        let mut query = form_urlencoded::parse(query.as_bytes());
        query.find_map(|(key, value)| (key == name).then(|| value.into_owned())).unwrap_or_default()
    };
    let manager = parameter("fieldManager");
    if manager.is_empty() {
        let error = FieldError::required("fieldManager", "is required for apply patch");
        return Err(Status::invalid("meta.k8s.io", "PatchOptions", "", &[error]));
    }
    if wanted.pointer(MANAGED).is_some_and(|managed| !managed.is_null()) {
        return Err(Status::bad_request("metadata.managedFields must be nil"));
    }
    let mut new = old.unwrap_or(wanted).clone();
    let fields = fields_of(wanted);
    let others: Vec<(String, BTreeSet<Path>)> =
        managers(&new).into_iter().filter(|(name, _)| *name != manager).collect();
    let differs = |path: &Path| at(&new, path) != at(wanted, path);
    let taken = |path: &&Path| others.iter().any(|(_, owned)| owned.contains(*path)) && differs(path);
    let conflicts: Vec<&Path> = fields.iter().filter(taken).collect();
    if !conflicts.is_empty() && parameter("force") != "true" {
        let paths: Vec<String> = conflicts.iter().map(|path| format!(".{}", path.join("."))).collect();
        let message = format!("Apply failed with {} conflicts: {}", paths.len(), paths.join(", "));
        return Err(Status::new(409, "Conflict", message));
    }
    // What this caller wanted before and wants no more goes, unless another one wants it.
    let before = managers(&new).into_iter().find(|(name, _)| *name == manager);
    for path in before.iter().flat_map(|(_, owned)| owned.difference(&fields)) {
        if !others.iter().any(|(_, owned)| owned.contains(path)) {
            remove(&mut new, path);
        }
    }
    for path in &fields {
        if let Some(value) = at(wanted, path) {
            let place = path.iter().fold(&mut new, |object, key| {
                if !object.is_object() {
                    *object = json!({});
                }
                &mut object[key.as_str()]
            });
            *place = value.clone();
        }
    }
    let others = others.into_iter().map(|(name, owned)| {
        let left = owned.into_iter().filter(|path| !conflicts.contains(&path)).collect();
        (name, left)
    });
    let all: Vec<(String, BTreeSet<Path>)> =
        others.chain([(manager.clone(), fields.clone())]).filter(|(_, owned)| !owned.is_empty()).collect();
    let entries = all.iter().map(|(name, owned)| {
        json!({
            "manager": name, "operation": "Apply", "apiVersion": wanted["apiVersion"],
            "time": now.to_rfc3339_opts(SecondsFormat::Secs, true),
            "fieldsType": "FieldsV1", "fieldsV1": tree(owned),
        })
    });
    new["metadata"]["managedFields"] = entries.collect();
    Ok(new)
}

/// The fields that an object sets, but for those that name it.
fn fields_of(object: &Value) -> BTreeSet<Path> {
    fn add(value: &Value, path: &mut Path, into: &mut BTreeSet<Path>) {
        match value {
            Value::Object(map) if !map.is_empty() => {
                for (key, value) in map {
                    path.push(key.clone());
                    add(value, path, into);
                    path.pop();
                }
            }
            _ => drop(into.insert(path.clone())),
        }
    }
    let mut fields = BTreeSet::new();
    add(object, &mut Vec::new(), &mut fields);
    fields.retain(|path| !IDENTITY.contains(&&*path.iter().map(String::as_str).collect::<Vec<_>>()));
    fields
}

/// Who applied which fields.
fn managers(object: &Value) -> Vec<(String, BTreeSet<Path>)> {
    fn add(fields: &Value, path: &mut Path, into: &mut BTreeSet<Path>) {
        let Some(map) = fields.as_object().filter(|map| !map.is_empty()) else {
            into.insert(path.clone());
            return;
        };
        for (key, value) in map {
            path.push(key.trim_start_matches("f:").to_string());
            add(value, path, into);
            path.pop();
        }
    }
    let entries = object.pointer(MANAGED).and_then(Value::as_array);
    entries
        .into_iter()
        .flatten()
        .map(|entry| {
            let mut owned = BTreeSet::new();
            add(&entry["fieldsV1"], &mut Vec::new(), &mut owned);
            (entry["manager"].as_str().unwrap_or_default().to_owned(), owned)
        })
        .collect()
}

/// Fields as `managedFields` have them.
fn tree(fields: &BTreeSet<Path>) -> Value {
    let mut root = json!({});
    for path in fields {
        let mut node = &mut root;
        for key in path {
            let map = node.as_object_mut().expect("made here");
            node = map.entry(format!("f:{key}")).or_insert_with(|| Value::Object(Map::new()));
        }
    }
    root
}

fn at<'v>(object: &'v Value, path: &Path) -> Option<&'v Value> {
    path.iter().try_fold(object, |value, key| value.get(key))
}

/// Removes a field, and objects that it leaves empty.
fn remove(object: &mut Value, path: &[String]) {
    let (Some((key, rest)), Some(map)) = (path.split_first(), object.as_object_mut()) else { return };
    if !rest.is_empty()
        && let Some(child) = map.get_mut(key)
    {
        remove(child, rest);
        if child.as_object().is_none_or(|child| !child.is_empty()) {
            return;
        }
    }
    map.remove(key);
}
