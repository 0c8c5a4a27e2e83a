//! `kron completions`: a script that teaches a shell the command line.

use std::io::Write as _;

use clap::CommandFactory as _;

use crate::ExitStatus;
use crate::args::{Cli, CompletionsArgs};
use crate::session::{Session, Stop};

pub(crate) fn run(args: &CompletionsArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    // The generator panics where it cannot write; a vector always can be written to.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kron", &mut script);
    session.out.write_all(&script)?;
    Ok(ExitStatus::Success)
}
