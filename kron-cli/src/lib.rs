//! The command `kron` as a library: one function, [`run`], that takes arguments, streams, the environment and a clock;
//! [`complete`], which answers shells that ask for completions; and [`explanation_page`], the page that `kron explain`
//! prints, for callers that have the job already.
//!
//! The binary passes those of the process; tests and other languages pass their own. The library reads the files that the
//! arguments name, and nothing else of its surroundings but the variables `KRON_TZDB` and `TZDIR` with the directory that
//! they name, and the clock if the arguments name no time or one relative to now.
//!
//! Everything about time is decided by kron-core. This crate reads arguments and files (`args`, `time_arg`, `input`), asks
//! (`cmd`) and prints (`output`).
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
//!     },
//! );
//! assert_eq!(status, kron_cli::ExitStatus::Success);
//! assert!(String::from_utf8(out).unwrap().contains(",2026-03-01T00:19:37Z,"));
//! ```

#![forbid(unsafe_code)]

mod args;
mod cmd;
mod codes;
mod complete;
mod input;
mod output;
mod session;
mod time_arg;

use std::ffi::OsString;

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::Cli;
use crate::session::{Session, Stop};

pub use crate::cmd::explain::explanation_page;
pub use crate::complete::complete;
pub use crate::session::Io;

/// How a run of `kron` ends: the exit code of the process. These codes are stable.
///
/// ```
/// use kron_cli::ExitStatus;
/// assert_eq!([ExitStatus::Success, ExitStatus::Failure, ExitStatus::Error].map(u8::from), [0, 1, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ExitStatus {
    /// 0: the command did what was asked, and there is nothing to report.
    Success = 0,
    /// 1: the command ran, and the answer is negative: `lint` has errors or warnings, `verify` found differences, what was
    /// asked for does not exist, or `diff`, `tz-report` or `compare-tz` has something to report.
    Failure = 1,
    /// 2: the arguments or the input cannot be read, or the output cannot be written.
    Error = 2,
}

impl From<ExitStatus> for u8 {
    fn from(status: ExitStatus) -> u8 {
        status as u8
    }
}

impl From<ExitStatus> for std::process::ExitCode {
    fn from(status: ExitStatus) -> std::process::ExitCode {
        std::process::ExitCode::from(u8::from(status))
    }
}

/// Runs `kron` with these arguments, the first of which is the program's name, and returns how it ended.
pub fn run<I>(args: I, io: &mut Io<'_>) -> ExitStatus
where
    I: IntoIterator,
    I::Item: Into<OsString> + Clone,
{
    let mut session = Session::new(io);
    let result = match Cli::try_parse_from(args) {
        Ok(cli) => {
            session.choose_tz_database(cli.tzdb.clone());
            cmd::run(&cli, &mut session)
        }
        Err(error) => usage(&error, &mut session),
    };
    session.end(result)
}

/// Prints clap's message: help and version on stdout, mistakes on stderr.
pub(crate) fn usage(error: &clap::Error, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let text = error.render();
    if !error.use_stderr() {
        return session
            .print_styled(&text.to_string(), &text.ansi().to_string())
            .map(|()| ExitStatus::Success);
    }
    let stray = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(arg)) => {
            error.kind() == ErrorKind::UnknownArgument && !arg.starts_with('-')
        }
        _ => false,
    };
    // Unquoted text arrives as five arguments, or as the file names that the shell puts for `*`.
    let tip = if stray {
        "\n  tip: a job text is one argument; put it in quotes: '0 3 * * * @win(after,1h)'\n"
    } else {
        ""
    };
    session.complain_styled(&format!("{text}{tip}"), &format!("{}{tip}", text.ansi()));
    Err(Stop::Reported(ExitStatus::Error))
}
