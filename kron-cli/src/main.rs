//! The command `kron`: runs the library with the process's arguments, streams, environment and clock.

#![forbid(unsafe_code)]

use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;
use std::time::SystemTime;

use anstream::{AutoStream, ColorChoice};
use kron_cli::{Io, complete, host_name, run, sleep_until};

fn main() -> ExitCode {
    complete();
    run(
        std::env::args_os(),
        &mut Io {
            stdin: &mut stdin(),
            colored_stdout: AutoStream::choice(&stdout()) != ColorChoice::Never,
            stdout: &mut stdout(),
            colored_stderr: AutoStream::choice(&stderr()) != ColorChoice::Never,
            stderr: &mut stderr(),
            environment: &|name| std::env::var_os(name),
            clock: &mut || SystemTime::now().into(),
            sleep: &mut sleep_until,
            host_name: &host_name,
        },
    )
    .into()
}
