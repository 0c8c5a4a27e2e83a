//! What is there already at each time: load, price or carbon, as CSV or as Prometheus answers.
//!
//! CSV has rows `time,value`, ascending. Times are instants in RFC 3339, or `HH:MM` of each day, or `MON HH:MM` of each week, all of one
//! form. A first row whose time is the word `time` is a heading. JSON is the answer of Prometheus to a range query, with one series.

use kron_core::Finding;
use kron_core::text::json_documents;
use serde_json::Value;

use crate::convert::ConvertFinding;
use crate::error::base as messages;
use crate::limits::BASE_ROWS;

/// The days of a week, as rows name them.
const DAYS: [&str; 7] = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/// Values and the times from which they are there, ascending; at least one.
#[derive(Clone, Debug, PartialEq)]
pub enum BaseRows {
    /// Unix seconds.
    Instants(Vec<(i64, f64)>),
    /// Minutes of each civil day, 0 to 1439.
    OfDay(Vec<(u16, f64)>),
    /// Minutes of each civil week from Monday on, 0 to 10079.
    OfWeek(Vec<(u16, f64)>),
}

/// Reads the rows of a file. Values are finite, and 0 or more.
///
/// # Errors
///
/// What is wrong, with the line where it is one of CSV.
///
/// ```
/// use kron_formats::base::{BaseRows, read_base};
/// assert_eq!(read_base("time,load\n00:00,3\n07:30,0.5\n")?, BaseRows::OfDay(vec![(0, 3.0), (450, 0.5)]));
/// let json = r#"{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"values":[[60,"2"],[120,"1"]]}]}}"#;
/// assert_eq!(read_base(json)?, BaseRows::Instants(vec![(60, 2.0), (120, 1.0)]));
/// let error = read_base("00:00,3\n24:00,1\n").unwrap_err();
/// assert_eq!(error.line, Some(2));
/// # Ok::<(), Box<kron_formats::convert::ConvertFinding>>(())
/// ```
pub fn read_base(text: &str) -> Result<BaseRows, Box<ConvertFinding>> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with(['{', '[']) { of_json(text) } else { of_csv(text) }
}

fn refused(finding: Finding, line: Option<usize>) -> Box<ConvertFinding> {
    Box::new(ConvertFinding::new(0, finding).at(line))
}

/// A time of a row.
enum Time {
    Instant(i64),
    OfDay(u16),
    OfWeek(u16),
}

impl Time {
    fn read(text: &str) -> Option<Time> {
        if let Some(minute) = minute_of_day(text) {
            return Some(Time::OfDay(minute));
        }
        if let Some((day, time)) = text.split_once(' ')
            && let Some(day) = (0..7).zip(DAYS).find(|(_, name)| name.eq_ignore_ascii_case(day))
        {
            return Some(Time::OfWeek(day.0 * 1440 + minute_of_day(time)?));
        }
        let time = chrono::DateTime::parse_from_rfc3339(text).ok()?;
        Some(Time::Instant(time.timestamp()))
    }
}

fn minute_of_day(text: &str) -> Option<u16> {
    let (hour, minute) = text.split_once(':')?;
    let number = |text: &str, below: u16| -> Option<u16> {
        let is_number = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| is_number && *number < below)
    };
    Some(number(hour, 24)? * 60 + number(minute, 60)?)
}

/// A finite number that is not below zero.
fn value_of(text: &str) -> Option<f64> {
    let begins = |c: char| c.is_ascii_digit() || c == '.' || c == '+';
    let value: f64 = text.parse().ok().filter(|_| text.starts_with(begins))?;
    value.is_finite().then_some(value)
}

impl BaseRows {
    /// The rows, if they say how long each value holds: the last instant holds as long as the row before it.
    fn checked(self) -> Result<BaseRows, Box<ConvertFinding>> {
        match &self {
            BaseRows::Instants(rows) if rows.len() < 2 => Err(refused(messages::one_instant(), None)),
            _ => Ok(self),
        }
    }

    /// Adds a row behind the others.
    fn push(&mut self, time: Time, value: f64) -> Result<(), Finding> {
        match (self, time) {
            (BaseRows::Instants(rows), Time::Instant(time)) => push(rows, time, value),
            (BaseRows::OfDay(rows), Time::OfDay(time)) => push(rows, time, value),
            (BaseRows::OfWeek(rows), Time::OfWeek(time)) => push(rows, time, value),
            _ => Err(messages::other_form()),
        }
    }
}

fn push<T: PartialOrd + Copy>(rows: &mut Vec<(T, f64)>, time: T, value: f64) -> Result<(), Finding> {
    if rows.last().is_some_and(|(last, _)| *last >= time) {
        return Err(messages::not_ascending());
    }
    if rows.len() >= BASE_ROWS {
        return Err(messages::too_many());
    }
    rows.push((time, value));
    Ok(())
}

fn of_csv(text: &str) -> Result<BaseRows, Box<ConvertFinding>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(text.as_bytes());
    let mut rows: Option<BaseRows> = None;
    let mut is_first = true;
    for record in reader.records() {
        let record = record.map_err(|error| {
            refused(messages::not_csv(), error.position().and_then(|at| line_of(text, at)))
        })?;
        let line = record.position().and_then(|at| line_of(text, at));
        let mut fields = record.iter();
        let (Some(time), Some(value), None) = (fields.next(), fields.next(), fields.next()) else {
            return Err(refused(messages::not_two_fields(record.len()), line));
        };
        if std::mem::take(&mut is_first) && time == "time" {
            continue;
        }
        let time = Time::read(time).ok_or_else(|| refused(messages::no_time(time), line))?;
        let value = value_of(value).ok_or_else(|| refused(messages::no_value(value), line))?;
        let rows = rows.get_or_insert_with(|| match time {
            Time::Instant(_) => BaseRows::Instants(Vec::new()),
            Time::OfDay(_) => BaseRows::OfDay(Vec::new()),
            Time::OfWeek(_) => BaseRows::OfWeek(Vec::new()),
        });
        rows.push(time, value).map_err(|finding| refused(finding, line))?;
    }
    let rows = rows.ok_or_else(|| refused(messages::no_rows(), None))?;
    rows.checked()
}

/// The line of a row, from 1. The place is before the empty lines above it.
fn line_of(text: &str, at: &csv::Position) -> Option<usize> {
    let rest = text.get(usize::try_from(at.byte()).ok()?..)?;
    let empty = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
    let empty = rest[..empty].matches('\n').count();
    Some(usize::try_from(at.line()).ok()? + empty)
}

fn of_json(text: &str) -> Result<BaseRows, Box<ConvertFinding>> {
    let answers = json_documents(text).map_err(|error| refused(messages::not_json(&error), error.line()))?;
    let [answer] = answers.as_slice() else { return Err(refused(messages::no_matrix(), None)) };
    if let Some(error) = answer.get("error").and_then(Value::as_str) {
        return Err(refused(messages::failed_query(error), None));
    }
    let data = answer.get("data").unwrap_or(&Value::Null);
    let series = data.get("result").and_then(Value::as_array);
    let (Some("matrix"), Some(series)) = (data.get("resultType").and_then(Value::as_str), series) else {
        return Err(refused(messages::no_matrix(), None));
    };
    let series = match series.as_slice() {
        [] => return Err(refused(messages::no_series(), None)),
        [series] => series,
        many => return Err(refused(messages::several_series(many.len()), None)),
    };
    let values = series.get("values").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut rows = BaseRows::Instants(Vec::new());
    for (index, pair) in values.iter().enumerate() {
        let at = |mut finding: Finding| {
            finding.message = format!("data.result[0].values[{index}]: {}", finding.message);
            refused(finding, None)
        };
        let time = pair.get(0).and_then(Value::as_f64).map(f64::floor);
        // OK because numbers of this size are whole seconds.
        let time = time.filter(|time| time.abs() < 1e12).map(|time| time as i64);
        let time = time.ok_or_else(|| at(messages::no_time_of_json(&pair.to_string())))?;
        let text = pair.get(1).unwrap_or(&Value::Null);
        let text = text.as_str().ok_or_else(|| at(messages::no_text(&text.to_string())))?;
        let value = value_of(text).ok_or_else(|| at(messages::no_value(text)))?;
        rows.push(Time::Instant(time), value).map_err(at)?;
    }
    if values.is_empty() {
        return Err(refused(messages::no_series(), None));
    }
    rows.checked()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> String {
        read_base(text).unwrap_err().to_string()
    }

    #[test]
    fn rows_of_each_form() {
        let weeks = read_base("\u{feff}time,price\r\nmon 00:00, 1e2\r\nSUN 23:59,.5\r\n").unwrap();
        assert_eq!(weeks, BaseRows::OfWeek(vec![(0, 100.0), (10_079, 0.5)]));
        let instants = read_base("1970-01-01T01:00:00+01:00,1\n\"1970-01-01T00:00:01Z\",2\n").unwrap();
        assert_eq!(instants, BaseRows::Instants(vec![(0, 1.0), (1, 2.0)]));
    }

    proptest::proptest! {
        /// No text panics, and rows ascend and are no less than 0.
        #[test]
        fn any_text(text in "(time,load\n|[0-9]{2}:[0-9]{2}|MON |,|\n|[0-9.e+-]{1,5}|2026-03-01T00:00:00Z|[\\[\\]{}\":a]|data|values){0,30}") {
            if let Ok(BaseRows::OfDay(rows)) = read_base(&text) {
                proptest::prop_assert!(rows.is_sorted_by(|a, b| a.0 < b.0) && rows.iter().all(|row| row.0 < 1440 && row.1 >= 0.0));
            }
        }
    }

    #[test]
    fn err_each_row_has_its_line() {
        for (text, line, said) in [
            ("time,load\n00:00,1\n00:00,2\n", "line 3: ", "not after the one before"),
            ("00:00,1\nMON 00:00,2\n", "line 2: ", "another form"),
            ("00:00,1,2\n", "line 1: ", "3 fields"),
            ("00:00\n", "line 1: ", "1 field,"),
            ("\n24:00,1\n", "line 2: ", "`24:00` is no time"),
            ("0:00,1\n", "line 1: ", "`0:00` is no time"),
            ("2026-03-01 00:00,1\n", "line 1: ", "is no time"),
            ("00:00,-1\n", "line 1: ", "`-1` is no value"),
            ("00:00,NaN\n", "line 1: ", "`NaN` is no value"),
            ("00:00,inf\n", "line 1: ", "`inf` is no value"),
            ("00:00,1e999\n", "line 1: ", "is no value"),
            ("", "", "there are no rows"),
            ("time,load\n", "", "there are no rows"),
            ("{\n]", "line 2: ", "a key is not in quotes"),
            ("{\"data\":\n", "line 2: ", "the JSON ends too early"),
            ("[1] [2]", "", "no answer to a range query"),
            (r#"{"status":"error","error":"bad query"}"#, "", "bad query"),
            (r#"{"data":{"resultType":"vector","result":[]}}"#, "", "no answer to a range query"),
            (r#"{"data":{"resultType":"matrix","result":[]}}"#, "", "the query found no series"),
            ("[1,2]", "", "no answer to a range query"),
            (r#"{"data":{"resultType":"matrix","result":[{"values":[]}]}}"#, "", "the query found no series"),
            (
                r#"{"data":{"resultType":"matrix","result":[{"values":[[1,"+Inf"]]}]}}"#,
                "",
                "values[0]: `+Inf` is no value",
            ),
            (
                r#"{"data":{"resultType":"matrix","result":[{"values":[[2,"1"],[1,"1"]]}]}}"#,
                "",
                "values[1]: ",
            ),
            (
                r#"{"data":{"resultType":"matrix","result":[{"values":["x"]}]}}"#,
                "",
                "values[0]: `\"x\"` does not begin with a time",
            ),
            (
                r#"{"data":{"resultType":"matrix","result":[{"values":[[1,5]]}]}}"#,
                "",
                "values[0]: the value `5` is not in quotes",
            ),
        ] {
            let found = wrong(text);
            assert!(found.starts_with(line) && found.contains(said), "{text}: {found}");
        }
    }
}
