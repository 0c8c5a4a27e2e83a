//! The command line: the commands and what `kron --help` shows. Texts are written for a newcomer.

use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, ValueHint};

use crate::args::ColorArg;
use crate::cmd::{self, Command};
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};
use crate::version;

const ABOUT: &str = "Start times for cron jobs, spread over a window and yet always the same";

const LONG_ABOUT: &str = "\
Start times for cron jobs, spread over a window and yet always the same.

A job is a cron expression with modifiers, and a name:

    0 1 * * * @tz(Europe/Paris) @win(after,3h)        named db/backup

Every day at 01:00 in Paris a window of three hours opens. The start is some second in it, decided by a hash of the \
name and the day: the same one on every machine, another one for every other job.

Example:
  kron next '0 1 * * * @tz(Europe/Paris) @win(after,3h)' --name db/backup";

const NOTES: &str = "\
The text of a job has five fields (minute, hour, day of month, month, day of week) or a macro such as @daily, then \
any of
  @tz(zone)                 the time zone, default UTC
  @days(part;part)          days that cron cannot say: dow, dom, months, date,
                            dates, calendar, last, workday, lastworkday, near,
                            every, from, roll, week, holidays
  @nodays(part;part)        days that are no days of the schedule
  @win(mode,duration)       the window: after, around or before the nominal time
  @dist(name,key=value)     uniform, skewEarly, skewLate, normal, exponential
  @seed(strategy,salt=text) a new draw each period (stable), daily, weekly, or
                            one draw for all periods (fixed)
  @only(part;part)          hours, dow, dom, months, between, date, dates,
                            calendar that a start must obey
  @avoid(part;part)         those that it must not meet
  @policy(key=value)        concurrency, deadline, suspend: what a host does
  @alg(name)                the algorithm
docs/reference/syntax.md says how each is written.

Where a command takes jobs, an argument with five or more words, or one that begins with `@`, is the text of a job. \
Any other argument is a file, a directory, or `-` for standard input. -f FILE reads a file whatever its name is.

Exit codes, the same in all releases:
  0  success
  1  failure: the answer is no, or something was found; the help of each
     command says what
  2  error: bad arguments or input, or the output cannot be written
  3  wait: no window is open
  4  wait: missed
  5  wait: unschedulable
  6  wait: suspended
  7  wait: a day that @days or @nodays leaves out";

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "kron",
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_long_help = NOTES,
    override_usage = "kron [OPTIONS] <COMMAND>",
    arg_required_else_help = true
)]
pub(crate) struct Cli {
    /// Absent only with `--version`.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    /// Print the version, the time zone database and the algorithms
    // Not clap's own flag, which would end the run before --tzdb is read.
    #[arg(short = 'V', long)]
    pub(crate) version: bool,

    /// The time zone database: a directory of TZif files, or `compiled-in`
    ///
    /// Default: the directory in the variable KRON_TZDB, else in TZDIR, else the database that is compiled
    /// into kron. `kron zones` shows which one is in use.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, global = true)]
    pub(crate) tzdb: Option<PathBuf>,

    /// A file of calendars that jobs name, as in `@avoid(calendar=holidays-fr)`; may be repeated
    ///
    /// A calendar file has lines such as `holidays-fr = 2026-12-25, 2026-12-31..2027-01-01`.
    /// A file NAME.ics in the iCalendar format is one calendar, NAME. `-` is standard input.
    #[arg(long = "calendar", value_name = "FILE", value_hint = ValueHint::FilePath, global = true)]
    pub(crate) calendars: Vec<PathBuf>,

    /// Whether the output has colours; `auto`: on a terminal, unless the variable NO_COLOR is set
    #[arg(long, value_name = "WHEN", value_enum, default_value_t, global = true)]
    pub(crate) color: ColorArg,
}

impl Cli {
    /// Runs the command and gives the exit code.
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        if self.version {
            return version::run(session);
        }
        match &self.command {
            Some(command) => command.run(&self.calendars, session),
            None => {
                Err(Diagnostic::error("a command is missing").help("`kron --help` lists the commands").into())
            }
        }
    }
}

/// The command line, with the help of each subcommand.
pub(crate) fn command() -> clap::Command {
    cmd::with_help(Cli::command())
}

#[cfg(test)]
mod tests {
    use clap::builder::StyledStr;

    use super::*;

    /// The narrowest usual terminal, and one in which no text wraps.
    const COLUMNS: usize = 80;
    const ENDLESS: usize = 10_000;
    /// The blanks before what is said of an option.
    const OPTION: usize = 10;

    #[test]
    fn the_command_line_is_well_formed() {
        command().debug_assert();
    }

    /// Every subcommand, because clap lists them.
    #[test]
    fn the_help_of_every_subcommand_has_one_shape() {
        let mut cli = command().term_width(COLUMNS);
        cli.build();
        for subcommand in cli.get_subcommands_mut().filter(|subcommand| subcommand.get_name() != "help") {
            let name = subcommand.get_name().to_string();
            let about = subcommand.get_about().unwrap().to_string();
            let help = subcommand.render_long_help().to_string();
            let rest = help
                .strip_prefix(&format!("{about}\n\nExample:\n  "))
                .unwrap_or_else(|| panic!("{name}: {help}"));
            let (example, rest) = rest.split_once("\n\nUsage: ").unwrap();
            assert!(
                example.contains(&format!("kron {name}")) && !example.contains('\n'),
                "{name}: {example}"
            );
            assert!(!about.contains(['\n', '.']) && about.len() <= 65, "{name}: {about}");
            assert!(rest.starts_with(&format!("kron {name} ")), "{name}: {rest}");
            assert!(rest.contains("\nOptions:\n") && rest.contains("--tzdb <DIR>"), "{name}: {rest}");
            assert!(rest.contains("\nExit codes: 0 "), "{name}: {rest}");
        }
    }

    /// The help of all commands in lines of at most so many columns, each with its name.
    fn pages(columns: usize, render: fn(&mut clap::Command) -> StyledStr) -> Vec<(String, String)> {
        let mut cli = command().term_width(columns);
        cli.build();
        let subcommands = cli.get_subcommands().filter(|subcommand| subcommand.get_name() != "help").cloned();
        let all = subcommands.collect::<Vec<_>>().into_iter().chain([cli]);
        all.map(|mut page| (page.get_name().to_string(), render(&mut page).to_string())).collect()
    }

    #[test]
    fn help_fits_the_terminal() {
        for columns in [COLUMNS, 100] {
            for render in [clap::Command::render_help, clap::Command::render_long_help] {
                for (name, help) in pages(columns, render) {
                    for line in help.lines() {
                        assert!(line.len() <= columns, "{name} at {columns} columns: {line}");
                    }
                }
            }
        }
    }

    #[test]
    fn tables_and_examples_of_help_have_the_same_lines_at_any_width() {
        // What is said of options is further to the right.
        let tables = |(name, help): (String, String)| -> (String, Vec<String>) {
            let lines =
                help.lines().filter(|line| line.starts_with(' ') && !line.starts_with(&" ".repeat(OPTION)));
            (name, lines.map(str::to_string).collect())
        };
        let all = |columns| pages(columns, clap::Command::render_long_help).into_iter().map(tables);
        for (narrow, wide) in all(COLUMNS).zip(all(ENDLESS)) {
            assert_eq!(narrow, wide);
        }
    }

    /// A line that ends in the midst of a sentence is a line of a table or of an example, which are indented.
    #[test]
    fn paragraphs_of_help_break_only_where_the_terminal_ends() {
        for (name, help) in pages(ENDLESS, clap::Command::render_long_help) {
            let lines: Vec<&str> = help.lines().collect();
            for pair in lines.windows(2) {
                let [line, next] = [pair[0], pair[1]];
                let indent = |line: &str| line.len() - line.trim_start().len();
                let prose = [0, OPTION].contains(&indent(line));
                let goes_on = line.ends_with(|end: char| end.is_alphanumeric() || end == ',');
                let is_next =
                    next.trim_start().starts_with(|begin: char| begin != '-') && indent(next) == indent(line);
                assert!(!(prose && goes_on && is_next), "{name}: {line}\n{next}");
            }
        }
    }
}
