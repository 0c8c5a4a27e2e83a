//! `kron run-now`: asks a runner for one execution of a job outside its schedule.

use std::io::Write as _;

use clap::Args;

use super::state::{StateArgs, find, is_suspended, job_of, open};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::run::control::Request;
use crate::session::{Session, Stop};

/// Run a job of `kron run` now, outside its schedule
///
/// Asks the runner for one execution, and ends once the request is in the state file: from then on it
/// is made even if the runner is killed. With `concurrency=forbid` it is skipped while the job is
/// active; `kron history` shows what became of it.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  kron run-now db/backup
      a backup now, by the runner whose state is in kron.db
  kron run-now db/backup --state /var/lib/kron/kron.db
      the same for another state file

Exit codes: 0 the request is stored; 1 it is not: no runner is running, or an earlier request waits;
2 bad arguments, or the state file cannot be read or has no such job"
)]
pub(crate) struct RunNowArgs {
    /// The job
    #[arg(value_name = "JOB")]
    pub(crate) job: String,

    #[command(flatten)]
    pub(crate) state: StateArgs,
}

pub(crate) fn run(args: &RunNowArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let state = open(&args.state, session)?;
    let record = find(&state, &args.job, session)?;
    let suspended = is_suspended(&record, &job_of(&record, session)?);
    drop(state);
    let request = Request::RunNow { job: args.job.clone() };
    let token = super::request::request(&args.state.state, &request, session)?.unwrap_or_default();
    let name = printable(&args.job);
    writeln!(session.out, "{name}: requested, execution run-now-{token}")?;
    session.out.flush()?;
    if suspended {
        session.report(&Diagnostic::warning("the job is suspended; it runs when its suspension ends"));
    }
    Ok(ExitStatus::Success)
}
