//! Every rule is needed: without it, some case gets another verdict or another text.

use std::collections::BTreeMap;

use kron_api_schema::{Schema, aggregate};
use kron_crd::custom_resource_definition;
use serde_json::Value;

use super::cases::{PLAIN, STRICT, openapi_schema, read, run};

const RULES: &str = "x-kubernetes-validations";

/// The rules of a schema: the pointer of the list, the path of its field without indexes, and each rule.
fn rules(schema: &Value, pointer: &str, path: &str, found: &mut Vec<(String, String, usize)>) {
    for i in 0..schema[RULES].as_array().map_or(0, Vec::len) {
        let below = schema[RULES][i]["fieldPath"].as_str().unwrap_or_default();
        found.push((format!("{pointer}/{RULES}"), format!("{path}{below}"), i));
    }
    for (name, below) in schema["properties"].as_object().into_iter().flatten() {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        rules(below, &format!("{pointer}/properties/{name}"), &path, found);
    }
    if let Some(items) = schema.get("items") {
        rules(items, &format!("{pointer}/items"), &format!("{path}[]"), found);
    }
}

fn without_indexes(field: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in field.chars() {
        inside = if c == '[' { true } else { inside && c != ']' };
        if !inside || c == '[' {
            out.push(c);
        }
    }
    out
}

fn every_rule_is_needed(strict: bool, cases: &[Value]) -> usize {
    let definition = custom_resource_definition(strict);
    let whole = openapi_schema(&definition);
    let schema = Schema::compile(whole).unwrap();
    // The refused cases by the fields that their errors name.
    let mut refused: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for case in cases.iter().filter(|case| case["want"] == "refuse") {
        let mut fields: Vec<String> =
            run(&schema, case).errors.iter().map(|error| without_indexes(&error.field)).collect();
        fields.dedup();
        for field in fields {
            refused.entry(field).or_default().push(case);
        }
    }
    let mut found = Vec::new();
    rules(whole, "", "", &mut found);
    for (pointer, field, i) in &found {
        let mut less = whole.clone();
        let rule = less.pointer_mut(pointer).and_then(Value::as_array_mut).unwrap().remove(*i);
        let less = Schema::compile(&less).unwrap();
        // An error of a rule (an unknown zone) is reported at the rule's own field, not at its fieldPath.
        let flips = refused.get(field).into_iter().flatten().any(|case| {
            let errors = run(&less, case).errors;
            errors.is_empty() || !aggregate(&errors).contains(case["msg"].as_str().unwrap())
        });
        assert!(flips, "no case needs the rule of {field}: {rule}");
    }
    found.len()
}

#[test]
fn every_rule_is_needed_by_some_case() {
    let cases: Vec<Value> = PLAIN.into_iter().flat_map(read).collect();
    let rules = every_rule_is_needed(false, &cases);
    assert!(rules > 45, "{rules} rules");
}

#[test]
fn every_rule_of_strict_mode_is_needed_by_some_case() {
    let cases: Vec<Value> = PLAIN.into_iter().chain([STRICT]).flat_map(read).collect();
    assert_eq!(every_rule_is_needed(true, &cases), {
        let mut found = Vec::new();
        rules(openapi_schema(&custom_resource_definition(false)), "", "", &mut found);
        found.len() + 3
    });
}
