//! The command `kron` as a library. [`run`] takes arguments, streams, the environment and a clock, and [`run_in_process`]
//! takes arguments and uses the streams, the environment and the clock of the process. [`complete`] answers shells that ask
//! for completions. All of this is the feature `command`, a part of the default features. [`explanation_page`] is the page
//! that `kron explain` prints, [`explanation_svg`] its picture and [`placed_svg`] that of a placed schedule, for callers that
//! have the job already, and [`ForecastPair`] has the picture of `kron forecast`. [`diff_json`] is the JSON of `kron diff`.
//!
//! A run reads the files that the arguments name, the variables `KRON_TZDB` and `TZDIR` with the directory that they name,
//! those of the locale and `COLUMNS`, and the clock if the arguments name no time or one relative to now. It reads nothing else, and
//! writes the files that the arguments name.
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
//!         terminal_size: &|| None,
//!         stderr_columns: None,
//!         environment: &|_| None,
//!         clock: &mut || unreachable!("--at is given"),
//!         sleep: &mut |_| unreachable!("only `wait` sleeps"),
//!         host_name: &|| None,
//!         time_zone: &|| None,
//!     },
//! );
//! assert_eq!(status, kron_cli::ExitStatus::Success);
//! assert!(String::from_utf8(out).unwrap().contains(",2026-03-01T00:19:37Z,"));
//! ```

#![forbid(unsafe_code)]

#[cfg(feature = "command")]
mod adoption;
#[cfg(feature = "command")]
mod args;
#[cfg(feature = "command")]
mod calendar_file;
#[cfg(feature = "command")]
mod cli;
#[cfg(feature = "command")]
mod cmd;
#[cfg(feature = "command")]
mod codes;
#[cfg(feature = "command")]
mod command;
#[cfg(feature = "command")]
mod complete;
#[cfg(feature = "command")]
mod exit_status;
#[cfg(feature = "command")]
mod files;
#[cfg(feature = "command")]
mod forecasting;
#[cfg(feature = "command")]
mod input;
#[cfg(feature = "command")]
mod machine;
mod output;
#[cfg(feature = "command")]
mod placing;
#[cfg(all(feature = "run", target_os = "linux"))]
mod run;
#[cfg(feature = "command")]
mod session;
#[cfg(feature = "command")]
mod spreading;
#[cfg(feature = "command")]
mod subcommand;
#[cfg(feature = "command")]
mod time_arg;
#[cfg(feature = "command")]
mod tree;
#[cfg(feature = "command")]
mod usage;
#[cfg(feature = "command")]
mod version;
#[cfg(feature = "command")]
mod watch;

#[cfg(feature = "command")]
pub use crate::command::{complete, run, run_in_process};
#[cfg(feature = "command")]
pub use crate::exit_status::ExitStatus;
#[cfg(feature = "page")]
pub use crate::output::diff::diff_json;
pub use crate::output::explanation::explanation_page;
#[cfg(feature = "page")]
pub use crate::output::forecast::pair::ForecastPage;
pub use crate::output::forecast::pair::ForecastPair;
pub use crate::output::strip::svg::{explanation_svg, placed_svg};
#[cfg(feature = "command")]
pub use crate::session::Io;
