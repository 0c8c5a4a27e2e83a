//! What a server does with objects of a kind on their way into the store.

pub(crate) mod definitions;
pub(crate) mod events;
pub(crate) mod job_status;
pub(crate) mod jobs;
mod stored;
mod typed;

use std::sync::Arc;

use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::{Event, Namespace};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kron_api_schema::{FieldError, Schema};
use serde_json::{Value, json};

use crate::json;
use crate::meta;
use crate::resource::{Form, Resource, Strategy, View};
use crate::status::Status;

/// Which part of an object an update means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Main,
    Status,
}

/// What is wrong with an object.
pub(crate) enum ObjectError {
    /// It cannot be read as its kind: 400.
    Undecodable(String),
    /// It is read and not valid: 422.
    Invalid(Vec<FieldError>),
}

impl ObjectError {
    pub(crate) fn into_status(self, resource: &Resource, view: &View, name: &str) -> Status {
        match self {
            ObjectError::Undecodable(cause) => cannot_be_handled(view, &cause),
            ObjectError::Invalid(causes) => Status::invalid(&resource.group, &resource.kind, name, &causes),
        }
    }
}

/// 400 with the sentence of a body that cannot be read as its kind.
pub(crate) fn cannot_be_handled(view: &View, cause: &str) -> Status {
    let version = view.api_version.rsplit('/').next().unwrap_or_default();
    let kind = &view.kind;
    Status::bad_request(format!("{kind} in version {version:?} cannot be handled as a {kind}: {cause}"))
}

/// The fields that field selectors of a resource may name, and their paths in stored objects.
pub(crate) fn selectable(
    resource: &Resource,
    view: &View,
) -> &'static [(&'static str, &'static [&'static str])] {
    const META: &[(&str, &[&str])] =
        &[("metadata.name", &["metadata", "name"]), ("metadata.namespace", &["metadata", "namespace"])];
    const JOB: &[(&str, &[&str])] = &[
        ("metadata.name", &["metadata", "name"]),
        ("metadata.namespace", &["metadata", "namespace"]),
        ("status.successful", &["status", "succeeded"]),
    ];
    const NAMESPACE: &[(&str, &[&str])] =
        &[("metadata.name", &["metadata", "name"]), ("status.phase", &["status", "phase"])];
    macro_rules! event {
        ($object:literal, $controller:literal) => {
            &[
                ("metadata.name", &["metadata", "name"]),
                ("metadata.namespace", &["metadata", "namespace"]),
                (concat!($object, ".kind"), &["involvedObject", "kind"]),
                (concat!($object, ".namespace"), &["involvedObject", "namespace"]),
                (concat!($object, ".name"), &["involvedObject", "name"]),
                (concat!($object, ".uid"), &["involvedObject", "uid"]),
                (concat!($object, ".apiVersion"), &["involvedObject", "apiVersion"]),
                (concat!($object, ".resourceVersion"), &["involvedObject", "resourceVersion"]),
                (concat!($object, ".fieldPath"), &["involvedObject", "fieldPath"]),
                ("reason", &["reason"]),
                ($controller, &["reportingComponent"]),
                ("type", &["type"]),
            ]
        };
    }
    const CORE_EVENT: &[(&str, &[&str])] = event!("involvedObject", "reportingComponent");
    const EVENT: &[(&str, &[&str])] = event!("regarding", "reportingController");
    match resource.strategy {
        Strategy::Job => JOB,
        Strategy::Namespace => NAMESPACE,
        Strategy::Event if view.form == Form::EventsV1 => EVENT,
        Strategy::Event => CORE_EVENT,
        _ => META,
    }
}

/// Brings an object of a request into stored form, removes what its kind does not know, and says so.
pub(crate) fn decode(
    resource: &Resource,
    view: &View,
    object: &mut Value,
) -> Result<Vec<String>, ObjectError> {
    let mut unknown = match &resource.strategy {
        Strategy::Custom { storage, schemas } => {
            if view.form == Form::Relabelled {
                json::set(object, &["apiVersion"], Resource::api_version(&resource.group, storage));
            }
            if let Some(cause) = meta::decode_error(object) {
                return Err(ObjectError::Undecodable(cause));
            }
            if let Some(metadata) = object.get_mut("metadata") {
                json::drop_nulls(metadata);
            }
            schemas.get(storage).map(|schema| schema.prune(object)).unwrap_or_default()
        }
        Strategy::Event => {
            if view.form == Form::EventsV1 {
                // Unknown fields are named as they were written: the ones that are renamed are all known.
                *object = events::to_stored(std::mem::take(object));
            }
            typed::micro_time(object, &["eventTime"])
                .and_then(|()| typed::micro_time(object, &["series", "lastObservedTime"]))
                .and_then(|()| typed::prune::<Event>(object))
                .map_err(ObjectError::Undecodable)?
        }
        Strategy::Lease => typed::micro_time(object, &["spec", "acquireTime"])
            .and_then(|()| typed::micro_time(object, &["spec", "renewTime"]))
            .and_then(|()| typed::prune::<Lease>(object))
            .map_err(ObjectError::Undecodable)?,
        Strategy::Job => typed::prune::<Job>(object).map_err(ObjectError::Undecodable)?,
        Strategy::Namespace => typed::prune::<Namespace>(object).map_err(ObjectError::Undecodable)?,
        Strategy::Definition => {
            typed::prune::<CustomResourceDefinition>(object).map_err(ObjectError::Undecodable)?
        }
        Strategy::Stored => match meta::decode_error(object) {
            Some(cause) => return Err(ObjectError::Undecodable(cause)),
            None => stored::prune(resource, object).map_err(ObjectError::Undecodable)?,
        },
    };
    unknown.extend(meta::prune(object));
    Ok(unknown)
}

/// Makes a decoded object a valid new one, or says why it cannot be one. Metadata are checked by the caller.
pub(crate) fn create(
    resource: &Resource,
    view: &View,
    object: &mut Value,
) -> Result<Vec<String>, Vec<FieldError>> {
    if resource.status {
        json::remove(object, &["status"]);
    }
    if resource.strategy.has_generation() {
        json::set(object, &["metadata", "generation"], 1);
    }
    let causes = match &resource.strategy {
        Strategy::Namespace => {
            let name = json::text_or_empty(object, &["metadata", "name"]).to_owned();
            json::set(object, &["metadata", "labels", "kubernetes.io/metadata.name"], name);
            json::set(object, &["spec", "finalizers"], json!(["kubernetes"]));
            json::set(object, &["status"], json!({"phase": "Active"}));
            Vec::new()
        }
        Strategy::Job => {
            jobs::default(object);
            jobs::generate_selector(object);
            json::set(object, &["status"], json!({}));
            jobs::causes(object)
        }
        Strategy::Event => events::create_causes(object, view.form == Form::EventsV1),
        Strategy::Lease => lease_causes(object),
        Strategy::Stored => Vec::new(),
        Strategy::Definition => {
            definitions::default(object);
            let status = definitions::initial_status(object);
            json::set(object, &["status"], status);
            json::set(object, &["metadata", "finalizers"], json!([definitions::CLEANUP]));
            definitions::causes(object)
        }
        Strategy::Custom { storage, schemas } => {
            return judge(schemas.get(storage), object, None);
        }
    };
    if causes.is_empty() { Ok(Vec::new()) } else { Err(causes) }
}

/// Makes a decoded object the valid next state of `old`, or says why it cannot be that.
pub(crate) fn update(
    resource: &Resource,
    view: &View,
    part: Part,
    old: &Value,
    new: &mut Value,
) -> Result<Vec<String>, Vec<FieldError>> {
    merge_parts(resource, part, old, new);
    let causes = match (&resource.strategy, part) {
        (Strategy::Namespace | Strategy::Definition, Part::Status) | (Strategy::Stored, _) => Vec::new(),
        (Strategy::Namespace, Part::Main) => {
            json::copy(old, new, &["spec", "finalizers"]);
            Vec::new()
        }
        (Strategy::Job, Part::Status) => job_status::causes(old, new),
        (Strategy::Job, Part::Main) => {
            jobs::default(new);
            let mut causes = jobs::causes(new);
            causes.extend(jobs::update_causes(old, new));
            causes
        }
        (Strategy::Event, _) => events::update_causes(old, new, view.form == Form::EventsV1),
        (Strategy::Lease, _) => lease_causes(new),
        (Strategy::Definition, Part::Main) => {
            definitions::default(new);
            let mut causes = definitions::causes(new);
            causes.extend(definitions::update_causes(old, new));
            causes
        }
        (Strategy::Custom { storage, schemas }, _) => {
            let admitted = judge(schemas.get(storage), new, Some(old));
            count_generation(resource, part, old, new);
            return admitted;
        }
    };
    count_generation(resource, part, old, new);
    if causes.is_empty() { Ok(Vec::new()) } else { Err(causes) }
}

/// Puts defaults into a custom resource and judges it; the answer is warnings.
fn judge(
    schema: Option<&Arc<Schema>>,
    object: &mut Value,
    old: Option<&Value>,
) -> Result<Vec<String>, Vec<FieldError>> {
    let Some(schema) = schema else { return Ok(Vec::new()) };
    schema.default(object);
    schema.validate(object, old)
}

/// A status write leaves the rest as it is, and the other way round.
fn merge_parts(resource: &Resource, part: Part, old: &Value, new: &mut Value) {
    match part {
        Part::Main if resource.status => json::copy(old, new, &["status"]),
        Part::Main => {}
        Part::Status if matches!(resource.strategy, Strategy::Custom { .. }) => {
            let status = json::at(new, &["status"]).cloned();
            *new = old.clone();
            match status {
                Some(status) => json::set(new, &["status"], status),
                None => drop(json::remove(new, &["status"])),
            }
        }
        // Built-in kinds take metadata along with the status.
        Part::Status => json::copy(old, new, &["spec"]),
    }
}

fn count_generation(resource: &Resource, part: Part, old: &Value, new: &mut Value) {
    if !resource.strategy.has_generation() || part == Part::Status {
        return;
    }
    let changed = match resource.strategy {
        Strategy::Custom { .. } => {
            let rest = |value: &Value| {
                let mut value = value.clone();
                json::remove(&mut value, &["metadata"]);
                value
            };
            rest(old) != rest(new)
        }
        _ => json::at(old, &["spec"]) != json::at(new, &["spec"]),
    };
    if changed {
        let generation = json::integer(old, &["metadata", "generation"]).unwrap_or(0);
        json::set(new, &["metadata", "generation"], generation + 1);
    }
}

fn lease_causes(lease: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    if let Some(seconds) = json::integer(lease, &["spec", "leaseDurationSeconds"]).filter(|&n| n <= 0) {
        causes.push(FieldError::invalid("spec.leaseDurationSeconds", seconds, "must be greater than 0"));
    }
    if let Some(count) = json::integer(lease, &["spec", "leaseTransitions"]).filter(|&n| n < 0) {
        let detail = "must be greater than or equal to 0";
        causes.push(FieldError::invalid("spec.leaseTransitions", count, detail));
    }
    causes
}
