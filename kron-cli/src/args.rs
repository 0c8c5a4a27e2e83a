//! The arguments that several commands share. Texts are written for a newcomer.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{ArgGroup, Args, ValueHint};
use kron_core::{Algorithm, Duration};

const TEXT_HELP: &str = "\
The job: a cron expression and its modifiers, in quotes

Five fields (minute, hour, day of month, month, day of week) or a macro such as @daily,
then any of

    @tz(zone)                 the time zone, default UTC
    @win(mode,duration)       the window: after, around or before the nominal time
    @dist(name,key=value)     uniform, skewEarly, skewLate, normal, exponential
    @seed(strategy,salt=text) a new draw each period (stable), daily, weekly,
                              or one draw for all periods (fixed)
    @only(part;part)          hours, dow, dom, months, between, date, dates,
                              calendar that a start must obey
    @avoid(part;part)         those that it must not meet
    @policy(key=value)        concurrency, deadline, suspend: what a host does
    @alg(name)                the algorithm

docs/reference/syntax.md says how each is written.";

/// The arguments that select jobs.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("input").args(["text", "files"]).required(true)))]
pub(crate) struct JobArgs {
    /// The job: a cron expression and its modifiers, in quotes
    #[arg(value_name = "TEXT", long_help = TEXT_HELP)]
    pub(crate) text: Option<String>,

    /// The name of the job in TEXT, such as team/job; its start times depend on it
    ///
    /// In a job file it is the value of name=, for a KronJob manifest it is namespace/name.
    /// The same name and the same text give the same start times everywhere. `{host}` in the name is replaced by
    /// the host name of this machine, as `uname -n` prints it.
    #[arg(long, value_name = "NAME", conflicts_with = "files", verbatim_doc_comment)]
    pub(crate) name: Option<String>,

    /// A job file, or KronJob manifests in YAML or JSON; `-` is standard input; may be repeated
    ///
    /// In a directory, the files *.kron, *.yaml, *.yml and *.json are read in order of their names, but no
    /// directories in it. Every name may occur once in all files.
    #[arg(short, long = "file", id = "files", value_name = "FILE", value_hint = ValueHint::AnyPath)]
    #[arg(verbatim_doc_comment)]
    pub(crate) files: Vec<PathBuf>,

    /// The namespace of manifests that name none
    #[arg(short, long, value_name = "NAMESPACE", conflicts_with = "text")]
    pub(crate) namespace: Option<String>,

    /// Whether CronJobs in the files are jobs too, which start at their nominal times.
    #[arg(skip)]
    pub(crate) cronjobs: bool,
}

impl JobArgs {
    /// The jobs of files.
    pub(crate) fn of_files(files: Vec<PathBuf>, namespace: Option<String>) -> JobArgs {
        JobArgs { text: None, name: None, files, namespace, cronjobs: false }
    }

    /// The same jobs and, in manifests, the CronJobs.
    pub(crate) fn and_cronjobs(self) -> JobArgs {
        JobArgs { cronjobs: true, ..self }
    }
}

/// The arguments that change how start times are computed.
#[derive(Debug, Args)]
pub(crate) struct AlgorithmArgs {
    /// Compute with this algorithm instead of the algorithms of the jobs
    #[arg(long, value_name = "NAME", value_parser = algorithms())]
    pub(crate) algorithm: Option<Algorithm>,
}

/// The argument that decides how other arguments with times are read.
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

/// Reads a number of things to list. The error is a sentence for the user.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    whole(text, 1).ok_or_else(|| "expected a whole number from 1 on".to_string())
}

/// Reads a number of starts that may be exceeded. The error is a sentence for the user.
pub(crate) fn budget(text: &str) -> Result<u64, String> {
    whole(text, 0).ok_or_else(|| "expected a whole number from 0 on".to_string())
}

/// Reads a number of years to look ahead. The error is a sentence for the user.
pub(crate) fn years(text: &str) -> Result<u32, String> {
    const YEARS_MAX: u32 = 130;
    let years =
        whole(text, 1).and_then(|years| u32::try_from(years).ok()).filter(|years| *years <= YEARS_MAX);
    years.ok_or_else(|| format!("expected a whole number of years from 1 to {YEARS_MAX}"))
}

fn whole(text: &str, least: u64) -> Option<u64> {
    text.parse().ok().filter(|number| *number >= least)
}

/// The length of a bucket. The error is a sentence for the user.
pub(crate) fn bucket(text: &str) -> Result<Duration, String> {
    let length = Duration::parse(text).ok().filter(|length| length.as_secs() <= 3600);
    length.ok_or_else(|| "a bucket is from 1s to 1h long; write for example `1s`, `1m` or `1h`".to_string())
}

fn algorithms() -> impl clap::builder::TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::WORDS).try_map(|word| Algorithm::parse(&word))
}
