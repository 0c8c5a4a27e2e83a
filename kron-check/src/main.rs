//! The command `kron-check`: see `docs/proof.md`.

#![forbid(unsafe_code)]

use std::fs::OpenOptions;
use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use kron_check::args::Args;

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("kron-check: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs all searches. Says whether all were completed without a violation.
fn run(args: &Args) -> std::io::Result<bool> {
    let done = match &args.resume {
        Some(file) if file.exists() => std::fs::read_to_string(file)?,
        _ => String::new(),
    };
    #[cfg(feature = "planted-bugs")]
    kron_core::plant(args.plant.as_deref());
    let mut good = true;
    for (bounds, search) in args.searches() {
        // One that was not complete, or found a violation, is made again.
        let is_done = |line: &&str| line.starts_with(&format!("{bounds}: complete, no violation"));
        if let Some(line) = done.lines().find(is_done) {
            println!("{line} (done before)");
            continue;
        }
        let found = search.run();
        let date = chrono::Utc::now().format("%Y-%m-%d");
        let line = format!("{bounds}: {found}, {date}");
        println!("{line}");
        if let Some(violation) = &found.violation {
            println!("violation: {}", violation.what);
            violation.trace.iter().enumerate().for_each(|(at, step)| println!("{:4}  {step}", at + 1));
        }
        if let Some(file) = &args.resume {
            let mut file = OpenOptions::new().create(true).append(true).open(file)?;
            writeln!(file, "{line}")?;
        }
        good &= found.complete && found.violation.is_none();
    }
    Ok(good)
}
