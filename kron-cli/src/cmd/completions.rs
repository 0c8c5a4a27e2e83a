//! `kron completions`: a script by which a shell asks kron for completions.

use std::io::Write as _;

use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::complete;
use crate::exit_status::ExitStatus;
use crate::session::{Session, Stop};

/// Print completions for a shell
///
/// The script asks kron for the completions, so --job completes the names of the jobs in the files
/// that -f names. Load it when the shell starts, so that it always fits this version of kron.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Examples:
  echo 'source <(kron completions bash)' >> ~/.bashrc
  echo 'source <(kron completions zsh)' >> ~/.zshrc
  echo 'kron completions fish | source' >> ~/.config/fish/config.fish"
)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(complete::shells()))]
    pub(crate) shell: String,
}

pub(crate) fn run(args: &CompletionsArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    session.out.write_all(&complete::script(&args.shell)?)?;
    Ok(ExitStatus::Success)
}
