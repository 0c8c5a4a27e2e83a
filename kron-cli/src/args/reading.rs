//! The arguments that say how files are read, and which.

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueHint};
use globset::{Glob, GlobSet, GlobSetBuilder};
use kron_formats::convert::Format;

use crate::output::diagnostic::Diagnostic;
use crate::session::Stop;

/// The argument that names the format of files.
#[derive(Clone, Debug, Args)]
pub(crate) struct FormatArgs {
    /// The format of files, of those in `kron convert --help`; default: what they show
    #[arg(long, value_name = "FORMAT", value_parser = formats(), hide_possible_values = true)]
    pub(crate) format: Option<Format>,
}

/// The argument that names a host.
#[derive(Clone, Debug, Args)]
pub(crate) struct HostArgs {
    /// The host that `{host}` in the name of a declaration means
    ///
    /// Default: this machine, for files below /etc and /var/spool; NAME, where NAME.cron has the places of NAME.
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Hostname, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) host: Option<String>,
}

/// The argument that leaves files of directories out.
#[derive(Clone, Debug, Args)]
pub(crate) struct ExcludeArgs {
    /// Pass over files of directories whose path fits this pattern, such as `*.md` or `docs/**`; may be repeated
    #[arg(long, value_name = "PATTERN", value_parser = parse_pattern, value_hint = ValueHint::Other)]
    exclude: Vec<Glob>,
}

impl ExcludeArgs {
    /// What the patterns fit.
    pub(crate) fn set(&self) -> Result<GlobSet, Stop> {
        set_of("--exclude", &self.exclude)
    }
}

/// Reads a pattern. The error is a sentence for the user.
pub(crate) fn parse_pattern(text: &str) -> Result<Glob, String> {
    Glob::new(text).map_err(|error| format!("{}", error.kind()))
}

/// What the patterns of an option fit.
pub(crate) fn set_of(option: &str, patterns: &[Glob]) -> Result<GlobSet, Stop> {
    let mut all = GlobSetBuilder::new();
    for pattern in patterns {
        all.add(pattern.clone());
    }
    all.build().map_err(|error| Diagnostic::error(error.kind().to_string()).of_option(option).into())
}

/// The arguments of subcommands that read jobs in any format.
#[derive(Clone, Debug, Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) format: FormatArgs,

    #[command(flatten)]
    pub(crate) exclude: ExcludeArgs,

    /// Read schedules that have a declaration of `kron place` as it says, not as they stand
    #[arg(long)]
    pub(crate) declared: bool,

    #[command(flatten)]
    pub(crate) host: HostArgs,
}

impl ReadArgs {
    /// Whether one of them is given.
    pub(crate) fn is_given(&self) -> bool {
        self.declared
            || self.host.host.is_some()
            || self.format.format.is_some()
            || !self.exclude.exclude.is_empty()
    }
}

fn formats() -> impl clap::builder::TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::WORDS.iter().copied()).map(|word| {
        // OK because only these words get here.
        Format::ALL.iter().copied().find(|format| format.as_str() == word).unwrap_or(Format::ALL[0])
    })
}
