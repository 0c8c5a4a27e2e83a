//! The commands, a file each.

mod completions;
pub(crate) mod explain;
mod lint;
mod next;
mod verify;
mod version;
mod zones;

use clap::CommandFactory as _;
use clap::error::ErrorKind;
use kron_core::{Algorithm, Instant as _, Job};

use crate::ExitStatus;
use crate::args::{Cli, Command, Time};
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

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
        Command::Lint(args) => lint::run(args, session),
        Command::Verify(args) => verify::run(args, session),
        Command::Zones(args) => zones::run(args, session),
        Command::Completions(args) => completions::run(args, session),
    }
}

/// `--at` in Unix seconds, or what the clock says.
fn at_or_now(at: Option<Time>, session: &mut Session<'_>) -> i64 {
    at.map_or_else(|| session.now().floor(), |at| at.floor())
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

/// A note that a job is suspended.
fn suspended(job: &Job) -> Diagnostic {
    Diagnostic::note(format!("{} is suspended: these are its times, but a host starts nothing", job.name()))
}
