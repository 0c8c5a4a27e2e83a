//! `kron spread`: salts with which few jobs start in the same bucket, and the proof of how few are possible.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration as StdDuration;

use clap::{ArgGroup, Args, ValueHint};
use indicatif::{ProgressBar, ProgressStyle};
use kron_convert::{Options, with_seeds};
use kron_core::{
    Duration, ForecastRange, Instant as _, Job, Parser, PeakBound, Seed, SpreadOptions, SpreadPlan, spread,
};

use super::times::{check_range, civil_day, instant, zone_of};
use crate::args::{JobArgs, TzArgs, bucket, budget, count};
use crate::exit_status::ExitStatus;
use crate::input::{Input, NameFor, Source, refuse_input};
use crate::output::diagnostic::Diagnostic;
use crate::output::plural::plural;
use crate::output::time;
use crate::session::{Session, Stop};
use crate::time_arg::{DayArg, LengthArg, TimeArg};

/// How often the time that a search takes is shown on a terminal.
const TICK: StdDuration = StdDuration::from_millis(500);

/// Choose salts so that few jobs start in the same bucket of time
///
/// Prints the file with other salts, in @seed(...) or in spec.seed of KronJobs; everything else stays as it is,
/// comments too. The summary on stderr has the peak before and after, and a lower bound: no salts give a lower
/// peak.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    group(ArgGroup::new("goal").args(["peak", "best", "budget"]).required(true)),
    after_long_help = "\
Examples:
  kron spread jobs.kron --best > new.kron
      the lowest peak that salts give in the 7 days from today on
  kron spread jobs.kron --best --fixed --from 2026-03-02 --certificate peak.json > new.kron
      the same for jobs that keep their place in the window, and a proof of the lower bound
  kron spread jobs.kron --peak 20 --from 2026-03-02 --for 30d > new.kron
      at most 20 starts in each minute of 30 days; most jobs keep their salts
  kubectl get kronjobs -A -o json | kron spread - --best > kronjobs.json
      the KronJobs of a cluster, to apply with kubectl
  kron spread jobs.kron --budget 20 --from 2026-03-02
      exit code 1 if a minute of a week has more than 20 starts; prints no file

Exit codes: 0 success; 1 the peak is above N; 2 bad arguments or input"
)]
pub(crate) struct SpreadArgs {
    /// A job file, or KronJobs in YAML or JSON; `-` is standard input. With --budget also CronJobs, or a directory
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) file: PathBuf,

    /// Search until no bucket has more than N starts
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    pub(crate) peak: Option<u64>,

    /// Search for the lowest peak
    #[arg(long)]
    pub(crate) best: bool,

    /// Change nothing: end with exit code 1 if a bucket has more than N starts
    #[arg(long, value_name = "N", value_parser = budget, allow_hyphen_values = true)]
    pub(crate) budget: Option<u64>,

    /// Give the seed strategy `fixed` to all jobs that can have it
    ///
    /// Such a job keeps its place in the window, so its salt decides all its starts at once, and far lower
    /// peaks are possible. Jobs without a window and those of sha256-splitmix64/1 keep their strategy.
    #[arg(long, conflicts_with = "budget", verbatim_doc_comment)]
    pub(crate) fixed: bool,

    /// The beginning of the range, which belongs to it; default: today
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<TimeArg>,

    /// The length of the range: 7d, 168h; at most 366d
    ///
    /// 7d is 7 days on the clocks of --tz: it ends at the same time of day. 168h are hours.
    #[arg(long = "for", value_name = "LENGTH", value_parser = LengthArg::parse, default_value = "7d")]
    #[arg(verbatim_doc_comment)]
    pub(crate) length: LengthArg,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// The length of a bucket, 1s to 1h in whole seconds
    #[arg(long, value_name = "DURATION", value_parser = bucket, default_value = "1m", allow_hyphen_values = true)]
    pub(crate) per: Duration,

    /// Write the proof of the lower bound and of the peak to this file, as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "budget")]
    pub(crate) certificate: Option<PathBuf>,

    /// The namespace of manifests that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(crate) namespace: Option<String>,
}

pub(crate) fn run(args: &SpreadArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if let Some(path) = &args.certificate {
        refuse_input("--certificate", path, std::slice::from_ref(&args.file))
            .map_err(|error| session.fail(&error, ExitStatus::Error))?;
    }
    let jobs = JobArgs::of_files(vec![args.file.clone()], args.namespace.clone()).and_cronjobs();
    let input = Input::read(&jobs, NameFor::Seeds, session)?.valid(session)?;
    let zone = zone_of(&args.tz, session)?;
    let from = match args.from {
        Some(from) => instant("--from", from, &zone, session)?.ceil(),
        None => civil_day(DayArg::FromToday(0), &zone, session)?.first,
    };
    let until = args.length.after(from, &zone).map_err(|error| session.fail(&error, ExitStatus::Error))?;
    check_range(from, until, session)?;
    let range = ForecastRange::new(from, until, args.per);
    let range = range.map_err(|found| session.fail(&Diagnostic::of_error(&found), ExitStatus::Error))?;
    match args.budget {
        Some(budget) => judge(args, budget, &input, &range, session),
        None => edit(args, &input, &range, session),
    }
}

/// Compares the present peak of the jobs with a budget.
fn judge(
    args: &SpreadArgs,
    budget: u64,
    input: &Input,
    range: &ForecastRange,
    session: &mut Session<'_>,
) -> Result<ExitStatus, Stop> {
    let jobs: Vec<&Job> = input.entries.iter().map(|entry| &entry.job).collect();
    // No peak is above this one, so nothing is searched.
    let plan = spread(&jobs, range, &SpreadOptions { fixed: false, peak: Some(u64::MAX) });
    if plan.present_peak <= budget {
        return Ok(ExitStatus::Success);
    }
    let (per, at) = (args.per, time::utc_of(range.bucket(plan.peak_bucket).0));
    let starts = plural(plan.present_peak, "start");
    let mut error = Diagnostic::error(format!("{starts} within {per} from {at} on; the budget is {budget}"));
    error.help = Some(if plan.bound.peak > budget {
        no_salts(budget, &plan.bound)
    } else {
        format!("let `kron spread --peak {budget}` choose other salts, or give jobs longer windows")
    });
    session.report(&error);
    Ok(ExitStatus::Failure)
}

/// A file of jobs whose seeds can be edited.
enum File<'a> {
    /// A job file, with the line of each job.
    Lines(&'a str, Vec<usize>),
    Manifests(&'a Source),
}

impl<'a> File<'a> {
    fn of(input: &'a Input) -> Option<File<'a>> {
        let lines = input.job_file().map(|(text, lines)| File::Lines(text, lines));
        lines.or_else(|| input.manifests().map(File::Manifests))
    }

    /// The text with other seeds, for those jobs that have one here.
    fn with_seeds(
        &self,
        input: &Input,
        seeds: &[Option<Seed>],
        args: &SpreadArgs,
        parser: &Parser,
    ) -> Result<String, Box<Diagnostic>> {
        match self {
            File::Lines(text, lines) => {
                let seeds = lines.iter().zip(seeds).filter_map(|(line, seed)| Some((*line, seed.as_ref()?)));
                let edited = parser.job_file_with_seeds(text, &seeds.collect::<Vec<_>>());
                edited.map_err(|error| Box::new(Diagnostic::of_error(&error)))
            }
            File::Manifests(source) => {
                let names = input.entries.iter().map(|entry| entry.job.name());
                let seeds = names.zip(seeds).filter_map(|(name, seed)| Some((name, seed.as_ref()?)));
                let options = Options {
                    namespace: args.namespace.clone(),
                    parser: parser.clone(),
                    ..Options::default()
                };
                let edited = with_seeds(&source.text, &seeds.collect::<Vec<_>>(), &options);
                edited
                    .map_err(|message| Box::new(Diagnostic::of_conversion(&message, source.file.as_deref())))
            }
        }
    }
}

/// Prints the file with other salts.
fn edit(
    args: &SpreadArgs,
    input: &Input,
    range: &ForecastRange,
    session: &mut Session<'_>,
) -> Result<ExitStatus, Stop> {
    let Some(file) = File::of(input) else {
        let mut error = Diagnostic::error("`kron spread` edits one file: a job file, or manifests");
        error.help = Some("write the jobs to one file, or judge several files with --budget".to_string());
        return Err(session.fail(&error, ExitStatus::Error));
    };
    let jobs: Vec<&Job> = input.entries.iter().map(|entry| &entry.job).collect();
    let failed = |error: &kron_core::Error| Box::new(Diagnostic::of_error(error));
    // Before the search, which can take minutes.
    if args.certificate.is_some() {
        SpreadPlan::check_certifiable(&jobs)
            .map_err(|error| session.fail(&failed(&error), ExitStatus::Error))?;
    }
    let parser = session.parser()?;
    if let File::Manifests(_) = file {
        let present: Vec<Option<Seed>> = jobs.iter().map(|job| Some(job.spec().seed().clone())).collect();
        let editable = file.with_seeds(input, &present, args, &parser);
        editable.map_err(|error| session.fail(&error, ExitStatus::Error))?;
    }

    let plan = search(&jobs, range, &SpreadOptions { fixed: args.fixed, peak: args.peak });
    let changed = plan.seeds.iter().flatten().count();
    let edited = file.with_seeds(input, &plan.seeds, args, &parser);
    let edited = edited.map_err(|error| session.fail(&error, ExitStatus::Error))?;
    if let Some(path) = &args.certificate {
        let lines = match file {
            File::Lines(..) => Ok(edited.clone()),
            File::Manifests(_) => plan.jobs(&jobs).map(|jobs| {
                let lines: Vec<String> = jobs.iter().map(Job::to_line).collect();
                lines.join("\n")
            }),
        };
        let certificate = lines.and_then(|lines| plan.certificate(&jobs, range, &lines));
        let certificate = certificate.map_err(|error| session.fail(&failed(&error), ExitStatus::Error))?;
        fs::write(path, certificate).map_err(|failed| {
            let mut error = Diagnostic::error(format!("the certificate cannot be written: {failed}"));
            error.file = Some(path.display().to_string());
            session.fail(&error, ExitStatus::Error)
        })?;
    }
    session.out.write_all(edited.as_bytes())?;
    summarize(args, &plan, changed, jobs.len(), range, session);
    let Some(peak) = args.peak.filter(|peak| plan.peak > *peak) else { return Ok(ExitStatus::Success) };
    let mut error = Diagnostic::error(format!("the lowest peak that was found is {}, not {peak}", plan.peak));
    error.help = Some(if plan.bound.peak > peak {
        no_salts(peak, &plan.bound)
    } else if args.fixed {
        "give jobs longer windows".to_string()
    } else {
        "add --fixed, or give jobs longer windows".to_string()
    });
    session.report(&error);
    Ok(ExitStatus::Failure)
}

/// A search that shows on a terminal that it runs, and for how long.
fn search(jobs: &[&Job], range: &ForecastRange, options: &SpreadOptions) -> SpreadPlan {
    let bar = ProgressBar::new_spinner();
    // OK because the template is a literal; the default style is as good.
    let style = ProgressStyle::with_template("{spinner} searching salts for {msg}: {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(plural(jobs.len(), "job"));
    bar.enable_steady_tick(TICK);
    let plan = spread(jobs, range, options);
    bar.finish_and_clear();
    plan
}

/// The help if the lower bound is above the wanted peak.
fn no_salts(peak: u64, bound: &PeakBound) -> String {
    format!(
        "no salts give a peak of {peak}: the lower bound is {}; give jobs longer windows, or other nominal times",
        bound.peak
    )
}

fn summarize(
    args: &SpreadArgs,
    plan: &SpreadPlan,
    changed: usize,
    jobs: usize,
    range: &ForecastRange,
    session: &mut Session<'_>,
) {
    let (from, until) = (time::utc_of(range.from_timestamp()), time::utc_of(range.to_timestamp()));
    let (before, after, bound) = (plan.present_peak, plan.peak, plan.bound.peak);
    session.remark(&format!(
        "most starts within {}, from {from} until {until}: {before} before, {after} after",
        args.per
    ));
    session.remark(&format!("lower bound: no salts give a peak below {bound}"));
    session.remark(&format!("changed the seeds of {changed} of {}", plural(jobs, "job")));
}
