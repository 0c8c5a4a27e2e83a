//! What a forecast counts: jobs with their durations and loads, groups of them, and the jobs of full buckets.

use std::collections::BTreeMap;

use clap::ValueEnum;
use kron_core::{Duration, Job, Window, Zone};
use kron_fleet::forecast::{
    self as fleet, Forecast, ForecastBy, ForecastJob, ForecastRange, jobs_in_buckets, par_forecast,
    par_forecast_with,
};
use kron_formats::kronjob::Quantity;

use crate::input::{Entry, Input};
use crate::output::diagnostic::Diagnostic;
use crate::output::forecast::picture::{Picture, has_window, is_one_start};
use crate::output::forecast::words::{self, Sides};
use crate::output::forecast::{Group, fullest};
use crate::output::progress::Progress;
use crate::output::table::printable;
use crate::output::terminal::{Ink, wrapped};
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::duration;

/// The most groups that are shown: those with the most jobs.
const GROUPS: usize = 50;

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
    pub(crate) const fn unit(self) -> Option<&'static str> {
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
    pub(crate) fn of_requests(self, entry: &Entry) -> Option<u64> {
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
    /// Reads one. The error is a sentence for the user.
    pub(crate) fn parse(text: &str) -> Result<GroupBy, String> {
        match (text, text.strip_prefix("label=")) {
            ("zone", _) => Ok(GroupBy::Zone),
            ("namespace", _) => Ok(GroupBy::Namespace),
            (_, Some(key)) if !key.is_empty() => Ok(GroupBy::Label(key.to_string())),
            _ => Err("write `zone`, `namespace` or `label=KEY`, such as `label=team`".to_string()),
        }
    }
}

/// Reads the length of a window. The error is a sentence for the user.
pub(crate) fn window(text: &str) -> Result<Duration, String> {
    let length = duration(text)?;
    Window::after(length).map_err(|_| "it is longer than 366 days")?;
    if length.is_zero() { Err("a window of no length spreads nothing".to_string()) } else { Ok(length) }
}

/// The jobs that have no window and no declaration, with this window; `None` for all others.
pub(crate) fn with_window(input: &Input, window: Option<Duration>) -> Result<Vec<Option<Job>>, Stop> {
    let window = window.map(Window::after).transpose()?;
    let with = |entry: &Entry| {
        let job = entry.job();
        let Some(window) = window.filter(|_| entry.declared().is_none()) else {
            return Ok(None);
        };
        fleet::with_window(job, window).map_err(|error| {
            // The help is left out: it is about the job's text, but an option gives the window.
            let error = Diagnostic { help: None, ..Diagnostic::of_error(&error) };
            Stop::from(error.job(job.name()))
        })
    };
    input.entries.iter().map(with).collect()
}

/// What a forecast of these jobs compares; `None` if there is nothing to compare, as no job has a window or a declaration.
pub(crate) fn sides(input: &Input, jobs: &[ForecastJob<'_>]) -> Option<Sides> {
    let is_placed = |(entry, job): (&Entry, &ForecastJob<'_>)| {
        entry.declared().is_some() && !job.job.spec().policy().suspend()
    };
    match has_window(jobs) {
        true => Some(Sides::FORECAST),
        false => input.entries.iter().zip(jobs).any(is_placed).then_some(Sides::PLACED),
    }
}

/// How long jobs run and what they weigh, where neither a file nor a manifest says it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) duration: Duration,
    pub(crate) load: LoadBy,
}

impl Demand {
    /// The job of an entry, or another one in its place, with its duration and its weight.
    pub(crate) fn of<'a>(
        self,
        input: &Input,
        entry: &'a Entry,
        instead: Option<&'a Job>,
    ) -> Result<ForecastJob<'a>, Box<Diagnostic>> {
        let wrong = |message: String, help: &str| {
            Box::new(input.locate(entry, Diagnostic::error(message).help(help), None))
        };
        let mut job =
            ForecastJob { duration: self.duration, ..ForecastJob::new(instead.unwrap_or(entry.job())) };
        let mut unread = entry.requests().into_iter().flat_map(|requests| &requests.unread);
        if let Some(unread) = unread.find(|unread| Some(&*unread.resource) == self.load.resource()) {
            let (field, text) = (printable(&unread.field), printable(&unread.text));
            let message = format!("spec.jobTemplate.{field}: the quantity `{text}` cannot be read");
            return Err(wrong(
                message,
                "write for example `500m` or `2` for CPU, `512Mi` or `2Gi` for memory",
            ));
        }
        if let Some(unit) = self.load.unit() {
            let requested = self.load.of_requests(entry).unwrap_or_default();
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
}

/// Makes a forecast, and shows its progress on a terminal if it takes long.
pub(crate) fn count(
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

/// The error about a bucket with more starts than a budget allows: which one it is, and which jobs start in it.
pub(crate) fn over_budget(
    jobs: &[ForecastJob<'_>],
    range: &ForecastRange,
    bucket: usize,
    starts: u64,
    budget: u64,
) -> Diagnostic {
    let members = jobs_in_buckets(jobs, range, ForecastBy::ChosenTime, &[bucket]);
    let named = |(job, starts): &(usize, u64)| (printable(jobs[*job].job.name()), *starts);
    let names: Vec<(String, u64)> = members.iter().flatten().map(named).collect();
    let (starts, budget) = (words::starts(starts), words::grouped(budget));
    let (per, at) = (words::bucket(range.per_seconds()), time::utc_of(range.bucket(bucket).0));
    // A base alone can be too much.
    let of = if names.is_empty() { String::new() } else { format!(": {}", fullest::named(&names)) };
    Diagnostic::error(format!("{starts} in the fullest {per}, from {at} on, and the budget is {budget}{of}"))
}

/// What an edit makes of jobs, for the end of its summary: a sentence, and on a terminal a picture.
pub(crate) struct Edit<'a> {
    pub(crate) before: Vec<&'a Job>,
    pub(crate) after: Vec<&'a Job>,
    /// What each bucket has already.
    pub(crate) base: &'a [u32],
    pub(crate) range: ForecastRange,
    pub(crate) zone: &'a Zone,
}

impl Edit<'_> {
    /// Writes it to standard error.
    pub(crate) fn show(&self, session: &mut Session<'_>) -> Result<(), Stop> {
        let count = |jobs: &[&Job]| {
            let jobs: Vec<ForecastJob<'_>> = jobs.iter().map(|job| ForecastJob::new(job)).collect();
            par_forecast(&jobs, &self.range, ForecastBy::ChosenTime)
        };
        let (before, after) = (count(&self.before)?, count(&self.after)?);
        let starts = (Some(before.total()), after.total());
        let needs_pair = !self.base.is_empty() || !is_one_start(&before, &after);
        let (before, after) = (before.beside(self.base), after.beside(self.base));
        let picture = Picture {
            sides: Sides::EDIT,
            before: Some(&before).filter(|_| needs_pair),
            after: &after,
            base: Some(self.base).filter(|base| !base.is_empty()),
            starts,
            jobs: self.after.len(),
            window: None,
            zone: self.zone,
        };
        let Some(terminal) = session.terminal_of_err() else {
            session.remark(&picture.headline().sentence());
            return Ok(());
        };
        let mut lines = wrapped(&picture.headline().sentence(), terminal.columns, "");
        lines.iter_mut().for_each(|line| *line = terminal.paint(Ink::Bold, line));
        lines.extend(picture.bars(&terminal));
        lines.iter().for_each(|line| session.remark(line));
        Ok(())
    }
}

/// The totals and peaks of the groups with the most jobs, in order of their names among equals. `before`: the jobs whose nominal times
/// are counted, if they are.
pub(crate) fn groups(
    input: &Input,
    before: Option<&[ForecastJob<'_>]>,
    jobs: &[ForecastJob<'_>],
    by: &GroupBy,
    range: &ForecastRange,
) -> Result<Vec<Group>, kron_core::Error> {
    let mut members: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, (entry, job)) in input.entries.iter().zip(jobs).enumerate() {
        let name = match by {
            GroupBy::Zone => job.job.spec().timezone().to_string(),
            GroupBy::Namespace => {
                job.job.name().split_once('/').map_or("", |(namespace, _)| namespace).to_string()
            }
            GroupBy::Label(key) => entry.label(key).unwrap_or_default().to_string(),
        };
        members.entry(name).or_default().push(index);
    }
    let mut members: Vec<_> = members.into_iter().collect();
    members.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    let peak = |forecast: &Forecast| forecast.summary(|bucket| u64::from(bucket.starts)).peak;
    let group = |(name, members): (String, Vec<usize>)| {
        let count = |jobs: &[ForecastJob<'_>], by| {
            let jobs: Vec<ForecastJob<'_>> = members.iter().map(|index| jobs[*index]).collect();
            par_forecast(&jobs, range, by)
        };
        let chosen = count(jobs, ForecastBy::ChosenTime)?;
        let nominal = before.map(|before| count(before, ForecastBy::NominalTime)).transpose()?;
        Ok(Group {
            name,
            jobs: members.iter().filter(|index| !jobs[**index].job.spec().policy().suspend()).count(),
            starts: chosen.total(),
            peak: peak(&chosen),
            cron_peak: nominal.as_ref().map(peak),
        })
    };
    members.into_iter().take(GROUPS).map(group).collect()
}
