//! Comma-separated values (RFC 4180, lines end with a line feed). Decisions have the names of columns that JSON uses.

use std::io::{self, Write};

use csv::WriterBuilder;
use kron_core::Decision;
use serde::Serialize;

/// Writes the names of the columns. They are those of any decision, so an empty list has them too.
pub(crate) fn heading(out: &mut dyn Write) -> io::Result<()> {
    let lines = record(true, &Decision::of_period("", 0, (0, 0), None))?;
    out.write_all(lines.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default())
}

/// Writes one row.
pub(crate) fn row(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    out.write_all(&record(false, row)?)
}

/// One row, apart from the stream: errors of the stream keep their kind only if csv does not wrap them.
fn record(heading: bool, row: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut writer =
        WriterBuilder::new().has_headers(heading).buffer_capacity(1 << 10).from_writer(Vec::new());
    writer.serialize(row)?;
    writer.into_inner().map_err(|error| error.into_error())
}
