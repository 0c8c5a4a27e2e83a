//! `kron suspend`: a runner starts nothing of a job until `kron resume`.

use std::io::Write as _;

use clap::Args;

use crate::exit_status::ExitStatus;
use crate::output::table::printable;
use crate::run::control::Request;
use crate::run::request::request;
use crate::run::state::{StateArgs, find, open};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The arguments of `suspend`.
#[derive(Debug, Args)]
pub(crate) struct SuspendArgs {
    /// The name of the job
    #[arg(value_name = "JOB")]
    job: String,

    #[command(flatten)]
    state: StateArgs,
}

impl Subcommand for SuspendArgs {
    const HELP: Help = Help {
        about: "Suspend a job of `kron run`: no start until `kron resume`",
        example: "kron suspend db/backup",
        range: None,
        notes: || {
            "The suspension is in the state file, so it outlasts the runner, whatever the job file says. A command that is \
             active goes on."
                .to_string()
        },
        exit_codes: "0 the job is suspended; 1 it is not: no runner is running; 2 bad arguments, or the state \
                     file cannot be read or has no such job",
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

fn run(args: &SuspendArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    find(&open(&args.state, session)?, &args.job)?;
    request(&args.state.state, &Request::Suspend { job: args.job.clone() })?;
    writeln!(session.out, "{}: suspended", printable(&args.job))?;
    session.out.flush()?;
    Ok(ExitStatus::Success)
}
