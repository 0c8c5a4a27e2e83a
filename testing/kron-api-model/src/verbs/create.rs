//! Making an object.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::call::Call;
use crate::json;
use crate::kinds::{self, ObjectError, definitions};
use crate::meta;
use crate::options;
use crate::resource::Strategy;
use crate::status::Status;
use crate::store::{Place, Store};
use crate::verbs::{self, Reply, Target};

/// Names that are generated are tried this often, as servers do.
const ATTEMPTS: usize = 8;

pub(crate) fn create(
    store: &mut Store,
    call: &Call,
    target: &Target,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let object = verbs::read_object(call, target)?;
    insert(store, call, target, object, now)
}

/// Stores a new object of a POST or a PUT.
pub(crate) fn insert(
    store: &mut Store,
    call: &Call,
    target: &Target,
    mut object: Value,
    now: DateTime<Utc>,
) -> Result<Reply, Status> {
    let validation = options::validation(call)?;
    let resource = &target.resource;
    let name = json::text_or_empty(&object, &["metadata", "name"]).to_owned();
    if resource.namespaced && call.namespace.is_empty() {
        return Err(Status::bad_request("an empty namespace may not be set during creation"));
    }
    let unknown = kinds::decode(resource, &target.view, &mut object)
        .map_err(|fault| fault.into_status(resource, &target.view, &name))?;
    let mut warnings =
        verbs::judge_unknown(validation, unknown, |cause| kinds::cannot_be_handled(&target.view, &cause))?;
    if resource.namespaced {
        check_namespace(store, call, &name)?;
    }
    if let Some(mutation) = &store.mutation {
        (mutation.0)(&call.resource, &mut object);
    }
    if !["", "0"].contains(&json::text_or_empty(&object, &["metadata", "resourceVersion"])) {
        return Err(Status::unknown("resourceVersion should not be set on objects to be created"));
    }
    for key in ["deletionTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "generation"] {
        json::remove(&mut object, &["metadata", key]);
    }
    let prefix = json::text_or_empty(&object, &["metadata", "generateName"]).to_owned();
    let mut name = name;
    if name.is_empty() && !prefix.is_empty() {
        for _ in 0..ATTEMPTS {
            let cut: String = prefix.chars().take(58).collect();
            name = format!("{cut}{}", store.suffix());
            if store.get(target.table, &call.namespace, &name).is_none() {
                break;
            }
        }
        json::set(&mut object, &["metadata", "name"], name.as_str());
    }
    let uid = store.uid();
    json::set(&mut object, &["metadata", "uid"], uid);
    json::set(&mut object, &["metadata", "creationTimestamp"], meta::time(now));

    let mut causes = meta::causes(resource, &object);
    match kinds::create(resource, &target.view, &mut object) {
        Ok(others) => warnings.extend(others),
        Err(others) => causes.extend(others),
    }
    if !causes.is_empty() {
        return Err(ObjectError::Invalid(causes).into_status(resource, &target.view, &name));
    }

    let place = target.place(&call.namespace, &name);
    if let Some(existing) = store.table(target.table).get(&place.key) {
        let mut status = Status::already_exists(&call.group, &call.resource, &name);
        if existing.is_terminating() {
            status.message = format!("object is being deleted: {}", status.message);
        }
        return Err(status);
    }
    if call.dry_run {
        return Ok(Reply::object(201, &object, &target.view, warnings));
    }
    let stored = store.put(&place, object);
    let reply = Reply::object(201, &stored.value, &target.view, warnings);
    if matches!(resource.strategy, Strategy::Definition) {
        establish(store, &place, now);
    }
    Ok(reply)
}

/// Serves the resource of a definition, and says so in its status.
pub(crate) fn establish(store: &mut Store, place: &Place, now: DateTime<Utc>) {
    let Some(definition) = store.table(place.table).get(&place.key).cloned() else { return };
    let (resource, versions) = definitions::resource(&definition.value);
    let group = resource.group.clone();
    let served: Vec<(&str, &str)> =
        versions.iter().map(|version| (group.as_str(), version.as_str())).collect();
    let schema = match &resource.strategy {
        Strategy::Custom { storage, schemas } => schemas.get(storage).cloned(),
        _ => None,
    };
    let table = store.install(resource, &served);
    if let Some(schema) = schema {
        // Servers put defaults in when they read: those of a new schema show in old objects at once.
        store.table_mut(table).reread(|object| schema.default(object));
    }
    let mut value = definition.value.clone();
    let mut status = definitions::established_status(&value, now);
    if json::list(&value, &["status", "conditions"]).is_empty() {
        json::set(&mut value, &["status"], status);
        store.put(place, value);
        return;
    }
    // Established before: only the names may be others.
    let names = json::remove(&mut status, &["acceptedNames"]).unwrap_or_default();
    if json::at(&value, &["status", "acceptedNames"]) != Some(&names) {
        json::set(&mut value, &["status", "acceptedNames"], names);
        store.put(place, value);
    }
}

/// New objects need a namespace that is there to stay.
fn check_namespace(store: &Store, call: &Call, name: &str) -> Result<(), Status> {
    let namespaces = store.find("", "v1", "namespaces");
    let namespace = namespaces.and_then(|table| store.get(table, "", &call.namespace));
    match namespace {
        None => Err(Status::not_found("", "namespaces", &call.namespace)),
        Some(namespace) if namespace.is_terminating() => {
            Err(Status::namespace_terminating(&call.group, &call.resource, name, &call.namespace))
        }
        Some(_) => Ok(()),
    }
}
