//! The parameters of requests.

use std::time::Duration;

use kron_api_schema::FieldError;
use serde_json::{Value, json};

use crate::call::{Call, Verb};
use crate::json;
use crate::status::Status;

/// The longest time limit that a request can ask for, the default of `--request-timeout`.
const LONGEST: Duration = Duration::from_secs(60);

/// How long the server works on a request whose caller sets a limit. One of another caller has none here, though a real server
/// gives it the longest; a watch ends by `timeoutSeconds` alone.
pub(crate) fn time_limit(call: &Call) -> Result<Option<Duration>, Status> {
    let Some(text) = call.parameter("timeout").filter(|text| !text.is_empty() && call.verb != Verb::Watch)
    else {
        return Ok(None);
    };
    let refuse =
        |why: String| Status::bad_request(format!("invalid timeout specified in the request URL - {why}"));
    let nanos = kron_api_schema::go::duration(text).map_err(refuse)?;
    match u64::try_from(nanos) {
        Ok(0) => Ok(None),
        Ok(nanos) => Ok(Some(Duration::from_nanos(nanos).min(LONGEST))),
        Err(_) => Err(refuse(format!("{text:?} is negative"))),
    }
}

/// What a server does about fields that it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldValidation {
    Ignore,
    Warn,
    Strict,
}

/// The kind of options, as messages name it.
pub(crate) fn refuse(kind: &str, causes: &[FieldError]) -> Status {
    Status::invalid("meta.k8s.io", kind, "", causes)
}

/// Reads what all writes have in common, and refuses values that no server takes.
pub(crate) fn validation(call: &Call) -> Result<FieldValidation, Status> {
    let kind = match call.verb {
        Verb::Create => "CreateOptions",
        Verb::Patch => "PatchOptions",
        _ => "UpdateOptions",
    };
    Ok(match call.parameter("fieldValidation") {
        Some("Ignore") => FieldValidation::Ignore,
        None | Some("" | "Warn") => FieldValidation::Warn,
        Some("Strict") => FieldValidation::Strict,
        Some(other) => {
            let cause = FieldError::not_supported("fieldValidation", other, ["", "Ignore", "Strict", "Warn"]);
            return Err(refuse(kind, &[cause]));
        }
    })
}

/// Whether nothing is to be stored.
pub(crate) fn dry_run(values: &[&str], kind: &str) -> Result<bool, Status> {
    match values.iter().find(|value| **value != "All") {
        Some(other) => Err(refuse(kind, &[FieldError::not_supported("dryRun", *other, ["All"])])),
        None => Ok(!values.is_empty()),
    }
}

/// The parameters of a list or a watch.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListOptions {
    pub(crate) label_selector: String,
    pub(crate) field_selector: String,
    pub(crate) limit: Option<usize>,
    pub(crate) continue_token: Option<String>,
    pub(crate) resource_version: String,
    pub(crate) version_match: String,
    pub(crate) bookmarks: bool,
    pub(crate) timeout_seconds: Option<u64>,
    pub(crate) send_initial_events: Option<bool>,
}

impl ListOptions {
    pub(crate) fn read(call: &Call) -> Result<ListOptions, Status> {
        let text = |name: &str| call.parameter(name).unwrap_or_default().to_owned();
        let number = |name: &str| match call.parameter(name) {
            None | Some("") => Ok(None),
            Some(text) => text.parse::<u64>().map(Some).map_err(|_| {
                Status::bad_request(format!("strconv.ParseInt: parsing {text:?}: invalid syntax"))
            }),
        };
        let options = ListOptions {
            label_selector: text("labelSelector"),
            field_selector: text("fieldSelector"),
            limit: number("limit")?.and_then(|limit| usize::try_from(limit).ok()).filter(|&limit| limit > 0),
            continue_token: call.parameter("continue").filter(|token| !token.is_empty()).map(str::to_owned),
            resource_version: text("resourceVersion"),
            version_match: text("resourceVersionMatch"),
            bookmarks: is_true(call.parameter("allowWatchBookmarks")),
            timeout_seconds: number("timeoutSeconds")?,
            send_initial_events: call.parameter("sendInitialEvents").map(|text| is_true(Some(text))),
        };
        let causes = options.causes(call.verb);
        if causes.is_empty() { Ok(options) } else { Err(refuse("ListOptions", &causes)) }
    }

    fn causes(&self, verb: Verb) -> Vec<FieldError> {
        let mut causes = Vec::new();
        let version_match = "resourceVersionMatch";
        let watch = verb == Verb::Watch;
        if let (true, Some(_)) = (watch, self.send_initial_events) {
            if self.version_match != "NotOlderThan" {
                causes.push(FieldError::forbidden(
                    version_match,
                    "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
                ));
            }
            return causes;
        }
        if self.send_initial_events.is_some() {
            causes
                .push(FieldError::forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        if self.version_match.is_empty() {
            return causes;
        }
        if watch {
            let detail = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
            causes.push(FieldError::forbidden(version_match, detail));
            return causes;
        }
        if self.resource_version.is_empty() {
            let detail = "resourceVersionMatch is forbidden unless resourceVersion is provided";
            causes.push(FieldError::forbidden(version_match, detail));
        }
        if self.continue_token.is_some() {
            let detail = "resourceVersionMatch is forbidden when continue is provided";
            causes.push(FieldError::forbidden(version_match, detail));
        }
        match self.version_match.as_str() {
            "NotOlderThan" => {}
            "Exact" if self.resource_version == "0" => causes.push(FieldError::forbidden(
                version_match,
                "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"",
            )),
            "Exact" => {}
            other => {
                causes.push(FieldError::not_supported(version_match, other, ["Exact", "NotOlderThan", ""]));
            }
        }
        causes
    }
}

fn is_true(text: Option<&str>) -> bool {
    matches!(text, Some("true" | "1"))
}

/// How an object is deleted.
#[derive(Clone, Debug, Default)]
pub(crate) struct DeleteOptions {
    pub(crate) propagation: Propagation,
    pub(crate) uid: Option<String>,
    pub(crate) resource_version: Option<String>,
    pub(crate) dry_run: bool,
}

/// What becomes of the dependents of a deleted object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Propagation {
    /// They are deleted after it.
    #[default]
    Background,
    /// They are deleted before it.
    Foreground,
    /// They stay.
    Orphan,
}

impl DeleteOptions {
    /// Reads the options from the body or, without a body, from the query.
    pub(crate) fn read(call: &Call) -> Result<DeleteOptions, Status> {
        let body = &*call.body;
        let queried = json!({
            "propagationPolicy": call.parameter("propagationPolicy"),
            "orphanDependents": call.parameter("orphanDependents").map(|text| is_true(Some(text))),
        });
        let options = if body.as_object().is_some_and(|map| !map.is_empty()) { body } else { &queried };
        let mut dry_runs: Vec<&str> =
            json::list(options, &["dryRun"]).iter().filter_map(Value::as_str).collect();
        dry_runs
            .extend(call.query.iter().filter(|(key, _)| key == "dryRun").map(|(_, value)| value.as_str()));
        let orphan = json::at(options, &["orphanDependents"]).and_then(Value::as_bool);
        let policy = json::text(options, &["propagationPolicy"]);
        if let (Some(_), Some(policy)) = (orphan, policy) {
            let detail = "orphanDependents and deletionPropagation cannot be both set";
            let cause = FieldError::invalid("propagationPolicy", policy, detail);
            return Err(refuse("DeleteOptions", &[cause]));
        }
        let propagation = match (policy, orphan) {
            (Some("Background"), _) | (None, Some(false) | None) => Propagation::Background,
            (Some("Foreground"), _) => Propagation::Foreground,
            (Some("Orphan"), _) | (None, Some(true)) => Propagation::Orphan,
            (Some(other), _) => {
                let supported = ["Foreground", "Background", "Orphan", "nil"];
                let cause = FieldError::not_supported("propagationPolicy", other, supported);
                return Err(refuse("DeleteOptions", &[cause]));
            }
        };
        let precondition = |key: &str| json::text(options, &["preconditions", key]).map(str::to_owned);
        Ok(DeleteOptions {
            propagation,
            uid: precondition("uid"),
            resource_version: precondition("resourceVersion"),
            dry_run: dry_run(&dry_runs, "DeleteOptions")?,
        })
    }
}
