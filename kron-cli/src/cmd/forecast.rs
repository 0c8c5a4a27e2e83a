//! `kron forecast`: starts, running executions and load of all jobs over a range of time.

use std::collections::BTreeMap;

use clap::{Args, ValueEnum};
use kron_core::{Duration, Zone};
use kron_fleet::forecast::{
    Forecast, ForecastBy, ForecastJob, ForecastRange, clock_change_days, jobs_in_buckets, par_forecast,
    par_forecast_with,
};
use kron_formats::kronjob::Quantity;

use crate::args::base::BaseArgs;
use crate::args::jobs::{JobArgs, PickArgs};
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs, check_years};
use crate::args::reading::{HostArgs, ReadArgs};
use crate::args::time::{TzArgs, zone_of};
use crate::args::{SaveArgs, bucket, budget};
use crate::exit_status::ExitStatus;
use crate::input::pick::search_failed;
use crate::input::{Entry, Input, NameFor, Request};
use crate::output::diagnostic::Diagnostic;
use crate::output::forecast::{Group, Report, Side, WorstBucket, csv, html, json, plot, text};
use crate::output::form::ForecastForm;
use crate::output::plural::plural;
use crate::output::progress::Progress;
use crate::output::table::printable;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};
use crate::time_arg::duration;

/// The buckets whose jobs are listed.
const WORST: usize = 5;
/// The most groups that are shown: those with the most jobs.
const GROUPS: usize = 50;
/// If searches fail, the reason is printed for at most this many jobs.
const REASONS: usize = 10;

/// The range without options.
const RANGE: DefaultRange = DefaultRange {
    words: "the day from the coming midnight on, in --tz",
    begin: Begin::Tomorrow,
    length: Length::Days(1),
    days_max: None,
};

/// The arguments of `forecast`.
#[derive(Debug, Args)]
pub(crate) struct ForecastArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    #[command(flatten)]
    pick: PickArgs,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// The length of a bucket, 1s to 1h in whole seconds
    #[arg(long, value_name = "DURATION", value_parser = bucket, default_value = "1m", allow_hyphen_values = true)]
    per: Duration,

    /// How long a job runs whose line in a job file has no field duration=
    #[arg(long, value_name = "DURATION", value_parser = duration, allow_hyphen_values = true, default_value = "1s")]
    duration: Duration,

    /// What counts as load: the fields weight= of job files, or what the pods of manifests request
    #[arg(long, value_name = "LOAD", value_enum, default_value_t)]
    load: LoadBy,

    /// Also count what cron does with these jobs: it starts each at its nominal time
    #[arg(long)]
    cron: bool,

    /// Also show the peak of each group of jobs: zone, namespace or label=KEY
    ///
    /// The namespace of a job is the part of its name before the first slash. A label is one of a manifest, or a
    /// further field KEY= in a job file.
    #[arg(long, value_name = "GROUP", value_parser = GroupBy::parse, verbatim_doc_comment)]
    by: Option<GroupBy>,

    #[command(flatten)]
    base: BaseArgs,

    #[command(flatten)]
    host: HostArgs,

    /// End with exit code 1 if more than N jobs start in one bucket
    #[arg(long, value_name = "N", value_parser = budget, allow_hyphen_values = true)]
    budget: Option<u64>,

    /// The form of the forecast
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    output: ForecastForm,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for ForecastArgs {
    const HELP: Help = Help {
        about: "Count how many jobs start, run and load the machines at each time",
        example: "kron forecast jobs.kron --cron",
        range: Some(RANGE),
        notes: Help::NO_NOTES,
        exit_codes: "0 success; 1 the peak is above the budget, or a search failed; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        self.budget.is_some()
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
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
        let requests = entry.requests()?;
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

fn run(args: &ForecastArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let has_groups = matches!(args.output, ForecastForm::Text | ForecastForm::Json | ForecastForm::Html);
    if args.by.is_some() && !has_groups {
        let error = Diagnostic::error("--by: this form of the forecast has no groups");
        return Err(error.help("use `-o text`, `-o json` or `-o html`").into());
    }
    if args.base.is_given() && args.output == ForecastForm::Html {
        let error = Diagnostic::error("--base: this form of the forecast has no base");
        return Err(error.help("use `-o text`, `-o json`, `-o csv`, `-o svg` or `-o png`").into());
    }
    let request = Request {
        host: args.host.host.as_deref(),
        ..Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::Windows)
    };
    let input = Input::read(request, session)?.valid(session)?.pick(&args.pick)?;
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let asked = args.range.resolve(None, RANGE, &zone, session)?;
    let range = ForecastRange::new(asked.from..asked.to, args.per)?;
    check_years(&asked, session)?;
    let jobs = jobs_of(&input, args)?;

    if args.output == ForecastForm::Html && range.len() > html::BUCKETS {
        let message = format!("a page has at most {} buckets, not {}", html::BUCKETS, range.len());
        return Err(Diagnostic::error(message)
            .help("choose longer buckets by --per, or a shorter range")
            .into());
    }

    let base = args.base.starts(&range, &zone, session)?;
    let chosen = count(&jobs, &range, ForecastBy::ChosenTime)?;
    let nominal = args.cron.then(|| count(&jobs, &range, ForecastBy::NominalTime)).transpose()?;
    let starts = chosen.total();
    let (chosen, nominal) = (chosen.beside(&base), nominal.map(|nominal| nominal.beside(&base)));
    let groups = args.by.as_ref().map(|by| groups(&input, &jobs, by, args.cron, &range)).transpose()?;

    let report = Report {
        jobs: jobs.len(),
        starts,
        base: args.base.is_given().then_some(&base[..]),
        kron: side(&jobs, &chosen, ForecastBy::ChosenTime, &zone),
        cron: nominal.as_ref().map(|nominal| side(&jobs, nominal, ForecastBy::NominalTime, &zone)),
        groups,
        load_unit: args.load.unit(),
        zone: &zone,
        clock_changes: clock_change_days(&jobs, &range, ForecastBy::ChosenTime),
    };
    match args.output {
        ForecastForm::Text => text::write(&mut session.out, &report)?,
        ForecastForm::Json => json::write(&mut session.out, &report)?,
        ForecastForm::Csv => csv::write(&mut session.out, &report)?,
        ForecastForm::Html => html::write(&mut session.out, &report, &jobs)?,
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
    if let Some(budget) = args.budget.filter(|budget| peak.peak > *budget) {
        let (at, per) = (time::utc_of(range.bucket(peak.peak_bucket).0), args.per);
        let starts = plural(peak.peak, "start");
        let error = Diagnostic::error(format!("{starts} within {per} from {at} on; the budget is {budget}"));
        let error = error.help("give these jobs longer windows, or other nominal times");
        return Err(Stop::with(error, ExitStatus::Failure));
    }
    Ok(if chosen.failed().is_empty() { ExitStatus::Success } else { ExitStatus::Failure })
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
        Box::new(input.locate(entry, Diagnostic::error(message).help(help), None))
    };
    let mut job = ForecastJob { duration: args.duration, ..ForecastJob::new(entry.job()) };
    let mut unread = entry.requests().into_iter().flat_map(|requests| &requests.unread);
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
