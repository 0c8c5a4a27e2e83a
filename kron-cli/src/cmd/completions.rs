//! `kron completions`: a script by which a shell asks kron for completions.

use std::io::Write as _;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::complete;
use crate::exit_status::ExitStatus;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(complete::shells()))]
    shell: String,
}

impl Subcommand for CompletionsArgs {
    const HELP: Help = Help {
        about: "Print the script that adds completions to a shell",
        example: "echo 'source <(kron completions bash)' >> ~/.bashrc",
        range: None,
        notes: || {
            "The script asks kron for completions, so --job completes the names of the jobs in the files of the command line. \
             Load it when the shell starts, so that it always fits the installed version."
                .to_string()
        },
        exit_codes: "0 success; 2 bad arguments",
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

fn run(args: &CompletionsArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    session.out.write_all(&complete::script(&args.shell)?)?;
    Ok(ExitStatus::Success)
}
