//! `kron resume`: ends what `kron suspend` began.

use std::io::Write as _;

use clap::Args;

use super::request::request;
use super::state::{StateArgs, find, job_of, open};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::run::control::Request;
use crate::session::{Session, Stop};

/// End the suspension of a job of `kron run`
///
/// Only starts after this moment are made: nothing of the time of the suspension is made up for. A job
/// with `@policy(suspend=true)` in its line stays suspended.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron resume db/backup
      ends what `kron suspend db/backup` began

Exit codes: 0 the job is not suspended on request; 1 the request is not stored: no runner is running;
2 bad arguments, or the state file cannot be read or has no such job"
)]
pub(crate) struct ResumeArgs {
    /// The job
    #[arg(value_name = "JOB")]
    pub(crate) job: String,

    #[command(flatten)]
    pub(crate) state: StateArgs,
}

pub(crate) fn run(args: &ResumeArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let record = find(&open(&args.state, session)?, &args.job, session)?;
    let suspended = job_of(&record, session)?.spec().policy().suspend();
    request(&args.state.state, &Request::Resume { job: args.job.clone() }, session)?;
    if suspended {
        let mut warning =
            Diagnostic::warning(format!("{} stays suspended by its line in the job file", args.job));
        warning.help = Some("write `suspend=false` there, and send SIGHUP to the runner".to_string());
        session.report(&warning);
    } else {
        writeln!(session.out, "{}: resumed", printable(&args.job))?;
        session.out.flush()?;
    }
    Ok(ExitStatus::Success)
}
