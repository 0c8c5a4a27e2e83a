//! `kron forecast`: starts, running executions and load of all jobs over a range of time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, ValueHint};
use kron_core::{
    Duration, Forecast, ForecastBy, ForecastJob, ForecastRange, Quantity, Zone, clock_change_days,
    jobs_in_buckets, par_forecast, par_forecast_with,
};

use super::jobs::search_failed;
use super::times::{check_range, instant, zone_of};
use crate::args::{JobArgs, TzArgs, bucket, budget};
use crate::exit_status::ExitStatus;
use crate::input::{Entry, Input, NameFor, refuse_input};
use crate::output::diagnostic::Diagnostic;
use crate::output::forecast::{Group, Report, Side, WorstBucket, csv, html, json, plot, text};
use crate::output::form::ForecastForm;
use crate::output::plural::plural;
use crate::output::progress::Progress;
use crate::output::table::printable;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::{TimeArg, duration};

/// The buckets whose jobs are listed.
const WORST: usize = 5;
/// The most groups that are shown: those with the most jobs.
const GROUPS: usize = 50;
/// If searches fail, the reason is printed for at most this many jobs.
const REASONS: usize = 10;

/// Count starts, running executions and load over a range of time
///
/// Shows how many jobs start in each bucket of time, how many run at once and which load they cause. With
/// --cron it also shows what cron does with the same jobs: it starts each at its nominal time.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron forecast examples/fleet.kron --from 2026-03-02 --until 2026-03-03 --cron
      a day in minutes, and the same day as cron starts it
  kron forecast jobs.kron --from today --until +168h --per 1h --duration 10m -o csv
      how many jobs run at once in each hour of a week
  kron forecast jobs/ --from 2026-03-01 --until 2026-04-01 --budget 20
      exit code 1 if more than 20 jobs start in the same minute of a month
  kron forecast examples/manifests --from 2026-03-01 --until 2026-04-01 --load cpu --duration 20m
      how many millicores the pods of manifests request at once
  kubectl get cronjobs -A -o json | kron forecast - --from today --until +168h
      the CronJobs of a cluster, as Kubernetes starts them
  kron forecast jobs.kron --from today --until tomorrow --cron -o svg > herd.svg
      a picture with a panel for cron and one for Kron
  kron forecast jobs.kron --from today --until +168h --cron --html herd.html
      a page for a browser that lists the jobs of each bucket

Exit codes: 0 success; 1 the peak is above the budget, or a search failed; 2 bad arguments or input"
)]
pub(crate) struct ForecastArgs {
    /// Job files, manifests of KronJobs and CronJobs in YAML or JSON, or directories of them; `-` is standard input
    #[arg(value_name = "FILE", required = true, value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,

    /// The namespace of manifests that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(crate) namespace: Option<String>,

    /// The beginning of the range, which belongs to it
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) from: TimeArg,

    /// The end of the range, which does not belong to it
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) until: TimeArg,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// The length of a bucket, 1s to 1h in whole seconds
    #[arg(long, value_name = "DURATION", value_parser = bucket, default_value = "1m", allow_hyphen_values = true)]
    pub(crate) per: Duration,

    /// How long an execution runs, of jobs without a field duration= in their job file
    #[arg(long, value_name = "DURATION", value_parser = duration, allow_hyphen_values = true, default_value = "1s")]
    pub(crate) duration: Duration,

    /// What the load is: the fields weight= of job files, or what the pods of manifests request
    #[arg(long, value_name = "LOAD", value_enum, default_value_t)]
    pub(crate) load: LoadBy,

    /// Also show what cron does: it starts each job at its nominal time
    #[arg(long)]
    pub(crate) cron: bool,

    /// Also show the peak of each group of jobs: zone, namespace (the part of a name before the first slash), or label=KEY
    /// (a label of manifests, or a further field KEY= in job files)
    #[arg(long, value_name = "GROUP", value_parser = GroupBy::parse)]
    pub(crate) by: Option<GroupBy>,

    /// End with exit code 1 if more than N jobs start in one bucket
    #[arg(long, value_name = "N", value_parser = budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<u64>,

    /// Also write a page of HTML to a file; it needs no network, and lists the jobs of each bucket
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,

    /// The form of the forecast
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ForecastForm,
}

/// What is added up over the executions that run at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LoadBy {
    /// The field weight= of job files, 1 where there is none
    #[default]
    Weight,
    /// The CPU requests of the pods in manifests, in millicores
    Cpu,
    /// The memory requests of the pods in manifests, in MiB
    Memory,
}

impl LoadBy {
    /// The unit, unless the user chose it.
    const fn unit(self) -> Option<&'static str> {
        match self {
            LoadBy::Weight => None,
            LoadBy::Cpu => Some("millicores"),
            LoadBy::Memory => Some("MiB"),
        }
    }

    /// The name of the resource, if it is one.
    const fn resource(self) -> Option<&'static str> {
        match self {
            LoadBy::Weight => None,
            LoadBy::Cpu => Some("cpu"),
            LoadBy::Memory => Some("memory"),
        }
    }

    /// What the pods of a job request, if a manifest says so.
    fn of_requests(self, entry: &Entry) -> Option<u64> {
        let requests = entry.requests.as_ref()?;
        match self {
            LoadBy::Weight => None,
            LoadBy::Cpu => requests.cpu.map(Quantity::thousandths),
            LoadBy::Memory => requests.memory.map(Quantity::mebi),
        }
    }
}

/// The groups of `forecast`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GroupBy {
    /// Jobs of one time zone.
    Zone,
    /// Jobs whose names have the same part before the first slash.
    Namespace,
    /// Jobs with the same value of a label, or of a further field in a job file.
    Label(String),
}

impl GroupBy {
    fn parse(text: &str) -> Result<GroupBy, String> {
        match (text, text.strip_prefix("label=")) {
            ("zone", _) => Ok(GroupBy::Zone),
            ("namespace", _) => Ok(GroupBy::Namespace),
            (_, Some(key)) if !key.is_empty() => Ok(GroupBy::Label(key.to_string())),
            _ => Err("write `zone`, `namespace` or `label=KEY`, such as `label=team`".to_string()),
        }
    }
}

pub(crate) fn run(args: &ForecastArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if let Some(path) = &args.html {
        refuse_input("--html", path, &args.files).map_err(|error| session.fail(&error, ExitStatus::Error))?;
    }
    let has_groups = matches!(args.output, ForecastForm::Text | ForecastForm::Json) || args.html.is_some();
    if args.by.is_some() && !has_groups {
        let mut error = Diagnostic::error("--by: this form of the forecast has no groups");
        error.help = Some("use `-o text`, `-o json` or `--html FILE`".to_string());
        return Err(session.fail(&error, ExitStatus::Error));
    }
    let jobs = JobArgs::of_files(args.files.clone(), args.namespace.clone()).and_cronjobs();
    let input = Input::read(&jobs, NameFor::Seeds, session)?.valid(session)?;
    let zone = zone_of(&args.tz, session)?;
    let from = instant("--from", args.from, &zone, session)?;
    let until = instant("--until", args.until, &zone, session)?;
    let error = |error: &kron_core::Error| Diagnostic::of_error(error);
    let range = ForecastRange::new(from, until, args.per);
    let range = range.map_err(|found| session.fail(&error(&found), ExitStatus::Error))?;
    check_range(from.timestamp(), until.timestamp(), session)?;
    let jobs = jobs_of(&input, args).map_err(|found| session.fail(&found, ExitStatus::Error))?;

    if args.html.is_some() && range.len() > html::BUCKETS {
        let message = format!("--html: a page has at most {} buckets, not {}", html::BUCKETS, range.len());
        let mut found = Diagnostic::error(message);
        found.help = Some("choose longer buckets by --per, or a shorter range".to_string());
        return Err(session.fail(&found, ExitStatus::Error));
    }

    let chosen = count(&jobs, &range, ForecastBy::ChosenTime);
    let chosen = chosen.map_err(|found| session.fail(&error(&found), ExitStatus::Error))?;
    let nominal = args.cron.then(|| count(&jobs, &range, ForecastBy::NominalTime)).transpose();
    let nominal = nominal.map_err(|found| session.fail(&error(&found), ExitStatus::Error))?;
    let groups = args.by.as_ref().map(|by| groups(&input, &jobs, by, args.cron, &range)).transpose();
    let groups = groups.map_err(|found| session.fail(&error(&found), ExitStatus::Error))?;

    let report = Report {
        jobs: jobs.len(),
        kron: side(&jobs, &chosen, ForecastBy::ChosenTime, &zone),
        cron: nominal.as_ref().map(|nominal| side(&jobs, nominal, ForecastBy::NominalTime, &zone)),
        groups,
        load_unit: args.load.unit(),
        zone: &zone,
        clock_changes: clock_change_days(&jobs, &range, ForecastBy::ChosenTime),
    };
    if let Some(path) = &args.html {
        write_page(path, &report, &jobs).map_err(|failed| {
            let mut error = Diagnostic::error(format!("the page cannot be written: {failed}"));
            error.file = Some(path.display().to_string());
            session.fail(&error, ExitStatus::Error)
        })?;
    }
    match args.output {
        ForecastForm::Text => text::write(&mut session.out, &report)?,
        ForecastForm::Json => json::write(&mut session.out, &report)?,
        ForecastForm::Csv => csv::write(&mut session.out, &report)?,
        ForecastForm::Svg => plot::svg(&mut session.out, &report)?,
        ForecastForm::Png => plot::png(&mut session.out, &report)?,
    }

    let unknown = input.entries.iter().filter(|entry| args.load.of_requests(entry).is_none()).count();
    if args.load != LoadBy::Weight && unknown > 0 {
        let resource = if args.load == LoadBy::Cpu { "CPU" } else { "memory" };
        let note = match unknown {
            1 => format!("1 job has no {resource} request and counts as 0"),
            _ => format!("{unknown} jobs have no {resource} request and count as 0"),
        };
        session.report(&Diagnostic::note(note));
    }
    let suspended = jobs.iter().filter(|job| job.job.spec().policy().suspend()).count();
    if suspended > 0 {
        let jobs = if suspended == 1 { "1 job is".to_string() } else { format!("{suspended} jobs are") };
        session.report(&Diagnostic::note(format!("{jobs} suspended and not counted")));
    }
    for (index, found) in chosen.failed().iter().take(REASONS) {
        session.report(&search_failed(jobs[*index].job, found));
    }
    let peak = chosen.summary(|bucket| u64::from(bucket.starts));
    let over = args.budget.filter(|budget| peak.peak > *budget);
    if let Some(budget) = over {
        let (at, per) = (range.bucket(peak.peak_bucket).0, args.per);
        let at = time::utc_of(at);
        let starts = plural(peak.peak, "start");
        let mut error =
            Diagnostic::error(format!("{starts} within {per} from {at} on; the budget is {budget}"));
        error.help = Some("give these jobs longer windows, or other nominal times".to_string());
        session.report(&error);
    }
    let failed = over.is_some() || !chosen.failed().is_empty();
    Ok(if failed { ExitStatus::Failure } else { ExitStatus::Success })
}

/// Makes a forecast, and shows its progress on a terminal if it takes long.
fn count(
    jobs: &[ForecastJob<'_>],
    range: &ForecastRange,
    by: ForecastBy,
) -> Result<Forecast, kron_core::Error> {
    let progress = Progress::new("the range");
    par_forecast_with(jobs, range, by, |done, all| {
        progress.show(done, all);
        Ok(())
    })
}

fn side<'a>(jobs: &[ForecastJob<'_>], forecast: &'a Forecast, by: ForecastBy, zone: &Zone) -> Side<'a> {
    Side { forecast, worst: worst(jobs, forecast, by), heat_map: forecast.heat_map(zone) }
}

fn write_page(path: &Path, report: &Report<'_>, jobs: &[ForecastJob<'_>]) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    html::write(&mut file, report, jobs)?;
    file.flush()
}

/// The jobs with their durations and weights.
fn jobs_of<'a>(input: &'a Input, args: &ForecastArgs) -> Result<Vec<ForecastJob<'a>>, Box<Diagnostic>> {
    input.entries.iter().map(|entry| job_of(input, entry, args)).collect()
}

fn job_of<'a>(
    input: &Input,
    entry: &'a Entry,
    args: &ForecastArgs,
) -> Result<ForecastJob<'a>, Box<Diagnostic>> {
    let wrong = |message: String, help: &str| {
        let mut error = Diagnostic::error(message);
        error.help = Some(help.to_string());
        Box::new(input.locate(entry, error, None))
    };
    let mut job = ForecastJob { duration: args.duration, ..ForecastJob::new(&entry.job) };
    let mut unread = entry.requests.iter().flat_map(|requests| &requests.unread);
    if let Some(unread) = unread.find(|unread| Some(&*unread.resource) == args.load.resource()) {
        let (field, text) = (printable(&unread.field), printable(&unread.text));
        let message = format!("spec.jobTemplate.{field}: the quantity `{text}` cannot be read");
        return Err(wrong(message, "write for example `500m` or `2` for CPU, `512Mi` or `2Gi` for memory"));
    }
    if let Some(unit) = args.load.unit() {
        let requested = args.load.of_requests(entry).unwrap_or_default();
        job.weight = requested.try_into().map_err(|_| {
            let message =
                format!("the pods request {requested} {unit}; a forecast counts up to {}", u32::MAX);
            wrong(message, "correct the requests of its containers")
        })?;
    } else if let Some(text) = entry.field("weight") {
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
    let order = forecast.worst(WORST);
    let mut places = order.clone();
    places.sort_unstable();
    let found = jobs_in_buckets(jobs, forecast.range(), by, &places);
    let mut found: BTreeMap<usize, Vec<(usize, u64)>> = places.into_iter().zip(found).collect();
    let bucket = |index| {
        let named = |(job, starts): (usize, u64)| (jobs[job].job.name().to_string(), starts);
        let jobs = found.remove(&index).unwrap_or_default();
        WorstBucket {
            from: forecast.range().bucket(index).0,
            starts: forecast.buckets()[index].starts,
            jobs: jobs.into_iter().map(named).collect(),
        }
    };
    order.into_iter().map(bucket).collect()
}

/// The totals and peaks of the groups with the most jobs, in order of their names among equals.
fn groups(
    input: &Input,
    jobs: &[ForecastJob<'_>],
    by: &GroupBy,
    cron: bool,
    range: &ForecastRange,
) -> Result<Vec<Group>, kron_core::Error> {
    let mut members: BTreeMap<String, Vec<ForecastJob<'_>>> = BTreeMap::new();
    for (entry, job) in input.entries.iter().zip(jobs) {
        let name = match by {
            GroupBy::Zone => job.job.spec().timezone().to_string(),
            GroupBy::Namespace => {
                job.job.name().split_once('/').map_or("", |(namespace, _)| namespace).to_string()
            }
            GroupBy::Label(key) => entry.label(key).unwrap_or_default().to_string(),
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
