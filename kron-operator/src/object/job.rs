//! A Job as the operator keeps it: without its pod template.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use k8s_openapi::api::batch::v1::{Job, JobStatus};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time as KubeTime;
use kron_crd::Time;
use kron_formats::names::{PERIOD_ID_LABEL, PRIMER_FOR_LABEL, RUN_NOW, primer_job_name, time_of_label};
use kube::core::{ApiResource, Object};
use serde::Deserialize;

/// A Job, trimmed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobView {
    /// The namespace.
    pub namespace: Arc<str>,
    /// The name.
    pub name: Arc<str>,
    /// The UID.
    pub uid: Box<str>,
    /// The version of the object.
    pub version: Version,
    /// UID of the KronJob that controls it; empty if none does.
    pub owner: Arc<str>,
    /// The period that its label names.
    pub period: Option<Time>,
    /// The run-now token that its label names.
    pub run_now: Option<Box<str>>,
    /// The period that its label says it is a primer for. Whether it is one, [`is_primer_of`](JobView::is_primer_of) says.
    pub primer_for: Option<Time>,
    /// How many seconds after it has finished it is removed.
    pub ttl: Option<i64>,
    /// When it was created.
    pub created: Time,
    /// When its first pod was started.
    pub started: Option<Time>,
    /// How it ended, if it has.
    pub finished: Option<Finished>,
    /// Whether it is being deleted.
    pub deleting: bool,
}

/// The resource version of a Job: a number that grows from one change of any Job to the next. 0 if the server's is no number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version(pub u64);

impl Version {
    pub(crate) fn of(text: &str) -> Version {
        Version(text.parse().unwrap_or_default())
    }
}

/// Adds nothing to a hash. Which number a version has says nothing about the Job; who needs their order hashes that.
impl Hash for Version {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// How a Job ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Finished {
    /// Whether it is `Complete` rather than `Failed`.
    pub successfully: bool,
    /// When.
    pub time: Time,
}

/// What is read of a Job from the API server; most of the rest is dropped while it is parsed.
pub type WatchedJob = Object<WatchedSpec, JobStatus>;

/// What is read of the spec of a Job.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WatchedSpec {
    ttl_seconds_after_finished: Option<i64>,
}

/// How the API server names Jobs.
pub fn job_resource() -> ApiResource {
    ApiResource::erase::<Job>(&())
}

fn seconds(time: &KubeTime) -> Time {
    Time(time.0.as_second())
}

impl JobView {
    /// The view of a Job.
    pub fn read(job: &WatchedJob) -> JobView {
        let WatchedJob { types: _, metadata, spec, status } = job;
        let label = |key: &str| metadata.labels.as_ref().and_then(|labels| labels.get(key));
        let owners = metadata.owner_references.iter().flatten();
        let owner = owners
            .filter(|owner| owner.controller == Some(true) && owner.kind == kron_formats::kronjob::KIND)
            .find(|owner| owner.api_version.starts_with("kron.io/"));
        let created = metadata.creation_timestamp.as_ref().map(seconds).unwrap_or_default();
        let conditions = status.iter().flat_map(|status| status.conditions.iter().flatten());
        let mut ended = conditions
            .filter(|condition| condition.status == "True")
            .filter(|condition| matches!(condition.type_.as_str(), "Complete" | "Failed"));
        let finished = ended.next().map(|condition| {
            let completed = status.as_ref().and_then(|status| status.completion_time.as_ref());
            let time = completed.or(condition.last_transition_time.as_ref()).map_or(created, seconds);
            Finished { successfully: condition.type_ == "Complete", time }
        });
        JobView {
            namespace: metadata.namespace.as_deref().unwrap_or_default().into(),
            name: metadata.name.as_deref().unwrap_or_default().into(),
            uid: metadata.uid.as_deref().unwrap_or_default().into(),
            version: Version::of(metadata.resource_version.as_deref().unwrap_or_default()),
            owner: owner.map(|owner| owner.uid.as_str()).unwrap_or_default().into(),
            period: label(PERIOD_ID_LABEL).and_then(|value| time_of_label(value)).map(Time),
            run_now: label(RUN_NOW).map(|token| token.as_str().into()),
            primer_for: label(PRIMER_FOR_LABEL).and_then(|value| time_of_label(value)).map(Time),
            ttl: spec.ttl_seconds_after_finished,
            created,
            started: status.as_ref().and_then(|status| status.start_time.as_ref()).map(seconds),
            finished,
            deleting: metadata.deletion_timestamp.is_some(),
        }
    }

    /// Whether it is a primer of its owner, a KronJob of that name: its name is the one that a primer for its label has. Any
    /// other Job is not a primer, whatever its labels say.
    pub fn is_primer_of(&self, kronjob: &str) -> bool {
        self.primer_for.is_some_and(|period| *self.name == *primer_job_name(kronjob, period.0))
    }

    /// Whether it counts as an active execution: it has neither completed nor failed.
    pub fn is_active(&self) -> bool {
        self.finished.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn view(status: serde_json::Value) -> JobView {
        let job = json!({
            "apiVersion": "batch/v1", "kind": "Job",
            "metadata": {
                "name": "db-x", "namespace": "prod", "uid": "j", "creationTimestamp": "2026-03-01T00:00:01Z",
                "labels": {"kron.io/name": "db", "kron.io/period-id": "20260301T000000Z", "kron.io/chosen-time": "20260301T000001Z"},
                "ownerReferences": [
                    {"apiVersion": "v1", "kind": "ConfigMap", "name": "x", "uid": "no"},
                    {"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db", "uid": "k", "controller": true},
                ],
            },
            "spec": {"ttlSecondsAfterFinished": 60, "template": {"anything": ["goes"]}}, "status": status,
        });
        JobView::read(&serde_json::from_value(job).unwrap())
    }

    #[test]
    fn labels_and_owner() {
        let job = view(json!({}));
        assert_eq!((&*job.owner, job.period, job.ttl), ("k", Some(Time(1_772_323_200)), Some(60)));
        assert!(job.is_active() && !job.deleting && job.run_now.is_none());
    }

    #[test]
    fn complete_and_failed_end_a_job_and_nothing_else_does() {
        let at = "2026-03-01T00:10:00Z";
        let condition = |name: &str, status: &str| json!({"conditions": [{"type": name, "status": status, "lastTransitionTime": at}]});
        let finished = |name, status| view(condition(name, status)).finished;
        let time = Time(1_772_323_800);
        assert_eq!(finished("Complete", "True"), Some(Finished { successfully: true, time }));
        assert_eq!(finished("Failed", "True"), Some(Finished { successfully: false, time }));
        for (name, status) in [
            ("Complete", "False"),
            ("SuccessCriteriaMet", "True"),
            ("FailureTarget", "True"),
            ("Suspended", "True"),
        ] {
            assert_eq!(finished(name, status), None, "{name}={status}");
        }
    }

    #[test]
    fn a_primer_has_the_name_of_one() {
        let primer = |name: &str, label: &str| {
            let labels = json!({"kron.io/name": "db", "kron.io/primer-for": label});
            let job = json!({"metadata": {"name": name, "namespace": "prod", "labels": labels}, "spec": {}});
            JobView::read(&serde_json::from_value(job).unwrap()).is_primer_of("db")
        };
        let period = Time(1_772_323_200);
        let name = primer_job_name("db", period.0);
        assert!(primer(&name, "20260301T000000Z"));
        assert!(!primer(&name, "20260302T000000Z"), "the name of another period");
        assert!(
            !primer(&kron_formats::names::job_name("db", period.0), "20260301T000000Z"),
            "the name of the execution"
        );
        assert!(
            !primer(&primer_job_name("other", period.0), "20260301T000000Z"),
            "the name of another KronJob's"
        );
        assert!(!primer(&name, "2026-03-01") && !primer(&name, ""), "no period");
    }
}
