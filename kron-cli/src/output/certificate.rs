//! Certificates of `kron spread`: everything from which a program that is not Kron can check a peak and its lower bound.

use std::io::{self, Write};

use kron_core::{ForecastRange, PeakBound};
use serde_json::json;

use super::time;

/// The name of the format.
const FORMAT: &str = "kron-spread/1";

/// What a certificate says.
#[derive(Debug)]
pub(crate) struct Certificate<'a> {
    pub(crate) range: &'a ForecastRange,
    /// The version of the time zone database, if it is known.
    pub(crate) tzdb: Option<&'a str>,
    pub(crate) peak: u64,
    pub(crate) bound: &'a PeakBound,
    /// The job file with which the peak was counted.
    pub(crate) file: &'a str,
}

/// One object, with the line of each job on a line of its own.
pub(crate) fn json(out: &mut dyn Write, certificate: &Certificate<'_>) -> io::Result<()> {
    let Certificate { range, tzdb, peak, bound, file } = certificate;
    let weights = bound.weights.iter().map(|run| json!([run.first, run.last, run.weight]));
    let head = json!({
        "certificate": FORMAT,
        "from": time::utc_of(range.from_timestamp()),
        "until": time::utc_of(range.to_timestamp()),
        "perSeconds": range.per_seconds(),
        "tzdb": tzdb,
        "peak": peak,
        "bound": bound.peak,
        "weights": weights.collect::<Vec<_>>(),
    });
    let head = serde_json::to_string(&head)?;
    write!(out, "{},\n\"jobs\":[", head.trim_end_matches('}'))?;
    let lines = file.lines().map(|line| line.trim_matches([' ', '\t']));
    for (index, line) in lines.filter(|line| !line.is_empty() && !line.starts_with('#')).enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, line)?;
    }
    out.write_all(b"\n]}\n")?;
    out.flush()
}
