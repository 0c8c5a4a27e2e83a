//! The arguments: what `kron --help` shows. Texts are written for a newcomer.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum, ValueHint, value_parser};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use kron_core::{Algorithm, Duration, LintCode};

use crate::codes;
use crate::complete;
use crate::output::csv::COLUMNS;
use crate::time_arg::{DayArg, LengthArg, NominalArg, TimeArg};

const ABOUT: &str = "Start times for cron jobs, spread over a window and yet always the same";

const LONG_ABOUT: &str = "\
Start times for cron jobs, spread over a window and yet always the same.

A job is a cron expression with modifiers, and a name:

    0 1 * * * @tz(Europe/Paris) @win(after,3h)        named db/backup

Every day at 01:00 in Paris a window of three hours opens. The start is some second in it, decided by a hash of the
name and the day: the same one on every machine, another one for every other job.";

const EXAMPLES: &str = "\
Examples:
  kron next '0 1 * * * @tz(Europe/Paris) @win(after,3h)' --name db/backup
      the next ten starts of one job
  kron next -f examples/fleet.kron --until +24h
      the starts of a whole file of jobs in the next 24 hours
  kron explain '0 1 * * * @win(after,3h)' --name db/backup
      how the next start was chosen
  kron lint -f examples/fleet.kron
      what is wrong or surprising in a file

Exit codes, the same in all releases:
  0  success
  1  failure: lint has errors or warnings, verify finds differences, or nothing is found;
     diff, tz-report and compare-tz have something to report
  2  error: bad arguments or input, or the output cannot be written";

const TEXT_HELP: &str = "\
The job: a cron expression and its modifiers, in quotes

Five fields (minute, hour, day of month, month, day of week) or a macro such as @daily,
then any of

    @tz(zone)                 the time zone, default UTC
    @win(mode,duration)       the window: after, around or before the nominal time
    @dist(name,key=value)     uniform, skewEarly, skewLate, normal, exponential
    @seed(strategy,salt=text) a new draw each period (stable), daily, weekly,
                              or one draw for all periods (fixed)
    @only(part;part)          hours, dow, dom, months, between, date, dates that a start
                              must obey
    @avoid(part;part)         those that it must not meet
    @policy(key=value)        concurrency, deadline, suspend: what a host does
    @alg(name)                the algorithm

docs/syntax.md says how each is written.";

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "kron",
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_long_help = EXAMPLES,
    override_usage = "kron [OPTIONS] <COMMAND>",
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    /// Absent only with `--version`.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Print the version, the time zone database and the algorithms
    // Not clap's own flag, which would end the run before --tzdb is read.
    #[arg(short = 'V', long)]
    pub(crate) version: bool,

    /// The time zone database: a directory of TZif files, or `compiled-in`
    ///
    /// Default: the directory in the variable KRON_TZDB, else in TZDIR, else the database that is
    /// compiled into kron. `kron zones` shows which one is in use.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, global = true, verbatim_doc_comment)]
    pub(crate) tzdb: Option<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Next(NextArgs),
    Explain(ExplainArgs),
    Forecast(ForecastArgs),
    Lint(LintArgs),
    Prime(PrimeArgs),
    Diff(DiffArgs),
    TzReport(TzReportArgs),
    CompareTz(CompareTzArgs),
    Verify(VerifyArgs),
    Zones(ZonesArgs),
    Completions(CompletionsArgs),
}

/// Which jobs are meant.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("input").args(["text", "files"]).required(true)))]
pub(crate) struct JobArgs {
    /// The job: a cron expression and its modifiers, in quotes
    #[arg(value_name = "TEXT", long_help = TEXT_HELP)]
    pub(crate) text: Option<String>,

    /// The name of the job in TEXT, such as team/job; its start times depend on it
    ///
    /// In a job file it is the value of name=, for a KronJob manifest it is namespace/name.
    /// The same name and the same text give the same start times everywhere.
    #[arg(long, value_name = "NAME", conflicts_with = "files", verbatim_doc_comment)]
    pub(crate) name: Option<String>,

    /// A job file, or KronJob manifests in YAML or JSON; `-` is standard input; may be repeated
    ///
    /// A directory means its files *.kron, *.yaml, *.yml and *.json, in order of their names.
    /// Directories in it are not read. Every name may occur once in all files.
    #[arg(short, long = "file", id = "files", value_name = "FILE", value_hint = ValueHint::AnyPath)]
    #[arg(verbatim_doc_comment)]
    pub(crate) files: Vec<PathBuf>,

    /// The namespace of manifests that name none
    #[arg(short, long, value_name = "NAMESPACE", conflicts_with = "text")]
    pub(crate) namespace: Option<String>,
}

/// How jobs are computed.
#[derive(Debug, Args)]
pub(crate) struct AlgorithmArgs {
    /// Compute with this algorithm, whatever the jobs say
    #[arg(long, value_name = "NAME", value_parser = algorithms())]
    pub(crate) algorithm: Option<Algorithm>,
}

/// How times among the arguments are read.
#[derive(Debug, Args)]
pub(crate) struct TzArgs {
    /// Read TIME and DAY in this time zone; default: UTC
    ///
    /// A TIME is RFC 3339, such as 2026-03-01T00:00:00Z, or one of these:
    ///
    /// - 2026-03-01: the first instant of a day in this zone
    /// - 2026-03-01T09:30 or 2026-03-01T09:30:15: a date and time in this zone
    /// - now, today, tomorrow: the present time, or the first instant of a day
    /// - +24h, -90m, +1h30m: a distance from now
    ///
    /// A DAY is a date, today, tomorrow or yesterday.
    #[arg(long = "tz", value_name = "ZONE", verbatim_doc_comment)]
    pub(crate) zone: Option<String>,
}

/// List the next starts
///
/// Starts are listed in order of time, those of several jobs together.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  kron next '0 1 * * * @tz(Europe/Paris) @win(after,3h)' --name db/backup --local
      the next ten starts, as clocks in Paris show them
  kron next -f jobs.kron --from 2026-03-01 --until 2026-03-08 --tz Europe/Paris -o csv
      every start of a week in Paris, for a spreadsheet
  kron next -f jobs/ --job db/backup --job db/vacuum --day tomorrow
      every start of two jobs tomorrow, in UTC
  kubectl get kronjobs -A -o yaml | kron next -f - -o ndjson
      what a cluster is about to start
  kron next '0 20 * * * @win(after,1h) @avoid(dow=FRI)' --name ml/train --nominal
      the same by nominal time, with the Fridays that have no start

Exit codes: 0 success; 1 nothing found; 2 bad arguments or input")]
pub(crate) struct NextArgs {
    #[command(flatten)]
    pub(crate) jobs: JobArgs,

    /// List only the job of this name in the files; may be repeated
    #[arg(long = "job", value_name = "NAME", conflicts_with = "text")]
    #[arg(add = ArgValueCompleter::new(complete::job_names))]
    pub(crate) names: Vec<String>,

    /// List what comes after this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with_all = ["from", "day"])]
    pub(crate) at: Option<TimeArg>,

    /// List what comes at this time or after it
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with = "day")]
    pub(crate) from: Option<TimeArg>,

    /// List what comes before this time
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    #[arg(conflicts_with = "day")]
    pub(crate) until: Option<TimeArg>,

    /// List what comes on this day
    ///
    /// A day lasts from its first instant in the zone of --tz to the first instant of the next
    /// day. It has 24 hours, or fewer or more if clocks change.
    #[arg(long, value_name = "DAY", value_parser = DayArg::parse, verbatim_doc_comment)]
    pub(crate) day: Option<DayArg>,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// How many to list; default: 10, or with --until or --day all
    #[arg(short, long, value_name = "N", value_parser = count)]
    pub(crate) count: Option<u64>,

    /// List periods in order of nominal time instead, those without a start included
    ///
    /// The nominal time is the instant that the cron expression names. --at, --from, --until and
    /// --day then refer to it, and not to the start.
    #[arg(long, verbatim_doc_comment)]
    pub(crate) nominal: bool,

    /// Print the times of the table in each job's zone, with their offsets
    ///
    /// JSON and CSV stay in UTC, so that they read the same everywhere.
    #[arg(long)]
    pub(crate) local: bool,

    /// The form of the list
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ListForm,

    /// The columns of -o csv, separated by commas
    ///
    /// Default: name,nominalTime,windowStart,windowEnd,chosenTime,unschedulable. The others are
    /// algorithm, periodId, periodKey, seedInput (whose values have line feeds), seedHash, draws.
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', hide_possible_values = true)]
    #[arg(verbatim_doc_comment)]
    #[arg(value_parser = PossibleValuesParser::new(COLUMNS))]
    pub(crate) columns: Vec<String>,

    #[command(flatten)]
    pub(crate) algorithm: AlgorithmArgs,
}

/// Explain how a start was chosen
///
/// Shows every step from the cron expression to the second: period, window, seed, draws, constraints.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  kron explain '0 1 * * * @win(after,3h) @avoid(hours=2)' --name db/backup
      the next start
  kron explain -f jobs.kron --job db/backup --nominal 2026-03-01T01:00:00Z
      the start, or why there is none, of one period
  kron explain -f jobs.kron --job db/backup --nominal previous
      the same of the last period before now
  kron explain -f jobs.kron --job db/backup --day 2026-03-01 --tz Europe/Paris
      the same of all periods of a day
  kron explain -f jobs.kron --job db/backup -o json > receipt.json && kron verify receipt.json
      a receipt, from which anybody can compute the decision again

Exit codes: 0 success; 1 there is no such start or period; 2 bad arguments or input")]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) jobs: JobArgs,

    /// Which job of the files; needed if they hold several
    #[arg(long, value_name = "NAME", conflicts_with = "text")]
    #[arg(add = ArgValueCompleter::new(complete::job_names))]
    pub(crate) job: Option<String>,

    /// Explain the first start after this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) at: Option<TimeArg>,

    /// Explain the period of this nominal time, with or without a start
    ///
    /// A date, today, tomorrow and yesterday mean the first period of that day. `previous` means
    /// the last period before --at, or before now.
    #[arg(long, value_name = "TIME", value_parser = NominalArg::parse, allow_hyphen_values = true)]
    #[arg(verbatim_doc_comment)]
    pub(crate) nominal: Option<NominalArg>,

    /// Explain each period whose nominal time is on this day
    ///
    /// With -o json, the output is an array of receipts.
    #[arg(long, value_name = "DAY", value_parser = DayArg::parse, conflicts_with_all = ["at", "nominal"])]
    pub(crate) day: Option<DayArg>,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// Plain words, or the receipt alone
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ExplainForm,

    #[command(flatten)]
    pub(crate) algorithm: AlgorithmArgs,
}

/// Count starts, running executions and load over a range of time
///
/// Shows how many jobs start in each bucket of time, how many run at once and which load they make. With
/// --cron it shows beside it what cron does with the same jobs: it starts each at its nominal time.
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
  kron forecast jobs.kron --from today --until tomorrow --cron -o svg > herd.svg
      a picture with a panel for cron and one for Kron
  kron forecast jobs.kron --from today --until +168h --cron --html herd.html
      a page for a browser that lists the jobs of each bucket

Exit codes: 0 success; 1 the peak is above the budget, or a search failed; 2 bad arguments or input"
)]
pub(crate) struct ForecastArgs {
    /// Job files, KronJob manifests in YAML or JSON, or directories of them; `-` is standard input
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
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "1m")]
    pub(crate) per: Duration,

    /// How long an execution runs, of jobs without a field duration= in their job file
    #[arg(long, value_name = "DURATION", value_parser = duration, default_value = "1s")]
    pub(crate) duration: Duration,

    /// Also show what cron does: it starts each job at its nominal time
    #[arg(long)]
    pub(crate) cron: bool,

    /// Also show the peak of each group of jobs: zone, namespace (the part of a name before the first slash), or label=KEY
    /// (a label of manifests, or a further field KEY= in job files)
    #[arg(long, value_name = "GROUP", value_parser = GroupBy::parse)]
    pub(crate) by: Option<GroupBy>,

    /// End with exit code 1 if more than N jobs start in one bucket
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,

    /// Also write a page of HTML to a file; it needs no network, and lists the jobs of each bucket
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,

    /// The form of the forecast
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ForecastForm,
}

/// Find errors and surprises
///
/// Errors are shown with the place in the text. Warnings are for jobs that probably do not do what was
/// meant: they never start, their schedule means something else than it seems to, their windows overlap,
/// many of them start in the same second. Notes are worth knowing, and need no change.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = lint_help()
)]
pub(crate) struct LintArgs {
    #[command(flatten)]
    pub(crate) jobs: JobArgs,

    /// Drop warnings and notes with this code; may be repeated
    ///
    /// A comment `# kron: allow(code)` on the line before a job does this for that job, whatever
    /// --deny says; findings about several jobs then leave it out. Errors are always reported.
    #[arg(long, value_name = "CODE", value_parser = codes::parse, verbatim_doc_comment)]
    #[arg(add = ArgValueCandidates::new(complete::lint_codes))]
    pub(crate) allow: Vec<LintCode>,

    /// Report warnings and notes with this code as errors; may be repeated
    #[arg(long, value_name = "CODE", value_parser = codes::parse)]
    #[arg(add = ArgValueCandidates::new(complete::lint_codes))]
    pub(crate) deny: Vec<LintCode>,

    /// Print no summary
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Look so many years ahead
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=130))]
    pub(crate) years: Option<u32>,

    /// Look ahead from this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) at: Option<TimeArg>,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// The form of the findings
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: LintForm,
}

/// Print the cron expressions that fire some time before a schedule
///
/// Whatever has to be warm when a job starts can be started by these expressions, with the time zone of
/// the job. They fire at exactly the civil times of the schedule minus the lead, and no fewer expressions
/// do. A job with a window or constraints has no such expressions.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron prime '0 9 * * MON-FRI' --lead 10m
      50 8 * * 1-5
  kron prime '*/20 0 * * MON' --lead 10m --tz Europe/Paris
      two expressions, and warnings about the days on which clocks change
  kron prime '0 0 1 3 *' --lead 10m --cover
      an expression that also fires on 28 February of leap years
  kron prime -f jobs.kron --lead 15m
      an expression and a name on each line, with a tab between them

Exit codes: 0 success; 1 there are no such expressions; 2 bad arguments or input"
)]
pub(crate) struct PrimeArgs {
    #[command(flatten)]
    pub(crate) jobs: JobArgs,

    /// How long before each start, in whole minutes from 1m to 744h
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) lead: Duration,

    /// Which job of the files; default: all
    #[arg(long, value_name = "NAME", conflicts_with = "text")]
    pub(crate) job: Option<String>,

    /// Where no expressions fit exactly, print those that also fire at the fewest other times
    #[arg(long)]
    pub(crate) cover: bool,

    /// Warn about changes of the clocks in the three years after this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) at: Option<TimeArg>,

    /// The time zone of the schedule in TEXT; default: UTC
    #[arg(long, value_name = "ZONE", conflicts_with = "files")]
    pub(crate) tz: Option<String>,

    /// The form of the answer
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: PrimeForm,
}

/// Compare the start times of two versions of job files
///
/// Shows which starts appear, vanish or move when NEW replaces OLD at the time of --from, job by job, and the
/// most starts in one minute before and after.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron diff old.kron new.kron --from 2026-03-01 --for 30d
      what an edit changes in 30 days
  git show HEAD:jobs.kron | kron diff - jobs.kron
      what the edits since the last commit change from now on
  kron diff old/ new/ --tz Europe/Paris --from 2026-03-01T02:00 -c 0
      which jobs an edit at 02:00 in Paris changes, without their starts

Exit codes: 0 the same starts; 1 starts differ; 2 bad arguments or input"
)]
pub(crate) struct DiffArgs {
    /// The jobs before the edit: a job file, manifests, a directory of them, or `-` for standard input
    #[arg(value_name = "OLD", value_hint = ValueHint::AnyPath)]
    pub(crate) old: PathBuf,

    /// The jobs after the edit, likewise
    #[arg(value_name = "NEW", value_hint = ValueHint::AnyPath)]
    pub(crate) new: PathBuf,

    /// The time of the edit, from which on starts are compared; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<TimeArg>,

    /// Compare starts in so much time: 30d, 720h; at most 366d
    ///
    /// 30d is 30 days on the clocks of --tz: it ends at the same time of day. 720h are hours.
    #[arg(long = "for", value_name = "LENGTH", value_parser = LengthArg::parse, default_value = "30d")]
    #[arg(verbatim_doc_comment)]
    pub(crate) length: LengthArg,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// List at most so many starts of each job; default: 5, with -o json all
    #[arg(short, long, value_name = "N")]
    pub(crate) count: Option<usize>,

    /// The namespace of manifests that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(crate) namespace: Option<String>,

    /// The form of the answer
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ReportForm,
}

/// List the occurrences that clock changes skip or double
///
/// A time that clocks skip yields no period. A time that they show twice yields two periods, each with a
/// start of its own. The list has every such time of every job.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Example:
  kron tz-report jobs.kron --from 2026-01-01 --years 3
      all jobs of a file, three years ahead

Exit codes: 0 nothing is skipped or doubled; 1 something is; 2 bad arguments or input"
)]
pub(crate) struct TzReportArgs {
    /// A job file, manifests, a directory of them, or `-` for standard input; may be repeated
    #[arg(value_name = "FILE", value_hint = ValueHint::AnyPath, required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Begin at this time; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) from: Option<TimeArg>,

    /// Look so many years ahead
    #[arg(long, value_name = "N", value_parser = value_parser!(u32).range(1..=130), default_value = "3")]
    pub(crate) years: u32,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// The namespace of manifests that name none
    #[arg(short, long, value_name = "NAMESPACE")]
    pub(crate) namespace: Option<String>,

    /// The form of the list
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ReportForm,
}

/// Compare the starts that two time zone databases give
///
/// Reads two lists that `kron next -o json` or `-o ndjson` printed, with the same --from and --until, and
/// prints the starts that only one has, or that differ. No zone is looked up.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Example:
  kron next -f jobs.kron --from 2026-01-01 --until 2027-01-01 -o ndjson > a.ndjson
  kron next -f jobs.kron --from 2026-01-01 --until 2027-01-01 -o ndjson --tzdb /opt/tz/2026z > b.ndjson
  kron compare-tz a.ndjson b.ndjson
      what a new time zone database changes in a year

Exit codes: 0 the same starts; 1 starts differ; 2 bad arguments or input"
)]
pub(crate) struct CompareTzArgs {
    /// The list of one time zone database; `-` is standard input
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub(crate) a: PathBuf,

    /// The list of the other
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub(crate) b: PathBuf,

    /// The form of the list
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ReportForm,
}

/// Compute a receipt's decision again
///
/// Reads what `kron explain -o json` printed, computes the decision again and prints `agrees`, or what
/// differs. The receipt must have been made with the same rules of its time zone; if it was not, pass
/// the time zone database that the receipt names with --tzdb.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Example:
  kron explain '0 1 * * * @win(after,3h)' --name db/backup -o json | kron verify

Exit codes: 0 agrees; 1 differs; 2 not a receipt, or bad arguments"
)]
pub(crate) struct VerifyArgs {
    /// The receipt; default: standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

/// Show time zones and their changes
///
/// Without NAME: all zones of the time zone database in use, with their offsets from UTC and their next
/// changes. With NAME: the details of these zones. The fingerprint is equal for equal rules, whatever
/// the version of the database.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron zones
      all zones, and which time zone database they are from
  kron zones America/Vancouver --tzdb /usr/share/zoneinfo
      the next changes of a zone, as the system's files have them
  kron zones -o ndjson --all-changes
      every offset of every zone from 1968-12-01 to 2101-02-01, in Unix seconds

Exit codes: 0 success; 2 bad arguments or input"
)]
pub(crate) struct ZonesArgs {
    /// The zones to describe, by their IANA names; default: a list of all
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Show offsets at this time and changes after it; default: now
    #[arg(long, value_name = "TIME", value_parser = TimeArg::parse, allow_hyphen_values = true)]
    pub(crate) at: Option<TimeArg>,

    #[command(flatten)]
    pub(crate) tz: TzArgs,

    /// How many changes of each NAME to show; default: 5
    #[arg(short, long, value_name = "N", value_parser = count, requires = "names")]
    pub(crate) count: Option<u64>,

    /// Show all offsets of each zone from 1968-12-01 to 2101-02-01
    ///
    /// JSON has them as pairs [first Unix second, offset in seconds], CSV as rows. The first
    /// Unix second is -9223372036854775808, as in the lines that make the fingerprint.
    #[arg(long, conflicts_with_all = ["at", "count"], verbatim_doc_comment)]
    pub(crate) all_changes: bool,

    /// The form of the list
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ListForm,
}

/// Print completions for a shell
///
/// The script asks kron for the completions, so --job completes the names of the jobs in the files
/// that -f names. Load it when the shell starts, so that it always fits this version of kron.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  echo 'source <(kron completions bash)' >> ~/.bashrc
  echo 'source <(kron completions zsh)' >> ~/.zshrc
  echo 'kron completions fish | source' >> ~/.config/fish/config.fish"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(complete::shells()))]
    pub(crate) shell: String,
}

/// The forms of `next` and `zones`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListForm {
    /// Columns to read
    #[default]
    Table,
    /// One array of objects
    Json,
    /// One object a line
    Ndjson,
    /// Comma-separated values under the names that JSON uses
    Csv,
}

/// The forms of `explain`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainForm {
    /// Plain words
    #[default]
    Text,
    /// The receipt that `kron verify` reads
    Json,
}

/// The forms of `prime`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrimeForm {
    /// One expression a line
    #[default]
    Text,
    /// One array of objects, one for each schedule
    Json,
}

/// The forms of `forecast`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ForecastForm {
    /// Statistics, a chart and the buckets with the most starts
    #[default]
    Text,
    /// One object with all of it and all buckets
    Json,
    /// A row for each bucket
    Csv,
    /// A picture as SVG
    Svg,
    /// The same picture as PNG
    Png,
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

/// The forms of `diff`, `tz-report` and `compare-tz`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportForm {
    /// Lines to read
    #[default]
    Text,
    /// One JSON value
    Json,
}

/// The forms of `lint`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum LintForm {
    /// Findings with their places, to read
    #[default]
    Table,
    /// One array of findings
    Json,
    /// A log in SARIF 2.1.0
    Sarif,
    /// Workflow commands of GitHub Actions
    Github,
}

/// What `kron lint --help` shows after the options.
fn lint_help() -> String {
    format!(
        "\
Codes of warnings and notes, for --allow and --deny:
{}
Examples:
  kron lint '0 9 * * FRI-SUN'
      the error and its help
  kron lint -f jobs.kron -f manifests.yaml --years 10
      all findings about two files and the next ten years
  kron lint -f jobs/ --allow no-deadline --deny never-fires -o github
      annotations for a workflow of GitHub Actions

Exit codes: 0 no findings, or only notes; 1 errors or warnings; 2 bad arguments, or a file that cannot be read",
        codes::table()
    )
}

/// Reads a number of things to list. The error is a sentence for the user.
fn count(text: &str) -> Result<u64, String> {
    text.parse()
        .ok()
        .filter(|count| *count > 0)
        .ok_or_else(|| "expected a whole number from 1 on".to_string())
}

/// A duration; the core judges whether it fits its purpose.
fn duration(text: &str) -> Result<Duration, String> {
    Duration::parse(text).map_err(|error| match error.help() {
        Some(help) => format!("{}; {help}", error.reason()),
        None => error.reason(),
    })
}

fn algorithms() -> impl clap::builder::TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::WORDS).try_map(|word| Algorithm::parse(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
