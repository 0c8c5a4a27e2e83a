//! `kron verify`: computes a receipt's decision again, with the rules of the time zone database in use.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use kron_core::error::FindingCode;
use kron_core::proof::{Receipt, Verification, ZoneRules};
use kron_core::{Calendars, ErrorCode, TzDatabase};

use crate::args::files::FileArgs;
use crate::exit_status::ExitStatus;
use crate::files::{Source, read_all};
use crate::output::diagnostic::Diagnostic;
use crate::output::table::{Table, printable};
use crate::output::time;
use crate::session::{Session, Stop};
use crate::subcommand::{Help, Save, Subcommand};

/// The arguments of `verify`.
#[derive(Debug, Args)]
#[command(mut_arg("named", |named| named.help("Receipts; default: standard input")))]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    files: FileArgs,
}

impl Subcommand for VerifyArgs {
    const HELP: Help = Help {
        about: "Compute the decision of a receipt again, and compare",
        example: "kron verify receipt.json",
        range: None,
        notes: || {
            "A receipt is what `kron explain -o json` prints. It must have been made with the same rules of its time zone: if it \
             was not, pass the time zone database that it names by --tzdb. A receipt that names calendars needs the files with \
             the same dates: --calendar FILE."
                .to_string()
        },
        exit_codes: "0 it agrees; 1 it differs; 2 not a receipt, or bad arguments",
    };

    fn save(&self) -> Save<'_> {
        Save::Never
    }

    fn judges(&self) -> bool {
        true
    }

    fn run(&self, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
        run(self, session)
    }
}

fn run(args: &VerifyArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let mut paths = args.files.all();
    if paths.is_empty() {
        paths.push(PathBuf::from("-"));
    }
    let sources = read_all(&paths, session)?;
    let (database, calendars) = (session.tz_database()?, session.calendars.clone());
    let mut status = ExitStatus::Success;
    for source in &sources {
        let (receipt, verification) = verified(source, &database, &calendars)?;
        // One receipt needs no name.
        let file = source.file.as_deref().filter(|_| sources.len() > 1);
        let file = file.map(|file| format!("{file}: ")).unwrap_or_default();
        if verification.agrees() {
            writeln!(session.out, "{file}agrees")?;
            let not_proven = verification.not_proven.join(", ");
            session.report(&Diagnostic::note(format!("not proven by this receipt: {not_proven}")));
        } else {
            if !file.is_empty() {
                writeln!(session.out, "{file}differs")?;
            }
            differences(&verification, &mut session.out)?;
            status = ExitStatus::Failure;
        }
        if let Some(note) = note_on_rules(&receipt, &verification.zone_rules) {
            session.report(&note);
        }
    }
    Ok(status)
}

/// The receipt of a text, and its decision computed again.
fn verified(
    source: &Source,
    database: &TzDatabase,
    calendars: &Calendars,
) -> Result<(Receipt, Verification), Stop> {
    let result = Receipt::from_json(&source.text)
        .and_then(|receipt| receipt.verify(database, calendars).map(|verification| (receipt, verification)));
    result.map_err(|error| {
        let found = source.problem(&error);
        if source.text.trim_start().starts_with('[') {
            let found = Diagnostic { message: "this is an array, not a receipt".to_string(), ..found };
            found.help("pass one receipt; `kron explain -o json` with --nominal prints one").into()
        } else if found.code == Some(FindingCode::from(ErrorCode::ManifestSyntax)) {
            let message = format!("this is not a receipt: {}", found.message);
            Diagnostic { message, ..found }.help("pass a receipt; `kron explain -o json` prints one").into()
        } else {
            found.into()
        }
    })
}

/// The fields that differ, as a table.
fn differences(verification: &Verification, out: &mut dyn Write) -> io::Result<()> {
    let headings = ["FIELD", "RECEIPT", "COMPUTED"];
    let rows = verification
        .differences
        .iter()
        .map(|it| [&it.field, &it.receipt, &it.computed].map(|cell| printable(cell)));
    let rows: Vec<[String; 3]> = rows.collect();
    let table = rows
        .iter()
        .fold(Table::new(headings), |table, [field, receipt, _]| table.fit(0, field).fit(1, receipt));
    table.row(out, headings)?;
    for row in &rows {
        table.row(out, row.each_ref().map(String::as_str))?;
    }
    Ok(())
}

/// A note on time zone databases, if the receipt names another one.
fn note_on_rules(receipt: &Receipt, rules: &ZoneRules) -> Option<Diagnostic> {
    let (message, help) = match rules {
        ZoneRules::OtherRelease { receipt, computed } => (
            format!(
                "the receipt names time zone database {receipt}, and this is {computed}; the zone has the same rules in both"
            ),
            None,
        ),
        // Known only if the compiled-in database has the receipt's rules.
        ZoneRules::Different { first_difference: Some(first) } => (
            format!("the zone's rules differ from those of the receipt, first at {}", time::utc(*first)),
            Some(
                "the compiled-in time zone database has the receipt's rules; use `--tzdb compiled-in`"
                    .to_string(),
            ),
        ),
        ZoneRules::Different { .. } => (
            "the zone's rules differ from those of the receipt".to_string(),
            Some(match receipt.tzdb_version() {
                Some(version) => {
                    format!("use `--tzdb DIR` with time zone database {version}, which the receipt names")
                }
                None => {
                    "use `--tzdb DIR` with the time zone database that the receipt was made with".to_string()
                }
            }),
        ),
        ZoneRules::Same => return None,
    };
    let note = Diagnostic::note(printable(&message));
    Some(Diagnostic { help: help.map(|help| printable(&help)), ..note })
}
