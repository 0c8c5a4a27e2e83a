//! The objects of a cluster that an audit reads: Jobs, Events and the status of KronJobs. A field that is missing or has
//! another form than the API server keeps is read as absent.

use chrono::DateTime;
use kron_core::Outcome;
use kron_host::{Claim, Configuration, HandledPeriod, NextStart, Record};
use serde_json::Value;

use crate::audit::{KnownOutcome, MissCause};
use crate::names::{CAUSE_ANNOTATION, OUTCOME_ANNOTATION, PERIOD_ID_LABEL, time_of_label};

/// A Job that a KronJob controls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SnapshotJob {
    pub(super) name: String,
    uid: String,
    /// The UID of the KronJob.
    pub(super) owner: String,
    pub(super) namespace: String,
    /// The labels of the Job.
    pub(super) labels: Value,
    /// The labels of its pods.
    pub(super) pod_labels: Value,
    /// When it was created, if the object says so.
    pub(super) created: Option<i64>,
    /// When its first pod was started.
    pub(super) started: Option<i64>,
    /// Whether it was successful, if it has ended.
    pub(super) ended: Option<bool>,
    /// Seconds after its end after which it is removed.
    pub(super) ttl: Option<i64>,
}

/// A time of the API in Unix seconds.
pub(super) fn time(value: &Value) -> Option<i64> {
    DateTime::parse_from_rfc3339(value.as_str()?).ok().map(|time| time.timestamp())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

impl SnapshotJob {
    /// Reads a Job, if a KronJob controls it.
    pub(super) fn read(job: &Value) -> Option<SnapshotJob> {
        let metadata = &job["metadata"];
        let owner = metadata["ownerReferences"].as_array()?.iter().find(|owner| {
            let group = owner["apiVersion"].as_str().and_then(|version| version.split('/').next());
            owner["controller"] == true && owner["kind"] == crate::kronjob::KIND && group == Some("kron.io")
        })?;
        let conditions = job["status"]["conditions"].as_array();
        let ended = conditions.into_iter().flatten().find_map(|condition| {
            let how = condition["type"].as_str().filter(|how| ["Complete", "Failed"].contains(how))?;
            (condition["status"] == "True").then_some(how == "Complete")
        });
        Some(SnapshotJob {
            name: text(&metadata["name"]),
            uid: text(&metadata["uid"]),
            owner: text(&owner["uid"]),
            namespace: text(&metadata["namespace"]),
            labels: metadata["labels"].clone(),
            pod_labels: job["spec"]["template"]["metadata"]["labels"].clone(),
            created: time(&metadata["creationTimestamp"]),
            started: time(&job["status"]["startTime"]),
            ended,
            ttl: job["spec"]["ttlSecondsAfterFinished"].as_i64(),
        })
    }

    /// What identifies a Job: its UID, or its namespace and name if the object has no UID.
    pub(super) fn identity(&self) -> (String, String) {
        match self.uid.as_str() {
            "" => (self.namespace.clone(), self.name.clone()),
            uid => (String::new(), uid.to_string()),
        }
    }

    /// Whether it may have been created at or before a Unix second.
    pub(super) fn may_be_from_before(&self, second: i64) -> bool {
        self.created.is_none_or(|created| created <= second)
    }

    /// A label of the Job.
    pub(super) fn label(&self, key: &str) -> Option<&str> {
        self.labels[key].as_str()
    }

    /// The period that its label names.
    pub(super) fn period(&self) -> Option<i64> {
        self.label(PERIOD_ID_LABEL).and_then(time_of_label)
    }
}

/// The UID of the object that an Event is about, and the outcome that it reports. Events of `v1` and of `events.k8s.io/v1` name
/// the object in different fields.
pub(super) fn outcome_of_event(event: &Value) -> Option<(String, KnownOutcome)> {
    let annotation = |key: &str| event["metadata"]["annotations"][key].as_str();
    let nominal = time_of_label(annotation(PERIOD_ID_LABEL)?)?;
    let outcome = Outcome::parse(annotation(OUTCOME_ANNOTATION)?).ok()?;
    let cause = annotation(CAUSE_ANNOTATION).and_then(|word| MissCause::parse(word).ok());
    let uid = event["regarding"]["uid"].as_str().or_else(|| event["involvedObject"]["uid"].as_str())?;
    Some((uid.to_string(), KnownOutcome { nominal, outcome, cause }))
}

/// What the status of a KronJob says that a host stores.
pub(super) fn record_of_status(status: &Value) -> Record {
    let outcome = |value: &Value| value.as_str().and_then(|word| Outcome::parse(word).ok());
    let configuration = &status["configuration"];
    let conditions = status["conditions"].as_array().into_iter().flatten();
    let mut ready = conditions.filter(|condition| condition["type"] == "Ready");
    let next = time(&status["nextPeriodID"]).zip(time(&status["nextChosenTime"]));
    let claim = &status["claim"];
    let handled = status["periods"].as_array().into_iter().flatten().filter_map(|period| {
        Some(HandledPeriod {
            nominal: time(&period["periodID"])?,
            chosen: time(&period["chosenTime"]),
            outcome: outcome(&period["outcome"])?,
            execution: period["jobName"].as_str().map(ToString::to_string),
        })
    });
    Record {
        configuration: time(&configuration["since"]).map(|since| Configuration {
            since,
            hash: text(&configuration["hash"]),
            handled_through: time(&configuration["handledThrough"]),
        }),
        suspended: ready.any(|condition| condition["reason"] == "Suspended"),
        last_nominal: time(&status["lastPeriodID"]),
        last_chosen: time(&status["lastChosenTime"]),
        last_outcome: outcome(&status["lastOutcome"]),
        next: next.map(|(nominal, chosen)| NextStart { nominal, chosen }),
        claim: time(&claim["periodID"]).map(|nominal| Claim {
            nominal,
            holder: text(&claim["holder"]),
            time: time(&claim["time"]).unwrap_or_default(),
            retention: claim["ttlSeconds"].as_i64(),
        }),
        handled: handled.collect(),
        run_now: None,
    }
}
