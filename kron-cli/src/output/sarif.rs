//! Findings in SARIF 2.1.0, the format of OASIS for results of static analysis.

use kron_core::Severity;
use kron_core::error::FindingCode;
use serde_json::{Value, json};

use super::diagnostic::Diagnostic;
use crate::codes;

/// The log of one run of `kron lint`.
pub(crate) fn log(diagnostics: &[Diagnostic]) -> Value {
    let mut codes: Vec<FindingCode> = diagnostics.iter().filter_map(|diagnostic| diagnostic.code).collect();
    codes.sort_unstable_by_key(|code| code.as_str());
    codes.dedup();
    let rules: Vec<Value> = codes.into_iter().map(rule).collect();
    let results: Vec<Value> = diagnostics.iter().map(result).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {
                "driver": { "name": "kron", "version": env!("CARGO_PKG_VERSION"), "rules": rules },
            },
            // The unit of columns.
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: FindingCode) -> Value {
    match codes::all().find(|(known, _)| *known == code) {
        Some((code, summary)) => json!({ "id": code.as_str(), "shortDescription": { "text": summary } }),
        // An error.
        None => json!({ "id": code.as_str() }),
    }
}

fn result(diagnostic: &Diagnostic) -> Value {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let mut result = json!({ "level": level, "message": { "text": diagnostic.full_message() } });
    if let Some(code) = diagnostic.code {
        result["ruleId"] = json!(code.as_str());
    }
    let mut location = json!({});
    // Standard input is not a file that a viewer can open.
    if let Some(file) = diagnostic.file.as_deref().filter(|file| *file != "<stdin>") {
        let mut place = json!({ "artifactLocation": { "uri": uri(file) } });
        if let Some(line) = diagnostic.line {
            place["region"] = json!({ "startLine": line });
            if let Some((column, end)) = diagnostic.columns() {
                place["region"]["startColumn"] = json!(column);
                place["region"]["endColumn"] = json!(end);
            }
        }
        location["physicalLocation"] = place;
    }
    if let Some(name) = &diagnostic.name {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": name }]);
    }
    if location != json!({}) {
        result["locations"] = json!([location]);
    }
    result
}

/// A path as a reference of RFC 3986: relative where the path is.
fn uri(path: &str) -> String {
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_string() };
    let mut uri = if path.starts_with('/') { "file://".to_string() } else { String::new() };
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_as_references() {
        assert_eq!(uri("examples/fleet.kron"), "examples/fleet.kron");
        assert_eq!(uri("/srv/my jobs/é#1.kron"), "file:///srv/my%20jobs/%C3%A9%231.kron");
        assert_eq!(uri("a:b%"), "a%3Ab%25");
    }
}
