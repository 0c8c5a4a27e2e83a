//! Server-side apply: a caller says which fields it wants, and the server remembers who wanted which.
//!
//! Only fields of those who apply are remembered, in `managedFields`. Lists are single values.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Map, Value, json};

use crate::call::Call;
use crate::json;
use crate::meta;
use crate::options;
use crate::status::{Cause, Status};
use crate::store::Store;
use crate::table::Object;
use crate::verbs::{self, Reply, Target, create, update};

const MANAGED: [&str; 2] = ["metadata", "managedFields"];
/// What names an object belongs to nobody.
const IDENTITY: [&[&str]; 4] =
    [&["apiVersion"], &["kind"], &["metadata", "name"], &["metadata", "namespace"]];

/// The keys that lead to a field.
type Path = Vec<String>;

pub(crate) fn apply(
    store: &mut Store,
    call: &Call,
    target: &Target,
    old: Option<&Arc<Object>>,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    if call.field_manager.is_empty() {
        let cause = Cause::required("fieldManager", "is required for apply patch");
        return Err(options::refuse("PatchOptions", &[cause]));
    }
    let wanted = verbs::read_object(call, target)?;
    if json::at(&wanted, &MANAGED).is_some() {
        return Err(Status::bad_request("metadata.managedFields must be nil"));
    }
    let mut new = match old {
        Some(old) => crate::encode::to_view(&old.value, &target.view),
        None => wanted.clone(),
    };
    let manager = call.field_manager.as_str();
    let fields = fields_of(&wanted);
    let others: Vec<(String, BTreeSet<Path>)> =
        managers(&new).into_iter().filter(|(name, _)| name != manager).collect();
    let differs = |path: &Path| at(&new, path) != at(&wanted, path);
    let taken = |path: &&Path| others.iter().any(|(_, owned)| owned.contains(*path)) && differs(path);
    let conflicts: Vec<&Path> = fields.iter().filter(taken).collect();
    if !conflicts.is_empty() && call.parameter("force") != Some("true") {
        let paths: Vec<String> = conflicts.iter().map(|path| format!(".{}", path.join("."))).collect();
        let message = format!("Apply failed with {} conflicts: {}", paths.len(), paths.join(", "));
        return Err(Status::new(409, "Conflict", message));
    }
    // What this caller wanted before and wants no more goes, unless another one wants it.
    let before = managers(&new).into_iter().find(|(name, _)| name == manager);
    for path in before.iter().flat_map(|(_, owned)| owned.difference(&fields)) {
        if !others.iter().any(|(_, owned)| owned.contains(path)) {
            remove(&mut new, path);
        }
    }
    for path in &fields {
        if let Some(value) = at(&wanted, path) {
            json::set(&mut new, &path.iter().map(String::as_str).collect::<Vec<_>>(), value.clone());
        }
    }
    let others = others.into_iter().map(|(name, owned)| {
        let left = owned.into_iter().filter(|path| !conflicts.contains(&path)).collect();
        (name, left)
    });
    let all: Vec<(String, BTreeSet<Path>)> = others
        .chain([(manager.to_string(), fields.clone())])
        .filter(|(_, owned)| !owned.is_empty())
        .collect();
    let entries = all.iter().map(|(name, owned)| {
        json!({
            "manager": name, "operation": "Apply", "apiVersion": target.view.api_version, "time": meta::time(now),
            "fieldsType": "FieldsV1", "fieldsV1": tree(owned),
        })
    });
    json::set(&mut new, &MANAGED, Value::Array(entries.collect()));
    match old {
        Some(old) => update::replace(store, call, target, old, new, now),
        None => create::insert(store, call, target, new, now),
    }
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
    let entries = json::list(object, &MANAGED).iter();
    entries
        .map(|entry| {
            let mut owned = BTreeSet::new();
            add(&entry["fieldsV1"], &mut Vec::new(), &mut owned);
            (json::text_or_empty(entry, &["manager"]).to_string(), owned)
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
