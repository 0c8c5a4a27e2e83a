//! `kron resume`: ends what `kron suspend` began.

use std::io::Write as _;

use clap::Args;

use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::printable;
use crate::run::control::Request;
use crate::run::request::request;
use crate::run::state::{StateArgs, find, job_of, open};
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The arguments of `resume`.
#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// The name of the job
    #[arg(value_name = "JOB")]
    job: String,

    #[command(flatten)]
    state: StateArgs,
}

impl Subcommand for ResumeArgs {
    const HELP: Help = Help {
        about: "End the suspension of a job of `kron run`",
        example: "kron resume db/backup",
        range: None,
        notes: || {
            "The job starts at its next chosen time; the starts during the suspension are not made up for. A job with \
             `@policy(suspend=true)` in its line stays suspended."
                .to_string()
        },
        exit_codes: "0 the job is not suspended on request; 1 the request is not stored: no runner is running; \
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

fn run(args: &ResumeArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let record = find(&open(&args.state, session)?, &args.job)?;
    let suspended = job_of(&record, session)?.spec().policy().suspend();
    request(&args.state.state, &Request::Resume { job: args.job.clone() })?;
    if suspended {
        let warning =
            Diagnostic::warning(format!("{} stays suspended by its line in the job file", args.job));
        session.report(&warning.help("write `suspend=false` there, and send SIGHUP to the runner"));
    } else {
        writeln!(session.out, "{}: resumed", printable(&args.job))?;
        session.out.flush()?;
    }
    Ok(ExitStatus::Success)
}
