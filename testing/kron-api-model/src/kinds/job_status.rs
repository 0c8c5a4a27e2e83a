//! The status of Jobs: which writes a server refuses, from any client.

use kron_api_schema::{ErrorKind, FieldError};
use serde_json::Value;

use crate::json;

/// Whether a condition of a Job is True.
pub(crate) fn has_condition(job: &Value, kind: &str) -> bool {
    json::list(job, &["status", "conditions"]).iter().any(|condition| {
        json::text(condition, &["type"]) == Some(kind) && json::text(condition, &["status"]) == Some("True")
    })
}

/// Whether a Job has ended, well or not.
pub(crate) fn is_finished(job: &Value) -> bool {
    has_condition(job, "Complete") || has_condition(job, "Failed")
}

/// What is wrong with the new status of a Job.
pub(crate) fn causes(old: &Value, new: &Value) -> Vec<FieldError> {
    let mut causes = Vec::new();
    for key in ["active", "succeeded", "failed", "ready", "terminating"] {
        if let Some(number) = json::integer(new, &["status", key]).filter(|&number| number < 0) {
            let detail = "must be greater than or equal to 0";
            causes.push(FieldError::invalid(format!("status.{key}"), number, detail));
        }
    }
    for key in ["succeeded", "failed"] {
        let count = |job| json::integer(job, &["status", key]).unwrap_or(0);
        if count(new) < count(old) && json::text(new, &["spec", "completionMode"]) != Some("Indexed") {
            let detail = format!("cannot decrease the {key} counter");
            causes.push(FieldError::invalid(format!("status.{key}"), count(new), detail));
        }
    }
    condition_causes(old, new, &mut causes);
    time_causes(old, new, &mut causes);
    let active = json::integer(new, &["status", "active"]).unwrap_or(0);
    if is_finished(new) && !is_finished(old) {
        if active > 0 {
            causes.push(FieldError::invalid("status.active", active, "active>0 is invalid for finished job"));
        }
        if let Some(terminating) = json::integer(new, &["status", "terminating"]).filter(|&n| n > 0) {
            let detail = "terminating>0 is invalid for finished job";
            causes.push(FieldError::invalid("status.terminating", terminating, detail));
        }
    }
    if let Some(ready) = json::integer(new, &["status", "ready"]).filter(|&ready| ready > active) {
        causes.push(FieldError::invalid("status.ready", ready, "cannot set more ready pods than active"));
    }
    causes
}

fn condition_causes(old: &Value, new: &Value, causes: &mut Vec<FieldError>) {
    let field = "status.conditions";
    for kind in ["Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"] {
        if has_condition(old, kind) && !has_condition(new, kind) {
            let detail = format!("cannot disable the terminal {kind}=True condition");
            causes.push(FieldError::new(ErrorKind::Invalid, field, None, detail));
        }
    }
    let (complete, failed) = (has_condition(new, "Complete"), has_condition(new, "Failed"));
    let (target, met) = (has_condition(new, "FailureTarget"), has_condition(new, "SuccessCriteriaMet"));
    if complete && failed {
        causes.push(FieldError::new(
            ErrorKind::Invalid,
            field,
            None,
            "cannot set Complete=True and Failed=true conditions",
        ));
    }
    if complete && target {
        let detail = "cannot set Complete=True and FailureTarget=true conditions";
        causes.push(FieldError::new(ErrorKind::Invalid, field, None, detail));
    }
    if failed && !target && !has_condition(old, "Failed") {
        let detail = "cannot set Failed=True condition without the FailureTarget=true condition";
        causes.push(FieldError::new(ErrorKind::Invalid, field, None, detail));
    }
    if complete && !met && !has_condition(old, "Complete") {
        let detail = "cannot set Complete=True condition without the SuccessCriteriaMet=true condition";
        causes.push(FieldError::new(ErrorKind::Invalid, field, None, detail));
    }
    if met && failed {
        let detail = "cannot set Failed=True and SuccessCriteriaMet=true conditions";
        causes.push(FieldError::new(ErrorKind::Invalid, field, None, detail));
    }
    if met && target {
        let detail = "cannot set FailureTarget=True and SuccessCriteriaMet=true conditions";
        causes.push(FieldError::new(ErrorKind::Invalid, field, None, detail));
    }
}

fn time_causes(old: &Value, new: &Value, causes: &mut Vec<FieldError>) {
    let time = |job, key| {
        json::text(job, &["status", key]).and_then(|text| chrono::DateTime::parse_from_rfc3339(text).ok())
    };
    let (start, completion) = (time(new, "startTime"), time(new, "completionTime"));
    let newly_finished = is_finished(new) && !is_finished(old);
    if newly_finished && start.is_none() {
        causes.push(FieldError::required("status.startTime", "startTime is required for finished job"));
    }
    let suspended = json::at(new, &["spec", "suspend"]) == Some(&Value::Bool(true));
    if let Some(before) = time(old, "startTime")
        && start != Some(before)
        && !suspended
    {
        match json::at(new, &["status", "startTime"]) {
            Some(after) => {
                let detail = "startTime cannot be updated for unsuspended job";
                causes.push(FieldError::invalid("status.startTime", after.clone(), detail));
            }
            None => {
                let detail = "startTime cannot be removed for unsuspended job";
                causes.push(FieldError::required("status.startTime", detail));
            }
        }
    }
    let text = json::at(new, &["status", "completionTime"]).unwrap_or(&Value::Null);
    let complete = has_condition(new, "Complete");
    if complete && completion.is_none() && !has_condition(old, "Complete") {
        let detail = "completionTime is required for Complete jobs";
        causes.push(FieldError::required("status.completionTime", detail));
    }
    if completion.is_some() && !complete {
        let detail = "cannot set completionTime when there is no Complete=True condition";
        causes.push(FieldError::invalid("status.completionTime", text.clone(), detail));
    }
    if let (Some(start), Some(completion)) = (start, completion)
        && completion < start
    {
        let detail = "completionTime cannot be set before startTime";
        causes.push(FieldError::invalid("status.completionTime", text.clone(), detail));
    }
    if let Some(before) = time(old, "completionTime")
        && completion != Some(before)
    {
        causes.push(FieldError::invalid(
            "status.completionTime",
            text.clone(),
            "completionTime cannot be mutated",
        ));
    }
}
