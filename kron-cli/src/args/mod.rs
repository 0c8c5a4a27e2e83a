//! The arguments that several subcommands share. Texts are written for a newcomer.

pub(crate) mod base;
pub(crate) mod files;
pub(crate) mod jobs;
pub(crate) mod range;
pub(crate) mod reading;
pub(crate) mod time;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap::{Args, ValueEnum, ValueHint};
use kron_core::{Algorithm, Duration};

use crate::output::diagnostic::Diagnostic;
use crate::session::Session;
use crate::time_arg::duration;

/// The argument that changes how start times are computed.
#[derive(Debug, Args)]
pub(crate) struct AlgorithmArgs {
    /// Compute with this algorithm instead of the algorithms of the jobs
    #[arg(long, value_name = "NAME", value_parser = algorithms())]
    pub(crate) algorithm: Option<Algorithm>,
}

/// The argument that keeps a list on the screen.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Keep the list on the screen, with a count-down to each start, and follow what changes; Ctrl-C ends it
    #[arg(short, long, conflicts_with_all = ["output", "save"])]
    pub(crate) watch: bool,
}

/// The argument that says where the output goes.
#[derive(Debug, Args)]
pub(crate) struct SaveArgs {
    /// Write the output to this file instead of standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,
}

/// Endings of files of text.
const TEXTS: [&str; 4] = ["txt", "log", "md", "out"];

impl SaveArgs {
    /// The form of the output: the one of `-o`, or the one that the ending of the file names. If these are two, a note says so.
    pub(crate) fn form<F: ValueEnum + Default + PartialEq>(
        &self,
        output: Option<F>,
        session: &mut Session<'_>,
    ) -> F {
        let ending = self.save.as_ref().and_then(|path| path.extension()?.to_str()).unwrap_or_default();
        let of_ending = F::from_str(ending, true).ok();
        let Some(form) = output else {
            let is_text = ending.is_empty() || TEXTS.iter().any(|text| ending.eq_ignore_ascii_case(text));
            if let Some(path) = self.save.as_ref().filter(|_| of_ending.is_none() && !is_text) {
                let forms = F::value_variants().iter().filter_map(ValueEnum::to_possible_value);
                let forms: Vec<String> = forms.map(|form| format!("`.{}`", form.get_name())).collect();
                let note =
                    Diagnostic::note(format!("the ending `.{ending}` names no form, so the file is text"));
                session.report(
                    &note
                        .file(path.display())
                        .help(format!("endings that name one are {}", forms.join(", "))),
                );
            }
            return of_ending.unwrap_or_default();
        };
        if let Some(path) = self.save.as_ref().filter(|_| of_ending.is_some_and(|named| named != form)) {
            let word = form.to_possible_value();
            let word = word.as_ref().map_or("", |value| value.get_name());
            let note = Diagnostic::note(format!("the file is `{word}`, as -o says, whatever its ending"));
            session.report(&note.file(path.display()));
        }
        form
    }
}

/// When the output has colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArg {
    /// If the stream is a terminal that wants them
    #[default]
    Auto,
    /// In a file and in a pipe, too
    Always,
    /// Nowhere
    Never,
}

impl ColorArg {
    /// What was chosen, if the streams do not decide.
    pub(crate) fn choice(self) -> Option<bool> {
        match self {
            ColorArg::Auto => None,
            ColorArg::Always => Some(true),
            ColorArg::Never => Some(false),
        }
    }
}

/// Reads a number of things to list. The error is a sentence for the user.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    whole(text, 1).ok_or_else(|| "expected a whole number from 1 on".to_string())
}

/// Reads a number of starts that may be exceeded. The error is a sentence for the user.
pub(crate) fn budget(text: &str) -> Result<u64, String> {
    whole(text, 0).ok_or_else(|| "expected a whole number from 0 on".to_string())
}

/// Reads a number of years to look ahead. The error is a sentence for the user.
pub(crate) fn years(text: &str) -> Result<u32, String> {
    const YEARS_MAX: u32 = 130;
    let years =
        whole(text, 1).and_then(|years| u32::try_from(years).ok()).filter(|years| *years <= YEARS_MAX);
    years.ok_or_else(|| format!("expected a whole number of years from 1 to {YEARS_MAX}"))
}

fn whole(text: &str, least: u64) -> Option<u64> {
    text.parse().ok().filter(|number| *number >= least)
}

/// The length of a bucket. The core checks that it is in whole seconds. The error is a sentence for the user.
pub(crate) fn bucket(text: &str) -> Result<Duration, String> {
    let length = duration(text).ok().filter(|length| length.as_secs() <= 86_400);
    length.ok_or_else(|| "a bucket is from 1s to 24h long; write for example `1s`, `1m` or `1h`".to_string())
}

fn algorithms() -> impl clap::builder::TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::WORDS).try_map(|word| Algorithm::parse(&word))
}
