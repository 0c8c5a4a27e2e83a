//! Every case gets its verdict and its text, from the schema with its rules and from the core.

use kron_core::ErrorCode;
use kron_core::Parser;
use kron_core::constraint::ClausePart;
use kron_formats::kronjob::KronJob;
use serde_json::Value;

use super::cases::{PLAIN, STRICT, is_of_earlier_names, openapi_schema, read, run, schema, sent};

/// A server checks the names of objects itself, before any schema. Here the core checks them.
fn is_of_names(case: &Value) -> bool {
    case["why"].as_str().is_some_and(|why| why.starts_with("name: ")) && case["want"] == "refuse"
}

fn check(strict_mode: bool, cases: &[Value]) {
    let schema = schema(strict_mode);
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| !is_of_names(case)) {
        let answer = run(&schema, case);
        // As `kubectl` sends it, and as a client without strict field validation.
        for strict_fields in [true, false] {
            let wanted = case["want"] == "accept" || (case["strict"] == true && !strict_fields);
            match answer.refusal(strict_fields) {
                None if wanted => {
                    for (path, value) in case["get"].as_object().into_iter().flatten() {
                        let found = answer.object.pointer(&format!("/{}", path.replace('.', "/")));
                        if found.unwrap_or(&Value::Null) != value {
                            wrong.push(format!("{case}\n   {path} is {found:?}"));
                        }
                    }
                }
                Some(text) if !wanted => {
                    let message = case["msg"].as_str().unwrap_or_else(|| panic!("no message: {case}"));
                    if !text.contains(message) {
                        wrong.push(format!("{case}\n   refused for another reason: {text}"));
                    }
                }
                refusal => wrong.push(format!("{case}\n   {refusal:?}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_schema_gives_the_verdicts_and_texts_of_api_servers() {
    let cases: Vec<Value> = PLAIN.into_iter().flat_map(read).collect();
    assert!(cases.len() >= 1372 - 13 + 70, "{} cases", cases.len());
    check(false, &cases);
}

/// A part of clauses that has no case was asked of no server.
#[test]
fn every_part_of_clauses_is_accepted_and_refused_in_a_case() {
    let cases: Vec<Value> = PLAIN.into_iter().flat_map(read).collect();
    let has = |case: &Value, part: &str| {
        let clauses = ["only", "avoid"].map(|list| &case["spec"]["constraints"][list]);
        clauses.into_iter().filter_map(Value::as_array).flatten().any(|clause| clause.get(part).is_some())
    };
    // The resource refuses calendars, which are files of the user.
    for part in ClausePart::WORDS.iter().filter(|part| **part != ClausePart::Calendar.as_str()) {
        for want in ["accept", "refuse"] {
            assert!(cases.iter().any(|case| case["want"] == want && has(case, part)), "{want} {part}");
        }
    }
}

#[test]
fn the_schema_of_strict_mode_does_so_too() {
    let cases = read(STRICT);
    assert_eq!(cases.len(), 19);
    check(true, &cases);
    // Strict mode only adds refusals, all of them of changes to its fields.
    let plain = schema(false);
    for case in &cases {
        let text = run(&plain, case).refusal(true);
        let held = case["msg"].as_str().is_some_and(|message| message.contains("cannot be changed"));
        assert_eq!(text.is_some(), case["want"] == "refuse" && !held, "{case}: {text:?}");
    }
}

#[test]
fn cases_of_earlier_names_are_few_and_stated_anew() {
    let passed_over =
        PLAIN[0].lines().filter(|line| is_of_earlier_names(&serde_json::from_str(line).unwrap()));
    assert_eq!(passed_over.count(), 13);
    assert!(PLAIN[1].lines().all(|line| !is_of_earlier_names(&serde_json::from_str(line).unwrap())));
}

/// The core accepts what the server admits, and the server admits what the core accepts, except for errors that a
/// server cannot detect (`InvalidSpec`).
#[test]
fn the_core_judges_whole_objects_as_the_schema_does() {
    let schema = schema(false);
    let mut checked = 0;
    for case in PLAIN.into_iter().flat_map(read).filter(|case| case.get("status").is_none()) {
        let as_sent = KronJob::from_value(&Parser::new(), &sent(&case));
        // A server cannot detect overlap in any case of a long window; the case names other errors that it cannot detect.
        let invisible = as_sent.as_ref().is_err_and(|error| match error.code() {
            ErrorCode::ManifestOverlap => true,
            ErrorCode::AlgorithmUnsupported => case["blind"] == true,
            _ => false,
        });
        let accepted = as_sent.is_ok() || invisible;
        assert_eq!(accepted, case["want"] == "accept", "{case}: {:?}", as_sent.err());
        // What the operator then reads is the stored object: with defaults, without unknown fields.
        let answer = run(&schema, &case);
        if answer.errors.is_empty() && !is_of_names(&case) {
            let stored = KronJob::from_value(&Parser::new(), &answer.object);
            assert_eq!(stored.is_err(), invisible, "{case}: {:?}", stored.err());
            if let (Ok(sent), Ok(stored)) = (&as_sent, &stored) {
                assert_eq!(sent.spec, stored.spec, "defaults decide as what is left out does: {case}");
            }
        }
        checked += 1;
    }
    assert!(checked >= 1350, "{checked} cases");
}

#[test]
fn enums_of_the_schema_are_the_words_of_the_core() {
    let definition = kron_crd::custom_resource_definition(false);
    let spec = &openapi_schema(&definition)["properties"]["spec"]["properties"];
    let words = [
        ("/algorithm", kron_core::Algorithm::WORDS),
        ("/seed/properties/strategy", kron_core::SeedStrategy::WORDS),
        ("/policy/properties/concurrency", kron_core::Concurrency::WORDS),
    ];
    for (pointer, words) in words {
        let values = spec.pointer(pointer).unwrap()["enum"].as_array().unwrap();
        let mut values: Vec<&str> = values.iter().map(|value| value.as_str().unwrap()).collect();
        let mut words = words.to_vec();
        values.sort_unstable();
        words.sort_unstable();
        assert_eq!(values, words, "{pointer}");
    }
}
