//! `kron compare-tz`: starts that differ between two lists that `kron next` printed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};

use chrono::DateTime;
use clap::{Args, ValueHint};
use kron_core::{ListedStart, compare_starts};
use serde::{Deserialize, Deserializer, Serialize};

use super::diff::Change;
use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::form::ReportForm;
use crate::output::json::Array;
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
    let a = read(&args.a, session)?;
    let b = read(&args.b, session)?;
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

/// The fields of a decision that are read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    name: String,
    #[serde(deserialize_with = "time")]
    nominal_time: i64,
    /// Null if the period is unschedulable, but not absent.
    #[serde(deserialize_with = "time_or_null")]
    chosen_time: Option<i64>,
}

/// A time in RFC 3339.
fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    timestamp(&String::deserialize(deserializer)?)
}

fn time_or_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| timestamp(&text)).transpose()
}

fn timestamp<E: serde::de::Error>(text: &str) -> Result<i64, E> {
    let time = DateTime::parse_from_rfc3339(text);
    time.map(|time| time.timestamp()).map_err(|_| E::custom(format!("`{text}` is not a time in RFC 3339")))
}

fn read(path: &Path, session: &mut Session<'_>) -> Result<Vec<ListedStart>, Stop> {
    let stdin = path.as_os_str() == "-";
    let rows = if stdin {
        match session.stdin() {
            None => Err("standard input can be read once only".to_string()),
            Some(stdin) => rows(stdin),
        }
    } else {
        match File::open(path) {
            Ok(mut file) => rows(&mut file),
            Err(failed) if failed.kind() == io::ErrorKind::NotFound => {
                Err("there is no such file".to_string())
            }
            Err(failed) => Err(format!("the file cannot be read: {failed}")),
        }
    };
    rows.map_err(|message| {
        let mut error = Diagnostic::error(message);
        error.file = Some(if stdin { "<stdin>".to_string() } else { path.display().to_string() });
        error.help = Some(HELP.to_string());
        session.fail(&error, ExitStatus::Error)
    })
}

/// The decisions of an array, or one after another. The error is a sentence for the user.
fn rows(reader: &mut dyn Read) -> Result<Vec<ListedStart>, String> {
    let mut reader = BufReader::new(reader);
    let first = loop {
        let buffer = reader.fill_buf().map_err(|failed| format!("the file cannot be read: {failed}"))?;
        match buffer.iter().position(|byte| !byte.is_ascii_whitespace()) {
            Some(place) => break Some(buffer[place]),
            None if buffer.is_empty() => break None,
            None => {
                let blanks = buffer.len();
                reader.consume(blanks);
            }
        }
    };
    let rows: Result<Vec<Row>, serde_json::Error> = match first {
        Some(b'[') => serde_json::from_reader(reader),
        _ => serde_json::Deserializer::from_reader(reader).into_iter().collect(),
    };
    let rows = rows.map_err(|error| format!("this is not a list of decisions: {error}"))?;
    let start = |row: Row| ListedStart { name: row.name, nominal: row.nominal_time, chosen: row.chosen_time };
    Ok(rows.into_iter().map(start).collect())
}
