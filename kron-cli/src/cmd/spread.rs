//! `kron spread`: salts with which few jobs start in the same bucket, and the proof of how few are possible.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration as StdDuration;

use clap::{ArgGroup, Args, ValueHint};
use indicatif::{ProgressBar, ProgressStyle};
use kron_core::{Duration, Job, Parser, Seed};
use kron_fleet::forecast::ForecastRange;
use kron_fleet::spread::{PeakBound, SpreadOptions, SpreadPlan, spread};
use kron_formats::convert::{Options, with_seeds};

use crate::args::jobs::JobArgs;
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs, check_years};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, zone_of};
use crate::args::{SaveArgs, bucket, budget, count};
use crate::exit_status::ExitStatus;
use crate::files::Source;
use crate::input::{Input, NameFor, Request};
use crate::output::diagnostic::Diagnostic;
use crate::output::plural::plural;
use crate::output::time;
use crate::session::{Session, Stop, is_same_file, unwritten};
use crate::subcommand::{Help, Save, Subcommand};

/// How often the time that a search takes is shown on a terminal.
const TICK: StdDuration = StdDuration::from_millis(500);

/// The range without options.
const RANGE: DefaultRange = DefaultRange {
    words: "7 days from today's midnight in --tz",
    begin: Begin::Today,
    length: Length::Days(7),
    days_max: Some(366),
};

/// The arguments of `spread`.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("goal").args(["peak", "best", "budget"])),
    mut_arg("save", |save| save.help("Write the file here instead of to standard output; it may be the file that is read"))
)]
pub(crate) struct SpreadArgs {
    #[command(flatten)]
    jobs: JobArgs,

    #[command(flatten)]
    reading: ReadArgs,

    /// Search for the lowest peak; this is the default
    #[arg(long)]
    best: bool,

    /// Search only until no bucket has more than N starts; most jobs then keep their salts
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    peak: Option<u64>,

    /// Change nothing, and end with exit code 1 if a bucket has more than N starts
    #[arg(long, value_name = "N", value_parser = budget, allow_hyphen_values = true, conflicts_with = "save")]
    budget: Option<u64>,

    /// Give the seed strategy `fixed` to all jobs that can have it
    ///
    /// Such a job keeps its place in the window, so its salt decides all its starts at once, and far lower
    /// peaks are possible. Jobs without a window and those of sha256-splitmix64/1 keep their strategy.
    #[arg(long, conflicts_with = "budget", verbatim_doc_comment)]
    fixed: bool,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// The length of a bucket, 1s to 1h in whole seconds
    #[arg(long, value_name = "DURATION", value_parser = bucket, default_value = "1m", allow_hyphen_values = true)]
    per: Duration,

    /// Write the proof of the peak and of the lower bound to this file, as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "budget")]
    certificate: Option<PathBuf>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for SpreadArgs {
    const HELP: Help = Help {
        about: "Choose salts so that few jobs start at the same time",
        example: "kron spread jobs.kron --save jobs.kron",
        range: Some(RANGE),
        notes: || {
            "The file is printed with other salts in @seed(...), or in spec.seed of KronJobs; all else stays as it is,\n\
             comments too. The summary on stderr has the peak before and after, and the lowest peak that any salts can give."
                .to_string()
        },
        exit_codes: "0 success; 1 the peak is above N; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::Edited(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        self.budget.is_some()
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &SpreadArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if let Some(path) = &args.certificate {
        session.may_not_read("--certificate", path);
        if args.save.save.as_deref().is_some_and(|save| save == path || is_same_file(save, path)) {
            let error = Diagnostic::error("--save would replace the file of --certificate");
            return Err(error.file(path.display()).help("choose another file").into());
        }
    }
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::Seeds);
    let input = Input::read(request, session)?.valid(session)?;
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let asked = args.range.resolve(None, RANGE, &zone, session)?;
    check_years(&asked, session)?;
    let range = ForecastRange::new(asked.from..asked.to, args.per)?;
    match args.budget {
        Some(budget) => judge(args, budget, &input, &range),
        None => edit(args, &input, &range, session),
    }
}

/// Compares the present peak of the jobs with a budget.
fn judge(args: &SpreadArgs, budget: u64, input: &Input, range: &ForecastRange) -> Result<ExitStatus, Stop> {
    let jobs: Vec<&Job> = input.entries.iter().map(|entry| entry.job()).collect();
    // No peak is above this one, so nothing is searched.
    let plan = spread(&jobs, range, &SpreadOptions { peak: Some(u64::MAX), ..SpreadOptions::default() });
    if plan.present_peak <= budget {
        return Ok(ExitStatus::Success);
    }
    let (per, at) = (args.per, time::utc_of(range.bucket(plan.peak_bucket).0));
    let starts = plural(plan.present_peak, "start");
    let error = Diagnostic::error(format!("{starts} within {per} from {at} on; the budget is {budget}"));
    let error = error.help(if plan.bound.peak > budget {
        no_salts(budget, &plan.bound)
    } else {
        format!("let `kron spread --peak {budget}` choose other salts, or give jobs longer windows")
    });
    Err(Stop::with(error, ExitStatus::Failure))
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
                let names = input.entries.iter().map(|entry| entry.job().name());
                let seeds = names.zip(seeds).filter_map(|(name, seed)| Some((name, seed.as_ref()?)));
                let options = Options {
                    namespace: args.jobs.namespace.clone(),
                    parser: parser.clone(),
                    ..Options::default()
                };
                let edited = with_seeds(&source.text, &seeds.collect::<Vec<_>>(), &options);
                edited.map_err(|found| Box::new(Diagnostic::of_conversion(&found, source.file.as_deref())))
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
    if input.entries.iter().any(|entry| entry.is_of_other_system()) {
        let error = Diagnostic::error("schedules of other systems have no salts");
        return Err(error
            .help("`kron convert FILE` makes jobs of them; `kron place` spreads them where they stand")
            .into());
    }
    let Some(file) = File::of(input) else {
        let error = Diagnostic::error("`kron spread` edits one file: a job file, or manifests");
        return Err(error.help("write the jobs to one file, or judge several files with --budget").into());
    };
    let jobs: Vec<&Job> = input.entries.iter().map(|entry| entry.job()).collect();
    // Before the search, which can take minutes.
    if args.certificate.is_some() {
        SpreadPlan::check_certifiable(&jobs)?;
    }
    let parser = session.parser()?;
    if let File::Manifests(_) = file {
        let present: Vec<Option<Seed>> = jobs.iter().map(|job| Some(job.spec().seed().clone())).collect();
        file.with_seeds(input, &present, args, &parser)?;
    }

    let plan = search(&jobs, range, &SpreadOptions { fixed: args.fixed, peak: args.peak, ..SpreadOptions::default() });
    let changed = plan.seeds.iter().flatten().count();
    let edited = file.with_seeds(input, &plan.seeds, args, &parser)?;
    if let Some(path) = &args.certificate {
        let lines = match file {
            File::Lines(..) => edited.clone(),
            File::Manifests(_) => {
                let lines: Vec<String> = plan.jobs(&jobs)?.iter().map(Job::to_line).collect();
                lines.join("\n")
            }
        };
        let certificate = plan.certificate(&jobs, range, &lines)?;
        std::fs::write(path, certificate).map_err(|failed| unwritten(path, &failed))?;
    }
    session.out.write_all(edited.as_bytes())?;
    summarize(args, &plan, changed, jobs.len(), range, session);
    let Some(peak) = args.peak.filter(|peak| plan.peak > *peak) else { return Ok(ExitStatus::Success) };
    let error = Diagnostic::error(format!("the lowest peak that was found is {}, not {peak}", plan.peak));
    let error = error.help(if plan.bound.peak > peak {
        no_salts(peak, &plan.bound)
    } else if args.fixed {
        "give jobs longer windows".to_string()
    } else {
        "add --fixed, or give jobs longer windows".to_string()
    });
    Err(Stop::with(error, ExitStatus::Failure))
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
