//! The command `kron-check`: see `docs/explain/proof.md`.

#![forbid(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;
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
fn run(args: &Args) -> io::Result<bool> {
    // Before the first search, which may take hours.
    let mut results = args.resume.as_deref().map(Results::open).transpose()?;
    #[cfg(feature = "planted-bugs")]
    kron_core::planted_bugs::plant(args.plant.as_deref());
    let mut good = true;
    for (bounds, search) in args.searches() {
        if let Some(line) = results.as_ref().and_then(|results| results.of(&bounds)) {
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
        if let Some(results) = &mut results {
            results.add(&line)?;
        }
        good &= found.complete && found.violation.is_none();
    }
    Ok(good)
}

/// The file of `--resume`.
struct Results<'a> {
    path: &'a Path,
    file: File,
    /// What earlier runs found.
    before: String,
}

impl<'a> Results<'a> {
    /// Opens the file, or makes it.
    fn open(path: &'a Path) -> io::Result<Results<'a>> {
        let mut before = String::new();
        let opened = OpenOptions::new().create(true).read(true).append(true).open(path);
        let file = opened.and_then(|mut file| file.read_to_string(&mut before).map(|_| file));
        Ok(Results { path, file: file.map_err(|error| named(path, &error))?, before })
    }

    /// The result of a search that an earlier run completed without a violation. Any other one is made again.
    fn of(&self, bounds: &str) -> Option<&str> {
        self.before.lines().find(|line| line.starts_with(&format!("{bounds}: complete, no violation")))
    }

    fn add(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.file, "{line}").map_err(|error| named(self.path, &error))
    }
}

/// An error with the file that it is about.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
