//! `kron verify`: computes a receipt's decision again, with the rules of the time zone database in use.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use kron_core::{ErrorCode, FindingCode, Receipt, Verification, ZoneRules};

use crate::exit_status::ExitStatus;
use crate::input::read_file;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::{Table, printable};
use crate::output::time;
use crate::session::{Session, Stop};

/// Compute a receipt's decision again
///
/// Reads what `kron explain -o json` printed, computes the decision again and prints `agrees`, or what
/// differs. The receipt must have been made with the same rules of its time zone; if it was not, pass
/// the time zone database that the receipt names with --tzdb. A receipt that names calendars needs
/// the files that have them, with the same dates: --calendar FILE.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_long_help = "\
Example:
  kron explain '0 1 * * * @win(after,3h)' --name db/backup -o json | kron verify

Exit codes: 0 agrees; 1 differs; 2 not a receipt, or bad arguments"
)]
pub(crate) struct VerifyArgs {
    /// The receipt; default: standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
}

pub(crate) fn run(args: &VerifyArgs, session: &mut Session<'_>) -> Result<ExitStatus, Stop> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let source =
        read_file(path, session).map_err(|diagnostic| session.fail(&diagnostic, ExitStatus::Error))?;
    let (database, calendars) = (session.tz_database()?, session.calendars.clone());
    let result = Receipt::from_json(&source.text).and_then(|receipt| {
        receipt.verify(&database, &calendars).map(|verification| (receipt, verification))
    });
    let (receipt, verification) = result.map_err(|error| {
        let mut diagnostic = Diagnostic::of_error(&error);
        diagnostic.file.clone_from(&source.file);
        if source.text.trim_start().starts_with('[') {
            diagnostic.message = "this is an array, not a receipt".to_string();
            diagnostic.help =
                Some("pass one receipt; `kron explain -o json` with --nominal prints one".to_string());
        } else if diagnostic.code == Some(FindingCode::Error(ErrorCode::ManifestSyntax)) {
            diagnostic.help = Some("pass a receipt; `kron explain -o json` prints one".to_string());
        }
        session.fail(&diagnostic, ExitStatus::Error)
    })?;

    let code = if verification.agrees() {
        session.out.write_all(b"agrees\n")?;
        ExitStatus::Success
    } else {
        differences(&verification, &mut session.out)?;
        ExitStatus::Failure
    };
    if verification.agrees() {
        let not_proven = verification.not_proven.join(", ");
        session.report(&Diagnostic::note(format!("not proven by this receipt: {not_proven}")));
    }
    if let Some(note) = note_on_rules(&receipt, &verification.zone_rules) {
        session.report(&note);
    }
    Ok(code)
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
    let mut note = Diagnostic::note(printable(&message));
    note.help = help.map(|help| printable(&help));
    Some(note)
}
