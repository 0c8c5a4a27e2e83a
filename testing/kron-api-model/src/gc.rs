//! What happens behind the callers' backs: garbage collection by owner, and the end of namespaces and definitions.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::json;
use crate::kinds::definitions;
use crate::options::DeleteOptions;
use crate::store::{FOREGROUND, ORPHAN, Place, Store, Work, has_finalizer};
use crate::table::Object;
use crate::verbs::delete;

/// Does one piece of work. What it leaves to do is noted in the store again.
pub(crate) fn run(store: &mut Store, work: &Work, now: DateTime<Utc>) {
    match work {
        Work::Orphaned(uid) => {
            for place in store.dependents(uid) {
                collect(store, &place, now);
            }
        }
        Work::Unowned(place) => collect(store, place, now),
        Work::Finalize(place) => finalize(store, place, now),
        Work::Namespace(name) => empty_namespace(store, name, now),
        Work::Definition(name) => empty_definition(store, name, now),
    }
}

/// Deletes an object none of whose owners is there any more; owners that are gone are struck off otherwise.
fn collect(store: &mut Store, place: &Place, now: DateTime<Utc>) {
    let Some(object) = store.table(place.table).get(&place.key).cloned() else { return };
    let owners = json::list(&object.value, &["metadata", "ownerReferences"]);
    if owners.is_empty() {
        return;
    }
    let (solid, gone): (Vec<&Value>, Vec<&Value>) =
        owners.iter().partition(|owner| is_solid(store, place, owner));
    if gone.is_empty() {
        return;
    }
    if solid.is_empty() {
        if !object.is_terminating() {
            let resource = store.resource(place.table).clone();
            let options = DeleteOptions {
                uid: Some(object.uid().to_owned()),
                propagation: inherited(&object),
                ..DeleteOptions::default()
            };
            delete::remove(store, &resource, place, &object, &options, now);
        }
    } else {
        let kept: Vec<Value> = solid.into_iter().cloned().collect();
        let mut value = object.value.clone();
        json::set(&mut value, &["metadata", "ownerReferences"], kept);
        store.put(place, value);
    }
}

/// Finalizers of garbage collection that an object has already decide what becomes of its own dependents.
fn inherited(object: &Object) -> crate::options::Propagation {
    use crate::options::Propagation::{Background, Foreground, Orphan};
    if has_finalizer(&object.value, ORPHAN) {
        Orphan
    } else if has_finalizer(&object.value, FOREGROUND) {
        Foreground
    } else {
        Background
    }
}

/// Whether an owner is there, within reach, and not waiting for its dependents to go.
fn is_solid(store: &Store, dependent: &Place, owner: &Value) -> bool {
    let Some(place) = store.by_uid(json::text_or_empty(owner, &["uid"])) else { return false };
    let Some(object) = store.table(place.table).get(&place.key) else { return false };
    // An owner is in the namespace of its dependent, or in none.
    let within = place.key.namespace.is_empty() || place.key.namespace == dependent.key.namespace;
    within && !(object.is_terminating() && has_finalizer(&object.value, FOREGROUND))
}

/// Goes on with an object that is being deleted in the foreground or with its dependents orphaned.
fn finalize(store: &mut Store, place: &Place, now: DateTime<Utc>) {
    let Some(object) = store.table(place.table).get(&place.key).cloned() else { return };
    if !object.is_terminating() {
        return;
    }
    let uid = object.uid().to_owned();
    if has_finalizer(&object.value, ORPHAN) {
        for dependent in store.dependents(&uid) {
            release(store, &dependent, &uid);
        }
        drop_finalizer(store, place, ORPHAN);
    } else if has_finalizer(&object.value, FOREGROUND) {
        for dependent in store.dependents(&uid) {
            collect(store, &dependent, now);
        }
        let blocking = store.dependents(&uid).into_iter().any(|dependent| {
            store.table(dependent.table).get(&dependent.key).is_some_and(|object| blocks(object, &uid))
        });
        if !blocking {
            drop_finalizer(store, place, FOREGROUND);
        }
    }
}

fn blocks(dependent: &Object, uid: &str) -> bool {
    json::list(&dependent.value, &["metadata", "ownerReferences"]).iter().any(|owner| {
        json::text(owner, &["uid"]) == Some(uid)
            && json::at(owner, &["blockOwnerDeletion"]) == Some(&Value::Bool(true))
    })
}

fn release(store: &mut Store, place: &Place, uid: &str) {
    let Some(object) = store.table(place.table).get(&place.key).cloned() else { return };
    let mut value = object.value.clone();
    let kept: Vec<Value> = json::list(&value, &["metadata", "ownerReferences"])
        .iter()
        .filter(|owner| json::text(owner, &["uid"]) != Some(uid))
        .cloned()
        .collect();
    if kept.is_empty() {
        json::remove(&mut value, &["metadata", "ownerReferences"]);
    } else {
        json::set(&mut value, &["metadata", "ownerReferences"], kept);
    }
    store.put(place, value);
}

/// Removes a finalizer, and with the last one the object.
fn drop_finalizer(store: &mut Store, place: &Place, finalizer: &str) {
    let Some(object) = store.table(place.table).get(&place.key).cloned() else { return };
    let mut value = object.value.clone();
    let kept: Vec<Value> = json::list(&value, &["metadata", "finalizers"])
        .iter()
        .filter(|text| *text != finalizer)
        .cloned()
        .collect();
    if kept.is_empty() {
        store.remove(place);
    } else {
        json::set(&mut value, &["metadata", "finalizers"], kept);
        store.put(place, value);
    }
}

fn empty_namespace(store: &mut Store, name: &str, now: DateTime<Utc>) {
    let Some(table) = store.find("", "v1", "namespaces") else { return };
    let place = Place { table, key: crate::table::Key { namespace: String::new(), name: name.to_owned() } };
    if !store.table(table).get(&place.key).is_some_and(|namespace| namespace.is_terminating()) {
        return;
    }
    let mut left = false;
    for table in store.tables() {
        left |= empty(store, table, Some(name), now);
    }
    if !left {
        store.remove(&place);
    }
}

fn empty_definition(store: &mut Store, name: &str, now: DateTime<Utc>) {
    let Some(table) = store.find("apiextensions.k8s.io", "v1", "customresourcedefinitions") else { return };
    let place = Place { table, key: crate::table::Key { namespace: String::new(), name: name.to_owned() } };
    let Some(definition) = store.table(table).get(&place.key).cloned() else { return };
    if !definition.is_terminating() {
        return;
    }
    let (resource, _) = definitions::resource(&definition.value);
    if let Some(table) = store.find_any(&resource.group, &resource.plural) {
        if empty(store, table, None, now) {
            return;
        }
        store.uninstall(&resource.group, &resource.plural);
    }
    drop_finalizer(store, &place, definitions::CLEANUP);
}

/// Deletes all objects of a table (in a namespace); true if some have to wait for their finalizers.
fn empty(
    store: &mut Store,
    table: crate::store::TableId,
    namespace: Option<&str>,
    now: DateTime<Utc>,
) -> bool {
    let resource = store.resource(table).clone();
    if namespace.is_some() && !resource.namespaced {
        return false;
    }
    let objects: Vec<(Place, Arc<Object>)> = store
        .table(table)
        .iter(namespace)
        .map(|(key, object)| (Place { table, key: key.clone() }, object.clone()))
        .collect();
    let mut left = false;
    for (place, object) in objects {
        if object.is_terminating() {
            left = true;
        } else {
            let deleted = delete::remove(store, &resource, &place, &object, &DeleteOptions::default(), now);
            left |= matches!(deleted, delete::Deleted::Terminating(_));
        }
    }
    left
}
