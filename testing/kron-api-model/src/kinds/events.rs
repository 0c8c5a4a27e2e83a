//! Events: one storage for `v1` and `events.k8s.io/v1`, whose fields have other names.

use kron_api_schema::FieldError;
use serde_json::{Value, json};

use crate::json;
use crate::meta;
use crate::names;

/// The names of fields: in `events.k8s.io/v1` and in `v1`, which is what is stored.
const NAMES: &[(&str, &str)] = &[
    ("regarding", "involvedObject"),
    ("note", "message"),
    ("reportingController", "reportingComponent"),
    ("deprecatedSource", "source"),
    ("deprecatedFirstTimestamp", "firstTimestamp"),
    ("deprecatedLastTimestamp", "lastTimestamp"),
    ("deprecatedCount", "count"),
];

/// The stored form of an Event of `events.k8s.io/v1`.
pub(crate) fn to_stored(mut event: Value) -> Value {
    for (new, stored) in NAMES {
        if let Some(value) = json::remove(&mut event, &[new]) {
            json::set(&mut event, &[stored], value);
        }
    }
    json::set(&mut event, &["apiVersion"], "v1");
    event
}

/// The stored Event as `events.k8s.io/v1` shows it.
pub(crate) fn to_events_v1(event: &Value) -> Value {
    let mut event = event.clone();
    for (new, stored) in NAMES {
        if let Some(value) = json::remove(&mut event, &[stored]) {
            json::set(&mut event, &[new], value);
        }
    }
    json::set(&mut event, &["apiVersion"], "events.k8s.io/v1");
    event
}

/// What is wrong with a new Event; the newer version is stricter.
pub(crate) fn create_causes(event: &Value, strict: bool) -> Vec<FieldError> {
    let mut causes = legacy_causes(event);
    if strict {
        causes.extend(series_causes(event));
        if json::at(event, &["eventTime"]).is_none() {
            causes.push(FieldError::required("eventTime", ""));
        }
        let kind = json::text_or_empty(event, &["type"]);
        if !["Normal", "Warning"].contains(&kind) {
            causes.push(FieldError::invalid("type", "", format!("has invalid value: {kind}")));
        }
        for key in ["firstTimestamp", "lastTimestamp", "count"] {
            if json::at(event, &[key]).is_some_and(|value| *value != json!(0)) {
                causes.push(FieldError::invalid(key, "", "needs to be unset"));
            }
        }
        let source = |key| json::text_or_empty(event, &["source", key]);
        if !source("component").is_empty() || !source("host").is_empty() {
            causes.push(FieldError::invalid("source", "", "needs to be unset"));
        }
    }
    causes
}

/// What is wrong with the new state of an Event.
pub(crate) fn update_causes(old: &Value, new: &Value, strict: bool) -> Vec<FieldError> {
    let mut causes = legacy_causes(new);
    if strict {
        if json::at(old, &["series"]) != json::at(new, &["series"]) {
            causes.extend(series_causes(new));
        }
        for key in [
            "involvedObject",
            "reason",
            "message",
            "source",
            "firstTimestamp",
            "lastTimestamp",
            "count",
            "type",
            "eventTime",
            "action",
            "related",
            "reportingComponent",
            "reportingInstance",
        ] {
            causes.extend(meta::changed(old, new, &[key]).map(|mut error| {
                if key == "reportingComponent" {
                    "reportingController".clone_into(&mut error.field);
                }
                error
            }));
        }
    }
    causes
}

fn series_causes(event: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    if let Some(series) = json::at(event, &["series"]) {
        if json::integer(series, &["count"]).unwrap_or(0) < 2 {
            causes.push(FieldError::invalid("series.count", "", "should be at least 2"));
        }
        if json::at(series, &["lastObservedTime"]).is_none() {
            causes.push(FieldError::required("series.lastObservedTime", ""));
        }
    }
    causes
}

fn legacy_causes(event: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    let namespace = json::text_or_empty(event, &["metadata", "namespace"]);
    let involved = json::text_or_empty(event, &["involvedObject", "namespace"]);
    let new = json::at(event, &["eventTime"]).is_some();
    let allowed = if involved.is_empty() {
        namespace == "default" || (new && namespace == "kube-system")
    } else {
        new || involved == namespace
    };
    if !allowed {
        let detail = "does not match event.namespace";
        causes.push(FieldError::invalid("involvedObject.namespace", involved, detail));
    }
    if !new {
        return causes;
    }
    let text = |key| json::text_or_empty(event, &[key]);
    let controller = text("reportingComponent");
    if controller.is_empty() {
        causes.push(FieldError::required("reportingController", ""));
    }
    if let Some(cause) = names::qualified_name(controller) {
        causes.push(FieldError::invalid("reportingController", controller, &cause));
    }
    for (key, limit, is_required) in [
        ("reportingInstance", 128, true),
        ("action", 128, true),
        ("reason", 128, true),
        ("message", 1024, false),
    ] {
        if is_required && text(key).is_empty() {
            causes.push(FieldError::required(key, ""));
        }
        if text(key).len() > limit {
            causes.push(FieldError::invalid(key, "", format!("can have at most {limit} characters")));
        }
    }
    causes
}
