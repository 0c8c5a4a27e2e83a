//! The command `kron-operator`.

use std::process::ExitCode;

use clap::Parser as _;
use kron_operator::args::{Cli, Command};
use kron_operator::{commands, run};

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Run(args) => run::run(*args).map_err(|error| error.to_string()),
        Command::Crd(args) => commands::crd(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kron-operator: {error}");
            ExitCode::FAILURE
        }
    }
}
