//! The command: its command line is parsed and run.

use std::ffi::OsString;
use std::io::{stderr, stdin, stdout};
use std::path::Path;
use std::time::SystemTime;

use anstream::{AutoStream, ColorChoice};
use clap::FromArgMatches as _;
use clap_complete::env::CompleteEnv;
use console::Term;

use crate::cli::{self, Cli};
use crate::complete::VARIABLE;
use crate::exit_status::ExitStatus;
use crate::machine;
use crate::session::{Io, Session};
use crate::usage::{CommandName, usage};

/// Answers the shell that asks for completions, and ends the process. Returns if none asks.
///
/// The scripts of `kron completions` ask by the variable `KRON_COMPLETE`, and pass the words of the command line behind `--`.
pub fn complete() {
    CompleteEnv::with_factory(cli::command).var(VARIABLE).complete();
}

/// The name of a link to `kron` by which kubectl finds it as a plugin.
const PLUGIN: &str = "kubectl-kron";

/// The columns of help, at most: longer lines are hard to read.
const HELP_COLUMNS: usize = 100;

/// The command line, or clap's error with what was called. Help has lines of at most so many columns.
fn parse(args: Vec<OsString>, columns: usize) -> Result<Cli, (clap::Error, CommandName)> {
    let mut command = cli::command().term_width(columns.min(HELP_COLUMNS));
    let mut program = "kron";
    if args.first().is_some_and(|name| Path::new(name).file_stem().is_some_and(|stem| stem == PLUGIN)) {
        program = "kubectl kron";
        command = command.bin_name(program).override_usage("kubectl kron [OPTIONS] <COMMAND>");
    }
    let is_subcommand =
        |name: &str| command.get_subcommands().any(|subcommand| subcommand.get_name() == name);
    let mut words = args.iter().skip(1).filter_map(|word| word.to_str());
    let subcommand = words.find(|word| is_subcommand(word)).map(str::to_string);
    let found = subcommand.as_deref().and_then(|name| command.find_subcommand(name));
    let long = found.into_iter().flat_map(clap::Command::get_arguments).filter_map(clap::Arg::get_long);
    let options = long.map(|name| format!("--{name}")).collect();
    let matches = command.try_get_matches_from_mut(args);
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.map_err(|error| (error.format(&mut command), CommandName { program, subcommand, options }))
}

/// Runs `kron` with these arguments on the streams, the environment and the clock of the process; see [`run`].
pub fn run_in_process<I>(args: I) -> ExitStatus
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    run(
        args,
        &mut Io {
            stdin: &mut stdin(),
            colored_stdout: AutoStream::choice(&stdout()) != ColorChoice::Never,
            stdout: &mut stdout(),
            colored_stderr: AutoStream::choice(&stderr()) != ColorChoice::Never,
            stderr: &mut stderr(),
            terminal_size: &|| machine::size(&Term::stdout()),
            stderr_columns: machine::size(&Term::stderr()).map(|(columns, _)| columns),
            environment: &|name| std::env::var_os(name),
            clock: &mut || SystemTime::now().into(),
            sleep: &mut machine::sleep_until,
            host_name: &machine::host_name,
            time_zone: &machine::time_zone,
        },
    )
}

/// Runs `kron` with these arguments, the first of which is the program's name, and returns how it ended.
pub fn run<I>(args: I, io: &mut Io<'_>) -> ExitStatus
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let mut session = Session::new(io, cli::command);
    let columns = session.terminal().columns;
    let result = match parse(args.into_iter().map(Into::into).collect(), columns) {
        Ok(cli) => {
            session.choose_tz_database(cli.tzdb.clone());
            if let Some(colored) = cli.color.choice() {
                session.choose_colors(colored);
            }
            cli.run(&mut session)
        }
        Err((error, command)) => usage(&error, &command, &mut session),
    };
    session.end(result)
}
