//! The Helm chart: Helm renders it, and the objects must be those of `deploy/`. `test_chart.py` has its values.

use kron_crd::custom_resource_definition;
use serde_json::{Value, json};

use super::{Ran, assert_same, base, documents, find, namespaced, parse, path, read, restrict_network, run};

fn template(name: &str) -> String {
    read(&format!("chart/templates/{name}"))
}

fn values() -> Value {
    parse(&read("chart/values.yaml"))
}

#[test]
fn versions_agree() {
    let chart = parse(&read("chart/Chart.yaml"));
    assert_eq!(chart["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(chart["appVersion"], env!("CARGO_PKG_VERSION"));
    let values = values();
    let image = format!("{}:{}", values["image"]["repository"].as_str().unwrap(), env!("CARGO_PKG_VERSION"));
    let base = base();
    let deployment = &find(&base, "Deployment", "kron-operator")["spec"];
    assert_eq!(image, deployment["template"]["spec"]["containers"][0]["image"]);
    assert_eq!(values["replicas"], deployment["replicas"]);
}

#[test]
fn files_are_not_copied() {
    for (name, original) in [
        ("crd.yaml", "deploy/crd/crd.yaml"),
        ("strict.yaml", "deploy/strict/patch.yaml"),
        ("user-roles.yaml", "deploy/user-roles/roles.yaml"),
        ("job-policy.yaml", "deploy/job-policy/policy.yaml"),
        ("rule.yaml", "integrations/prometheus/rule.yaml"),
    ] {
        let link = std::fs::read_link(path(&format!("chart/files/{name}"))).unwrap();
        assert_eq!(link.to_str(), Some(&*format!("../../{original}")));
    }
}

/// The output of Helm: of the program, or of its library (`HELM_PYTHON` names the Python that has it). `None` if there
/// is neither, which `scripts/test_all.sh` does not allow (`KRON_HELM`).
fn helm(arguments: &[&str]) -> Option<Ran> {
    let ran = match std::env::var("HELM_PYTHON").ok().filter(|python| !python.is_empty()) {
        Some(python) => {
            let program = path("tests/deploy/helm.py").display().to_string();
            run(&python, &[&[&*program], arguments].concat())
        }
        None => run("helm", arguments),
    };
    assert!(ran.is_some() || std::env::var_os("KRON_HELM").is_none(), "there is no Helm");
    ran
}

/// The chart as Helm renders it with these values.
fn template_with(values: &Value) -> Option<Ran> {
    let (chart, values) = (path("chart").display().to_string(), values.to_string());
    helm(&["template", "kron", &chart, "--namespace", "kron-system", "--set-json", &values])
}

/// Takes a key away from every object in a value.
fn remove(value: &mut Value, key: &str) {
    match value {
        Value::Object(map) => {
            map.remove(key);
            map.values_mut().for_each(|value| remove(value, key));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| remove(value, key)),
        _ => {}
    }
}

fn rendered(values: &Value) -> Option<Vec<Value>> {
    let ran = template_with(values)?;
    assert!(ran.succeeded, "{values}: {}", ran.errors);
    let mut rendered = documents(&ran.text);
    for document in &mut rendered {
        // Labels that Helm expects on every object.
        if let Some(labels) = document.pointer_mut("/metadata/labels").and_then(Value::as_object_mut) {
            for label in ["app.kubernetes.io/version", "app.kubernetes.io/managed-by", "helm.sh/chart"] {
                assert!(labels.remove(label).is_some(), "{label}");
            }
        }
        // The selectors have this one, too.
        remove(document, "app.kubernetes.io/instance");
    }
    Some(rendered)
}

/// The chart makes no Namespace: `helm install --create-namespace` does.
fn without_namespace(mut objects: Vec<Value>) -> Vec<Value> {
    objects.retain(|object| object["kind"] != "Namespace");
    objects
}

/// Changes a value of the Deployment.
fn set(objects: &mut [Value], pointer: &str, value: Value) {
    let deployment = objects.iter_mut().find(|object| object["kind"] == "Deployment").unwrap();
    *deployment.pointer_mut(pointer).unwrap() = value;
}

#[test]
fn helm_makes_the_objects_of_deploy() {
    let Some(found) = rendered(&json!({})) else { return };
    let mut crd = custom_resource_definition(false);
    crd["metadata"]["annotations"] = json!({"helm.sh/resource-policy": "keep"});
    let mut wanted = without_namespace(base());
    wanted.push(crd);
    assert_same(found, wanted);

    let network = json!({"restrictEgress": true, "metricsFrom": {"metrics": "enabled"}});
    let values = json!({"crds": {"install": false}, "networkPolicy": network, "replicas": 3});
    let found = rendered(&values).unwrap();
    let mut wanted = without_namespace(base());
    restrict_network(&mut wanted);
    set(&mut wanted, "/spec/replicas", json!(3));
    assert_same(found, wanted);

    let digest = format!("sha256:{}", "0".repeat(64));
    let served = ["team-a", "team-b"];
    let values = json!({"crds": {"install": false}, "namespaces": served, "image": {"digest": digest}});
    let found = rendered(&values).unwrap();
    // A release for each tenant has a ClusterRole of its own.
    let wanted = Value::from(without_namespace(namespaced())).to_string();
    let [role, own] =
        ["", "-kron-system"].map(|more| format!(r#""kind":"ClusterRole","name":"kron-operator{more}""#));
    assert_eq!(wanted.matches(&role).count(), 2);
    let mut wanted = parse(&wanted.replace(&role, &own)).as_array().unwrap().clone();
    let role = wanted.iter_mut().find(|object| object["kind"] == "ClusterRole").unwrap();
    role["metadata"]["name"] = json!("kron-operator-kron-system");
    set(&mut wanted, "/spec/template/spec/containers/0/image", json!(format!("kron-operator@{digest}")));
    assert_same(found, wanted);

    let found = rendered(&json!({"crds": {"install": false}, "jobPolicy": {"enabled": true}})).unwrap();
    let mut wanted = without_namespace(base());
    wanted.extend(documents(&read("deploy/job-policy/policy.yaml")));
    assert_same(found, wanted);
}

/// The definition may be of another release, or of `kubectl`.
#[test]
fn a_definition_of_others_is_noticed_and_the_message_says_what_to_do() {
    let text = template("crd.yaml");
    let (before, after) = text.split_once("{{- fail ").unwrap();
    let name = &custom_resource_definition(false)["metadata"]["name"];
    let looked_up =
        "with lookup \"apiextensions.k8s.io/v1\" \"CustomResourceDefinition\" \"\" $crd.metadata.name";
    assert!(before.contains(looked_up) && before.contains("if .Values.crds.install"));
    assert_eq!(*name, parse(&read("chart/files/crd.yaml"))["metadata"]["name"]);
    for annotation in ["meta.helm.sh/release-name", "meta.helm.sh/release-namespace"] {
        assert!(before.contains(annotation), "{annotation}");
    }
    assert!(after.contains("--set crds.install=false"));
}

/// The operator starts with the arguments that the chart renders.
#[test]
fn the_operator_knows_the_arguments() {
    use clap::Parser as _;
    let tls = json!({"enabled": true, "certificateSecret": "a", "tokenSecret": "b"});
    let Some(found) = rendered(
        &json!({"namespaces": ["team-a"], "primerImage": "p", "metrics": {"tls": tls}, "extraArgs": ["--concurrency=32"]}),
    ) else {
        return;
    };
    let deployment = found.iter().find(|object| object["kind"] == "Deployment").unwrap();
    let arguments = deployment.pointer("/spec/template/spec/containers/0/args").unwrap().as_array().unwrap();
    let arguments = arguments.iter().map(|argument| argument.as_str().unwrap());
    kron_operator::args::Cli::try_parse_from(["kron-operator"].into_iter().chain(arguments)).unwrap();
}

#[test]
fn helm_has_no_warning_about_the_chart() {
    let Some(ran) = helm(&["lint", &path("chart").display().to_string(), "--strict"]) else { return };
    assert!(ran.succeeded, "{} {}", ran.text, ran.errors);
}
