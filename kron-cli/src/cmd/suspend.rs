//! `kron suspend`: a runner starts nothing of a job until `kron resume`.

use std::io::Write as _;

use clap::Args;

use super::request::request;
use super::state::{StateArgs, find, open};
use crate::exit_status::ExitStatus;
use crate::output::table::printable;
use crate::run::control::Request;
use crate::session::{Session, Stop};

/// Suspend a job of `kron run`: start nothing of it until `kron resume`
///
/// The suspension is in the state file and outlasts the runner, whatever the job file says. A command
/// that is active goes on. The periods of this time are not made up for.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron suspend db/backup
      no more backups, by the runner whose state is in kron.db
  kron resume db/backup
      the next backup at its usual time

Exit codes: 0 the job is suspended; 1 it is not: no runner is running; 2 bad arguments, or the state
file cannot be read or has no such job"
)]
pub(crate) struct SuspendArgs {
    /// The job
    #[arg(value_name = "JOB")]
    pub(crate) job: String,

    #[command(flatten)]
    pub(crate) state: StateArgs,
}

pub(crate) fn run(args: &SuspendArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    find(&open(&args.state, session)?, &args.job, session)?;
    request(&args.state.state, &Request::Suspend { job: args.job.clone() }, session)?;
    writeln!(session.out, "{}: suspended", printable(&args.job))?;
    session.out.flush()?;
    Ok(ExitStatus::Success)
}
