//! What the operator is deployed with: `deploy/`, `chart/` and the Dockerfile are held against `manifests`.

mod chart;
mod dockerfile;
mod kustomize;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;

/// A path in the folder of the crate.
fn path(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(below)
}

fn read(below: &str) -> String {
    let path = path(below);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Value {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The documents of a stream of YAML, without empty ones.
fn documents(text: &str) -> Vec<Value> {
    format!("\n{text}").split("\n---").map(parse).filter(|document| !document.is_null()).collect()
}

/// Objects by kind, namespace and name, none of them twice.
fn by_name(documents: Vec<Value>) -> BTreeMap<[String; 3], Value> {
    let mut all = BTreeMap::new();
    for document in documents {
        let text =
            |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_string();
        let key = [text("/kind"), text("/metadata/namespace"), text("/metadata/name")];
        assert!(all.insert(key.clone(), document).is_none(), "{key:?} stands twice");
    }
    all
}

/// Both the same objects, compared one by one so that a difference can be read.
fn assert_same(found: Vec<Value>, wanted: Vec<Value>) {
    let (found, wanted) = (by_name(found), by_name(wanted));
    assert_eq!(found.keys().collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>());
    for (key, wanted) in &wanted {
        if let Some(difference) = difference(&found[key], wanted, String::new()) {
            panic!("{key:?} {difference}");
        }
    }
}

/// Where two values differ first.
fn difference(found: &Value, wanted: &Value, at: String) -> Option<String> {
    match (found, wanted) {
        (Value::Object(found), Value::Object(wanted)) => {
            let keys: BTreeSet<&String> = found.keys().chain(wanted.keys()).collect();
            keys.into_iter().find_map(|key| match (found.get(key), wanted.get(key)) {
                (Some(found), Some(wanted)) => difference(found, wanted, format!("{at}/{key}")),
                (found, wanted) => Some(format!("{at}/{key}: {found:?} instead of {wanted:?}")),
            })
        }
        (Value::Array(found), Value::Array(wanted)) if found.len() == wanted.len() => found
            .iter()
            .zip(wanted)
            .enumerate()
            .find_map(|(index, (found, wanted))| difference(found, wanted, format!("{at}/{index}"))),
        _ => (found != wanted).then(|| format!("{at}: {found} instead of {wanted}")),
    }
}

/// What a program prints, or nothing where it is not installed.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = match Command::new(program).args(arguments).output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("{program} is not installed: not run with {arguments:?}");
            return None;
        }
        Err(error) => panic!("{program}: {error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_string();
    assert!(output.status.success(), "{program} {arguments:?}: {}", text(&output.stderr));
    Some(text(&output.stdout))
}
