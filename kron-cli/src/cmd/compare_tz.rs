//! `kron compare-tz`: starts that differ between two lists that `kron next` printed.

use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;
use kron_fleet::compare::{ListError, ListedStart, compare_starts};
use serde::Serialize;

use crate::args::SaveArgs;
use crate::args::files::FileArgs;
use crate::exit_status::ExitStatus;
use crate::files::{is_stdin, label, stdin_once, unread};
use crate::output::diagnostic::Diagnostic;
use crate::output::diff::Change;
use crate::output::form::ReportForm;
use crate::output::json::Array;
use crate::output::progress::Progress;
use crate::output::table::printable;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// How to get a list.
const WRITE_LIST: &str = "print it by `kron next FILE --from TIME --until TIME -o ndjson`";

/// The arguments of `compare-tz`.
#[derive(Debug, Args)]
#[command(
    override_usage = "kron compare-tz [OPTIONS] <A> <B>",
    mut_arg("named", |named| {
        named.value_names(["A", "B"]).help("The lists of the two time zone databases; `-` is standard input")
    })
)]
pub(crate) struct CompareTzArgs {
    #[command(flatten)]
    files: FileArgs,

    /// The form of the list; default: what the ending of --save names, or text
    #[arg(short, long, value_name = "FORM", value_enum)]
    output: Option<ReportForm>,

    #[command(flatten)]
    save: SaveArgs,
}

impl Subcommand for CompareTzArgs {
    const HELP: Help = Help {
        about: "Compare the starts that two time zone databases give",
        example: "kron compare-tz old.ndjson new.ndjson",
        range: None,
        notes: || {
            "A and B are lists that `kron next -o json` or `-o ndjson` printed, with the same --from and --until and two \
             values of --tzdb. No zone is looked up."
                .to_string()
        },
        exit_codes: "0 the same starts; 1 starts differ; 2 bad arguments or input",
    };

    fn save(&self) -> Save<'_> {
        Save::To(self.save.save.as_deref())
    }

    fn judges(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &CompareTzArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let form = args.save.form(args.output, session);
    let [a, b] = read_both(args, session)?;
    let are_empty = a.is_empty() && b.is_empty();
    let changes = compare_starts(a, b);
    let mut array = Array::default();
    for (name, change) in &changes {
        let change = Change::of(change);
        match form {
            ReportForm::Json => array.item(&mut session.out, &Named { name, change })?,
            ReportForm::Text => writeln!(session.out, "{} {}", change.words(), printable(name))?,
        }
    }
    match form {
        ReportForm::Json => array.end(&mut session.out)?,
        ReportForm::Text if are_empty => writeln!(session.out, "both lists are empty")?,
        ReportForm::Text if changes.is_empty() => writeln!(session.out, "both lists have the same starts")?,
        ReportForm::Text => {}
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
    let [a, b] = args.files.pair(session)?;
    let length = |path: &PathBuf| path.metadata().map_or(0, |file| file.len());
    let mut reading = Reading { progress: Progress::new("the lists"), done: 0, all: length(&a) + length(&b) };
    Ok([read(&a, &mut reading, session)?, read(&b, &mut reading, session)?])
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
    let list = if is_stdin(path) {
        ListedStart::read_list(stdin_once(session)?)
    } else {
        session.may_read(path)?;
        File::open(path).and_then(|inner| ListedStart::read_list(Shown { inner, reading: &mut *reading }))
    };
    list.map_err(|failed| {
        reading.progress.end();
        let error = match failed.kind() {
            io::ErrorKind::InvalidData => no_list(&failed).file(label(path)),
            _ => unread(path, &failed),
        };
        error.help(WRITE_LIST).into()
    })
}

/// The error of a text that is no list, with its place behind the file.
fn no_list(failed: &io::Error) -> Diagnostic {
    match failed.get_ref().and_then(|error| error.downcast_ref::<ListError>()) {
        Some(ListError { message, place }) => Diagnostic {
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            ..Diagnostic::error(message.clone())
        },
        None => Diagnostic::error(failed.to_string()),
    }
}
