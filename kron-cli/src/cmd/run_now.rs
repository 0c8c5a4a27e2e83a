//! `kron run-now`: asks a runner for one execution of a job outside its schedule.

use std::io::{ErrorKind, Write as _};

use clap::Args;

use super::state::{StateArgs, find, job_of, open};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::run::control::{Answer, Request, ask};
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
    let suspended = job_of(&record, session)?.spec().policy().suspend();
    drop(state);
    let path = &args.state.state;
    let name = printable(&args.job);
    let mut fail = |message: String, help: String, status| {
        let mut error = Diagnostic::error(message);
        error.help = Some(help).filter(|help| !help.is_empty());
        Err(session.fail(&error, status))
    };
    let token = match ask(path, &Request::RunNow { job: args.job.clone() }) {
        Ok(Answer::Stored(token)) => token,
        Ok(Answer::Waits(token)) => {
            let message = format!("{name} has a request to run now that waits for its turn: run-now-{token}");
            return fail(message, "wait for its outcome".into(), ExitStatus::Failure);
        }
        Ok(Answer::UnknownJob) => {
            let message = format!("the files of the runner have no job `{name}` any more");
            return fail(message, "`kron status` lists its jobs".into(), ExitStatus::Error);
        }
        Ok(Answer::Failed(message)) => return fail(message, String::new(), ExitStatus::Failure),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
            let help = format!("start it: `kron run FILE --state {}`", path.display());
            return fail("no runner is running".into(), help, ExitStatus::Failure);
        }
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ConnectionReset) => {
            let message = "the runner takes requests of its own user and of root only".to_string();
            return fail(message, "run this command as the user of the runner".into(), ExitStatus::Failure);
        }
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            let message = "the runner has not stored the request yet, and may still do so".to_string();
            return fail(
                message,
                "see its log: its state file may not be writable".into(),
                ExitStatus::Failure,
            );
        }
        Err(error) => {
            return fail(format!("the runner cannot be asked: {error}"), String::new(), ExitStatus::Failure);
        }
    };
    writeln!(session.out, "{name}: requested, execution run-now-{token}")?;
    session.out.flush()?;
    if suspended {
        session.report(&Diagnostic::warning("the job is suspended; it runs when its suspension ends"));
    }
    Ok(ExitStatus::Success)
}
