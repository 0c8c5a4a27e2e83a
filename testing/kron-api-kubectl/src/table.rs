//! Tables: what `kubectl get` prints.

use chrono::{DateTime, TimeDelta, Utc};
use http::request::Parts;
use http::{Method, header};
use kron_api_model::Server;
use serde_json::{Value, json};

use crate::definition::definition;

/// A column: its name, its type, whether only wide output has it, and where its cells come from.
struct Column {
    name: String,
    kind: String,
    description: String,
    priority: i64,
    cell: Cell,
}

enum Cell {
    /// By the JSONPath of a definition.
    Path(String),
    Computed(fn(&Value, DateTime<Utc>) -> Value),
}

impl Column {
    fn computed(name: &str, cell: fn(&Value, DateTime<Utc>) -> Value) -> Column {
        let (name, kind, description) = (name.to_owned(), "string".to_owned(), String::new());
        Column { name, kind, description, priority: 0, cell: Cell::Computed(cell) }
    }
}

/// Whether a request wants a table of objects before anything else.
pub(crate) fn is_wanted(head: &Parts) -> bool {
    let accept = head.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    let first = accept.split(',').next().unwrap_or_default();
    let watches = head.uri.query().is_some_and(|query| query.split('&').any(|part| part == "watch=true"));
    head.method == Method::GET && !watches && first.contains("as=Table") && first.contains("v=v1;")
}

/// Makes a table of an answer that has one object or a list of them.
pub(crate) fn table(server: &Server, answer: &Value) -> Value {
    let now = server.now();
    let one = std::slice::from_ref(answer);
    let (objects, metadata) = match answer.get("items").and_then(Value::as_array) {
        Some(items) => (items.as_slice(), answer["metadata"].clone()),
        None => (one, json!({"resourceVersion": answer["metadata"]["resourceVersion"]})),
    };
    let columns = columns(server, answer);
    let rows: Vec<Value> = objects.iter().map(|object| row(&columns, object, now)).collect();
    let heads: Vec<Value> = columns
        .iter()
        .map(|column| {
            let format = if column.name == "Name" { "name" } else { "" };
            json!({"name": column.name, "type": column.kind, "format": format,
                "description": column.description, "priority": column.priority})
        })
        .collect();
    json!({"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": metadata,
        "columnDefinitions": heads, "rows": rows})
}

fn row(columns: &[Column], object: &Value, now: DateTime<Utc>) -> Value {
    let cells: Vec<Value> = columns
        .iter()
        .map(|column| match &column.cell {
            Cell::Computed(cell) => cell(object, now),
            Cell::Path(path) => {
                find(object, path).first().map(|found| printed(found, &column.kind, now)).unwrap_or_default()
            }
        })
        .collect();
    let shown = json!({"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": object["metadata"]});
    json!({"cells": cells, "object": shown})
}

fn columns(server: &Server, answer: &Value) -> Vec<Column> {
    let mut columns = vec![Column::computed("Name", |object, _| object["metadata"]["name"].clone())];
    let age = || Column::computed("Age", |object, now| age(&object["metadata"]["creationTimestamp"], now));
    let text = |key: &str| answer[key].as_str().unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    let kind = kind.strip_suffix("List").unwrap_or(kind);
    match (api_version, kind) {
        ("batch/v1", "Job") => {
            columns.push(Column::computed("Status", |job, _| job_status(job).into()));
            columns.push(Column::computed("Completions", |job, _| completions(job).into()));
            columns.push(Column::computed("Duration", duration));
        }
        ("v1", "Namespace") => {
            columns.push(Column::computed("Status", |object, _| object["status"]["phase"].clone()));
        }
        _ => {
            let defined = definition(server, api_version, kind).map(|of| defined(&of, api_version));
            if let Some(defined) = defined.filter(|defined| !defined.is_empty()) {
                columns.extend(defined);
                return columns;
            }
        }
    }
    columns.push(age());
    columns
}

/// The columns of the definition of a custom resource.
fn defined(definition: &Value, api_version: &str) -> Vec<Column> {
    let (_, version) = api_version.split_once('/').unwrap_or_default();
    let versions = list(&definition["spec"]["versions"]);
    let version = versions.iter().find(|of| of["name"] == version).unwrap_or(&Value::Null);
    list(&version["additionalPrinterColumns"])
        .iter()
        .map(|column| {
            let text = |key: &str| column[key].as_str().unwrap_or_default().to_owned();
            Column {
                name: text("name"),
                kind: text("type"),
                description: text("description"),
                priority: column["priority"].as_i64().unwrap_or(0),
                cell: Cell::Path(text("jsonPath")),
            }
        })
        .collect()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// The values at a JSONPath of fields, indices, `[*]` and `[?(@.field=="text")]`; none for other paths.
fn find<'a>(object: &'a Value, path: &str) -> Vec<&'a Value> {
    let (mut found, mut rest) = (vec![object], path);
    while !rest.is_empty() {
        if let Some(filter) = rest.strip_prefix("[?(@.") {
            let Some((condition, after)) = filter.split_once(")]") else { return Vec::new() };
            let Some((key, text)) = condition.split_once("==") else { return Vec::new() };
            let text = text.trim().trim_matches(['"', '\'']);
            found = elements(found).filter(|element| element[key.trim()] == text).collect();
            rest = after;
        } else if let Some(index) = rest.strip_prefix('[') {
            let Some((index, after)) = index.split_once(']') else { return Vec::new() };
            found = match index.parse::<usize>() {
                Ok(index) => found.into_iter().filter_map(|value| value.get(index)).collect(),
                Err(_) if index == "*" => elements(found).collect(),
                Err(_) => return Vec::new(),
            };
            rest = after;
        } else {
            let Some(field) = rest.strip_prefix('.') else { return Vec::new() };
            let end = field.find(['.', '[']).unwrap_or(field.len());
            found = found.into_iter().filter_map(|value| value.get(&field[..end])).collect();
            rest = &field[end..];
        }
    }
    found
}

fn elements(lists: Vec<&Value>) -> impl Iterator<Item = &Value> {
    lists.into_iter().filter_map(Value::as_array).flatten()
}

/// A value in a column of a type.
fn printed(value: &Value, kind: &str, now: DateTime<Utc>) -> Value {
    match (kind, value) {
        ("date", value) => age(value, now),
        ("string", Value::String(_)) => value.clone(),
        ("string", value) => value.to_string().into(),
        ("integer", Value::Number(_)) | ("number", Value::Number(_)) | ("boolean", Value::Bool(_)) => {
            value.clone()
        }
        _ => Value::Null,
    }
}

fn time(value: &Value) -> Option<DateTime<Utc>> {
    value.as_str()?.parse().ok()
}

fn age(since: &Value, now: DateTime<Utc>) -> Value {
    time(since).map_or_else(|| "<unknown>".into(), |since| human(now - since).into())
}

fn job_status(job: &Value) -> &'static str {
    let has = |kind: &str| {
        list(&job["status"]["conditions"]).iter().any(|c| c["type"] == kind && c["status"] == "True")
    };
    match () {
        () if has("Complete") => "Complete",
        () if has("Failed") => "Failed",
        () if !job["metadata"]["deletionTimestamp"].is_null() => "Terminating",
        () if has("Suspended") => "Suspended",
        () if has("FailureTarget") => "FailureTarget",
        () if has("SuccessCriteriaMet") => "SuccessCriteriaMet",
        () => "Running",
    }
}

fn completions(job: &Value) -> String {
    let succeeded = job["status"]["succeeded"].as_i64().unwrap_or(0);
    match (job["spec"]["completions"].as_i64(), job["spec"]["parallelism"].as_i64()) {
        (Some(wanted), _) => format!("{succeeded}/{wanted}"),
        (None, Some(parallel)) if parallel > 1 => format!("{succeeded}/1 of {parallel}"),
        (None, _) => format!("{succeeded}/1"),
    }
}

fn duration(job: &Value, now: DateTime<Utc>) -> Value {
    let Some(start) = time(&job["status"]["startTime"]) else { return "".into() };
    human(time(&job["status"]["completionTime"]).unwrap_or(now) - start).into()
}

/// A span of time as servers print it: two units where the larger one says little.
fn human(span: TimeDelta) -> String {
    let two = |large: i64, unit: &str, small: i64, lesser: &str| match small {
        0 => format!("{large}{unit}"),
        small => format!("{large}{unit}{small}{lesser}"),
    };
    let (seconds, minutes, hours) = (span.num_seconds(), span.num_minutes(), span.num_hours());
    match () {
        () if seconds < -1 => "<invalid>".into(),
        () if seconds < 0 => "0s".into(),
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 10 => two(minutes, "m", seconds % 60, "s"),
        () if minutes < 180 => format!("{minutes}m"),
        () if hours < 8 => two(hours, "h", minutes % 60, "m"),
        () if hours < 48 => format!("{hours}h"),
        () if hours < 24 * 8 => two(hours / 24, "d", hours % 24, "h"),
        () if hours < 24 * 365 * 2 => format!("{}d", hours / 24),
        () if hours < 24 * 365 * 8 => two(hours / 24 / 365, "y", hours / 24 % 365, "d"),
        () => format!("{}y", hours / 24 / 365),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values are those of the tests of `HumanDuration` in k8s.io/apimachinery.
    #[test]
    fn spans_are_printed_as_servers_print_them() {
        let (minute, hour, day) = (60, 3600, 86_400);
        for (seconds, wanted) in [
            (1, "1s"),
            (70, "70s"),
            (190, "3m10s"),
            (10 * minute + 1, "10m"),
            (47 * minute, "47m"),
            (3 * hour + 5 * minute, "3h5m"),
            (3 * hour, "3h"),
            (9 * hour, "9h"),
            (10 * hour + 1, "10h"),
            (47 * hour, "47h"),
            (2 * day, "2d"),
            (3 * day + 2 * hour, "3d2h"),
            (8 * day, "8d"),
            (364 * day, "364d"),
            (2 * 365 * day + 25 * day, "2y25d"),
            (8 * 365 * day, "8y"),
            (-1, "0s"),
            (-2, "<invalid>"),
        ] {
            assert_eq!(human(TimeDelta::seconds(seconds)), wanted);
        }
    }

    #[test]
    fn paths_of_columns_are_followed() {
        let object = json!({"a": {"list": [{"type": "X", "b": 1}, {"type": "Y", "b": 2}]}});
        let numbers = |path: &str| find(&object, path).into_iter().cloned().collect::<Vec<Value>>();
        assert_eq!(numbers(".a.list[*].b"), [1, 2]);
        assert_eq!(numbers(".a.list[1].b"), [2]);
        assert_eq!(numbers(r#".a.list[?(@.type=="Y")].b"#), [2]);
        assert!(numbers(".a.list[?(@.type==\"Z\")].b").is_empty());
        assert!(numbers(".a.none").is_empty());
        assert!(numbers("a").is_empty());
        assert!(numbers(".a[").is_empty());
    }
}
