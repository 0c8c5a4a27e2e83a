//! The command line: the commands and what `kron --help` shows. Texts are written for a newcomer.

use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser, Subcommand, ValueHint};

use crate::calendar_file;
use crate::cmd::audit::AuditArgs;
use crate::cmd::compare_tz::CompareTzArgs;
use crate::cmd::completions::CompletionsArgs;
use crate::cmd::convert::ConvertArgs;
use crate::cmd::diff::DiffArgs;
use crate::cmd::explain::ExplainArgs;
use crate::cmd::export::ExportArgs;
use crate::cmd::forecast::ForecastArgs;
#[cfg(all(feature = "run", target_os = "linux"))]
use crate::cmd::history::HistoryArgs;
use crate::cmd::lint::LintArgs;
use crate::cmd::man::ManArgs;
use crate::cmd::next::NextArgs;
use crate::cmd::prime::PrimeArgs;
#[cfg(all(feature = "run", target_os = "linux"))]
use crate::cmd::resume::ResumeArgs;
#[cfg(all(feature = "run", target_os = "linux"))]
use crate::cmd::run::RunArgs;
#[cfg(all(feature = "run", target_os = "linux"))]
use crate::cmd::run_now::RunNowArgs;
use crate::cmd::spread::SpreadArgs;
#[cfg(all(feature = "run", target_os = "linux"))]
use crate::cmd::status::StatusArgs;
#[cfg(all(feature = "run", target_os = "linux"))]
use crate::cmd::suspend::SuspendArgs;
use crate::cmd::tz_report::TzReportArgs;
use crate::cmd::verify::VerifyArgs;
use crate::cmd::wait::WaitArgs;
#[cfg(all(feature = "run", target_os = "linux"))]
use crate::cmd::why::WhyArgs;
use crate::cmd::zones::ZonesArgs;
use crate::cmd::{
    audit, compare_tz, completions, convert, diff, explain, export, forecast, lint, man, next, prime, spread,
    tz_report, verify, version, wait, zones,
};
#[cfg(all(feature = "run", target_os = "linux"))]
use crate::cmd::{history, resume, run, run_now, status, suspend, why};
use crate::exit_status::ExitStatus;
use crate::session::{Session, Stop};

const ABOUT: &str = "Start times for cron jobs, spread over a window and yet always the same";

const LONG_ABOUT: &str = "\
Start times for cron jobs, spread over a window and yet always the same.

A job is a cron expression with modifiers, and a name:

    0 1 * * * @tz(Europe/Paris) @win(after,3h)        named db/backup

Every day at 01:00 in Paris a window of three hours opens. The start is some second in it, decided by a hash of the
name and the day: the same one on every machine, another one for every other job.";

const EXAMPLES: &str = "\
Examples:
  kron next '0 1 * * * @tz(Europe/Paris) @win(after,3h)' --name db/backup
      the next ten starts of one job
  kron next -f examples/fleet.kron --until +24h
      the starts of a whole file of jobs in the next 24 hours
  kron explain '0 1 * * * @win(after,3h)' --name db/backup
      how the next start was chosen
  kron lint -f examples/fleet.kron
      what is wrong or surprising in a file

Exit codes, the same in all releases:
  0  success
  1  failure: lint has errors or warnings, verify finds differences, or nothing is found;
     audit, diff, tz-report and compare-tz have something to report;
     forecast and spread find more starts in a bucket than they may; no runner is running;
     convert and export refuse a part of their input
  2  error: bad arguments or input, or the output cannot be written
  3  wait: no window is open
  4  wait: missed
  5  wait: unschedulable
  6  wait: suspended";

/// The command line.
#[derive(Debug, Parser)]
#[command(
    name = "kron",
    about = ABOUT,
    long_about = LONG_ABOUT,
    after_long_help = EXAMPLES,
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
    /// Default: the directory in the variable KRON_TZDB, else in TZDIR, else the database that is
    /// compiled into kron. `kron zones` shows which one is in use.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, global = true, verbatim_doc_comment)]
    pub(crate) tzdb: Option<PathBuf>,

    /// A file of calendars that jobs name, as in `@avoid(calendar=holidays-fr)`; may be repeated
    ///
    /// A calendar file has lines such as `holidays-fr = 2026-12-25, 2026-12-31..2027-01-01`.
    /// A file NAME.ics in the iCalendar format is one calendar, NAME. `-` is standard input.
    #[arg(long = "calendar", value_name = "FILE", value_hint = ValueHint::FilePath, global = true)]
    #[arg(verbatim_doc_comment)]
    pub(crate) calendars: Vec<PathBuf>,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Next(NextArgs),
    Explain(ExplainArgs),
    Forecast(ForecastArgs),
    Spread(SpreadArgs),
    Lint(LintArgs),
    Prime(PrimeArgs),
    Diff(DiffArgs),
    Audit(AuditArgs),
    TzReport(TzReportArgs),
    CompareTz(CompareTzArgs),
    Verify(VerifyArgs),
    Wait(WaitArgs),
    #[cfg(all(feature = "run", target_os = "linux"))]
    Run(RunArgs),
    #[cfg(all(feature = "run", target_os = "linux"))]
    RunNow(RunNowArgs),
    #[cfg(all(feature = "run", target_os = "linux"))]
    Suspend(SuspendArgs),
    #[cfg(all(feature = "run", target_os = "linux"))]
    Resume(ResumeArgs),
    #[cfg(all(feature = "run", target_os = "linux"))]
    Status(StatusArgs),
    #[cfg(all(feature = "run", target_os = "linux"))]
    History(HistoryArgs),
    #[cfg(all(feature = "run", target_os = "linux"))]
    Why(WhyArgs),
    Zones(ZonesArgs),
    Convert(ConvertArgs),
    Export(ExportArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

impl Cli {
    /// Runs the command and gives the exit code.
    pub(crate) fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        if self.version {
            return version::run(session);
        }
        let Some(command) = &self.command else {
            let message = "a command is required";
            return usage(&Cli::command().error(ErrorKind::MissingSubcommand, message), session);
        };
        session.calendars = calendar_file::read(&self.calendars, session)?;
        if command.judges() {
            session.go_on_without_reader();
        }
        command.run(session)
    }
}

impl Command {
    /// Whether the exit code says what the command found.
    fn judges(&self) -> bool {
        match self {
            Command::Lint(_)
            | Command::Diff(_)
            | Command::Audit(_)
            | Command::TzReport(_)
            | Command::CompareTz(_)
            | Command::Verify(_)
            | Command::Convert(_)
            | Command::Export(_) => true,
            Command::Forecast(args) => args.budget.is_some(),
            Command::Spread(args) => args.budget.is_some(),
            _ => false,
        }
    }

    /// Runs the command and gives the exit code.
    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        match self {
            Command::Next(args) => next::run(args, session),
            Command::Explain(args) => explain::run(args, session),
            Command::Forecast(args) => forecast::run(args, session),
            Command::Spread(args) => spread::run(args, session),
            Command::Lint(args) => lint::run(args, session),
            Command::Prime(args) => prime::run(args, session),
            Command::Diff(args) => diff::run(args, session),
            Command::Audit(args) => audit::run(args, session),
            Command::TzReport(args) => tz_report::run(args, session),
            Command::CompareTz(args) => compare_tz::run(args, session),
            Command::Verify(args) => verify::run(args, session),
            Command::Wait(args) => wait::run(args, session),
            #[cfg(all(feature = "run", target_os = "linux"))]
            Command::Run(args) => run::run(args, session),
            #[cfg(all(feature = "run", target_os = "linux"))]
            Command::RunNow(args) => run_now::run(args, session),
            #[cfg(all(feature = "run", target_os = "linux"))]
            Command::Suspend(args) => suspend::run(args, session),
            #[cfg(all(feature = "run", target_os = "linux"))]
            Command::Resume(args) => resume::run(args, session),
            #[cfg(all(feature = "run", target_os = "linux"))]
            Command::Status(args) => status::run(args, session),
            #[cfg(all(feature = "run", target_os = "linux"))]
            Command::History(args) => history::run(args, session),
            #[cfg(all(feature = "run", target_os = "linux"))]
            Command::Why(args) => why::run(args, session),
            Command::Zones(args) => zones::run(args, session),
            Command::Convert(args) => convert::run(args, session),
            Command::Export(args) => export::run(args, session),
            Command::Completions(args) => completions::run(args, session),
            Command::Man(args) => man::run(args, Cli::command(), session),
        }
    }
}

/// Prints clap's message: help and version on stdout, mistakes on stderr.
pub(crate) fn usage(error: &clap::Error, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let text = error.render();
    if !error.use_stderr() {
        return session
            .print_styled(&text.to_string(), &text.ansi().to_string())
            .map(|()| ExitStatus::Success);
    }
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(arg)) if error.kind() == ErrorKind::UnknownArgument => Some(arg.as_str()),
        _ => None,
    };
    let tip = match unknown {
        // A range ends by one of the two, whichever people give for the command.
        Some("--for") => "\n  tip: this range ends by --until, which takes a length, too: --until +24h\n",
        Some("--until") => "\n  tip: the length of this range is given by --for, such as --for 24h\n",
        // Unquoted text arrives as five arguments, or as the file names that the shell puts for `*`.
        Some(arg) if !arg.starts_with('-') => {
            "\n  tip: a job text is one argument; put it in quotes: '0 3 * * * @win(after,1h)'\n"
        }
        _ => "",
    };
    session.complain_styled(&format!("{text}{tip}"), &format!("{}{tip}", text.ansi()));
    Err(Stop::Reported(ExitStatus::Error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
