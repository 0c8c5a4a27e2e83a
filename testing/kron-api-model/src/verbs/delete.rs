//! Deleting objects and collections.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::call::Call;
use crate::encode;
use crate::json;
use crate::meta;
use crate::options::{DeleteOptions, ListOptions, Propagation};
use crate::resource::{Resource, Strategy};
use crate::status::Status;
use crate::store::{FOREGROUND, ORPHAN, Place, Store, Work};
use crate::table::Object;
use crate::verbs::{Reply, Target, list};

/// What became of an object that was to be deleted.
#[derive(Debug)]
pub(crate) enum Deleted {
    /// It is gone.
    Gone(Arc<Object>),
    /// It is marked, and goes when its finalizers are done.
    Terminating(Arc<Object>),
}

pub(crate) fn delete(
    store: &mut Store,
    call: &Call,
    target: &Target,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let options = DeleteOptions::read(call)?;
    let place = target.place(&call.namespace, &call.name);
    let resource = &target.resource;
    if matches!(resource.strategy, Strategy::Namespace)
        && ["default", "kube-system", "kube-public"].contains(&call.name.as_str())
    {
        let cause = "this namespace may not be deleted";
        return Err(Status::forbidden("", "namespaces", &call.name, cause));
    }
    let object = store.table(target.table).get(&place.key).cloned().ok_or_else(|| target.not_found(call))?;
    check_preconditions(resource, &call.name, &object, &options)?;
    Ok(match remove(store, resource, &place, &object, &options, now) {
        Deleted::Gone(object) => Reply::value(200, &success(call, &object)),
        Deleted::Terminating(object) => Reply::object(200, &object.value, &target.view, Vec::new()),
    })
}

fn success(call: &Call, object: &Object) -> Value {
    let mut details = json!({"name": call.name, "kind": call.resource, "uid": object.uid()});
    if !call.group.is_empty() {
        json::set(&mut details, &["group"], call.group.as_str());
    }
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Success", "details": details})
}

fn check_preconditions(
    resource: &Resource,
    name: &str,
    object: &Object,
    options: &DeleteOptions,
) -> Result<(), Status> {
    if let Some(uid) = options.uid.as_deref().filter(|&uid| uid != object.uid()) {
        let cause = format!(
            "the UID in the precondition ({uid}) does not match the UID in record ({}). The object might have been \
             deleted and then recreated",
            object.uid()
        );
        return Err(Status::conflict(&resource.group, &resource.kind, name, &cause));
    }
    let version = object.version.to_string();
    if let Some(wanted) = options.resource_version.as_ref().filter(|&wanted| *wanted != version) {
        let cause = format!(
            "the ResourceVersion in the precondition ({wanted}) does not match the ResourceVersion in record \
             ({version}). The object might have been modified"
        );
        return Err(Status::conflict(&resource.group, &resource.kind, name, &cause));
    }
    Ok(())
}

/// Deletes an object as far as its finalizers allow.
pub(crate) fn remove(
    store: &mut Store,
    resource: &Resource,
    place: &Place,
    object: &Arc<Object>,
    options: &DeleteOptions,
    now: DateTime<Utc>,
) -> Deleted {
    let mut finalizers: Vec<Value> = json::list(&object.value, &["metadata", "finalizers"])
        .iter()
        .filter(|finalizer| *finalizer != FOREGROUND && *finalizer != ORPHAN)
        .cloned()
        .collect();
    match options.propagation {
        Propagation::Background => {}
        Propagation::Foreground => finalizers.push(FOREGROUND.into()),
        Propagation::Orphan => finalizers.push(ORPHAN.into()),
    }
    let is_namespace = matches!(resource.strategy, Strategy::Namespace);
    if finalizers.is_empty() && !is_namespace {
        if options.dry_run {
            return Deleted::Gone(object.clone());
        }
        return match store.remove(place) {
            Some(removed) => Deleted::Gone(removed),
            None => Deleted::Gone(object.clone()),
        };
    }
    let mut value = object.value.clone();
    if finalizers.is_empty() {
        json::remove(&mut value, &["metadata", "finalizers"]);
    } else {
        json::set(&mut value, &["metadata", "finalizers"], finalizers);
    }
    if !object.is_terminating() {
        json::set(&mut value, &["metadata", "deletionTimestamp"], meta::time(now));
        json::set(&mut value, &["metadata", "deletionGracePeriodSeconds"], 0);
        if let Some(generation) = json::integer(&value, &["metadata", "generation"]) {
            json::set(&mut value, &["metadata", "generation"], generation + 1);
        }
    }
    if is_namespace {
        json::set(&mut value, &["status", "phase"], "Terminating");
    }
    if value == object.value || options.dry_run {
        return Deleted::Terminating(Arc::new(Object { version: object.version, value }));
    }
    let stored = store.put(place, value);
    match resource.strategy {
        Strategy::Namespace => store.work.push(Work::Namespace(place.key.name.clone())),
        Strategy::Definition => store.work.push(Work::Definition(place.key.name.clone())),
        _ => {}
    }
    Deleted::Terminating(stored)
}

pub(crate) fn delete_collection(
    store: &mut Store,
    call: &Call,
    target: &Target,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let options = DeleteOptions::read(call)?;
    let selection = list::selection(&ListOptions::read(call)?, target)?;
    if matches!(target.resource.strategy, Strategy::Namespace) {
        return Err(Status::method_not_allowed());
    }
    if target.resource.namespaced && call.namespace.is_empty() {
        return Err(Status::method_not_allowed());
    }
    let namespace = (!call.namespace.is_empty()).then_some(call.namespace.as_str());
    let chosen: Vec<(Place, Arc<Object>)> = store
        .table(target.table)
        .iter(namespace)
        .filter(|(_, object)| selection.matches(&object.value, target.selectable()))
        .map(|(key, object)| (Place { table: target.table, key: key.clone() }, object.clone()))
        .collect();
    for (place, object) in &chosen {
        check_preconditions(&target.resource, &place.key.name, object, &options)?;
    }
    for (place, object) in &chosen {
        remove(store, &target.resource, place, object, &options, now);
    }
    let version = store.version();
    let items = chosen.iter().map(|(_, object)| &object.value);
    let body = encode::list(items, &target.view, version, None);
    Ok(Reply { code: 200, body, warnings: Vec::new() })
}
