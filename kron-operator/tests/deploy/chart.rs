//! The Helm chart. Helm renders it, and the objects must be those of `deploy/`; without Helm (`scripts/helm_python.sh`
//! installs its library) the templates are compared as text, as far as that goes.

use std::collections::BTreeSet;

use kron_operator::crd::{custom_resource_definition, to_yaml};
use serde_json::{Value, json};

use super::{
    Ran, assert_same, base, documents, find, namespaced, network_policy, parse, path, read, rules, run,
};

const TEMPLATES: [&str; 7] = [
    "_helpers.tpl",
    "crd.yaml",
    "deployment.yaml",
    "disruption-budget.yaml",
    "network-policy.yaml",
    "rbac.yaml",
    "service.yaml",
];

fn template(name: &str) -> String {
    read(&format!("chart/templates/{name}"))
}

fn values() -> Value {
    parse(&read("chart/values.yaml"))
}

/// Paths of values that a text uses: `image.tag` of `.Values.image.tag`.
fn used(text: &str) -> BTreeSet<String> {
    text.split(".Values.")
        .skip(1)
        .map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(rest.len());
            rest[..end].trim_end_matches('.').to_string()
        })
        .collect()
}

/// Paths of all leaves of the values; an empty map is a leaf.
fn leaves(value: &Value, at: &str, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                leaves(value, &if at.is_empty() { key.clone() } else { format!("{at}.{key}") }, into);
            }
        }
        _ => {
            into.insert(at.to_string());
        }
    }
}

#[test]
fn templates_use_values_that_exist_and_all_of_them() {
    let mut there = BTreeSet::new();
    leaves(&values(), "", &mut there);
    let mut uses = used(&template("NOTES.txt"));
    for name in TEMPLATES {
        uses.extend(used(&template(name)));
    }
    let covers = |used: &str, leaf: &str| leaf == used || leaf.starts_with(&format!("{used}."));
    for used in &uses {
        assert!(there.iter().any(|leaf| covers(used, leaf)), "values.yaml has no {used}");
    }
    for leaf in &there {
        assert!(uses.iter().any(|used| covers(used, leaf)), "no template uses {leaf}");
    }
}

#[test]
fn every_value_has_a_comment_or_stands_below_one() {
    let text = read("chart/values.yaml");
    let mut explained = false;
    for line in text.lines() {
        match line {
            "" => explained = false,
            line if line.trim_start().starts_with('#') => explained = true,
            line if !line.starts_with(' ') && !line.ends_with(':') => {
                assert!(explained || line.ends_with("{}") || line.ends_with("[]"), "{line}");
            }
            _ => {}
        }
    }
    assert!(text.matches("\n# ").count() > 8);
}

#[test]
fn there_are_no_other_templates() {
    let found: BTreeSet<String> = std::fs::read_dir(path("chart/templates"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let wanted = TEMPLATES.iter().copied().chain(["NOTES.txt"]).map(str::to_string).collect();
    assert_eq!(found, wanted);
    for name in TEMPLATES {
        let text = template(name);
        let count = |pattern: &str| text.matches(pattern).count();
        assert_eq!(count("{{"), count("}}"), "{name}");
        let opens = count("{{- if ")
            + count("{{- with ")
            + count("{{- range ")
            + count("{{- define ")
            + count("{{ if ");
        assert_eq!(opens, count("{{- end }}") + count("{{ end }}") + count("{{- end -}}"), "{name}");
    }
}

#[test]
fn rights_are_those_of_deploy() {
    let helpers = template("_helpers.tpl");
    let found = helpers.split("{{- define \"kron-operator.rules\" -}}").nth(1).unwrap();
    assert_eq!(parse(found.split("{{- end }}").next().unwrap()), json!(rules("ClusterRole")));
    let rbac = template("rbac.yaml");
    let lease = rbac.split("name: kron-operator-leader-election").nth(1).unwrap();
    let lease = lease.split("\nrules:\n").nth(1).unwrap().split("\n---").next().unwrap();
    let name = values()["leaderElection"]["leaseName"].as_str().unwrap().to_string();
    let lease = lease.replace("{{ .Values.leaderElection.leaseName | quote }}", &name);
    assert_eq!(parse(&lease), json!(rules("Role")));
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

/// Without helm: the volume, its mount and its variable come together, and only if there is a volume.
#[test]
fn a_tz_database_is_mounted_where_its_variable_says() {
    assert_eq!(values()["tzdb"], json!({"volume": {}, "path": ""}));
    let deployment = template("deployment.yaml");
    let block = |start: &str| {
        let rest = deployment.split(start).nth(1).unwrap_or_else(|| panic!("{start}"));
        rest.split("{{- end }}").next().unwrap().to_string()
    };
    let variable = block("fieldPath: metadata.namespace\n        {{- if .Values.tzdb.volume }}");
    assert!(variable.contains("name: KRON_TZDB") && variable.contains("\"/tzdb/%s\" .Values.tzdb.path"));
    let mount = block("readOnlyRootFilesystem: true\n        {{- if .Values.tzdb.volume }}");
    for line in ["name: tzdb", "mountPath: /tzdb", "readOnly: true"] {
        assert!(mount.contains(line), "{mount}");
    }
    assert!(
        block("{{- with .Values.tzdb.volume }}").contains("name: tzdb\n        {{- toYaml . | nindent 8 }}")
    );
}

/// Line by line: what is in `deploy/` is in the template of its kind, in the values, or is filled in.
#[test]
fn templates_say_what_deploy_says() {
    let filled_in = [
        "namespace: kron-system",
        "image: kron-operator:0.1.0",
        "imagePullPolicy: IfNotPresent",
        "replicas: 2",
        "terminationGracePeriodSeconds: 30",
        "app.kubernetes.io/name: kron-operator",
        "--log-format=json",
        "--leader-elect=true",
        "--lease-name=kron-operator",
    ];
    let helpers = template("_helpers.tpl");
    assert!(helpers.contains("app.kubernetes.io/name: kron-operator\n"));
    let bare = |line: &str| line.trim().trim_start_matches("- ").replace('"', "");
    let trimmed = |text: &str| -> BTreeSet<String> { text.lines().map(bare).collect() };
    let values = trimmed(&read("chart/values.yaml"));
    for mut document in base() {
        let file = match document["kind"].as_str().unwrap() {
            // Helm makes it: --create-namespace.
            "Namespace" => continue,
            "Deployment" => "deployment.yaml",
            "Service" => "service.yaml",
            "PodDisruptionBudget" => "disruption-budget.yaml",
            _ => "rbac.yaml",
        };
        let template = trimmed(&template(file));
        // Compared above.
        document.as_object_mut().unwrap().remove("rules");
        for line in to_yaml(&document).lines().map(bare).filter(|line| !filled_in.contains(&line.as_str())) {
            assert!(template.contains(&line) || values.contains(&line), "{file} has no `{line}`");
        }
    }
}

#[test]
fn the_definition_is_the_one_of_deploy() {
    let link = std::fs::read_link(path("chart/files/crd.yaml")).unwrap();
    assert_eq!(link.to_str(), Some("../../deploy/crd.yaml"));
    let text = template("crd.yaml");
    assert!(text.contains(".Files.Get \"files/crd.yaml\"") && text.contains("helm.sh/resource-policy"));
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

fn rendered(values: &Value) -> Option<Vec<Value>> {
    let ran = template_with(values)?;
    assert!(ran.succeeded, "{values}: {}", ran.errors);
    let mut rendered = documents(&ran.text);
    for document in &mut rendered {
        // Labels that Helm expects on every object.
        if let Some(labels) = document.pointer_mut("/metadata/labels").and_then(Value::as_object_mut) {
            for label in
                ["app.kubernetes.io/instance", "app.kubernetes.io/version", "app.kubernetes.io/managed-by"]
            {
                assert!(labels.remove(label).is_some(), "{label}");
            }
            assert!(labels.remove("helm.sh/chart").is_some());
        }
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

    let values = json!({"crds": {"install": false}, "networkPolicy": {"enabled": true}, "replicas": 3});
    let found = rendered(&values).unwrap();
    let mut wanted = without_namespace(base());
    wanted.push(network_policy());
    set(&mut wanted, "/spec/replicas", json!(3));
    assert_same(found, wanted);

    let values =
        json!({"crds": {"install": false}, "watchNamespace": "team-a", "image": {"digest": "sha256:00"}});
    let found = rendered(&values).unwrap();
    let mut wanted = namespaced();
    let container = "/spec/template/spec/containers/0";
    set(&mut wanted, &format!("{container}/image"), json!("kron-operator@sha256:00"));
    set(&mut wanted, &format!("{container}/args/7"), json!("--watch-namespace=team-a"));
    for object in &mut wanted {
        let role = object["kind"].as_str().unwrap().starts_with("Role");
        if role && object["metadata"]["name"] == "kron-operator" {
            object["metadata"]["namespace"] = json!("team-a");
        }
    }
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

#[test]
fn helm_options_go_where_they_belong() {
    let values = json!({
        "crds": {"install": false}, "replicas": 1, "leaderElection": {"enabled": false}, "logFormat": "text",
        "metrics": {"serviceMonitor": {"enabled": true, "labels": {"release": "prom"}}},
        "priorityClassName": "system-cluster-critical", "podLabels": {"team": "a"}, "podAnnotations": {"note": "b"},
        "extraArgs": ["--concurrency=32"], "imagePullSecrets": [{"name": "pull"}], "nodeSelector": {"disk": "ssd"},
        "tzdb": {"volume": {"hostPath": {"path": "/usr/share"}}, "path": "zoneinfo"},
        "tolerations": [{"operator": "Exists"}], "affinity": {"nodeAffinity": {}},
        "serviceAccount": {"annotations": {"role": "c"}}, "podDisruptionBudget": {"enabled": false},
        "image": {"repository": "registry.example.com/kron", "tag": "9", "pullPolicy": "Always"},
        "resources": {"limits": {"memory": "1Gi"}}, "terminationGracePeriodSeconds": 60,
    });
    let Some(found) = rendered(&values) else { return };
    let kinds: Vec<&str> = found.iter().map(|document| document["kind"].as_str().unwrap()).collect();
    assert!(!kinds.contains(&"PodDisruptionBudget") && !kinds.contains(&"Role"), "{kinds:?}");
    let one = |kind: &str| &found[kinds.iter().position(|found| *found == kind).unwrap()];
    assert_eq!(one("ServiceMonitor")["metadata"]["labels"]["release"], "prom");
    assert_eq!(one("ServiceMonitor")["spec"]["selector"]["matchLabels"], one("Service")["spec"]["selector"]);
    assert_eq!(one("ServiceAccount")["metadata"]["annotations"]["role"], "c");
    let deployment = &one("Deployment")["spec"];
    assert_eq!(deployment["strategy"], json!({"type": "Recreate"}));
    assert_eq!(deployment["template"]["metadata"]["labels"]["team"], "a");
    assert_eq!(deployment["template"]["metadata"]["annotations"]["note"], "b");
    let pod = &deployment["template"]["spec"];
    assert_eq!(pod["priorityClassName"], "system-cluster-critical");
    assert_eq!(
        (&pod["nodeSelector"]["disk"], &pod["tolerations"][0]["operator"]),
        (&json!("ssd"), &json!("Exists"))
    );
    assert_eq!(pod["imagePullSecrets"], json!([{"name": "pull"}]));
    assert_eq!((&pod["affinity"], &pod["terminationGracePeriodSeconds"]), (&values["affinity"], &json!(60)));
    assert_eq!(pod["volumes"], json!([{"name": "tzdb", "hostPath": {"path": "/usr/share"}}]));
    let container = &pod["containers"][0];
    assert_eq!(
        (&container["image"], &container["imagePullPolicy"]),
        (&json!("registry.example.com/kron:9"), &json!("Always"))
    );
    assert_eq!(container["resources"]["limits"], values["resources"]["limits"]);
    assert_eq!(container["volumeMounts"], json!([{"name": "tzdb", "mountPath": "/tzdb", "readOnly": true}]));
    let variables = container["env"].as_array().unwrap();
    assert!(variables.contains(&json!({"name": "KRON_TZDB", "value": "/tzdb/zoneinfo"})), "{variables:?}");
    let arguments: Vec<&str> =
        pod["containers"][0]["args"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    for argument in ["--leader-elect=false", "--log-format=text", "--concurrency=32"] {
        assert!(arguments.contains(&argument), "{arguments:?}");
    }
}

/// The operator starts with the arguments that the chart renders.
#[test]
fn the_operator_knows_the_arguments() {
    use clap::Parser as _;
    let Some(found) = rendered(&json!({"watchNamespace": "team-a", "extraArgs": ["--concurrency=32"]}))
    else {
        return;
    };
    let deployment = found.iter().find(|object| object["kind"] == "Deployment").unwrap();
    let arguments = deployment.pointer("/spec/template/spec/containers/0/args").unwrap().as_array().unwrap();
    let arguments = arguments.iter().map(|argument| argument.as_str().unwrap());
    kron_operator::args::Cli::try_parse_from(["kron-operator"].into_iter().chain(arguments)).unwrap();
}

#[test]
fn values_that_contradict_each_other_are_refused() {
    let Some(ran) = template_with(&json!({"leaderElection": {"enabled": false}})) else { return };
    assert!(!ran.succeeded);
    assert!(ran.errors.contains("leaderElection.enabled=false allows replicas=1 only"), "{}", ran.errors);
}

#[test]
fn helm_has_no_warning_about_the_chart() {
    let Some(ran) = helm(&["lint", &path("chart").display().to_string(), "--strict"]) else { return };
    assert!(ran.succeeded, "{} {}", ran.text, ran.errors);
}
