//! Types, enums, lengths, counts, bounds, patterns and formats.

use chrono::NaiveDate;
use serde_json::Value;

use crate::correlation::Correlation;
use crate::error::{ErrorKind, FieldError, quote};
use crate::node::{Format, Node, Type, child};

/// Checks a value and all below it. What is as it was in the old object is not held against the new one.
pub(crate) fn check(
    node: &Node,
    value: &Value,
    old: Correlation<'_>,
    path: &str,
    errors: &mut Vec<FieldError>,
) {
    let before = errors.len();
    check_one(node, value, path, errors);
    match value {
        Value::Object(map) if matches!(node.kind, Type::Object | Type::Any) => {
            for name in node.required.iter().filter(|name| !map.contains_key(*name)) {
                errors.push(FieldError::new(ErrorKind::Required, child(path, name), None, ""));
            }
            for (name, value) in map {
                if let Some(below) = node.properties.get(name).or(node.additional.as_deref()) {
                    check(below, value, old.field(node, name), &child(path, name), errors);
                }
            }
        }
        Value::Array(items) if node.kind == Type::Array => {
            for (i, item) in items.iter().enumerate() {
                if let Some(below) = node.items.as_deref() {
                    check(below, item, old.item(node, item), &format!("{path}[{i}]"), errors);
                }
            }
        }
        _ => {}
    }
    if errors.len() > before && old.is(value) {
        errors.truncate(before);
    }
}

fn check_one(node: &Node, value: &Value, path: &str, errors: &mut Vec<FieldError>) {
    if let Some((want, found)) = type_error(node, value) {
        let detail = format!("{path} in body must be of type {want}: {}", quote(found));
        errors.push(FieldError::new(ErrorKind::TypeInvalid, path, Some(found.into()), detail));
    }
    if value.is_null() {
        return;
    }
    if !node.values.is_empty() && !node.values.contains(value) {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let known: Vec<String> = node.values.iter().map(text).collect();
        errors.push(FieldError::not_supported(path, value.clone(), known.iter().map(String::as_str)));
    }
    let mut push =
        |kind, value: Value, detail: String| errors.push(FieldError::new(kind, path, Some(value), detail));
    match value {
        Value::String(text) if node.kind == Type::String => check_text(node, text, path, errors),
        Value::Number(_) => check_number(node, value, path, errors),
        Value::Array(items) => {
            let found = items.len();
            if let Some(min) = node.item_count.min.filter(|min| (found as u64) < *min) {
                push(
                    ErrorKind::Invalid,
                    found.into(),
                    format!("{path} in body should have at least {min} items"),
                );
            }
            if let Some(max) = node.item_count.max.filter(|max| found as u64 > *max) {
                push(ErrorKind::TooMany, found.into(), format!("must have at most {max} items"));
            }
        }
        Value::Object(map) => {
            let found = map.len();
            if let Some(min) = node.property_count.min.filter(|min| (found as u64) < *min) {
                push(
                    ErrorKind::Invalid,
                    found.into(),
                    format!("{path} in body should have at least {min} properties"),
                );
            }
            if let Some(max) = node.property_count.max.filter(|max| found as u64 > *max) {
                push(ErrorKind::TooMany, found.into(), format!("must have at most {max} items"));
            }
        }
        _ => {}
    }
}

/// The type that a value should have and the one that it has, as a server names them. A number where there is a format
/// is named by formats.
fn type_error(node: &Node, value: &Value) -> Option<(&'static str, &'static str)> {
    let (fits, found, found_format) = match value {
        Value::Null => (node.nullable, "null", "null"),
        Value::Bool(_) => (node.kind == Type::Boolean, "boolean", ""),
        Value::String(_) => (node.kind == Type::String, "string", ""),
        Value::Array(_) => (node.kind == Type::Array, "array", ""),
        Value::Object(_) => (node.kind == Type::Object, "object", ""),
        Value::Number(number) if number.is_f64() => {
            let whole = number.as_f64().is_some_and(|number| number.fract() == 0.0);
            (node.kind == Type::Number || (node.kind == Type::Integer && whole), "number", "float64")
        }
        Value::Number(_) => (matches!(node.kind, Type::Number | Type::Integer), "integer", "int64"),
    };
    if fits || node.kind == Type::Any {
        return None;
    }
    let by_format = !matches!(value, Value::Null | Value::String(_) | Value::Array(_));
    match node.format.filter(|_| by_format) {
        Some(format) => Some((format.as_str(), found_format)),
        None => Some((node.kind.as_str(), found)),
    }
}

/// A server stops at the first of these.
fn check_text(node: &Node, text: &str, path: &str, errors: &mut Vec<FieldError>) {
    let mut push =
        |kind, value: Option<Value>, detail| errors.push(FieldError::new(kind, path, value, detail));
    let shown = Some(Value::from(text));
    if node.format == Some(Format::DateTime) && !is_date_time(text) {
        let detail = format!("{path} in body must be of type date-time: {}", quote(text));
        push(ErrorKind::TypeInvalid, shown.clone(), detail);
    }
    let found = text.chars().count() as u64;
    if let Some(max) = node.length.max.filter(|max| found > *max) {
        push(ErrorKind::TooLong, None, format!("may not be more than {max} bytes"));
    } else if let Some(min) = node.length.min.filter(|min| found < *min) {
        push(ErrorKind::Invalid, shown, format!("{path} in body should be at least {min} chars long"));
    } else if let Some((pattern, _)) = node.pattern.as_ref().filter(|(_, regex)| !regex.is_match(text)) {
        push(ErrorKind::Invalid, shown, format!("{path} in body should match '{pattern}'"));
    }
}

fn check_number(node: &Node, value: &Value, path: &str, errors: &mut Vec<FieldError>) {
    if !matches!(node.kind, Type::Integer | Type::Number) {
        return;
    }
    let range = match node.format {
        Some(Format::Int32) => i64::from(i32::MIN)..=i64::from(i32::MAX),
        _ => i64::MIN..=i64::MAX,
    };
    let whole = value.as_i64().or_else(|| value.as_f64().filter(|n| n.fract() == 0.0).map(|n| n as i64));
    if node.kind == Type::Integer && !whole.is_some_and(|number| range.contains(&number)) {
        let format =
            node.format.map(|format| format!(" with format {}", format.as_str())).unwrap_or_default();
        let detail = format!("Checked value must be of type integer{format} in {path}");
        errors.push(FieldError::new(ErrorKind::Invalid, "", Some("".into()), detail));
    }
    let Some(number) = value.as_f64() else { return };
    let mut push =
        |detail| errors.push(FieldError::new(ErrorKind::Invalid, path, Some(value.clone()), detail));
    if let Some(min) = node.minimum.filter(|min| number < *min) {
        push(format!("{path} in body should be greater than or equal to {min}"));
    }
    if let Some(max) = node.maximum.filter(|max| number > *max) {
        push(format!("{path} in body should be less than or equal to {max}"));
    }
}

/// Whether a text is a date and time as a server's formats have them: a day that exists, `t`, a time of day without leap
/// second, a fraction after any character, and `z` or an offset.
fn is_date_time(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut parts = text.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    let day = date.len() == 10
        && date
            .bytes()
            .enumerate()
            .all(|(i, c)| if i == 4 || i == 7 { c == b'-' } else { c.is_ascii_digit() })
        && NaiveDate::parse_from_str(date, "%Y-%m-%d").is_ok();
    let clock = crate::cel::compile_regex(
        r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$",
    );
    day && clock.is_ok_and(|clock| clock.is_match(time))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times() {
        for good in ["2026-03-01T00:00:00Z", "2024-02-29t23:59:59.5+01:00", "2026-03-01T00:00:00z"] {
            assert!(is_date_time(good), "{good}");
        }
        for bad in [
            "",
            "Z",
            "now",
            "2026-02-29T00:00:00Z",
            "2026-03-01",
            "2026-03-01T24:00:00Z",
            "2026-03-01T00:00:60Z",
            "2026-03-01 00:00:00Z",
            "2026-3-01T00:00:00Z",
            "2026-03-01T00:00Z",
            "20260301T000000Z",
            "2026-03-01T00:00:00",
        ] {
            assert!(!is_date_time(bad), "{bad}");
        }
    }
}
