//! The command `kron`: runs the library with the process's arguments, streams, environment and clock.

#![forbid(unsafe_code)]

use std::process::ExitCode;

use kron_cli::{complete, run_in_process};

fn main() -> ExitCode {
    complete();
    run_in_process(std::env::args_os()).into()
}
