//! A forecast as CSV.

use std::io::{self, Write};

use super::{Report, VALUES};
use crate::output::{csv, time};

/// A row for each bucket.
pub(crate) fn write(out: &mut dyn Write, report: &Report<'_>) -> io::Result<()> {
    let mut headings = vec!["time", "starts", "running", "load"];
    if report.cron.is_some() {
        headings.extend(["cronStarts", "cronRunning", "cronLoad"]);
    }
    if report.base.is_some() {
        headings.push("base");
    }
    csv::row(out, &headings)?;
    let forecast = report.kron.forecast;
    for (index, bucket) in forecast.buckets().iter().enumerate() {
        let mut row = vec![time::utc_of(forecast.range().bucket(index).0)];
        let cron = report.cron.as_ref().map(|side| &side.forecast.buckets()[index]);
        for bucket in std::iter::once(bucket).chain(cron) {
            row.extend(VALUES.map(|(_, of)| of(bucket).to_string()));
        }
        row.extend(report.base.map(|base| base.get(index).copied().unwrap_or(0).to_string()));
        csv::row(out, &row)?;
    }
    Ok(())
}
