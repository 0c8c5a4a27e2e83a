//! JSON arrays and lines, written item by item.

use std::io::{self, Write};

use serde::Serialize;

/// One array, an item a line.
#[derive(Debug, Default)]
pub(crate) struct Array {
    begun: bool,
}

impl Array {
    pub(crate) fn item(&mut self, out: &mut dyn Write, item: &impl Serialize) -> io::Result<()> {
        out.write_all(if self.begun { b",\n  " } else { b"[\n  " })?;
        self.begun = true;
        Ok(serde_json::to_writer(out, item)?)
    }

    pub(crate) fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.begun { b"\n]\n" } else { b"[]\n" })
    }
}

/// An item on a separate line.
pub(crate) fn line(out: &mut dyn Write, item: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, item)?;
    out.write_all(b"\n")
}
