//! The interface for users only grows: `crd-fields.txt` has a line for every field with its type, whether it is
//! optional, its defaults and its enum values. A line that is gone or changed breaks someone's manifests or scripts,
//! and fails here for ever; new lines are added by `KRON_RECORD=1 cargo test -p kron-operator crd::`.

use std::collections::BTreeSet;

use kron_crd::custom_resource_definition;
use serde_json::Value;

use super::cases::openapi_schema;
use super::recording;

const HEADER: &str = "\
# All fields of the resource, their types, defaults and enum values. Lines may be added, never changed or removed:
# KRON_RECORD=1 cargo test -p kron-operator crd:: adds them.
";

fn walk(schema: &Value, path: &str, required: bool, lines: &mut BTreeSet<String>) {
    let kind = schema["type"].as_str().unwrap();
    let format = schema["format"].as_str().map(|format| format!(" {format}")).unwrap_or_default();
    let need = if required { "required" } else { "optional" };
    lines.insert(format!("{path}: {kind}{format}, {need}"));
    if let Some(default) = schema.get("default") {
        lines.insert(format!("{path} = {default}"));
    }
    for value in schema["enum"].as_array().into_iter().flatten() {
        lines.insert(format!("{path} | {value}"));
    }
    for (name, below) in schema["properties"].as_object().into_iter().flatten() {
        let required =
            schema["required"].as_array().is_some_and(|names| names.contains(&name.as_str().into()));
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        walk(below, &path, required, lines);
    }
    for (key, sign) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let Some(below) = schema.get(key) {
            walk(below, &format!("{path}{sign}"), true, lines);
        }
    }
}

fn lines_of(schema: &Value) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for (name, below) in schema["properties"].as_object().unwrap() {
        walk(below, name, name == "spec", &mut lines);
    }
    lines
}

/// The committed lines that are gone, and the new ones.
fn compare(committed: &str, now: &BTreeSet<String>) -> (Vec<String>, Vec<String>) {
    let committed: BTreeSet<String> =
        committed.lines().filter(|line| !line.starts_with('#')).map(ToOwned::to_owned).collect();
    (committed.difference(now).cloned().collect(), now.difference(&committed).cloned().collect())
}

#[test]
fn fields_only_grow() {
    let file = format!("{}/crd-fields.txt", env!("CARGO_MANIFEST_DIR"));
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    let now = lines_of(openapi_schema(&custom_resource_definition(false)));
    let (gone, new) = compare(&committed, &now);
    assert!(gone.is_empty(), "gone or changed, which this version may not do:\n{}", gone.join("\n"));
    // A new required field would make the server reject objects that were valid before.
    let fresh = committed.is_empty();
    let parent_is_new = |line: &str| {
        let parent = line
            .split(':')
            .next()
            .and_then(|path| path.rsplit_once('.'))
            .map(|(parent, _)| parent.to_owned());
        parent.is_some_and(|parent| new.iter().any(|line| line.starts_with(&format!("{parent}:"))))
    };
    let demanded = new.iter().find(|line| line.ends_with(", required") && !parent_is_new(line));
    assert!(fresh || demanded.is_none(), "a new field must be optional: {demanded:?}");
    if recording() {
        let text: String = now.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&file, format!("{HEADER}{text}")).unwrap();
    } else {
        assert!(
            new.is_empty(),
            "not recorded, KRON_RECORD=1 cargo test -p kron-operator crd::\n{}",
            new.join("\n")
        );
    }
}

#[test]
fn a_changed_line_is_seen() {
    let definition = custom_resource_definition(false);
    let schema = openapi_schema(&definition);
    let committed: String = lines_of(schema).iter().map(|line| format!("{line}\n")).collect();
    let changed = |pointer: &str, value: Value| {
        let mut schema = schema.clone();
        *schema.pointer_mut(pointer).unwrap() = value;
        compare(&committed, &lines_of(&schema))
    };
    let (gone, new) = changed("/properties/spec/properties/timezone/default", "GMT".into());
    assert_eq!((gone, new), (vec!["spec.timezone = \"UTC\"".into()], vec!["spec.timezone = \"GMT\"".into()]));
    let (gone, new) =
        changed("/properties/spec/properties/window/properties/mode/enum", serde_json::json!(["after"]));
    assert_eq!((gone, new), (vec!["spec.window.mode | \"around\"".into()], vec![]));
    let (gone, _) =
        changed("/properties/spec/required", serde_json::json!(["schedule", "jobTemplate", "timezone"]));
    assert_eq!(gone, ["spec.timezone: string, optional"]);
}
