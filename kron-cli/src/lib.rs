//! The command `kron` as a library. [`run`] takes arguments, streams, the environment and a clock, and [`run_in_process`]
//! takes arguments and uses the streams, the environment and the clock of the process. [`complete`] answers shells that ask
//! for completions. [`explanation_page`] is the page that `kron explain` prints, for callers that have the job already.
//!
//! A run reads the files that the arguments name, the variables `KRON_TZDB` and `TZDIR` with the directory that they name,
//! and the clock if the arguments name no time or one relative to now. It reads nothing else, and writes the files that the
//! arguments name.
//!
//! Everything about time is decided by kron-core. This crate reads arguments and files (`args`, `time_arg`, `input`), asks
//! (`cmd`: a file for each subcommand, with its arguments) and prints (`output`).
//!
//! ```
//! let (mut out, mut err) = (Vec::new(), Vec::new());
//! let status = kron_cli::run(
//!     ["kron", "next", "@daily @win(after,3h) @seed(stable,salt=backup)", "--name", "prod/db-backup"]
//!         .into_iter()
//!         .chain(["--at", "2026-03-01T00:00:00Z", "-c", "1", "-o", "csv"]),
//!     &mut kron_cli::Io {
//!         stdin: &mut std::io::empty(),
//!         stdout: &mut out,
//!         stderr: &mut err,
//!         colored_stdout: false,
//!         colored_stderr: false,
//!         environment: &|_| None,
//!         clock: &mut || unreachable!("--at is given"),
//!         sleep: &mut |_| unreachable!("only `wait` sleeps"),
//!         host_name: &|| None,
//!     },
//! );
//! assert_eq!(status, kron_cli::ExitStatus::Success);
//! assert!(String::from_utf8(out).unwrap().contains(",2026-03-01T00:19:37Z,"));
//! ```

#![forbid(unsafe_code)]

mod args;
mod calendar_file;
mod cli;
mod cmd;
mod codes;
mod complete;
mod exit_status;
mod files;
mod input;
mod machine;
mod output;
#[cfg(all(feature = "run", target_os = "linux"))]
mod run;
mod session;
mod subcommand;
mod time_arg;
mod usage;
mod version;

use std::ffi::OsString;
use std::io::{stderr, stdin, stdout};
use std::path::Path;
use std::time::SystemTime;

use anstream::{AutoStream, ColorChoice};
use clap::FromArgMatches as _;
use clap_complete::env::CompleteEnv;

use crate::cli::Cli;
use crate::session::Session;
use crate::usage::{CommandName, usage};

pub use crate::cmd::explain::explanation_page;
pub use crate::exit_status::ExitStatus;
pub use crate::session::Io;

/// Answers the shell that asks for completions, and ends the process. Returns if none asks.
///
/// The scripts of `kron completions` ask by the variable `KRON_COMPLETE`, and pass the words of the command line behind `--`.
pub fn complete() {
    CompleteEnv::with_factory(cli::command).var(complete::VARIABLE).complete();
}

/// The name of a link to `kron` by which kubectl finds it as a plugin.
const PLUGIN: &str = "kubectl-kron";

/// The command line, or clap's error with what was called.
fn parse(args: Vec<OsString>) -> Result<Cli, (clap::Error, CommandName)> {
    let mut command = cli::command();
    let mut program = "kron";
    if args.first().is_some_and(|name| Path::new(name).file_stem().is_some_and(|stem| stem == PLUGIN)) {
        program = "kubectl kron";
        command = command.bin_name(program).override_usage("kubectl kron [OPTIONS] <COMMAND>");
    }
    let is_subcommand =
        |name: &str| command.get_subcommands().any(|subcommand| subcommand.get_name() == name);
    let mut words = args.iter().skip(1).filter_map(|word| word.to_str());
    let subcommand = words.find(|word| is_subcommand(word)).map(str::to_string);
    let matches = command.try_get_matches_from_mut(args);
    let parsed = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    parsed.map_err(|error| (error.format(&mut command), CommandName { program, subcommand }))
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
            environment: &|name| std::env::var_os(name),
            clock: &mut || SystemTime::now().into(),
            sleep: &mut machine::sleep_until,
            host_name: &machine::host_name,
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
    let result = match parse(args.into_iter().map(Into::into).collect()) {
        Ok(cli) => {
            session.choose_tz_database(cli.tzdb.clone());
            cli.run(&mut session)
        }
        Err((error, command)) => usage(&error, &command, &mut session),
    };
    session.end(result)
}
