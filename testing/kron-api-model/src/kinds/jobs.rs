//! Jobs: defaults, selector, what is valid and what may change.

use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use kron_api_schema::{ErrorKind, FieldError};
use kube::core::{Selector, SelectorExt as _};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::json;
use crate::meta;
use crate::names;

const CONTROLLER_UID: &str = "batch.kubernetes.io/controller-uid";
const JOB_NAME: &str = "batch.kubernetes.io/job-name";

/// Defaults of everything that a Job has: its own fields and those of its pods.
pub(crate) fn default(job: &mut Value) {
    let spec = &["spec"][..];
    if json::at(job, &["spec", "completions"]).is_none() && json::at(job, &["spec", "parallelism"]).is_none()
    {
        json::default(job, &["spec", "completions"], 1);
    }
    json::default(job, &["spec", "parallelism"], 1);
    if json::at(job, &["spec", "backoffLimit"]).is_none() {
        let per_index = json::at(job, &["spec", "backoffLimitPerIndex"]).is_some();
        json::set(job, &["spec", "backoffLimit"], if per_index { i64::from(i32::MAX) } else { 6 });
    }
    json::default(job, &["spec", "completionMode"], "NonIndexed");
    json::default(job, &["spec", "suspend"], false);
    json::default(job, &["spec", "manualSelector"], false);
    let failure_policy = json::at(job, &["spec", "podFailurePolicy"]).is_some();
    let replacement = if failure_policy { "Failed" } else { "TerminatingOrFailed" };
    json::default(job, &["spec", "podReplacementPolicy"], replacement);
    let template = ["spec", "template", "spec"];
    for (key, value) in [
        ("dnsPolicy", json!("ClusterFirst")),
        ("restartPolicy", json!("Always")),
        ("schedulerName", json!("default-scheduler")),
        ("securityContext", json!({})),
        ("terminationGracePeriodSeconds", json!(30)),
    ] {
        json::default(job, &[template[0], template[1], template[2], key], value);
    }
    let pod = json::map_mut(json::map_mut(job, spec).entry("template").or_insert(Value::Null), &["spec"]);
    for key in ["initContainers", "containers"] {
        if let Some(Value::Array(containers)) = pod.get_mut(key) {
            containers.iter_mut().for_each(default_container);
        }
    }
}

fn default_container(container: &mut Value) {
    let image = json::text_or_empty(container, &["image"]);
    let name = image.rsplit('/').next().unwrap_or_default();
    let latest = !image.contains('@') && name.split_once(':').is_none_or(|(_, tag)| tag == "latest");
    json::default(container, &["imagePullPolicy"], if latest { "Always" } else { "IfNotPresent" });
    json::default(container, &["resources"], json!({}));
    json::default(container, &["terminationMessagePath"], "/dev/termination-log");
    json::default(container, &["terminationMessagePolicy"], "File");
}

/// Generates the selector, and the labels that it selects, unless the caller does so himself.
pub(crate) fn generate_selector(job: &mut Value) {
    if json::at(job, &["spec", "manualSelector"]) == Some(&Value::Bool(true)) {
        return;
    }
    for (label, value) in expected_labels(job) {
        json::default(job, &["spec", "template", "metadata", "labels", label], value);
    }
    let uid = json::text_or_empty(job, &["metadata", "uid"]).to_owned();
    json::default(job, &["spec", "selector", "matchLabels", CONTROLLER_UID], uid);
}

fn expected_labels(job: &Value) -> [(&'static str, String); 4] {
    let uid = json::text_or_empty(job, &["metadata", "uid"]).to_owned();
    let name = json::text_or_empty(job, &["metadata", "name"]).to_owned();
    [("job-name", name.clone()), (JOB_NAME, name), ("controller-uid", uid.clone()), (CONTROLLER_UID, uid)]
}

/// What is wrong with a Job.
pub(crate) fn causes(job: &Value) -> Vec<FieldError> {
    let mut causes = generated_causes(job);
    for key in [
        "parallelism",
        "completions",
        "activeDeadlineSeconds",
        "backoffLimit",
        "ttlSecondsAfterFinished",
        "maxFailedIndexes",
    ] {
        if let Some(number) = json::integer(job, &["spec", key]).filter(|&number| number < 0) {
            let detail = "must be greater than or equal to 0";
            causes.push(FieldError::invalid(format!("spec.{key}"), number, detail));
        }
    }
    for (key, supported) in [
        ("completionMode", &["NonIndexed", "Indexed"][..]),
        ("podReplacementPolicy", &["Failed", "TerminatingOrFailed"][..]),
    ] {
        let text = json::text_or_empty(job, &["spec", key]);
        if !supported.contains(&text) {
            causes.push(FieldError::not_supported(format!("spec.{key}"), text, supported.iter().copied()));
        }
    }
    if json::text(job, &["spec", "completionMode"]) == Some("Indexed")
        && json::at(job, &["spec", "completions"]).is_none()
    {
        let detail = "when completion mode is Indexed";
        causes.push(FieldError::required("spec.completions", detail));
    }
    causes.extend(meta::label_causes(
        job,
        &["spec", "template", "metadata", "labels"],
        "spec.template.labels",
    ));
    causes.extend(pod_causes(job));
    let restart = json::text_or_empty(job, &["spec", "template", "spec", "restartPolicy"]);
    if !["OnFailure", "Never"].contains(&restart) {
        let detail = "valid values: \"OnFailure\", \"Never\"";
        causes.push(FieldError::required("spec.template.spec.restartPolicy", detail));
    }
    let null = Value::Null;
    let selector = json::at(job, &["spec", "selector"]);
    if selector.is_none() {
        causes.push(FieldError::required("spec.selector", ""));
    } else if !selects(job, &template_labels(job)) {
        let labels = json::at(job, &["spec", "template", "metadata", "labels"]).unwrap_or(&null);
        let detail = "`selector` does not match template `labels`";
        causes.push(FieldError::invalid("spec.template.metadata.labels", labels.clone(), detail));
    }
    causes
}

/// A selector and labels that were not generated must not pretend to be.
fn generated_causes(job: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    if json::at(job, &["spec", "manualSelector"]) == Some(&Value::Bool(true)) {
        return causes;
    }
    let Some(selector) = json::at(job, &["spec", "selector"]) else { return causes };
    let expected = expected_labels(job);
    for (label, value) in &expected {
        let path = ["spec", "template", "metadata", "labels", label];
        if json::text(job, &path) != Some(value) {
            let labels = json::at(job, &path[..4]).unwrap_or(&Value::Null);
            let field = format!("spec.template.metadata.labels[{label}]");
            causes.push(FieldError::invalid(field, labels.clone(), format!("must be '{value}'")));
        }
    }
    if !selects(job, &expected.map(|(key, value)| (key.to_owned(), value)).into()) {
        causes.push(FieldError::invalid("spec.selector", selector.clone(), "`selector` not auto-generated"));
    }
    causes
}

/// The labels of its pods, which are texts: its type was checked.
fn template_labels(job: &Value) -> BTreeMap<String, String> {
    BTreeMap::deserialize(&job["spec"]["template"]["metadata"]["labels"]).unwrap_or_default()
}

/// Whether the selector of a Job matches labels. One that cannot be read matches nothing.
fn selects(job: &Value, labels: &BTreeMap<String, String>) -> bool {
    let selector = LabelSelector::deserialize(&job["spec"]["selector"]).ok();
    selector
        .and_then(|selector| Selector::try_from(selector).ok())
        .is_some_and(|selector| selector.matches(labels))
}

fn pod_causes(job: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for list in ["initContainers", "containers"] {
        let containers = json::list(job, &["spec", "template", "spec", list]);
        let field = format!("spec.template.spec.{list}");
        if list == "containers" && containers.is_empty() {
            causes.push(FieldError::required(field.clone(), ""));
        }
        for (index, container) in containers.iter().enumerate() {
            let field = format!("{field}[{index}]");
            let name = json::text_or_empty(container, &["name"]);
            if name.is_empty() {
                causes.push(FieldError::required(format!("{field}.name"), ""));
            } else if let Some(cause) = names::label(name) {
                causes.push(FieldError::invalid(format!("{field}.name"), name, &cause));
            } else if seen.contains(&name) {
                let value = Some(name.into());
                causes.push(FieldError::new(ErrorKind::Duplicate, format!("{field}.name"), value, ""));
            }
            seen.push(name);
            let image = json::text_or_empty(container, &["image"]);
            if image.is_empty() {
                causes.push(FieldError::required(format!("{field}.image"), ""));
            } else if image.trim() != image {
                let detail = "must not have leading or trailing whitespace";
                causes.push(FieldError::invalid(format!("{field}.image"), image, detail));
            }
            for (index, variable) in json::list(container, &["env"]).iter().enumerate() {
                if json::text_or_empty(variable, &["name"]).is_empty() {
                    causes.push(FieldError::required(format!("{field}.env[{index}].name"), ""));
                }
            }
            let policy = json::text_or_empty(container, &["imagePullPolicy"]);
            let supported = ["Always", "IfNotPresent", "Never"];
            if !supported.contains(&policy) {
                causes.push(FieldError::not_supported(format!("{field}.imagePullPolicy"), policy, supported));
            }
        }
    }
    causes
}

/// What may not change in a Job.
pub(crate) fn update_causes(old: &Value, new: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    for key in [
        "selector",
        "completionMode",
        "podFailurePolicy",
        "backoffLimitPerIndex",
        "managedBy",
        "successPolicy",
    ] {
        causes.extend(meta::changed(old, new, &["spec", key]));
    }
    let completions = ["spec", "completions"];
    let indexed = json::text(new, &["spec", "completionMode"]) == Some("Indexed")
        && json::at(new, &completions) == json::at(new, &["spec", "parallelism"]);
    if !indexed {
        causes.extend(meta::changed(old, new, &completions));
    }
    let template = ["spec", "template"];
    if let (Some(before), Some(after)) = (json::at(old, &template), json::at(new, &template)) {
        let (mut before, mut after) = (before.clone(), after.clone());
        if is_not_started(old) {
            // Queues place a suspended Job before it starts.
            for pod in [&mut before, &mut after] {
                release_placement(pod);
            }
        }
        if before != after {
            causes.extend(meta::changed(old, new, &template));
        }
    }
    causes
}

fn is_not_started(job: &Value) -> bool {
    json::at(job, &["spec", "suspend"]) == Some(&Value::Bool(true))
        && json::at(job, &["status", "startTime"]).is_none()
}

fn release_placement(template: &mut Value) {
    for path in [
        &["metadata", "labels"][..],
        &["metadata", "annotations"],
        &["spec", "nodeSelector"],
        &["spec", "affinity"],
        &["spec", "tolerations"],
        &["spec", "schedulingGates"],
    ] {
        json::remove(template, path);
    }
}
