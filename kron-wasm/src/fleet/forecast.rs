//! The starts of a fleet over a range of time.

use kron_cli::ForecastPair;
use kron_core::{Duration, Job, TzDatabase};
use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::answers::json;
use crate::failure::Failure;
use crate::instant::UnixTime;

use super::jobs::Fleet;
use super::sources::check_work;

/// Counts the starts of a fleet as written and as spread.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ForecastRequest {
    pub(crate) fleet: u32,
    from: UnixTime,
    until: UnixTime,
    /// The seconds of a bucket.
    per_seconds: u32,
    /// The seconds of a window for jobs that have none and are not placed.
    window_seconds: Option<u32>,
    /// The zone of the picture.
    timezone: Option<String>,
    /// Which forms are wanted.
    #[serde(default)]
    forms: Vec<Form>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    Svg,
    Html,
    Json,
}

#[derive(Serialize)]
struct ForecastAnswer {
    sentence: String,
    amount: String,
    /// What stands in the fullest buckets, in lines.
    fullest: String,
    /// The jobs whose search fails.
    failed: Vec<FailedJob>,
    #[serde(skip_serializing_if = "Option::is_none")]
    svg: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<String>,
    /// What the script of the page needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    json: Option<Value>,
}

#[derive(Serialize)]
struct FailedJob {
    name: String,
    message: String,
}

pub(super) fn answer(fleet: &Fleet, asked: &ForecastRequest) -> Result<String, Failure> {
    let per = Duration::from_secs(asked.per_seconds);
    let range = ForecastRange::new(asked.from.ceil()..asked.until.ceil(), per)?;
    let zone = TzDatabase::COMPILED_IN.zone(asked.timezone.as_deref().unwrap_or("UTC"))?;
    let windowed = fleet.jobs.iter().map(|read| fleet.windowed(read, asked.window_seconds));
    let windowed: Vec<Option<Job>> = windowed.collect::<Result<_, _>>()?;
    let jobs: Vec<ForecastJob<'_>> = (fleet.jobs().zip(&windowed))
        .map(|(job, windowed)| ForecastJob::new(windowed.as_ref().unwrap_or(job)))
        .collect();
    check_work(jobs.iter().map(|found| found.job), &range)?;
    let is_placed = fleet
        .jobs
        .iter()
        .any(|read| read.loaded.declared.is_some() && !read.loaded.job.spec().policy().suspend());
    let declared: Vec<ForecastJob<'_>> = (fleet.jobs.iter().zip(&jobs))
        .map(|(read, job)| read.loaded.declared.as_ref().map_or(*job, ForecastJob::new))
        .collect();
    let chosen = forecast(&jobs, &range, ForecastBy::ChosenTime)?;
    let nominal = forecast(&declared, &range, ForecastBy::NominalTime)?;
    let pair = ForecastPair {
        jobs: &jobs,
        declared: is_placed.then_some(&declared[..]),
        nominal: &nominal,
        chosen: &chosen,
        zone: &zone,
    };
    let wants = |form| asked.forms.contains(&form);
    let page = wants(Form::Html).then(|| pair.page());
    let failed = chosen.failed().iter().map(|(index, error)| FailedJob {
        name: jobs[*index].job.name().to_string(),
        message: error.to_string(),
    });
    json(&ForecastAnswer {
        sentence: pair.sentence(),
        amount: pair.amount(),
        fullest: pair.fullest(),
        failed: failed.collect(),
        svg: wants(Form::Svg).then(|| pair.svg()),
        json: wants(Form::Json).then(|| pair.json()),
        data: page.as_ref().and_then(|page| page.data.clone()),
        html: page.map(|page| page.html),
    })
}
