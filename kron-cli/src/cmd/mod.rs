//! The subcommands. Each has a file of its name with its arguments, its help and what it does; nothing else is in this folder.
//!
//! To add one, write its file, and add it to the two lists below: the modules, and the table of subcommands. The compiler and
//! tests name what is missing.

pub(crate) mod audit;
pub(crate) mod compare_tz;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod forecast;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod history;
pub(crate) mod lint;
pub(crate) mod man;
pub(crate) mod next;
pub(crate) mod place;
pub(crate) mod prime;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod resume;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod run;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod run_now;
pub(crate) mod spread;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod status;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod suspend;
pub(crate) mod tz_report;
pub(crate) mod verify;
pub(crate) mod wait;
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) mod why;
pub(crate) mod zones;

use std::path::PathBuf;

use crate::calendar_file;
use crate::exit_status::ExitStatus;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The table of subcommands, in the order of `kron --help`: the enum that clap reads, and what every subcommand has.
macro_rules! subcommands {
    ($($(#[$when:meta])* $name:ident = $args:path,)*) => {
        #[derive(Debug, clap::Subcommand)]
        pub(crate) enum Command {
            $($(#[$when])* $name($args),)*
        }

        impl Command {
            /// Runs the subcommand and gives the exit code.
            pub(crate) fn run(
                &self,
                calendars: &[PathBuf],
                session: &mut Session<'_>,
            ) -> Result<ExitStatus, Stop> {
                match self {
                    $($(#[$when])* Command::$name(args) => start(args, calendars, session),)*
                }
            }
        }

        /// The help of each subcommand.
        const HELP: &[Help] = &[$($(#[$when])* <$args>::HELP),*];
    };
}

subcommands! {
    Next = next::NextArgs,
    Explain = explain::ExplainArgs,
    Forecast = forecast::ForecastArgs,
    Spread = spread::SpreadArgs,
    Lint = lint::LintArgs,
    Prime = prime::PrimeArgs,
    Diff = diff::DiffArgs,
    Audit = audit::AuditArgs,
    TzReport = tz_report::TzReportArgs,
    CompareTz = compare_tz::CompareTzArgs,
    Verify = verify::VerifyArgs,
    Wait = wait::WaitArgs,
    #[cfg(all(feature = "run", target_os = "linux"))]
    Run = run::RunArgs,
    #[cfg(all(feature = "run", target_os = "linux"))]
    RunNow = run_now::RunNowArgs,
    #[cfg(all(feature = "run", target_os = "linux"))]
    Suspend = suspend::SuspendArgs,
    #[cfg(all(feature = "run", target_os = "linux"))]
    Resume = resume::ResumeArgs,
    #[cfg(all(feature = "run", target_os = "linux"))]
    Status = status::StatusArgs,
    #[cfg(all(feature = "run", target_os = "linux"))]
    History = history::HistoryArgs,
    #[cfg(all(feature = "run", target_os = "linux"))]
    Why = why::WhyArgs,
    Zones = zones::ZonesArgs,
    Convert = convert::ConvertArgs,
    Export = export::ExportArgs,
    Place = place::PlaceArgs,
    Completions = completions::CompletionsArgs,
    Man = man::ManArgs,
}

fn start<S: Subcommand>(
    args: &S,
    calendars: &[PathBuf],
    session: &mut Session<'_>,
) -> Result<ExitStatus, Stop> {
    let (save, edits) = match args.save() {
        Save::Never => (None, false),
        Save::To(path) => (path, false),
        Save::Edited(path) => (path, true),
    };
    session.begin(S::HELP.example, save, edits);
    session.calendars = calendar_file::read(calendars, session)?;
    if args.judges() {
        session.go_on_without_reader();
    }
    args.run(session)
}

/// The command line with the help of each subcommand.
pub(crate) fn with_help(command: clap::Command) -> clap::Command {
    let mut helps = HELP.iter();
    command.mut_subcommands(|subcommand| match helps.next() {
        Some(help) => help.apply(subcommand),
        // Clap's own `help` is not here yet.
        None => subcommand,
    })
}

/// What a person would type, of the subcommand of this name.
pub(crate) fn example(name: &str) -> Option<&'static str> {
    let all = <Command as clap::Subcommand>::augment_subcommands(clap::Command::new("kron"));
    let index = all.get_subcommands().position(|subcommand| subcommand.get_name() == name)?;
    HELP.get(index).map(|help| help.example)
}

/// The commands that a person needs first.
const FIRST: [&str; 5] = ["forecast", "place", "next", "explain", "lint"];

/// What a person who calls `kron` alone can do: a few commands, each with what it does.
pub(crate) fn first_steps(program: &str) -> String {
    let all = with_help(<Command as clap::Subcommand>::augment_subcommands(clap::Command::new("kron")));
    let line = |name: &str| {
        let about = all.find_subcommand(name)?.get_about()?.to_string();
        Some(format!("{about}:\n  {}\n", example(name)?))
    };
    let lines: Vec<String> = FIRST.into_iter().filter_map(line).collect();
    format!("{}\nAll commands: {program} --help", lines.concat())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    /// Without the runner, its files are here all the same.
    #[cfg(all(feature = "run", target_os = "linux"))]
    #[test]
    fn the_folder_has_one_file_for_each_subcommand() {
        use std::{collections::BTreeSet, path::Path};

        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cmd");
        let stem = |entry: std::fs::DirEntry| entry.path().file_stem().unwrap().to_str().unwrap().to_string();
        let mut files: BTreeSet<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| stem(entry.unwrap())).collect();
        files.remove("mod");
        let cli = crate::cli::Cli::command();
        let names = cli.get_subcommands().map(|subcommand| subcommand.get_name().replace('-', "_"));
        assert_eq!(files, names.collect());
    }

    #[test]
    fn every_subcommand_has_its_help() {
        let cli = crate::cli::Cli::command();
        assert_eq!(cli.get_subcommands().count(), HELP.len());
    }
}
