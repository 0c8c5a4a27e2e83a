//! What the operator is deployed with: the files in `deploy/`, and the chart and the Dockerfile, which must agree with them.

mod chart;
mod dockerfile;
mod kustomize;
mod objects;

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

/// The objects of cluster mode, without the definition, in the order in which they are applied.
fn base() -> Vec<Value> {
    let kustomization = parse(&read("deploy/base/kustomization.yaml"));
    let files = kustomization["resources"].as_array().unwrap().iter();
    files.flat_map(|file| documents(&read(&format!("deploy/base/{}", file.as_str().unwrap())))).collect()
}

/// The objects of an operator for a list of namespaces: the rights are bound in each, and an argument names them.
fn namespaced() -> Vec<Value> {
    let mut all = base();
    all.retain(|object| object["kind"] != "ClusterRoleBinding");
    let deployment = all.iter_mut().find(|object| object["kind"] == "Deployment").unwrap();
    let arguments = deployment.pointer_mut("/spec/template/spec/containers/0/args").unwrap();
    arguments.as_array_mut().unwrap().push("--namespaces=team-a,team-b".into());
    all.extend(documents(&read("deploy/namespaced/served/bindings.yaml")));
    all
}

/// Changes the network policy as the component does.
fn restrict_network(objects: &mut [Value]) {
    let patch = parse(&read("deploy/network-policy/patch.yaml"));
    let spec = &mut objects.iter_mut().find(|object| object["kind"] == "NetworkPolicy").unwrap()["spec"];
    let paths: Vec<&Value> = (0..3).map(|index| &patch[index]["path"]).collect();
    assert_eq!(paths, ["/spec/ingress/0/from", "/spec/egress", "/spec/policyTypes/-"]);
    spec["ingress"][0]["from"] = patch[0]["value"].clone();
    spec["egress"] = patch[1]["value"].clone();
    spec["policyTypes"].as_array_mut().unwrap().push(patch[2]["value"].clone());
}

/// The object of a kind and name.
#[track_caller]
fn find<'a>(objects: &'a [Value], kind: &str, name: &str) -> &'a Value {
    let found = objects.iter().find(|object| object["kind"] == kind && object["metadata"]["name"] == name);
    found.unwrap_or_else(|| panic!("no {kind} {name}"))
}

/// The rules of the role of a kind: what the operator may do in the namespaces that it serves (`ClusterRole`), and with its
/// Lease (`Role`).
pub fn rules(kind: &str) -> Vec<Value> {
    let base = base();
    let role = base.iter().find(|object| object["kind"] == kind).unwrap();
    role["rules"].as_array().unwrap().clone()
}

/// Objects by kind, namespace and name, none of them twice.
fn by_name(documents: Vec<Value>) -> BTreeMap<[String; 3], Value> {
    let mut all = BTreeMap::new();
    for document in documents {
        let text =
            |pointer: &str| document.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_string();
        let key = [text("/kind"), text("/metadata/namespace"), text("/metadata/name")];
        assert!(all.insert(key.clone(), document).is_none(), "{key:?} appears twice");
    }
    all
}

/// Asserts that both have the same objects. They are compared one by one so that a difference can be read.
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

/// What a program printed.
struct Ran {
    succeeded: bool,
    text: String,
    errors: String,
}

/// Runs a program, or nothing where it is not installed. `scripts/kubectl.sh` installs kubectl into a folder of its own.
fn run(program: &str, arguments: &[&str]) -> Option<Ran> {
    let installed =
        crate::pages::programs().filter(|_| program == "kubectl").map(|folder| folder.join(program));
    let path = installed.unwrap_or_else(|| PathBuf::from(program));
    let output = match Command::new(path).args(arguments).output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("{program} is not installed: not run with {arguments:?}");
            return None;
        }
        Err(error) => panic!("{program}: {error}"),
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_string();
    Some(Ran { succeeded: output.status.success(), text: text(&output.stdout), errors: text(&output.stderr) })
}

/// What a program prints, or nothing where it is not installed.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let ran = run(program, arguments)?;
    assert!(ran.succeeded, "{program} {arguments:?}: {}", ran.errors);
    Some(ran.text)
}
