//! The arguments that say how files are read.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use kron_formats::convert::Format;

/// The argument that names the format of files.
#[derive(Debug, Args)]
pub(crate) struct FormatArgs {
    /// The format of files, of those in `kron convert --help`; default: what they show
    #[arg(long, value_name = "FORMAT", value_parser = formats(), hide_possible_values = true)]
    pub(crate) format: Option<Format>,
}

/// The arguments of subcommands that read jobs in any format.
#[derive(Debug, Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) format: FormatArgs,

    /// Read schedules that have a declaration of `kron place` as it says, not as they stand
    #[arg(long)]
    pub(crate) declared: bool,
}

impl ReadArgs {
    /// Whether one of them is given.
    pub(crate) fn is_given(&self) -> bool {
        self.declared || self.format.format.is_some()
    }
}

fn formats() -> impl clap::builder::TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::WORDS.iter().copied()).map(|word| {
        // OK because only these words get here.
        Format::ALL.iter().copied().find(|format| format.as_str() == word).unwrap_or(Format::ALL[0])
    })
}
