//! Salts with which few jobs start in the same bucket.

use std::collections::BTreeMap;

use kron_core::{Duration, Job, Seed};
use kron_fleet::forecast::{ForecastBy, ForecastJob, ForecastRange, forecast};
use kron_fleet::spread::{SpreadJob, SpreadOptions, SpreadPlan, spread_beside};
use kron_formats::convert::{Options as ConvertOptions, with_seeds};
use kron_formats::place::{Options, Placed, Source, place_with_seeds};
use kron_formats::read::{self, ReadJob};
use serde::{Deserialize, Serialize};

use crate::answers::json;
use crate::failure::Failure;
use crate::handles::Handles;
use crate::instant::UnixTime;
use crate::limits::{SPREAD_CONSTRAINED, SPREAD_JOBS, SPREAD_STARTS, SPREAD_WHOLE};

use super::jobs::Fleet;
use super::sources::{LESS_AT_ONCE, check_work};

/// The range in which starts are kept apart.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SpreadRange {
    from: UnixTime,
    until: UnixTime,
    per_seconds: u32,
}

impl SpreadRange {
    fn range(self) -> Result<ForecastRange, Failure> {
        let per = Duration::from_secs(self.per_seconds);
        Ok(ForecastRange::new(self.from.ceil()..self.until.ceil(), per)?)
    }
}

/// Chooses salts for the jobs of a fleet, and keeps the fleet that has them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SpreadRequest {
    pub(crate) fleet: u32,
    range: SpreadRange,
    /// The seconds of a window for jobs that have none and are not placed.
    window_seconds: Option<u32>,
    /// Manifests of KronJobs, of which the jobs were read and whose text gets the salts.
    manifests: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SpreadAnswer {
    /// The handle of the fleet with other salts.
    fleet: u32,
    /// The manifests with the salts.
    #[serde(skip_serializing_if = "Option::is_none")]
    manifests: Option<String>,
    present_peak: u64,
    peak: u64,
    /// A peak that no salts avoid.
    bound: u64,
}

pub(super) fn answer(fleets: &mut Handles<Fleet>, asked: &SpreadRequest) -> Result<String, Failure> {
    let fleet = fleets.get(asked.fleet)?;
    let range = asked.range.range()?;
    let windowed = fleet.jobs.iter().map(|read| {
        let windowed = fleet.windowed(read, asked.window_seconds)?;
        Ok(windowed.unwrap_or_else(|| read.loaded.job.clone()))
    });
    let jobs: Vec<Job> = windowed.collect::<Result<_, Failure>>()?;
    let refs: Vec<&Job> = jobs.iter().collect();
    let plan = plan(&refs.iter().map(|job| SpreadJob::new(job)).collect::<Vec<_>>(), &refs, &[], &range)?;
    let manifests = asked.manifests.as_deref().map(|text| {
        let names = refs.iter().map(|job| job.name());
        let seeds: Vec<(&str, &Seed)> =
            names.zip(&plan.seeds).filter_map(|(name, seed)| Some((name, seed.as_ref()?))).collect();
        with_seeds(text, &seeds, &ConvertOptions::default())
            .map_err(|found| Failure::request(found.finding.message))
    });
    let manifests = manifests.transpose()?;
    let salted = plan.jobs(&refs)?.into_iter().zip(&fleet.jobs).map(|(job, read)| {
        let mut read = read.clone();
        read.loaded.job = job;
        read
    });
    let salted = Fleet { jobs: salted.collect() };
    let SpreadPlan { present_peak, peak, bound, .. } = plan;
    json(&SpreadAnswer { fleet: fleets.keep(salted)?, manifests, present_peak, peak, bound: bound.peak })
}

/// The plan of jobs, within the limits of one call. `all` are the jobs, with those that stay where they are.
fn plan(
    jobs: &[SpreadJob<'_>],
    all: &[&Job],
    base: &[u32],
    range: &ForecastRange,
) -> Result<SpreadPlan, Failure> {
    if jobs.len() > SPREAD_JOBS {
        let message = format!("there are {} jobs to spread, more than {SPREAD_JOBS}", jobs.len());
        return Err(Failure::limit(message, "spread fewer at once, or use the command `kron`"));
    }
    check_work(all.iter().copied(), range)?;
    let starts = starts(all, range);
    if starts > SPREAD_STARTS {
        let message = format!(
            "the range has too many starts to spread: {starts}, where one with constraints counts as {SPREAD_CONSTRAINED}, more than \
             {SPREAD_STARTS}"
        );
        return Err(Failure::limit(message, LESS_AT_ONCE));
    }
    let options = SpreadOptions { quick: starts > SPREAD_WHOLE, ..SpreadOptions::default() };
    Ok(spread_beside(jobs, base, range, &options, || Ok::<(), kron_core::Error>(()))?)
}

/// The starts in a range. One with constraints takes as long as many others: it has further draws, and more salts are tried for it.
fn starts(jobs: &[&Job], range: &ForecastRange) -> u64 {
    let starts = |job: &&Job| {
        let found = job.count_nominal_times(range.from_timestamp(), range.to_timestamp() - 1);
        if job.spec().constraints().is_empty() { found } else { found.saturating_mul(SPREAD_CONSTRAINED) }
    };
    jobs.iter().map(starts).fold(0, u64::saturating_add)
}

/// Declared files whose schedules are in places that keep the starts of a range apart.
pub(super) fn placed_apart<'t>(
    sources: &[Source<'t>],
    options: &Options,
    placed: &'t Placed,
    range: SpreadRange,
) -> Result<Placed, Failure> {
    let range = range.range()?;
    let texts = sources.iter().zip(&placed.texts);
    let texts: Vec<read::Source<'_>> =
        texts.map(|(source, text)| read::Source::new(source.path, text).named()).collect();
    let reading = read::Options {
        namespace: options.namespace.clone(),
        timezone: options.timezone.as_ref().map(|zone| zone.name().to_string()),
        declared: true,
        parser: options.parser.clone(),
        ..read::Options::default()
    };
    let jobs = read::read(&texts, &reading).jobs;
    let mut found: BTreeMap<(usize, usize), &ReadJob> =
        jobs.iter().filter_map(|job| Some(((job.source, job.loaded.line?), job))).collect();
    let mut declared = Vec::new();
    for schedule in &placed.schedules {
        // Two declarations of one name would get one salt.
        let read = found.remove(&(schedule.source, schedule.line));
        if let Some(read) = read.filter(|read| read.loaded.job.name() == schedule.name) {
            declared.push((&read.loaded.job, &schedule.declared));
        }
    }
    let is_declared = |job: &Job| declared.iter().any(|(other, _)| std::ptr::eq(*other, job));
    let others: Vec<ForecastJob<'_>> = jobs
        .iter()
        .map(|read| &read.loaded.job)
        .filter(|job| !is_declared(job))
        .map(ForecastJob::new)
        .collect();
    let to_spread: Vec<SpreadJob<'_>> =
        declared.iter().map(|(job, text)| SpreadJob::placed(job, text)).collect::<Result<_, _>>()?;
    let all: Vec<&Job> = jobs.iter().map(|read| &read.loaded.job).collect();
    check_work(all.iter().copied(), &range)?;
    let base = forecast(&others, &range, ForecastBy::ChosenTime)?;
    let base: Vec<u32> = base.buckets().iter().map(|bucket| bucket.starts).collect();
    let plan = plan(&to_spread, &all, &base, &range)?;
    let names = declared.iter().map(|(job, _)| job.name().to_string());
    let seeds: BTreeMap<String, Seed> =
        names.zip(plan.seeds).filter_map(|(name, seed)| Some((name, seed?))).collect();
    let with_text = |(source, text): (&Source<'t>, &'t String)| {
        let mut source = source.clone();
        source.text = text;
        source
    };
    let declared: Vec<Source<'_>> = sources.iter().zip(&placed.texts).map(with_text).collect();
    Ok(place_with_seeds(&declared, options, &seeds))
}
