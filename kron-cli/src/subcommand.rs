//! What every subcommand says about itself, and does.

use std::path::Path;

use clap::Command;

use crate::args::range::DefaultRange;
use crate::exit_status::ExitStatus;
use crate::session::{Session, Stop};

/// A subcommand: its arguments, which clap reads.
pub(crate) trait Subcommand {
    const HELP: Help;

    /// Where its output goes.
    fn save(&self) -> Save<'_>;

    /// Whether the exit code says what it found. It then runs to its end even if nobody reads its output.
    fn judges(&self) -> bool;

    /// Runs it and gives the exit code.
    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop>;
}

/// Where the output of a subcommand goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Save<'a> {
    /// To standard output, or to files that the subcommand writes itself.
    Never,
    /// To the file of `--save`, if one is given; it may not be a file that is read.
    To(Option<&'a Path>),
    /// The same for an edited file, which may take the place of the one that was read.
    Edited(Option<&'a Path>),
}

/// What the help of a subcommand says. All have one shape: what it is for, an example, the options, notes, exit codes.
#[derive(Clone, Copy)]
pub(crate) struct Help {
    /// What it is for, in one line.
    pub(crate) about: &'static str,
    /// A line that a person would type.
    pub(crate) example: &'static str,
    /// The range of time without options, if it has one.
    pub(crate) range: Option<DefaultRange>,
    /// What stands after the options; empty for nothing.
    pub(crate) notes: fn() -> String,
    /// What each exit code means.
    pub(crate) exit_codes: &'static str,
}

impl Help {
    /// For subcommands that have no notes.
    pub(crate) const NO_NOTES: fn() -> String = String::new;

    /// The command with this help.
    pub(crate) fn apply(self, command: Command) -> Command {
        let Help { about, example, range, notes, exit_codes } = self;
        let notes = notes();
        let gap = if notes.is_empty() { "" } else { "\n\n" };
        let command = command
            .about(about)
            .long_about(format!("{about}\n\nExample:\n  {example}"))
            .after_long_help(format!("{notes}{gap}Exit codes: {exit_codes}"));
        match range {
            None => command,
            Some(range) => command.mut_arg("from", |from| {
                from.help(format!("Begin at this time, included; default range: {}", range.words))
            }),
        }
    }
}
