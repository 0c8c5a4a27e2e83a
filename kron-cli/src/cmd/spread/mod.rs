//! `kron spread`: salts with which few jobs start in the same bucket, and the proof of how few are possible.

mod file;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration as StdDuration;

use clap::{ArgGroup, Args, ValueHint};
use indicatif::{ProgressBar, ProgressStyle};
use kron_core::{Duration, Error, Job, Seed, Zone};
use kron_fleet::forecast::{ForecastJob, ForecastRange};
use kron_fleet::spread::{CertificateParts, PeakBound, SpreadJob, SpreadOptions, SpreadPlan, spread_beside};

use self::file::File;
use crate::args::base::BaseArgs;
use crate::args::jobs::{JobArg, JobArgs};
use crate::args::range::{Begin, DefaultRange, Length, RangeArgs, check_years};
use crate::args::reading::ReadArgs;
use crate::args::time::{TzArgs, zone_of};
use crate::args::{SaveArgs, bucket, budget, count};
use crate::exit_status::ExitStatus;
use crate::files::label;
use crate::forecasting::{Edit, over_budget};
use crate::input::{Input, NameFor, Request};
use crate::output::diagnostic::Diagnostic;
use crate::output::plural::plural;
use crate::placing::{self, print_unchanged};
use crate::session::{Session, Stop, is_same_file, unwritten};
use crate::spreading::{Declared, write};
use crate::subcommand::{Help, Save, Subcommand};

/// How often the time that a search takes is shown on a terminal.
const TICK: StdDuration = StdDuration::from_millis(500);

/// The range without options.
const RANGE: DefaultRange = DefaultRange {
    words: "7 days from the coming midnight on, in --tz",
    begin: Begin::Tomorrow,
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
    #[arg(long, conflicts_with = "budget")]
    fixed: bool,

    #[command(flatten)]
    range: RangeArgs,

    #[command(flatten)]
    tz: TzArgs,

    /// The length of a bucket, 1s to 24h in whole seconds
    #[arg(long, value_name = "DURATION", value_parser = bucket, default_value = "1m", allow_hyphen_values = true)]
    per: Duration,

    #[command(flatten)]
    base: BaseArgs,

    /// Write the proof of the peak and of the lower bound to this file, as JSON
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "budget")]
    certificate: Option<PathBuf>,

    /// The most jobs that may change, beside schedules that are not in their places yet
    #[arg(long, value_name = "N", value_parser = budget, allow_hyphen_values = true, conflicts_with = "budget")]
    max_moves: Option<u64>,

    /// Write the files back, those that change
    #[arg(short, long, conflicts_with_all = ["budget", "save"])]
    in_place: bool,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for SpreadArgs {
    const HELP: Help = Help {
        about: "Choose salts so that few jobs start at the same time",
        example: "kron spread jobs.kron --save jobs.kron",
        range: Some(RANGE),
        notes: || {
            "The file is printed with other salts in @seed(...), or in spec.seed of KronJobs; all else stays as it is, \
             comments too. The summary on stderr has the lowest peak that any salts can give, and the peak before and after.\n\n\
             In files with declarations of `kron place`, the declarations get salts and their schedules go to their new \
             places. Everything else that starts there is counted as it is. Without --best, a schedule that is not in its \
             place yet moves no other, unless the peak would be higher. Write a directory back by -i."
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
    if args.in_place && args.jobs.all(session)?.contains(&JobArg::Path("-".into(), false)) {
        let error = Diagnostic::error("standard input cannot be written back");
        return Err(error.file(label(Path::new("-"))).help("leave out `-i`").into());
    }
    let request = Request::new(&args.jobs, &args.reading, args.tz.zone.as_deref(), NameFor::Seeds);
    let input = Input::read(request, session)?;
    let only = match input.with_declarations().as_slice() {
        [number] if input.texts() == 1 && !args.in_place && args.budget.is_none() => {
            Some(input.whole(*number, input.text(*number)))
        }
        _ => None,
    };
    let ran = run_on(args, input, session);
    // Who reads the output loses nothing.
    if let (Some(text), Err(Stop::Failed(_, ExitStatus::Error))) = (only, &ran) {
        print_unchanged(&text, session)?;
    }
    ran
}

fn run_on(args: &SpreadArgs, input: Input, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let input = input.valid(session)?;
    let zone = zone_of(args.tz.zone.as_deref(), session)?;
    let asked = args.range.resolve(None, RANGE, &zone, session)?;
    check_years(&asked, session)?;
    let range = ForecastRange::new(asked.from..asked.to, args.per)?;
    let base = args.base.starts(&range, &zone, session)?;
    if let Some(budget) = args.budget {
        return judge(budget, &input, &base, &range);
    }
    let place_in = args.tz.zone.as_ref().map(|_| &zone);
    let search = Search { args, input: &input, base: &base, range: &range, zone: &zone };
    match Declared::of(&input, args.jobs.namespace.as_deref(), place_in, session)? {
        Some(declared) => place(&search, &declared, session),
        None => edit(&search, session),
    }
}

/// What salts are searched for.
#[derive(Clone, Copy)]
struct Search<'a> {
    args: &'a SpreadArgs,
    input: &'a Input,
    /// What each bucket has already.
    base: &'a [u32],
    range: &'a ForecastRange,
    zone: &'a Zone,
}

impl Search<'_> {
    /// Says on standard error what came of it: how many starts there are now and were before, and whether there is a better choice.
    fn summarize(
        &self,
        changed: &str,
        plan: &SpreadPlan,
        after: &[Job],
        session: &mut Session<'_>,
    ) -> Result<(), Stop> {
        let before = self.input.entries.iter().map(|entry| entry.job()).collect();
        let (base, range, zone) = (self.base, *self.range, self.zone);
        Edit { before, after: after.iter().collect(), base, range, zone }.show(session)?;
        let best = match plan.bound.peak {
            bound if bound == plan.peak => "; no salts give a lower peak".to_string(),
            // A start is at least one.
            0 | 1 => String::new(),
            bound => format!("; no salts give a peak below {bound}"),
        };
        session.remark(&format!("{changed}{best}"));
        Ok(())
    }
}

/// Gives declarations other salts, and places their schedules.
fn place(
    search: &Search<'_>,
    declared: &Declared<'_>,
    session: &mut Session<'_>,
) -> Result<ExitStatus, Stop> {
    let Search { args, input, base, range, .. } = *search;
    if args.reading.declared {
        let error = Diagnostic::error("--declared: salts are chosen for the schedules as they stand");
        return Err(error.help("leave it out: declarations are read all the same").into());
    }
    if !args.in_place && input.texts() > 1 {
        let error = Diagnostic::error("the text of one file is printed, and several are read");
        return Err(error.help("add `-i` to write them back, or judge them with --budget").into());
    }
    if args.certificate.is_some() {
        declared.check_certifiable()?;
    }
    let options = SpreadOptions { added_first: !args.best && declared.has_places(), ..options(args) };
    let bar = progress(declared.len());
    let spread = declared.spread(base, range, &options, session);
    bar.finish_and_clear();
    let spread = spread?;
    if let Some(path) = &args.certificate {
        let certificate = declared.certificate(&spread, base, range)?;
        std::fs::write(path, certificate).map_err(|failed| unwritten(path, &failed))?;
    }
    let plan = &spread.plan;
    let changed = plan.seeds.iter().flatten().count();
    let mut done = format!("Changed the salts of {changed} of {}", plural(declared.len(), "declaration"));
    if args.in_place {
        let written = plural(declared.write(&spread)?, "file");
        done += &format!(" ({written} written)");
    } else if let Some((number, text)) = declared.only(&spread) {
        placing::print(input.text(number), &input.whole(number, text), session)?;
    }
    search.summarize(&done, plan, &spread.jobs, session)?;
    reached(args, plan)
}

fn options(args: &SpreadArgs) -> SpreadOptions {
    let max_moves = args.max_moves.map(|moves| usize::try_from(moves).unwrap_or(usize::MAX));
    SpreadOptions { fixed: args.fixed, peak: args.peak, max_moves, ..SpreadOptions::default() }
}

/// Compares the present peak of the jobs with a budget.
fn judge(budget: u64, input: &Input, base: &[u32], range: &ForecastRange) -> Result<ExitStatus, Stop> {
    let jobs: Vec<&Job> = input.entries.iter().map(|entry| entry.job()).collect();
    // No peak is above this one, so nothing is searched.
    let options = SpreadOptions { peak: Some(u64::MAX), ..SpreadOptions::default() };
    let plan = plan_for(&jobs, base, range, &options)?;
    if plan.present_peak <= budget {
        return Ok(ExitStatus::Success);
    }
    let jobs: Vec<ForecastJob<'_>> = jobs.iter().map(|job| ForecastJob::new(job)).collect();
    let error = over_budget(&jobs, range, plan.peak_bucket, plan.present_peak, budget);
    let error = error.help(if plan.bound.peak > budget {
        no_salts(budget, &plan.bound)
    } else {
        format!("let `kron spread --peak {budget}` choose other salts, or give jobs longer windows")
    });
    Err(Stop::with(error, ExitStatus::Failure))
}

/// Prints the file with other salts.
fn edit(search: &Search<'_>, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let Search { args, input, base, range, .. } = *search;
    if input.entries.iter().any(|entry| entry.is_of_other_system()) {
        let error = Diagnostic::error("schedules of other systems have no salts");
        return Err(error
            .help(
                "`kron convert FILE` makes jobs of them; `kron place --adopt --window 1h --prefix NAME -i FILE` declares windows \
                 for them",
            )
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
        file.with_seeds(input, &present, args.jobs.namespace.as_deref(), &parser)?;
    }

    let bar = progress(jobs.len());
    let plan = plan_for(&jobs, base, range, &options(args))?;
    bar.finish_and_clear();
    let changed = plan.seeds.iter().flatten().count();
    let edited = file.with_seeds(input, &plan.seeds, args.jobs.namespace.as_deref(), &parser)?;
    if let Some(path) = &args.certificate {
        let lines = match file {
            File::Lines(..) => edited.clone(),
            File::Manifests(_) => {
                let lines: Vec<String> = plan.jobs(&jobs)?.iter().map(Job::to_line).collect();
                lines.join("\n")
            }
        };
        let parts = CertificateParts { jobs: &jobs, file: &lines, base, ..CertificateParts::default() };
        let certificate = plan.certificate_of(&parts, range)?;
        std::fs::write(path, certificate).map_err(|failed| unwritten(path, &failed))?;
    }
    if args.in_place {
        write(input, &[(0, &edited)])?;
    } else {
        session.out.write_all(edited.as_bytes())?;
    }
    let done = format!("Changed the salts of {changed} of {}", plural(jobs.len(), "job"));
    search.summarize(&done, &plan, &plan.jobs(&jobs)?, session)?;
    if jobs.iter().all(|job| job.spec().window().duration().is_zero()) {
        let note = Diagnostic::note("no job has a window, so there is nothing to choose");
        session.report(&note.help("give jobs windows; `kron forecast --window 1h` shows what they do"));
    }
    reached(args, &plan)
}

fn plan_for(
    jobs: &[&Job],
    base: &[u32],
    range: &ForecastRange,
    options: &SpreadOptions,
) -> Result<SpreadPlan, Error> {
    let jobs: Vec<SpreadJob<'_>> = jobs.iter().map(|job| SpreadJob::new(job)).collect();
    spread_beside(&jobs, base, range, options, || Ok::<(), Error>(()))
}

/// Whether the peak is the wanted one.
fn reached(args: &SpreadArgs, plan: &SpreadPlan) -> Result<ExitStatus, Stop> {
    let Some(peak) = args.peak.filter(|peak| plan.peak > *peak) else { return Ok(ExitStatus::Success) };
    let error = Diagnostic::error(format!("the lowest peak that was found is {}, not {peak}", plan.peak));
    let error = error.help(if plan.bound.peak > peak {
        no_salts(peak, &plan.bound)
    } else if args.max_moves.is_some() {
        "raise --max-moves, or give jobs longer windows".to_string()
    } else if args.fixed {
        "give jobs longer windows".to_string()
    } else {
        "add --fixed, or give jobs longer windows".to_string()
    });
    Err(Stop::with(error, ExitStatus::Failure))
}

/// Shows on a terminal that a search runs, and for how long.
fn progress(jobs: usize) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    // OK because the template is a literal; the default style is as good.
    let style = ProgressStyle::with_template("{spinner} searching salts for {msg}: {elapsed}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
    bar.set_message(plural(jobs, "job"));
    bar.enable_steady_tick(TICK);
    bar
}

/// The help if the lower bound is above the wanted peak.
fn no_salts(peak: u64, bound: &PeakBound) -> String {
    format!(
        "no salts give a peak of {peak}: the lower bound is {}; give jobs longer windows, or other nominal times",
        bound.peak
    )
}
