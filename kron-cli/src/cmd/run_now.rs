//! `kron run-now`: asks a runner for one execution of a job outside its schedule.

use std::io::Write as _;

use clap::Args;

use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::run::control::Request;
use crate::run::request::request;
use crate::run::state::{StateArgs, find, is_suspended, job_of, open};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The arguments of `run-now`.
#[derive(Debug, Args)]
pub(crate) struct RunNowArgs {
    /// The name of the job
    #[arg(value_name = "JOB")]
    job: String,

    #[command(flatten)]
    state: StateArgs,
}

impl Subcommand for RunNowArgs {
    const HELP: Help = Help {
        about: "Run a job of `kron run` now, outside its schedule",
        example: "kron run-now db/backup",
        range: None,
        notes: || {
            "The command ends once the request is in the state file: from then on the job runs even if the runner is killed. \
             With `concurrency=forbid` the request is skipped while the job is active; `kron history` shows what became of it."
                .to_string()
        },
        exit_codes: "0 the request is stored; 1 it is not: no runner is running, or an earlier request waits; \
                     2 bad arguments, or the state file cannot be read or has no such job",
    };

    fn save(&self) -> Save<'_> {
        Save::Never
    }

    fn judges(&self) -> bool {
        false
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &RunNowArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let state = open(&args.state, session)?;
    let record = find(&state, &args.job)?;
    let suspended = is_suspended(&record, &job_of(&record, session)?);
    drop(state);
    let token = request(&args.state.state, &Request::RunNow { job: args.job.clone() })?.unwrap_or_default();
    let name = printable(&args.job);
    writeln!(session.out, "{name}: requested, execution run-now-{token}")?;
    session.out.flush()?;
    if suspended {
        session.report(&Diagnostic::warning("the job is suspended; it runs when its suspension ends"));
    }
    Ok(ExitStatus::Success)
}
