//! `kron forecast`: starts, running executions and load of all jobs over a range of time.

use std::collections::BTreeMap;

use kron_core::{Duration, Forecast, ForecastBy, ForecastJob, ForecastRange, par_forecast, starts_between};

use super::{instant, zone_of};
use crate::ExitStatus;
use crate::args::{ForecastArgs, ForecastForm, GroupBy, JobArgs};
use crate::input::{Entry, Input};
use crate::output::diagnostic::Diagnostic;
use crate::output::forecast::{Group, Report, Side, WorstBucket};
use crate::output::{forecast, plot, time};
use crate::session::{Session, Stop};

/// The buckets whose jobs are listed.
const WORST: usize = 5;
/// The most groups that are shown: those with the most jobs.
const GROUPS: usize = 50;
/// If searches fail, the reason is printed for so many jobs.
const REASONS: usize = 10;

pub(crate) fn run(args: &ForecastArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let jobs =
        JobArgs { text: None, name: None, files: args.files.clone(), namespace: args.namespace.clone() };
    let input = Input::read(&jobs, true, session)?.valid(session)?;
    let zone = zone_of(&args.tz, session)?;
    let from = instant("--from", args.from, &zone, session)?;
    let until = instant("--until", args.until, &zone, session)?;
    let error = |error: &kron_core::Error| Diagnostic::of_error(error);
    let range = ForecastRange::new(from, until, args.per);
    let range = range.map_err(|found| session.fail(&error(&found), ExitStatus::Error))?;
    let jobs = jobs_of(&input, args.duration).map_err(|found| session.fail(&found, ExitStatus::Error))?;

    let side = |jobs: &[ForecastJob<'_>], by| par_forecast(jobs, &range, by);
    let chosen = side(&jobs, ForecastBy::ChosenTime);
    let chosen = chosen.map_err(|found| session.fail(&error(&found), ExitStatus::Error))?;
    let nominal = args.cron.then(|| side(&jobs, ForecastBy::NominalTime)).transpose();
    let nominal = nominal.map_err(|found| session.fail(&error(&found), ExitStatus::Error))?;
    let groups = args.by.map(|by| groups(&jobs, by, args.cron, &range)).transpose();
    let groups = groups.map_err(|found| session.fail(&error(&found), ExitStatus::Error))?;

    let report = Report {
        jobs: jobs.len(),
        kron: Side { forecast: &chosen, worst: worst(&jobs, &chosen, ForecastBy::ChosenTime) },
        cron: nominal
            .as_ref()
            .map(|nominal| Side { forecast: nominal, worst: worst(&jobs, nominal, ForecastBy::NominalTime) }),
        groups,
    };
    match args.output {
        ForecastForm::Text => forecast::text(&mut session.out, &report)?,
        ForecastForm::Json => forecast::json(&mut session.out, &report)?,
        ForecastForm::Csv => forecast::csv(&mut session.out, &report)?,
        ForecastForm::Svg => plot::svg(&mut session.out, &chosen, nominal.as_ref())?,
    }

    let suspended = jobs.iter().filter(|job| job.job.spec().policy().suspend()).count();
    if suspended > 0 {
        let jobs = if suspended == 1 { "1 job is".to_string() } else { format!("{suspended} jobs are") };
        session.report(&Diagnostic::note(format!("{jobs} suspended and not counted")));
    }
    for (index, found) in chosen.failed().iter().take(REASONS) {
        let mut warning = Diagnostic::warning(found.reason());
        warning.name = Some(jobs[*index].job.name().to_string());
        warning.help = found.help();
        session.report(&warning);
    }
    let peak = chosen.summary(|bucket| u64::from(bucket.starts));
    let over = args.budget.filter(|budget| peak.peak > *budget);
    if let Some(budget) = over {
        let (at, per) = (range.bucket(peak.peak_bucket).0, args.per);
        let at = time::utc_of(at);
        let message = format!("{} jobs start within {per} from {at} on; the budget is {budget}", peak.peak);
        let mut error = Diagnostic::error(message);
        error.help = Some("give these jobs longer windows, or other nominal times".to_string());
        session.report(&error);
    }
    let failed = over.is_some() || !chosen.failed().is_empty();
    Ok(if failed { ExitStatus::Failure } else { ExitStatus::Success })
}

/// The jobs with the fields `duration=` and `weight=` of their lines.
fn jobs_of(input: &Input, duration: Duration) -> Result<Vec<ForecastJob<'_>>, Box<Diagnostic>> {
    input.entries.iter().map(|entry| job_of(input, entry, duration)).collect()
}

fn job_of<'a>(
    input: &Input,
    entry: &'a Entry,
    duration: Duration,
) -> Result<ForecastJob<'a>, Box<Diagnostic>> {
    let wrong = |message: String, help: &str| {
        let mut error = Diagnostic::error(message);
        error.help = Some(help.to_string());
        Box::new(input.locate(entry, error, None))
    };
    let mut job = ForecastJob { duration, ..ForecastJob::new(&entry.job) };
    if let Some(text) = entry.field("weight") {
        job.weight = text.parse().map_err(|_| {
            let message = format!("weight: `{text}` is not a whole number from 0 to {}", u32::MAX);
            wrong(message, "write for example `weight=500`")
        })?;
    }
    if let Some(text) = entry.field("duration") {
        job.duration = Duration::parse(text).map_err(|error| {
            let help = error.help().unwrap_or_else(|| "write for example `duration=5m`".to_string());
            wrong(format!("duration: {}", error.reason()), &help)
        })?;
    }
    Ok(job)
}

/// The buckets with the most starts, and the jobs in them.
fn worst(jobs: &[ForecastJob<'_>], forecast: &Forecast, by: ForecastBy) -> Vec<WorstBucket> {
    let bucket = |index| {
        let (from, to) = forecast.range().bucket(index);
        let named = |(job, starts): (usize, u64)| (jobs[job].job.name().to_string(), starts);
        WorstBucket {
            from,
            starts: forecast.buckets()[index].starts,
            jobs: starts_between(jobs, from, to, by).into_iter().map(named).collect(),
        }
    };
    forecast.worst(WORST).into_iter().map(bucket).collect()
}

/// The totals and peaks of the groups with the most jobs, in order of their names among equals.
fn groups(
    jobs: &[ForecastJob<'_>],
    by: GroupBy,
    cron: bool,
    range: &ForecastRange,
) -> Result<Vec<Group>, kron_core::Error> {
    let mut members: BTreeMap<String, Vec<ForecastJob<'_>>> = BTreeMap::new();
    for job in jobs {
        let name = match by {
            GroupBy::Zone => job.job.spec().timezone().to_string(),
            GroupBy::Namespace => {
                job.job.name().split_once('/').map_or("", |(namespace, _)| namespace).to_string()
            }
        };
        members.entry(name).or_default().push(*job);
    }
    let mut members: Vec<_> = members.into_iter().collect();
    members.sort_by_key(|(_, jobs)| std::cmp::Reverse(jobs.len()));
    let peak = |forecast: &Forecast| forecast.summary(|bucket| u64::from(bucket.starts)).peak;
    let group = |(name, jobs): (String, Vec<ForecastJob<'_>>)| {
        let chosen = par_forecast(&jobs, range, ForecastBy::ChosenTime)?;
        let nominal = cron.then(|| par_forecast(&jobs, range, ForecastBy::NominalTime)).transpose()?;
        Ok(Group {
            name,
            jobs: jobs.len(),
            starts: chosen.total(),
            peak: peak(&chosen),
            cron_peak: nominal.as_ref().map(peak),
        })
    };
    members.into_iter().take(GROUPS).map(group).collect()
}
