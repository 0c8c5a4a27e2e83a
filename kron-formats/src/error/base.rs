//! The messages about files of a base. The caller adds the line.

use kron_core::error::FindingCode;
use kron_core::{Error, Finding, Severity};

use super::convert::shown;
use crate::limits::BASE_ROWS;

const AS_IT_IS: &str = "save the answer of Prometheus as it is";
const FORMS: &str = "write rows such as `07:30,12`, `MON 07:30,12` or `2026-03-01T07:30:00Z,12`";

fn refusal(message: String) -> Finding {
    Finding::new(Severity::Error, FindingCode::new("base"), message)
}

pub(crate) fn not_csv() -> Finding {
    refusal("the row is no CSV".to_string()).with_help(FORMS)
}

pub(crate) fn not_two_fields(count: usize) -> Finding {
    let plural = if count == 1 { "" } else { "s" };
    refusal(format!("the row has {count} field{plural}, and a time and a value are two")).with_help(FORMS)
}

pub(crate) fn no_time(text: &str) -> Finding {
    refusal(format!("`{}` is no time", shown(text))).with_help(FORMS)
}

pub(crate) fn no_value(text: &str) -> Finding {
    refusal(format!("`{}` is no value: a decimal number from 0 on", shown(text)))
        .with_help("leave the row out, or raise all values by as much that none is below 0")
}

pub(crate) fn other_form() -> Finding {
    refusal("the time has another form than that of the first row".to_string())
        .with_help("write instants, times of a day or times of a week, and one of these alone")
}

pub(crate) fn not_ascending() -> Finding {
    refusal("the time is not after the one before".to_string()).with_help("sort the rows, each time once")
}

pub(crate) fn too_many() -> Finding {
    refusal(format!("there are more than {BASE_ROWS} rows")).with_help("choose a longer step")
}

pub(crate) fn no_rows() -> Finding {
    refusal("there are no rows".to_string()).with_help(FORMS)
}

pub(crate) fn one_instant() -> Finding {
    refusal("there is one instant, which does not say for how long its value holds".to_string())
        .with_help("add a row with the time at which it ends")
}

pub(crate) fn not_json(error: &Error) -> Finding {
    refusal(error.reason()).with_help(AS_IT_IS)
}

pub(crate) fn failed_query(error: &str) -> Finding {
    refusal(format!("the query failed: {}", shown(error))).with_help("correct the query")
}

pub(crate) fn no_matrix() -> Finding {
    refusal("this is no answer to a range query of Prometheus".to_string())
        .with_help("ask `/api/v1/query_range`, whose answers have the type `matrix`")
}

pub(crate) fn no_time_of_json(text: &str) -> Finding {
    refusal(format!("`{}` does not begin with a time in seconds", shown(text))).with_help(AS_IT_IS)
}

/// What stands for the value is no text.
pub(crate) fn no_text(text: &str) -> Finding {
    refusal(format!("the value `{}` is not in quotes", shown(text))).with_help(AS_IT_IS)
}

pub(crate) fn no_series() -> Finding {
    refusal("the query found no series".to_string()).with_help("correct its labels or its range")
}

pub(crate) fn several_series(count: usize) -> Finding {
    refusal(format!("the answer has {count} series, and one is read")).with_help("add them up by `sum(...)`")
}
