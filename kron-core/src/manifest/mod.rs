//! KronJob manifests: JSON and YAML documents become jobs. The resource's own rules, beyond those of a spec, are here.

mod job_template;
mod load;
mod primer;
mod quantity;
mod resources;
mod snapshot;

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, Value};

use crate::draw::window::WindowMode;
use crate::error::{Error, ManifestError, Snippet};
use crate::job::Job;
use crate::job::lookup::Lookup;
use crate::job::spec::JobSpec;
use crate::job::spec_fields::SpecFields;
use crate::json;
use crate::limits::{OVERLAP_MAX, VALUE_CHARS};
use crate::serde_support::Object;

pub(crate) use load::load_with;
pub use load::{LoadError, LoadOptions, Loaded, LoadedJob};
pub use primer::Primer;
pub use quantity::Quantity;
pub use resources::{JobRequests, PodResources, UnreadQuantity, pods_at_once};
pub use snapshot::job_labels::{ObjectFinding, ObjectFindingCode};
pub use snapshot::kronjob::KronJobSnapshot;
pub(crate) use snapshot::read_snapshot;
pub use snapshot::{AuditSpan, KronJobAudit, Snapshot};

/// The API version that this core reads.
pub const API_VERSION: &str = "kron.io/v1alpha1";
/// The kind that this core reads.
pub const KIND: &str = "KronJob";
/// `spec.successfulJobsHistoryLimit` of a KronJob that names none.
pub const SUCCESSFUL_JOBS_KEPT: u32 = 3;
/// `spec.failedJobsHistoryLimit` of a KronJob that names none.
pub const FAILED_JOBS_KEPT: u32 = 1;

/// The parts of a KronJob that decide times: its names, its spec and its primer. Job templates are checked as an API
/// server checks them, and not kept.
///
/// ```
/// use kron_core::KronJob;
/// let manifest = serde_json::json!({
///     "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "db-backup", "namespace": "prod"},
///     "spec": {"schedule": "@daily", "window": {"duration": "3h"}, "jobTemplate": {"spec": {"template": {"spec": {
///         "restartPolicy": "Never", "containers": [{"name": "dump", "image": "postgres:18"}],
///     }}}}},
/// });
/// let job = KronJob::from_value(&manifest)?.into_job("default")?;
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
    pub(crate) fn read(value: &Value, lookup: Lookup<'_>) -> Result<KronJob, Error> {
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
        let (spec, primer) = KronJob::read_spec(required(object, "", "spec")?, lookup)
            .map_err(|error| error.within("spec"))?;
        let namespace = namespace.map(ToString::to_string);
        Ok(KronJob { name: name.to_string(), namespace, spec, primer })
    }

    pub(crate) fn read_spec(value: &Value, lookup: Lookup<'_>) -> Result<(JobSpec, Option<Primer>), Error> {
        let mut fields = object("", value)?.clone();
        let template = fields.remove("jobTemplate").filter(|template| !template.is_null());
        let primer = fields.remove("primer").filter(|primer| !primer.is_null());
        let limits = ["successfulJobsHistoryLimit", "failedJobsHistoryLimit"];
        let limits = limits.map(|field| (field, fields.remove(field).unwrap_or_default()));
        let Object(fields) = json::read_value::<Object<SpecFields>>(Value::Object(fields))?;
        check_fields(&fields)?;
        let spec = fields.into_spec(lookup)?;
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
                let kind = ManifestError::Type { found, want: crate::error::HISTORY_LIMIT };
                return Err(Error::new(field, kind));
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
    /// use kron_core::KronJob;
    /// let manifest = serde_json::json!({
    ///     "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": "db-backup"},
    ///     "spec": {"schedule": "@daily", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "dump", "image": "postgres:18"}],
    ///     }}}}},
    /// });
    /// assert_eq!(KronJob::from_value(&manifest)?.into_job("staging")?.name(), "staging/db-backup");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn into_job(self, namespace: &str) -> Result<Job, Error> {
        Job::new(&format!("{}/{}", self.namespace.as_deref().unwrap_or(namespace), self.name), self.spec)
    }
}

/// Values that the core accepts and the resource refuses, and its bounds on lengths.
fn check_fields(fields: &SpecFields) -> Result<(), Error> {
    if let Some(path) = fields.first_calendar() {
        return Err(Error::new(path, ManifestError::Calendar));
    }
    let window = fields.window.as_ref().map(|Object(window)| window);
    if window.is_some_and(|window| window.mode.as_deref() == Some(WindowMode::Before.as_str())) {
        return Err(Error::new("window.mode", ManifestError::Before));
    }
    let duration = window.and_then(|window| window.duration.as_deref());
    let deadline = fields.policy.as_ref().and_then(|Object(policy)| policy.deadline.as_deref());
    let params =
        fields.distribution.iter().flat_map(|Object(distribution)| distribution.params.iter().flatten());
    let params =
        params.filter_map(|(key, value)| Some((format!("distribution.params.{key}"), value.as_deref()?)));
    let fields = [("window.duration", duration), ("policy.deadline", deadline)];
    let fields = fields.into_iter().filter_map(|(field, value)| Some((field.to_string(), value?)));
    for (field, value) in fields.chain(params) {
        let found = value.chars().count();
        if found > VALUE_CHARS {
            return Err(Error::new(field, ManifestError::TooLong { max: VALUE_CHARS, found }));
        }
    }
    Ok(())
}

fn check_overlap(spec: &JobSpec) -> Result<(), Error> {
    // OK because durations are never negative.
    let most = spec.schedule().most_nominal_times_in(spec.window().duration().as_secs() as u64);
    if most > OVERLAP_MAX {
        return Err(Error::new("window.duration", ManifestError::Overlap { most, max: OVERLAP_MAX }));
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
    let kind = || ManifestError::Type { found: kind_of(value), want: "an object" };
    value.as_object().ok_or_else(|| Error::new(field, kind()))
}

fn string<'v>(field: &'static str, value: &'v Value) -> Result<&'v str, Error> {
    let kind = || ManifestError::Type { found: kind_of(value), want: "a string" };
    value.as_str().ok_or_else(|| Error::new(field, kind()))
}

fn required<'v>(object: &'v Map<String, Value>, parent: &str, field: &str) -> Result<&'v Value, Error> {
    object.get(field).filter(|value| !value.is_null()).ok_or_else(|| missing(parent, field))
}

fn missing(parent: &str, field: &str) -> Error {
    Error::new(parent.to_string(), ManifestError::Missing { field: Snippet::of(field) })
}

fn known_fields(
    object: &Map<String, Value>,
    parent: &str,
    known: &'static [&'static str],
) -> Result<(), Error> {
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => {
            let nearest = crate::error::nearest(key, known.iter().copied()).map(ToString::to_string);
            Err(Error::new(parent.to_string(), ManifestError::Unknown { field: Snippet::of(key), nearest }))
        }
    }
}

/// The kind of a value, for messages.
fn kind_of(value: &Value) -> &'static str {
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
fn repeated(names: &[(String, Option<usize>)]) -> impl Iterator<Item = Error> {
    let mut sorted: Vec<&(String, Option<usize>)> = names.iter().collect();
    sorted.sort_by_key(|(name, _)| name);
    let twice: Vec<_> = sorted.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1]).collect();
    twice.into_iter().map(|(name, document)| {
        let kind = crate::error::TextError::RepeatedName { name: Snippet::of(name), first: None };
        let error = Error::new("name", kind);
        document.map_or(error.clone(), |document| error.in_document(document))
    })
}
