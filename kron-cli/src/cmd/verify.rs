//! `kron verify`: computes a receipt's decision again.

use std::io::Write as _;
use std::path::Path;

use kron_core::{Receipt, TzDatabase};

use crate::args::VerifyArgs;
use crate::input::read_file;
use crate::output::diagnostic::Diagnostic;
use crate::output::table::{Table, printable};
use crate::session::{Session, Stop};
use crate::{BAD_INPUT, FINE, FOUND};

pub(crate) fn run(args: &VerifyArgs, session: &mut Session<'_>) -> Result<u8, Stop> {
    let path = args.file.as_deref().unwrap_or(Path::new("-"));
    let source = read_file(path, session).map_err(|diagnostic| session.fail(&diagnostic, BAD_INPUT))?;
    let result =
        Receipt::from_json(source.as_ref()).and_then(|receipt| receipt.verify(&TzDatabase::COMPILED_IN));
    let verification = result.map_err(|error| {
        let mut diagnostic = Diagnostic::of_error(&error);
        diagnostic.file.clone_from(&source.file);
        session.fail(&diagnostic, BAD_INPUT)
    })?;

    let out = &mut session.out;
    if verification.agrees() {
        out.write_all(b"agrees\n")?;
        return Ok(FINE);
    }
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
    Ok(FOUND)
}
