//! Comma-separated values (RFC 4180, lines end with a line feed). Columns have the names that JSON uses.

use std::io::{self, Write};

use csv::WriterBuilder;
use kron_core::Decision;
use serde::Serialize;
use serde_json::Value;

/// The columns of a decision: the fields of its object in JSON.
pub(crate) const COLUMNS: [&str; 12] = [
    "name",
    "algorithm",
    "periodId",
    "periodKey",
    "nominalTime",
    "windowStart",
    "windowEnd",
    "chosenTime",
    "seedInput",
    "seedHash",
    "draws",
    "unschedulable",
];
/// The columns that depend on the name of the job even without a window.
pub(crate) const SEED_COLUMNS: [&str; 2] = ["seedInput", "seedHash"];
/// The default columns. Their values have no line feeds, unless a name has one.
pub(crate) const DEFAULT_COLUMNS: [&str; 6] =
    ["name", "nominalTime", "windowStart", "windowEnd", "chosenTime", "unschedulable"];

/// The values of these columns of a decision.
pub(crate) fn cells(decision: &Decision<'_>, columns: &[String]) -> io::Result<Vec<String>> {
    let object = serde_json::to_value(decision)?;
    let cell = |column: &String| match &object[column.as_str()] {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok(columns.iter().map(cell).collect())
}

/// Writes one row.
pub(crate) fn row(out: &mut dyn Write, row: &impl Serialize) -> io::Result<()> {
    out.write_all(&record(row)?)
}

/// One row, built before it is written to the stream: errors of the stream keep their kind only if csv does not wrap them.
fn record(row: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut writer = WriterBuilder::new().has_headers(false).buffer_capacity(1 << 10).from_writer(Vec::new());
    writer.serialize(row)?;
    writer.into_inner().map_err(|error| error.into_error())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_decision_is_a_column() {
        let job = kron_core::Job::parse("a", "@daily").expect("a job");
        let Ok(Value::Object(fields)) = serde_json::to_value(job.decide(0).expect("a nominal time")) else {
            panic!("a decision is an object");
        };
        let mut names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let mut columns = COLUMNS.to_vec();
        names.sort_unstable();
        columns.sort_unstable();
        assert_eq!(names, columns);
        assert!(DEFAULT_COLUMNS.iter().all(|column| COLUMNS.contains(column)));
    }
}
