//! The command `kron-simulate`: the operator in no time, without a cluster.
//!
//! It is a program of its own, so that the operator holds nothing of the model.

#![forbid(unsafe_code)]

mod args;
mod files;
mod simulation;
mod timeline;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    match simulation::simulate(&args::Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kron-simulate: {error}");
            ExitCode::FAILURE
        }
    }
}
