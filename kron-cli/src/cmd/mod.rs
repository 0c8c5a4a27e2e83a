//! The commands, a file each.

mod compare_tz;
mod completions;
mod diff;
pub(crate) mod explain;
mod forecast;
mod lint;
mod next;
mod prime;
mod tz_report;
mod verify;
mod version;
mod zones;

use chrono::{DateTime, Utc};
use clap::CommandFactory as _;
use clap::error::ErrorKind;
use kron_core::{Algorithm, Instant as _, Job, Zone};

use crate::ExitStatus;
use crate::args::{Cli, Command, TzArgs};
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};
use crate::time_arg::{CivilDay, DayArg, TimeArg};

/// The most names that are listed if `--job` names no job.
const NAMES_SHOWN: usize = 10;

/// Runs the command and gives the exit code.
pub(crate) fn run(cli: &Cli, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    if cli.version {
        return version::run(session);
    }
    let Some(command) = &cli.command else {
        let message = "a command is required";
        return crate::usage(&Cli::command().error(ErrorKind::MissingSubcommand, message), session);
    };
    match command {
        Command::Next(args) => next::run(args, session),
        Command::Explain(args) => explain::run(args, session),
        Command::Forecast(args) => forecast::run(args, session),
        Command::Lint(args) => lint::run(args, session),
        Command::Prime(args) => prime::run(args, session),
        Command::Diff(args) => diff::run(args, session),
        Command::TzReport(args) => tz_report::run(args, session),
        Command::CompareTz(args) => compare_tz::run(args, session),
        Command::Verify(args) => verify::run(args, session),
        Command::Zones(args) => zones::run(args, session),
        Command::Completions(args) => completions::run(args, session),
    }
}

/// The zone of `--tz`.
fn zone_of(args: &TzArgs, session: &mut Session<'_>) -> Result<Zone, Stop> {
    let Some(name) = &args.zone else { return Ok(Zone::UTC) };
    session.tz_database()?.zone(name).map_err(|error| {
        let mut diagnostic = Diagnostic::error(format!("--tz: {}", error.reason()));
        diagnostic.help = error.help();
        session.fail(&diagnostic, ExitStatus::Error)
    })
}

/// The instant of an option.
fn instant(
    option: &str,
    arg: TimeArg,
    zone: &Zone,
    session: &mut Session<'_>,
) -> Result<DateTime<Utc>, Stop> {
    let resolved = arg.resolve(zone, || session.now());
    resolved.map_err(|error| bad_time(option, *error, session))
}

/// The day of `--day`.
fn civil_day(arg: DayArg, zone: &Zone, session: &mut Session<'_>) -> Result<CivilDay, Stop> {
    let resolved = arg.resolve(zone, || session.now());
    resolved.map_err(|error| bad_time("--day", *error, session))
}

fn bad_time(option: &str, mut error: Diagnostic, session: &mut Session<'_>) -> Stop {
    error.message = format!("{option}: {}", error.message);
    session.fail(&error, ExitStatus::Error)
}

/// `--from`, or what the clock says, in Unix seconds. The zone is that of `--tz`.
fn from_or_now(from: Option<TimeArg>, zone: &Zone, session: &mut Session<'_>) -> Result<i64, Stop> {
    match from {
        Some(from) => Ok(instant("--from", from, zone, session)?.ceil()),
        None => Ok(session.now().ceil()),
    }
}

/// `--at` in Unix seconds, or what the clock says.
fn at_or_now(at: Option<TimeArg>, tz: &TzArgs, session: &mut Session<'_>) -> Result<i64, Stop> {
    let zone = zone_of(tz, session)?;
    match at {
        Some(at) => Ok(instant("--at", at, &zone, session)?.floor()),
        None => Ok(session.now().floor()),
    }
}

/// The jobs, with another algorithm if one was asked for.
fn with_algorithm(
    jobs: Vec<Job>,
    algorithm: Option<Algorithm>,
    session: &mut Session<'_>,
) -> Result<Vec<Job>, Stop> {
    let Some(algorithm) = algorithm else { return Ok(jobs) };
    let changed = jobs.into_iter().map(|job| {
        let spec = job.spec().to_builder().algorithm(algorithm).build();
        spec.and_then(|spec| Job::new(job.name(), spec)).map_err(|error| {
            let mut diagnostic = Diagnostic::of_error(&error);
            diagnostic.name = Some(job.name().to_string());
            // The help is about the job's text, which is not what asked for the algorithm.
            diagnostic.help = None;
            session.fail(&diagnostic, ExitStatus::Error)
        })
    });
    changed.collect()
}

/// The error about a name of `--job` that no job has.
fn no_such_job(jobs: &[Job], name: &str) -> Box<Diagnostic> {
    let mut error = Diagnostic::error(format!("there is no job `{name}`"));
    error.help = Some(names_of(jobs));
    Box::new(error)
}

/// The first names of jobs in words.
fn names_of(jobs: &[Job]) -> String {
    let names: Vec<&str> = jobs.iter().take(NAMES_SHOWN).map(Job::name).collect();
    let more = if jobs.len() > NAMES_SHOWN { ", ..." } else { "" };
    format!("the names are {}{more}", names.join(", "))
}

/// A note that a job is suspended.
fn suspended(job: &Job) -> Diagnostic {
    Diagnostic::note(format!("{} is suspended: these are its times, but a host starts nothing", job.name()))
}
