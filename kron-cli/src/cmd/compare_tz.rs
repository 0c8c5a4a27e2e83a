//! `kron compare-tz`: starts that differ between two lists that `kron next` printed.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kron_core::{ListedStart, compare_starts};
use serde::Serialize;

use super::diff::Change;
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ReportForm;
use crate::output::json::Array;
use crate::output::progress::Progress;
use crate::output::table::printable;
use crate::session::{Session, Stop};

const HELP: &str = "print it by `kron next -f FILE --from TIME --until TIME -o ndjson`";

/// Compare the starts that two time zone databases give
///
/// Reads two lists that `kron next -o json` or `-o ndjson` printed, with the same --from and --until, and
/// prints the starts that only one has, or that differ. No zone is looked up.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Example:
  kron next -f jobs.kron --from 2026-01-01 --until 2027-01-01 -o ndjson > a.ndjson
  kron next -f jobs.kron --from 2026-01-01 --until 2027-01-01 -o ndjson --tzdb /opt/tz/2026z > b.ndjson
  kron compare-tz a.ndjson b.ndjson
      what a new time zone database changes in a year

Exit codes: 0 the same starts; 1 starts differ; 2 bad arguments or input"
)]
pub(crate) struct CompareTzArgs {
    /// The list of one time zone database; `-` is standard input
    #[arg(value_name = "A", value_hint = ValueHint::FilePath)]
    pub(crate) a: PathBuf,

    /// The list of the other
    #[arg(value_name = "B", value_hint = ValueHint::FilePath)]
    pub(crate) b: PathBuf,

    /// The form of the list
    #[arg(short, long, value_name = "FORM", value_enum, default_value_t)]
    pub(crate) output: ReportForm,
}

pub(crate) fn run(args: &CompareTzArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let [a, b] = read_both(args, session)?;
    let changes = compare_starts(a, b);
    let mut array = Array::default();
    for (name, change) in &changes {
        let change = Change::of(change);
        match args.output {
            ReportForm::Json => array.item(&mut session.out, &Named { name, change })?,
            ReportForm::Text => writeln!(session.out, "{} {}", change.words(), printable(name))?,
        }
    }
    if args.output == ReportForm::Json {
        array.end(&mut session.out)?;
    }
    Ok(if changes.is_empty() { ExitStatus::Success } else { ExitStatus::Failure })
}

/// A change as an object of JSON: the old start is that of A, the new start that of B.
#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    #[serde(flatten)]
    change: Change,
}

/// Both lists. Long files show their progress on a terminal.
fn read_both(args: &CompareTzArgs, session: &mut Session<'_>) -> Result<[Vec<ListedStart>; 2], Stop> {
    let length = |path: &PathBuf| path.metadata().map_or(0, |file| file.len());
    let mut reading =
        Reading { progress: Progress::new("the lists"), done: 0, all: length(&args.a) + length(&args.b) };
    Ok([read(&args.a, &mut reading, session)?, read(&args.b, &mut reading, session)?])
}

/// How many bytes of the files are read.
struct Reading {
    progress: Progress,
    done: u64,
    all: u64,
}

/// A reader that shows how far it is.
struct Shown<'a, R> {
    inner: R,
    reading: &'a mut Reading,
}

impl<R: Read> Read for Shown<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        let it = &mut *self.reading;
        it.done += length as u64;
        // OK because a length of files that does not fit is shown too small.
        it.progress.show(it.done as usize, it.all as usize);
        Ok(length)
    }
}

fn read(path: &Path, reading: &mut Reading, session: &mut Session<'_>) -> Result<Vec<ListedStart>, Stop> {
    let stdin = path.as_os_str() == "-";
    let list = if stdin {
        match session.stdin() {
            None => Err("standard input can be read once only".to_string()),
            Some(stdin) => ListedStart::read_list(stdin).map_err(|failed| words(&failed)),
        }
    } else {
        File::open(path)
            .and_then(|inner| ListedStart::read_list(Shown { inner, reading: &mut *reading }))
            .map_err(|failed| words(&failed))
    };
    list.map_err(|message| {
        reading.progress.end();
        let mut error = Diagnostic::error(message);
        error.file = Some(if stdin { "<stdin>".to_string() } else { path.display().to_string() });
        error.help = Some(HELP.to_string());
        session.fail(&error, ExitStatus::Error)
    })
}

/// A sentence for the user.
fn words(failed: &io::Error) -> String {
    match failed.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_string(),
        io::ErrorKind::InvalidData => failed.to_string(),
        _ => format!("the file cannot be read: {failed}"),
    }
}
