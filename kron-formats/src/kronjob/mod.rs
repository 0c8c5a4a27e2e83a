//! KronJob manifests: JSON and YAML documents become jobs. The resource's own rules, beyond those of a spec, are here.

mod job_template;
mod lead;
mod primer;
mod quantity;
mod resources;

use kron_core::constraint::ClausePart;
use kron_core::error::{Snippet, StructureError, nearest};
use kron_core::text::json_documents;
use kron_core::{Error, Job, JobSpec, Parser, WindowMode};
use serde_json::{Map, Value};

use crate::error::ManifestError;
use crate::limits::{OVERLAP_MAX, VALUE_CHARS};
use crate::without_days::WithoutDays;

pub use lead::{PrimerAction, PrimerLead};
pub use primer::Primer;
pub use quantity::Quantity;
pub use resources::{JobRequests, PodResources, UnreadQuantity, pods_at_once};

/// The API version that this crate reads.
pub const API_VERSION: &str = "kron.io/v1alpha1";
/// The kind that this crate reads.
pub const KIND: &str = "KronJob";

/// How many successful and how many failed Jobs a KronJob keeps, given its spec as JSON.
///
/// ```
/// use kron_formats::kronjob::jobs_kept;
/// assert_eq!(jobs_kept(&serde_json::json!({})), (3, 1));
/// assert_eq!(jobs_kept(&serde_json::json!({"failedJobsHistoryLimit": 0})), (3, 0));
/// ```
pub fn jobs_kept(spec: &Value) -> (u32, u32) {
    let kept = |field: &str, default| {
        spec[field].as_u64().map_or(default, |kept| kept.try_into().unwrap_or(u32::MAX))
    };
    (kept("successfulJobsHistoryLimit", 3), kept("failedJobsHistoryLimit", 1))
}

/// The parts of a KronJob that decide times: its names, its spec and its primer. Job templates are checked as an API
/// server checks them, and not kept.
///
/// ```
/// use kron_core::Parser;
/// use kron_formats::kronjob::KronJob;
/// let manifest = serde_json::json!({
///     "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "db-backup", "namespace": "prod"},
///     "spec": {"schedule": "@daily", "window": {"duration": "3h"}, "jobTemplate": {"spec": {"template": {"spec": {
///         "restartPolicy": "Never", "containers": [{"name": "dump", "image": "postgres:18"}],
///     }}}}},
/// });
/// let job = KronJob::from_value(&Parser::new(), &manifest)?.into_job("default")?;
/// assert_eq!(job.name(), "prod/db-backup");
/// # Ok::<(), kron_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KronJob {
    /// `metadata.name`.
    pub name: String,
    /// `metadata.namespace`, if the manifest has one.
    pub namespace: Option<String>,
    /// The fields of the spec that decide times.
    pub spec: JobSpec,
    /// `spec.primer`, if the manifest has one.
    pub primer: Option<Primer>,
}

impl KronJob {
    /// Reads a KronJob from a JSON value. `parser` looks up zones.
    ///
    /// # Errors
    ///
    /// Names the field by its path from the top, `spec.window.duration`. Unknown fields are errors.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_formats::kronjob::KronJob;
    /// let manifest = serde_json::json!({
    ///     "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "report"},
    ///     "spec": {"schedule": "61 * * * *", "timezone": "Asia/Tokyo", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "report", "image": "report:1"}],
    ///     }}}}},
    /// });
    /// let error = KronJob::from_value(&Parser::new(), &manifest).unwrap_err();
    /// assert_eq!(error.field(), "spec.schedule.minute");
    /// ```
    pub fn from_value(parser: &Parser, value: &Value) -> Result<KronJob, Error> {
        let object = object("", value)?;
        for (field, want) in [("apiVersion", API_VERSION), ("kind", KIND)] {
            let found = string(field, required(object, "", field)?)?;
            if found != want {
                return Err(Error::new(field, ManifestError::Kind { text: Snippet::of(found), want }));
            }
        }
        known_fields(object, "", &["apiVersion", "kind", "metadata", "spec", "status"])?;
        let metadata = self::object("metadata", required(object, "", "metadata")?)?;
        let name = string("metadata.name", required(metadata, "metadata", "name")?)?;
        check_name("metadata.name", name, 253, true)?;
        let namespace = match metadata.get("namespace") {
            None | Some(Value::Null) => None,
            Some(namespace) => Some(string("metadata.namespace", namespace)?),
        };
        if let Some(namespace) = namespace {
            check_name("metadata.namespace", namespace, 63, false)?;
        }
        let (spec, primer) = KronJob::read_spec(parser, required(object, "", "spec")?)
            .map_err(|error| error.within("spec"))?;
        let namespace = namespace.map(ToString::to_string);
        Ok(KronJob { name: name.to_string(), namespace, spec, primer })
    }

    /// Reads only the spec of a KronJob, by the resource's rules. Paths of errors begin within the spec.
    ///
    /// # Errors
    ///
    /// As [`from_value`](KronJob::from_value).
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_formats::kronjob::KronJob;
    /// let spec = serde_json::json!({
    ///     "schedule": "@daily", "timezone": "Asia/Tokyo", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "report", "image": "report:1"}],
    ///     }}}},
    /// });
    /// assert_eq!(KronJob::spec_from_value(&Parser::new(), &spec)?.timezone().name(), "Asia/Tokyo");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn spec_from_value(parser: &Parser, value: &Value) -> Result<JobSpec, Error> {
        KronJob::read_spec(parser, value).map(|(spec, _)| spec)
    }

    /// Reads only the spec of a KronJob from one JSON object, as [`spec_from_value`](KronJob::spec_from_value) does.
    ///
    /// # Errors
    ///
    /// As [`spec_from_value`](KronJob::spec_from_value), and for text that is not one JSON document.
    ///
    /// ```
    /// use kron_core::{ErrorCode, Parser};
    /// use kron_formats::kronjob::KronJob;
    /// let error = KronJob::spec_from_json(&Parser::new(), r#"{"schedule": "@daily"}"#).unwrap_err();
    /// assert_eq!(error.code(), ErrorCode::ManifestMissingField); // the job template
    /// ```
    pub fn spec_from_json(parser: &Parser, text: &str) -> Result<JobSpec, Error> {
        json_document(text).and_then(|value| KronJob::spec_from_value(parser, &value))
    }

    fn read_spec(parser: &Parser, value: &Value) -> Result<(JobSpec, Option<Primer>), Error> {
        let mut fields = object("", value)?.clone();
        let template = fields.remove("jobTemplate").filter(|template| !template.is_null());
        let primer = fields.remove("primer").filter(|primer| !primer.is_null());
        let limits = ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"];
        let limits = limits.map(|field| (field, fields.remove(field).unwrap_or_default()));
        check_fields(&fields)?;
        let spec = parser.spec_from_deserializer(Value::Object(fields)).map_err(WithoutDays::without_days)?;
        job_template::check("jobTemplate", &template.ok_or_else(|| missing("", "jobTemplate"))?)?;
        for (field, limit) in limits {
            let fits = limit.is_null()
                || limit.as_i64().is_some_and(|limit| (0..=i64::from(i32::MAX)).contains(&limit));
            if !fits {
                let found = match &limit {
                    Value::Number(number) if number.is_f64() => "one with a fraction or an exponent",
                    Value::Number(number) if number.as_i64().is_some_and(i64::is_negative) => {
                        "a negative one"
                    }
                    Value::Number(_) => "a greater one",
                    other => kind_of(other),
                };
                return Err(Error::new(field, ManifestError::HistoryLimit { found }));
            }
        }
        let primer = primer.map(|primer| Primer::read(&primer)).transpose()?;
        check_overlap(&spec)?;
        Ok((spec, primer))
    }

    /// The job: its name is `namespace/name`, with the namespace given where the manifest has none.
    ///
    /// # Errors
    ///
    /// Those of [`Job::new`].
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_formats::kronjob::KronJob;
    /// let manifest = serde_json::json!({
    ///     "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "db-backup"},
    ///     "spec": {"schedule": "@daily", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "dump", "image": "postgres:18"}],
    ///     }}}}},
    /// });
    /// assert_eq!(KronJob::from_value(&Parser::new(), &manifest)?.into_job("staging")?.name(), "staging/db-backup");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn into_job(self, namespace: &str) -> Result<Job, Error> {
        Job::new(format!("{}/{}", self.namespace.as_deref().unwrap_or(namespace), self.name), self.spec)
    }
}

/// Values that the core accepts and the resource refuses, and its bounds on lengths. Values of a wrong type are left to the reader of
/// the spec.
fn check_fields(fields: &Map<String, Value>) -> Result<(), Error> {
    let field = |object: &str, field: &str| fields.get(object).and_then(|object| object.get(field));
    for list in ["days", "nodays"] {
        if fields.get(list).is_some_and(|clauses| !clauses.is_null()) {
            return Err(Error::new(list, ManifestError::Days));
        }
    }
    let part = ClausePart::Calendar.as_str();
    for list in ["only", "avoid"] {
        let clauses = field("constraints", list).and_then(Value::as_array).into_iter().flatten();
        if let Some(index) = clauses.into_iter().position(|clause| clause.get(part).is_some()) {
            return Err(Error::new(format!("constraints.{list}[{index}].{part}"), ManifestError::Calendar));
        }
    }
    if field("window", "mode").and_then(Value::as_str) == Some(WindowMode::Before.as_str()) {
        return Err(Error::new("window.mode", ManifestError::Before));
    }
    let params = field("distribution", "params").and_then(Value::as_object).into_iter().flatten();
    let params = params.map(|(key, value)| (format!("distribution.params.{key}"), Some(value)));
    let values = [
        ("window.duration".to_string(), field("window", "duration")),
        ("policy.deadline".to_string(), field("policy", "deadline")),
    ];
    for (field, value) in values.into_iter().chain(params) {
        let found = value.and_then(Value::as_str).map_or(0, |value| value.chars().count());
        if found > VALUE_CHARS {
            return Err(Error::new(field, ManifestError::TooLong { max: VALUE_CHARS, found }));
        }
    }
    Ok(())
}

/// The one JSON document of a text.
fn json_document(text: &str) -> Result<Value, Error> {
    <[Value; 1]>::try_from(json_documents(text)?).map(|[value]| value).map_err(|values| {
        let what = if values.is_empty() { "nothing" } else { "more than one document" };
        let message = format!("expected one document, but found {what}");
        Error::new("", StructureError::Syntax { message })
    })
}

fn check_overlap(spec: &JobSpec) -> Result<(), Error> {
    // OK because durations are never negative.
    let most = spec.schedule().most_nominal_times_in(spec.window().duration().as_secs() as u64);
    if most > OVERLAP_MAX {
        // The longest window of whole minutes; fewer than 100 minutes always fit.
        let fits = |minutes: u64| spec.schedule().most_nominal_times_in(minutes * 60) <= OVERLAP_MAX;
        let (mut minutes, mut beyond) = (OVERLAP_MAX - 1, spec.window().duration().as_secs() as u64 / 60 + 1);
        while beyond - minutes > 1 {
            let middle = minutes.midpoint(beyond);
            (minutes, beyond) = if fits(middle) { (middle, beyond) } else { (minutes, middle) };
        }
        return Err(Error::new(
            "window.duration",
            ManifestError::Overlap { most, max: OVERLAP_MAX, minutes },
        ));
    }
    Ok(())
}

/// A DNS-1123 label, or a subdomain of several joined by dots: what an API server takes as a name.
fn check_name(field: &'static str, name: &str, max: usize, dots: bool) -> Result<(), Error> {
    let label = |label: &str| {
        let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        !label.is_empty() && label.chars().all(inner) && !label.starts_with('-') && !label.ends_with('-')
    };
    let fits = name.len() <= max && if dots { name.split('.').all(label) } else { label(name) };
    fits.then_some(()).ok_or_else(|| Error::new(field, ManifestError::Name { text: Snippet::of(name), max }))
}

fn object<'v>(field: &'static str, value: &'v Value) -> Result<&'v Map<String, Value>, Error> {
    let kind = || StructureError::Type { found: kind_of(value), want: "an object" };
    value.as_object().ok_or_else(|| Error::new(field, kind()))
}

fn string<'v>(field: &'static str, value: &'v Value) -> Result<&'v str, Error> {
    let kind = || StructureError::Type { found: kind_of(value), want: "a string" };
    value.as_str().ok_or_else(|| Error::new(field, kind()))
}

fn required<'v>(object: &'v Map<String, Value>, parent: &str, field: &str) -> Result<&'v Value, Error> {
    object.get(field).filter(|value| !value.is_null()).ok_or_else(|| missing(parent, field))
}

fn missing(parent: &str, field: &str) -> Error {
    Error::new(parent.to_string(), StructureError::Missing { field: Snippet::of(field) })
}

fn known_fields(
    object: &Map<String, Value>,
    parent: &str,
    known: &'static [&'static str],
) -> Result<(), Error> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let nearest = nearest(key, known.iter().copied()).map(ToString::to_string);
            Err(Error::new(parent.to_string(), StructureError::Unknown { field: Snippet::of(key), nearest }))
        }
    }
}

/// The kind of a value, for messages.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "nothing",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Errors for names that occur twice, each about the later one.
pub(crate) fn repeated(names: &[(String, Option<usize>)]) -> impl Iterator<Item = Error> {
    let mut sorted: Vec<&(String, Option<usize>)> = names.iter().collect();
    sorted.sort_by_key(|(name, _)| name);
    let twice: Vec<_> = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]).collect();
    twice.into_iter().map(|(name, document)| {
        let error = Error::repeated_name(name);
        document.map_or(error.clone(), |document| error.in_document(document))
    })
}
