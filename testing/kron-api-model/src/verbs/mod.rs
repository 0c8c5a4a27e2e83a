//! One file a verb: from a call to a change of the store and an answer.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod patch;
pub(crate) mod update;

use std::sync::Arc;

use serde_json::Value;

use crate::call::Call;
use crate::encode;
use crate::json;
use crate::kinds::{self, Part};
use crate::options::FieldValidation;
use crate::resource::{Resource, Strategy, View};
use crate::status::Status;
use crate::store::{Place, Store, TableId};
use crate::table::Key;

/// An answer: a code, a JSON body and warnings.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) code: u16,
    pub(crate) body: Vec<u8>,
    pub(crate) warnings: Vec<String>,
}

impl Reply {
    pub(crate) fn object(code: u16, value: &Value, view: &View, warnings: Vec<String>) -> Reply {
        Reply { code, body: encode::object(value, view), warnings }
    }

    pub(crate) fn value(code: u16, value: &Value) -> Reply {
        Reply { code, body: value.to_string().into_bytes(), warnings: Vec::new() }
    }
}

/// The resource that a call is about.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) table: TableId,
    pub(crate) resource: Arc<Resource>,
    pub(crate) view: View,
}

impl Target {
    pub(crate) fn find(store: &Store, call: &Call, metadata_only: bool) -> Option<Target> {
        let table = store.find(&call.group, &call.version, &call.resource)?;
        let resource = store.resource(table).clone();
        let is_status = resource.status && call.subresource == "status";
        if !(call.subresource.is_empty() || is_status)
            || (!call.namespace.is_empty() && !resource.namespaced)
            || (call.namespace.is_empty() && resource.namespaced && !call.name.is_empty())
        {
            return None;
        }
        let view = resource.view(&call.group, &call.version, metadata_only);
        Some(Target { table, resource, view })
    }

    pub(crate) fn place(&self, namespace: &str, name: &str) -> Place {
        Place { table: self.table, key: Key { namespace: namespace.to_owned(), name: name.to_owned() } }
    }

    pub(crate) fn not_found(&self, call: &Call) -> Status {
        Status::not_found(&call.group, &call.resource, &call.name)
    }

    pub(crate) fn selectable(&self) -> &'static [(&'static str, &'static [&'static str])] {
        kinds::selectable(&self.resource, &self.view)
    }
}

/// The part of the object that a call writes.
pub(crate) fn part(call: &Call) -> Part {
    if call.subresource.is_empty() { Part::Main } else { Part::Status }
}

/// Reads the object of a request: its type must be that of the path, its name and namespace those of the URL.
pub(crate) fn read_object(call: &Call, target: &Target) -> Result<Value, Status> {
    let mut object = (*call.body).clone();
    let view = &target.view;
    if !object.is_object() {
        return Err(kinds::cannot_be_handled(view, "the body is not a JSON object"));
    }
    for (key, expected) in [("apiVersion", &view.api_version), ("kind", &view.kind)] {
        match json::text_or_empty(&object, &[key]) {
            "" if matches!(target.resource.strategy, Strategy::Custom { .. }) => {
                let key = if key == "kind" { "Kind" } else { key };
                return Err(Status::bad_request(format!("Object '{key}' is missing in '{object}'")));
            }
            "" => json::set(&mut object, &[key], expected.as_str()),
            found if found == expected => {}
            found if key == "apiVersion" => {
                return Err(Status::bad_request(format!(
                    "the API version in the data ({found}) does not match the expected API version ({expected})"
                )));
            }
            found => {
                return Err(Status::bad_request(format!(
                    "the object provided is unrecognized (must be of type {expected}): found kind {found}"
                )));
            }
        }
    }
    let namespace = json::text_or_empty(&object, &["metadata", "namespace"]);
    if !namespace.is_empty() && namespace != call.namespace {
        return Err(Status::bad_request(
            "the namespace of the provided object does not match the namespace sent on the request",
        ));
    }
    if target.resource.namespaced {
        json::set(&mut object, &["metadata", "namespace"], call.namespace.as_str());
    }
    if !call.name.is_empty() && call.verb != crate::call::Verb::Create {
        let name = json::text_or_empty(&object, &["metadata", "name"]);
        if name.is_empty() {
            json::set(&mut object, &["metadata", "name"], call.name.as_str());
        } else if name != call.name {
            return Err(Status::bad_request(format!(
                "the name of the object ({name}) does not match the name on the URL ({})",
                call.name
            )));
        }
    }
    Ok(object)
}

/// What becomes of unknown fields, named as servers name them: nothing, warnings, or a refusal.
pub(crate) fn judge_unknown(
    validation: FieldValidation,
    unknown: Vec<String>,
    refuse: impl FnOnce(String) -> Status,
) -> Result<Vec<String>, Status> {
    match validation {
        FieldValidation::Ignore => Ok(Vec::new()),
        FieldValidation::Warn => Ok(unknown),
        FieldValidation::Strict if unknown.is_empty() => Ok(unknown),
        FieldValidation::Strict => Err(refuse(format!("strict decoding error: {}", unknown.join(", ")))),
    }
}
