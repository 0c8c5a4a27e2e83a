//! `kron completions`: a script by which a shell asks kron for completions.

use std::io::Write as _;

use crate::ExitStatus;
use crate::args::CompletionsArgs;
use crate::complete;
use crate::session::{Session, Stop};

pub(crate) fn run(args: &CompletionsArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    session.out.write_all(&complete::script(&args.shell)?)?;
    Ok(ExitStatus::Success)
}
