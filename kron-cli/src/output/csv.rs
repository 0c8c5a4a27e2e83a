//! Decisions as comma-separated values (RFC 4180, lines end with a line feed), under the names that JSON uses.

use std::io::{self, Write};

use csv::WriterBuilder;
use kron_core::Decision;

/// Writes the names of the columns. They are those of any decision, so they stand above an empty list too.
pub(crate) fn heading(out: &mut dyn Write) -> io::Result<()> {
    let lines = record(true, &Decision::of_period("", 0, (0, 0), None))?;
    out.write_all(lines.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default())
}

/// Writes one decision.
pub(crate) fn row(out: &mut dyn Write, decision: &Decision<'_>) -> io::Result<()> {
    out.write_all(&record(false, decision)?)
}

/// One decision, apart from the stream: errors of the stream keep their kind only if csv does not wrap them.
fn record(heading: bool, decision: &Decision<'_>) -> io::Result<Vec<u8>> {
    let mut writer =
        WriterBuilder::new().has_headers(heading).buffer_capacity(1 << 10).from_writer(Vec::new());
    writer.serialize(decision)?;
    writer.into_inner().map_err(|error| error.into_error())
}
