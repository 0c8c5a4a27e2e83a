//! A KronJob of a snapshot, and what each of its Jobs is for.

use kron_core::{Concurrency, Error, Job, Parser};
use kron_host::Record;
use serde_json::Value;

use super::objects::{SnapshotJob, record_of_status, time};
use crate::audit::{HistoryRules, KnownOutcome};
use crate::kronjob::{KronJob, jobs_kept};
use crate::names::{
    PRIMER_FOR_LABEL, RUN_NOW, configuration_hash, job_name, primer_job_name, run_now_job_name, time_of_label,
};

/// A KronJob with its Jobs and the outcomes that Events report.
#[derive(Clone, Debug)]
pub struct KronJobSnapshot {
    /// `namespace/name`, or the name alone if the object has no namespace.
    pub(super) name: String,
    pub(super) metadata_name: String,
    pub(super) namespace: String,
    pub(super) uid: String,
    pub(super) job: Result<Job, Error>,
    pub(super) configuration: String,
    pub(super) record: Record,
    /// When it was created, if the object says so.
    pub(super) created: Option<i64>,
    /// When the spec or the metadata was last written, if the object says so.
    pub(super) edited: Option<i64>,
    /// Whether the host has read the present spec.
    pub(super) observed: bool,
    pub(super) rules: HistoryRules,
    pub(super) jobs: Vec<SnapshotJob>,
    /// Whether any Jobs were read, of this or another KronJob or of none.
    pub(super) jobs_read: bool,
    pub(super) outcomes: Vec<KnownOutcome>,
}

/// What a Job was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Period,
    RunNow,
    Primer,
}

impl KronJobSnapshot {
    pub(super) fn read(parser: &Parser, object: &Value) -> KronJobSnapshot {
        let (metadata, spec) = (&object["metadata"], &object["spec"]);
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let (metadata_name, namespace) = (text(&metadata["name"]), text(&metadata["namespace"]));
        // Without a namespace it is a manifest, of which no period is audited.
        let name = match namespace.as_str() {
            "" => metadata_name.clone(),
            namespace => format!("{namespace}/{metadata_name}"),
        };
        let job = KronJob::from_value(parser, object).and_then(|kronjob| Job::new(&name, kronjob.spec));
        let configuration = job.as_ref().map(|job| configuration_hash(job.spec()));
        let (successful, failed) = jobs_kept(spec);
        let concurrency = job.as_ref().map(|job| job.spec().policy().concurrency());
        let rules = HistoryRules {
            retention: spec["jobTemplate"]["spec"]["ttlSecondsAfterFinished"].as_i64(),
            successful,
            failed,
            replaces: concurrency.ok() == Some(Concurrency::Replace),
        };
        let edits = metadata["managedFields"].as_array().into_iter().flatten();
        let edits =
            edits.filter(|entry| entry["subresource"].is_null()).filter_map(|entry| time(&entry["time"]));
        let generation = metadata["generation"].as_i64();
        let observed = object["status"]["observedGeneration"].as_i64();
        KronJobSnapshot {
            uid: text(&metadata["uid"]),
            configuration: configuration.unwrap_or_default(),
            record: record_of_status(&object["status"]),
            created: time(&metadata["creationTimestamp"]),
            edited: edits.max(),
            observed: observed.is_none() || observed == generation,
            jobs: Vec::new(),
            jobs_read: false,
            outcomes: Vec::new(),
            name,
            metadata_name,
            namespace,
            job,
            rules,
        }
    }

    /// `namespace/name`, or the name alone if the object has no namespace.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The job that its spec describes.
    ///
    /// # Errors
    ///
    /// An invalid spec.
    ///
    /// ```
    /// use kron_core::Parser;
    /// use kron_formats::snapshot::Snapshot;
    /// let text = "{kind: KronJob, metadata: {name: db}}";
    /// assert!(Snapshot::read(&Parser::new(), &[text])?.kronjobs[0].job().is_err());
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn job(&self) -> Result<&Job, &Error> {
        self.job.as_ref()
    }

    /// When its configuration began, if its status or its creation time says so.
    pub(super) fn since(&self) -> Option<i64> {
        self.record.configuration.as_ref().map(|configuration| configuration.since).or(self.created)
    }

    /// What a Job was made for. Only the name that follows from a label makes it a primer or a run-now Job.
    pub(super) fn purpose(&self, it: &SnapshotJob) -> Purpose {
        let name = &self.metadata_name;
        let primer = it.label(PRIMER_FOR_LABEL).and_then(time_of_label);
        if primer.is_some_and(|period| it.name == primer_job_name(name, period)) {
            Purpose::Primer
        } else if it.label(RUN_NOW).is_some_and(|token| it.name == run_now_job_name(name, token)) {
            Purpose::RunNow
        } else {
            Purpose::Period
        }
    }

    /// Whether a Job is the execution of the period that its label names: it has the name of that period, or the schedule has
    /// the period, and its chosen time has come.
    pub(super) fn is_execution(&self, job: &Job, it: &SnapshotJob, nominal: i64, now: i64) -> bool {
        let chosen = || job.decide(nominal).ok().and_then(|decision| decision.chosen_timestamp());
        it.name == job_name(&self.metadata_name, nominal)
            || job.is_on_schedule(nominal) && chosen().is_some_and(|chosen| chosen <= now)
    }
}
