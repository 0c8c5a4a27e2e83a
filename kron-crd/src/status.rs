//! The status of a KronJob, as the operator writes and reads it. All times are RFC 3339 in UTC, whole seconds.

use kron_core::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::condition::Condition;
use super::time::Time;

/// Written by the operator only. All times are RFC 3339 in UTC.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct KronJobStatus {
    /// The generation of the spec that this status speaks of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
    /// The handled period with the greatest chosen time (window end, if it was unschedulable).
    #[serde(rename = "lastPeriodID", skip_serializing_if = "Option::is_none")]
    pub last_period_id: Option<Time>,
    /// Nominal time of that period.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_nominal_time: Option<Time>,
    /// Chosen time of that period; absent if it was unschedulable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_chosen_time: Option<Time>,
    /// Outcome of that period.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "outcome_or_empty")]
    #[schemars(with = "Option<String>", transform = or_empty)]
    pub last_outcome: Option<Outcome>,
    /// The earliest start that is not handled.
    #[serde(rename = "nextPeriodID", skip_serializing_if = "Option::is_none")]
    pub next_period_id: Option<Time>,
    /// Nominal time of that start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_nominal_time: Option<Time>,
    /// Chosen time of that start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_chosen_time: Option<Time>,
    /// The Jobs of this KronJob that have not finished.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "atomic"))]
    pub active: Vec<ActiveJob>,
    /// When a Job of this KronJob last completed successfully.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_successful_time: Option<Time>,
    /// Since when the schedule, the time zone and the seed strategy are what they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub configuration: Option<Configuration>,
    /// The period that will be started next, and the Job that it becomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<Claim>,
    /// The last period that a primer was made for, or was about to be made for. It never has another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub primer: Option<Box<PrimerStatus>>,
    /// Handled periods beyond `configuration.handledThrough`, and those whose nominal times are still to come.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(
        length(max = 100),
        extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["periodID"])
    )]
    pub periods: Vec<HandledPeriod>,
    /// What became of the last token of the annotation `kron.io/run-now`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run_now: Option<Box<RunNow>>,
    /// Ready, InvalidSpec, SchedulingError, Unschedulable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-kubernetes-list-type" = "map", "x-kubernetes-list-map-keys" = ["type"]))]
    pub conditions: Vec<Condition>,
}

/// The resource allows an empty outcome where nothing is handled yet.
fn outcome_or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Outcome>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?.filter(|text| !text.is_empty());
    let read = text.map(|text| Outcome::parse(&text).map_err(serde::de::Error::custom));
    read.transpose()
}

/// The schema of an outcome.
fn words(schema: &mut schemars::Schema) {
    schema.insert("enum".to_owned(), Outcome::WORDS.into());
}

/// The schema of an outcome that may be empty.
fn or_empty(schema: &mut schemars::Schema) {
    let values: Vec<&str> = std::iter::once("").chain(Outcome::WORDS.iter().copied()).collect();
    schema.insert("enum".to_owned(), values.into());
}

/// A Job that has not finished: the reference that CronJob's status has, too.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(extend("x-kubernetes-map-type" = "atomic"))]
pub struct ActiveJob {
    /// `batch/v1`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    /// `Job`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Namespace of the Job.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Name of the Job.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// UID of the Job.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub uid: String,
}

impl ActiveJob {
    /// The reference to a Job.
    ///
    /// ```
    /// assert_eq!(kron_crd::ActiveJob::new("prod", "db-1", "u").kind, "Job");
    /// ```
    pub fn new(namespace: &str, name: &str, uid: &str) -> ActiveJob {
        ActiveJob {
            api_version: "batch/v1".into(),
            kind: "Job".into(),
            namespace: namespace.into(),
            name: name.into(),
            uid: uid.into(),
        }
    }
}

/// The configuration that decides nominal times and draws.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Configuration {
    /// Periods chosen up to this time (whose windows ended up to it, if unschedulable) are not in force.
    pub since: Time,
    /// Hash of schedule, time zone and seed strategy.
    pub hash: String,
    /// Every period with a nominal time up to this one is handled or not in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub handled_through: Option<Time>,
}

/// The period that will be started next.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// The period.
    #[serde(rename = "periodID")]
    pub period_id: Time,
    /// The Job that it becomes.
    pub job_name: String,
    /// When it was claimed.
    pub time: Time,
    /// The process that claimed it. Another one that creates its Job first makes sure that this one has not done so.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub holder: String,
    /// The TTL of its Job after the Job has finished, as the API server answered: from then on, the absence of the Job
    /// says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<i64>,
}

/// The last period that a primer was made for, or was about to be made for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PrimerStatus {
    /// The period.
    #[serde(rename = "periodID")]
    pub period_id: Time,
    /// The Job that is its primer.
    pub job_name: String,
    /// When this was written, which is before the Job is created.
    pub time: Time,
}

/// A period and its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandledPeriod {
    /// The period.
    #[serde(rename = "periodID")]
    pub period_id: Time,
    /// Its outcome.
    #[schemars(with = "String", transform = words)]
    pub outcome: Outcome,
    /// Its chosen time when it was handled; absent if it was unschedulable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen_time: Option<Time>,
    /// The Job that it became.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_name: Option<String>,
}

/// What became of a token of the annotation `kron.io/run-now`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RunNow {
    /// The token.
    pub token: String,
    /// The Job that it became, or that is being created.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job_name: Option<String>,
    /// Its outcome; absent while the Job is being created, which claims the token.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", transform = words)]
    pub outcome: Option<Outcome>,
}
