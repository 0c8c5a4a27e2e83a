//! The spec of a KronJob: the types that its schema is made from, and nothing else. The operator itself reads a KronJob as free
//! JSON and hands its spec to `kron-core`.

use std::collections::BTreeMap;

use kron_core::draw::DistributionName;
use kron_core::{Algorithm, SeedStrategy};
use schemars::JsonSchema;
use serde_json::{Value, json};

use super::rules::{clause, distribution, duration, primer, schedule, seed, timezone};
use super::template_schema;

/// What to run, when, and how the start times are spread.
#[derive(Debug, JsonSchema)]
#[schemars(rename_all = "camelCase")]
pub struct KronJobSpec {
    /// Five-field cron expression (minute, hour, day of month, month, day of week) or one of @yearly @annually @monthly
    /// @weekly @daily @midnight @hourly, read in spec.timezone.
    #[schemars(length(max = 256), extend("x-kubernetes-validations" = schedule::schedule()))]
    pub schedule: String,
    /// IANA time zone name in which the schedule and the constraints are read.
    #[schemars(length(max = 64), extend("default" = "UTC", "x-kubernetes-validations" = timezone::timezone()))]
    pub timezone: Option<String>,
    /// The span in which the start is chosen.
    #[schemars(extend("default" = json!({})))]
    pub window: Option<WindowSpec>,
    /// How the start is spread over the window.
    #[schemars(extend("default" = json!({}), "x-kubernetes-validations" = distribution::distribution()))]
    pub distribution: Option<DistributionSpec>,
    /// How often a new start is drawn.
    #[schemars(extend("default" = json!({})))]
    pub seed: Option<SeedSpec>,
    /// Calendar rules on the chosen start, read in spec.timezone.
    pub constraints: Option<ConstraintsSpec>,
    /// What happens at the chosen start.
    #[schemars(extend("default" = json!({})))]
    pub policy: Option<PolicySpec>,
    /// How starts are computed from the seed. Another algorithm gives other starts.
    #[schemars(extend("enum" = Algorithm::WORDS))]
    pub algorithm: Option<String>,
    /// How many finished, successful Jobs are kept.
    #[schemars(range(min = 0), extend("default" = 3))]
    pub successful_jobs_history_limit: Option<i32>,
    /// How many finished, failed Jobs are kept.
    #[schemars(range(min = 0), extend("default" = 1))]
    pub failed_jobs_history_limit: Option<i32>,
    /// A Job that keeps a node ready for each start.
    pub primer: Option<PrimerSpec>,
    /// The Job to create, a batch/v1 JobTemplateSpec. restartPolicy must be Never or OnFailure.
    #[schemars(schema_with = "template_schema::schema")]
    pub job_template: Value,
}

/// The span in which the start is chosen.
#[derive(Debug, JsonSchema)]
pub struct WindowSpec {
    /// after is [N, N+duration], around is [N-duration/2, N+duration/2], N being the time the schedule names.
    #[schemars(extend("default" = "after", "enum" = ["after", "around"]))]
    pub mode: Option<String>,
    /// Length of the window, a Go duration from 0s to 8784h.
    #[schemars(length(max = 128), extend("default" = "0s", "x-kubernetes-validations" = duration::window()))]
    pub duration: Option<String>,
}

/// How the start is spread over the window.
#[derive(Debug, JsonSchema)]
pub struct DistributionSpec {
    /// The shape of the distribution.
    #[schemars(extend("default" = "uniform", "enum" = DistributionName::WORDS))]
    pub name: Option<String>,
    /// skewEarly and skewLate take shape (above 0, default 2); normal takes mu (nominal, start, mid, end) and sigma (a
    /// duration above 0); exponential takes lambda (above 0, default 1) and dir (early, late).
    #[schemars(extend(
        "default" = json!({}),
        "maxProperties" = 8,
        "additionalProperties" = json!({"type": "string", "maxLength": 128}),
    ))]
    pub params: Option<BTreeMap<String, String>>,
}

/// How often a new start is drawn.
#[derive(Debug, JsonSchema)]
pub struct SeedSpec {
    /// stable makes a new draw for every period, daily and weekly for every day or ISO week, fixed never: the job keeps its
    /// place in its window.
    #[schemars(extend("default" = "stable", "enum" = SeedStrategy::WORDS))]
    pub strategy: Option<String>,
    /// Any text up to 1024 bytes; another salt gives other starts.
    #[schemars(length(max = 1024), extend("default" = "", "x-kubernetes-validations" = seed::salt()))]
    pub salt: Option<String>,
}

/// Calendar rules on the chosen start.
#[derive(Debug, JsonSchema)]
pub struct ConstraintsSpec {
    /// If there are any, at least one clause must match the start.
    #[schemars(length(max = 128))]
    pub only: Option<Vec<ClauseSpec>>,
    /// No clause may match the start.
    #[schemars(length(max = 128))]
    pub avoid: Option<Vec<ClauseSpec>>,
}

/// A clause matches when all of its parts do. It has at least one part.
#[derive(Debug, JsonSchema)]
#[schemars(extend("x-kubernetes-validations" = clause::clause()))]
pub struct ClauseSpec {
    /// Hours 0-23 and ranges, such as 9-17 or 22-5 (may wrap).
    #[schemars(length(max = 128), extend("x-kubernetes-validations" = clause::hours()))]
    pub hours: Option<String>,
    /// Days of the week 0-7 or SUN-SAT and ranges, such as MON-FRI or FRI-MON (may wrap).
    #[schemars(length(max = 128), extend("x-kubernetes-validations" = clause::dow()))]
    pub dow: Option<String>,
    /// Days of the month 1-31 and ranges, such as 1-7,15 (may not run backwards).
    #[schemars(length(max = 96), extend("x-kubernetes-validations" = clause::dom()))]
    pub dom: Option<String>,
    /// Months 1-12 or JAN-DEC and ranges, such as JUN-AUG or NOV-FEB (may wrap).
    #[schemars(length(max = 128), extend("x-kubernetes-validations" = clause::months()))]
    pub months: Option<String>,
    /// Times of day, both minutes included, such as 09:00-17:30 or 22:00-06:00 (may wrap).
    #[schemars(length(max = 128), extend("x-kubernetes-validations" = clause::between()))]
    pub between: Option<String>,
    /// One day, YYYY-MM-DD.
    #[schemars(length(max = 10), extend("x-kubernetes-validations" = clause::date()))]
    pub date: Option<String>,
    /// A span of days, YYYY-MM-DD..YYYY-MM-DD, both included.
    #[schemars(length(max = 22), extend("x-kubernetes-validations" = clause::dates()))]
    pub dates: Option<String>,
}

/// What happens at the chosen start.
#[derive(Debug, JsonSchema)]
pub struct PolicySpec {
    /// What to do while an earlier execution is still active.
    #[schemars(extend("default" = "forbid", "enum" = ["allow", "forbid", "replace"]))]
    pub concurrency: Option<String>,
    /// How late a start may be, a Go duration; a period later than that is missed.
    #[schemars(length(max = 128), extend("default" = "0s", "x-kubernetes-validations" = duration::deadline()))]
    pub deadline: Option<String>,
    /// While true no Job is created and no period is handled.
    #[schemars(extend("default" = false))]
    pub suspend: Option<bool>,
}

/// A Job that keeps a node ready for each start: it is made before the start, and deleted when the start is handled. Without
/// image and jobTemplate it runs a pause image. Its pods are placed as those of spec.jobTemplate are, and request as much.
#[derive(Debug, JsonSchema)]
#[schemars(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = primer::primer()))]
pub struct PrimerSpec {
    /// How long before the start the Job is made, a Go duration above 0s and at most 24h. No Job is made if less than 30s
    /// are left.
    #[schemars(length(max = 128), extend("x-kubernetes-validations" = duration::lead()))]
    pub lead: String,
    /// The image to run instead of the pause image. It must not end by itself.
    #[schemars(length(min = 1, max = 512))]
    pub image: Option<String>,
    /// The Job to create instead, a batch/v1 JobTemplateSpec that is used as it is.
    #[schemars(default, schema_with = "template_schema::schema")]
    pub job_template: Option<Value>,
}
