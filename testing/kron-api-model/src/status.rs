//! Error bodies: `Status` as API servers write it, with their reasons, codes and sentences.

use kron_api_schema::{FieldError, aggregate};
use serde_json::{Map, Value, json};

/// A refusal: the `Status` object that an API server answers instead of the object asked for.
///
/// ```
/// use kron_api_model::Status;
/// let status = Status::too_many_requests(1);
/// assert_eq!(status.code, 429);
/// assert_eq!(status.to_value()["details"]["retryAfterSeconds"], 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// The HTTP status code.
    pub code: u16,
    /// The reason, one word for programs: `NotFound`, `Conflict`. Empty where a server gives none.
    pub reason: String,
    /// The sentence for people.
    pub message: String,
    /// `details`: what was asked for, and the causes; null where there are none.
    pub details: Value,
    /// `metadata`: holds the token of an expired list.
    pub metadata: Value,
}

/// The name of a resource, as messages print it: `jobs.batch`.
pub(crate) fn qualified(resource: &str, group: &str) -> String {
    if group.is_empty() { resource.to_owned() } else { format!("{resource}.{group}") }
}

impl Status {
    /// A status of any code, for faults that no constructor here has.
    pub fn new(code: u16, reason: impl Into<String>, message: impl Into<String>) -> Status {
        Status {
            code,
            reason: reason.into(),
            message: message.into(),
            details: Value::Null,
            metadata: json!({}),
        }
    }

    fn about(mut self, name: &str, group: &str, kind: &str) -> Status {
        let mut details = Map::new();
        for (key, value) in [("name", name), ("group", group), ("kind", kind)] {
            if !value.is_empty() {
                details.insert(key.into(), value.into());
            }
        }
        self.details = Value::Object(details);
        self
    }

    fn caused_by(mut self, causes: Value) -> Status {
        crate::json::set(&mut self.details, &["causes"], causes);
        self
    }

    /// 404: there is no such object. `resource` is the plural.
    pub fn not_found(group: &str, resource: &str, name: &str) -> Status {
        Status::new(404, "NotFound", format!("{} {name:?} not found", qualified(resource, group)))
            .about(name, group, resource)
    }

    /// 404: nothing is served at this path.
    pub fn no_such_path() -> Status {
        Status::new(404, "NotFound", "the server could not find the requested resource").about("", "", "")
    }

    /// 409: an object of that name exists.
    pub fn already_exists(group: &str, resource: &str, name: &str) -> Status {
        Status::new(409, "AlreadyExists", format!("{} {name:?} already exists", qualified(resource, group)))
            .about(name, group, resource)
    }

    /// 409: the object was written by another client in between, or a precondition fails.
    pub fn conflict(group: &str, resource: &str, name: &str, cause: &str) -> Status {
        let message =
            format!("Operation cannot be fulfilled on {} {name:?}: {cause}", qualified(resource, group));
        Status::new(409, "Conflict", message).about(name, group, resource)
    }

    /// 409 with the sentence of a stale `resourceVersion`.
    pub fn modified(group: &str, resource: &str, name: &str) -> Status {
        let cause =
            "the object has been modified; please apply your changes to the latest version and try again";
        Status::conflict(group, resource, name, cause)
    }

    /// 422: the object is not valid.
    pub fn invalid(group: &str, kind: &str, name: &str, errors: &[FieldError]) -> Status {
        let texts = aggregate(errors);
        let cause = |error: &FieldError| json!({"reason": error.kind.reason(), "message": error.body(), "field": error.field});
        Status::new(422, "Invalid", format!("{} {name:?} is invalid: {texts}", qualified(kind, group)))
            .about(name, group, kind)
            .caused_by(errors.iter().map(cause).collect())
    }

    /// 403: not allowed, for the reason given.
    pub fn forbidden(group: &str, resource: &str, name: &str, cause: &str) -> Status {
        let message = if name.is_empty() {
            format!("{} is forbidden: {cause}", qualified(resource, group))
        } else {
            format!("{} {name:?} is forbidden: {cause}", qualified(resource, group))
        };
        Status::new(403, "Forbidden", message).about(name, group, resource)
    }

    /// 403 with the sentence of a quota that is used up.
    pub fn quota_exceeded(group: &str, resource: &str, name: &str, quota: &str) -> Status {
        let counted = format!("count/{}", qualified(resource, group));
        let cause = format!(
            "exceeded quota: {quota}, requested: {counted}=1, used: {counted}=1, limited: {counted}=1"
        );
        Status::forbidden(group, resource, name, &cause)
    }

    /// 403: the namespace is being deleted.
    pub(crate) fn namespace_terminating(group: &str, resource: &str, name: &str, namespace: &str) -> Status {
        let cause =
            format!("unable to create new content in namespace {namespace} because it is being terminated");
        Status::forbidden(group, resource, name, &cause).caused_by(json!([{
            "reason": "NamespaceTerminating",
            "message": format!("namespace {namespace} is being terminated"),
            "field": "metadata.namespace",
        }]))
    }

    /// 400: the request cannot be understood.
    pub fn bad_request(message: impl Into<String>) -> Status {
        Status::new(400, "BadRequest", message)
    }

    /// 405: the resource does not have this verb.
    pub(crate) fn method_not_allowed() -> Status {
        Status::new(
            405,
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
        )
        .about("", "", "")
    }

    /// 406: no representation that the caller accepts.
    pub(crate) fn not_acceptable() -> Status {
        Status::new(
            406,
            "NotAcceptable",
            "only the following media types are accepted: application/json, \
             application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1, \
             application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
        )
    }

    /// 415: a body of a type that is not read.
    pub fn unsupported_media_type(accepted: &[&str]) -> Status {
        Status::new(
            415,
            "UnsupportedMediaType",
            format!(
                "the body of the request was in an unknown format - accepted media types include: {}",
                accepted.join(", ")
            ),
        )
    }

    /// 410: a version that is no longer kept.
    pub fn expired(message: impl Into<String>) -> Status {
        Status::new(410, "Expired", message)
    }

    /// 410 as watches say it.
    pub(crate) fn too_old(version: u64, current: u64) -> Status {
        Status::expired(format!("too old resource version: {version} ({current})"))
    }

    /// 504: a version that is not there yet.
    pub(crate) fn too_large(version: u64, current: u64) -> Status {
        let mut status =
            Status::gateway_timeout(&format!("Too large resource version: {version}, current: {current}"))
                .caused_by(
                    json!([{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}]),
                );
        crate::json::set(&mut status.details, &["retryAfterSeconds"], 1);
        status
    }

    /// 429: come back later.
    pub fn too_many_requests(retry_after_seconds: u32) -> Status {
        let mut status = Status::new(
            429,
            "TooManyRequests",
            "the server has received too many requests and has asked us to try again later",
        );
        status.details = json!({"retryAfterSeconds": retry_after_seconds});
        status
    }

    /// 500: something broke.
    pub fn internal_error(message: &str) -> Status {
        Status::new(500, "InternalError", format!("Internal error occurred: {message}"))
            .about("", "", "")
            .caused_by(json!([{"message": message}]))
    }

    /// 500 without a reason: what servers make of errors they have no word for.
    pub(crate) fn unknown(message: impl Into<String>) -> Status {
        Status::new(500, "", message)
    }

    /// 503: no server is there to answer.
    pub fn service_unavailable() -> Status {
        Status::new(503, "ServiceUnavailable", "the server is currently unable to handle the request")
    }

    /// 504: the request took too long. What became of it is not known.
    pub fn gateway_timeout(message: &str) -> Status {
        Status::new(504, "Timeout", format!("Timeout: {message}")).about("", "", "")
    }

    /// Seconds after which to try again, if the server names them; they are sent as header `Retry-After`, too.
    pub fn retry_after(&self) -> Option<u64> {
        self.details.get("retryAfterSeconds").and_then(Value::as_u64)
    }

    /// The body: kind `Status` of `v1`.
    pub fn to_value(&self) -> Value {
        let mut body = json!({
            "kind": "Status", "apiVersion": "v1", "metadata": self.metadata, "status": "Failure",
            "message": self.message, "code": self.code,
        });
        if !self.reason.is_empty() {
            crate::json::set(&mut body, &["reason"], self.reason.as_str());
        }
        if !self.details.is_null() {
            crate::json::set(&mut body, &["details"], self.details.clone());
        }
        body
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}: {}", self.code, self.reason, self.message)
    }
}

impl std::error::Error for Status {}
