//! What the objects must have, whatever they look like.

use std::collections::BTreeSet;

use super::*;

fn all() -> Vec<Options> {
    let cluster = Options::default();
    let own = Options { scope: Scope::Namespaced { namespace: None }, ..cluster.clone() };
    let other = Options { scope: Scope::Namespaced { namespace: Some("team-a".into()) }, ..cluster.clone() };
    let full = Options {
        crd: Some(json!({"kind": "CustomResourceDefinition", "metadata": {"name": "kronjobs.kron.io"}})),
        network_policy: true,
        namespace: "elsewhere".into(),
        image: "registry.example.com/kron-operator@sha256:00".into(),
        replicas: 3,
        ..cluster.clone()
    };
    vec![cluster, own, other, full]
}

fn find<'a>(documents: &'a [Value], kind: &str, name: &str) -> &'a Value {
    documents
        .iter()
        .find(|document| document["kind"] == kind && document["metadata"]["name"] == name)
        .unwrap_or_else(|| panic!("no {kind} {name}"))
}

fn kinds(options: &Options) -> Vec<String> {
    documents(options).iter().map(|document| document["kind"].as_str().unwrap().to_string()).collect()
}

#[test]
fn every_scope_has_its_objects_and_no_more() {
    let all = all();
    let common = ["Role", "RoleBinding", "Service", "PodDisruptionBudget"];
    let cluster =
        [&["Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding"][..], &common].concat();
    assert_eq!(kinds(&all[0]), [&cluster[..], &["Deployment"]].concat());
    assert_eq!(
        kinds(&all[1]),
        [&["ServiceAccount", "Role", "RoleBinding"][..], &common, &["Deployment"]].concat()
    );
    assert_eq!(
        kinds(&all[3]),
        [&["CustomResourceDefinition"], &cluster[..], &["NetworkPolicy", "Deployment"]].concat()
    );
}

#[test]
fn what_is_bound_is_there() {
    for options in all() {
        let documents = documents(&options);
        let mut bound = BTreeSet::new();
        for binding in documents.iter().filter(|it| it["kind"].as_str().unwrap().ends_with("Binding")) {
            let role = &binding["roleRef"];
            let role = find(&documents, role["kind"].as_str().unwrap(), role["name"].as_str().unwrap());
            assert_eq!(role["metadata"]["namespace"], binding["metadata"]["namespace"]);
            bound.insert(role["metadata"]["name"].as_str().unwrap().to_string());
            let subject = &binding["subjects"][0];
            let account = find(&documents, "ServiceAccount", subject["name"].as_str().unwrap());
            assert_eq!(account["metadata"]["namespace"], subject["namespace"]);
        }
        assert_eq!(bound.len(), 2, "{bound:?}");
        let pod = &find(&documents, "Deployment", NAME)["spec"]["template"];
        assert_eq!(pod["spec"]["serviceAccountName"], NAME);
        for (kind, name, path) in [
            ("Service", "kron-operator-metrics", "/spec/selector"),
            ("PodDisruptionBudget", NAME, "/spec/selector/matchLabels"),
        ] {
            let selector = find(&documents, kind, name).pointer(path).unwrap();
            assert_eq!(*selector, pod["metadata"]["labels"], "{kind}");
        }
    }
}

#[test]
fn a_namespaced_operator_has_no_right_outside_its_namespace() {
    let options = &all()[2];
    let documents = documents(options);
    assert!(!documents.iter().any(|it| it["kind"].as_str().unwrap().starts_with("Cluster")));
    assert_eq!(find(&documents, "Role", NAME)["metadata"]["namespace"], "team-a");
    assert_eq!(find(&documents, "Role", NAME)["rules"], rules());
    let container = &find(&documents, "Deployment", NAME)["spec"]["template"]["spec"]["containers"][0];
    let arguments: Vec<&str> =
        container["args"].as_array().unwrap().iter().map(|argument| argument.as_str().unwrap()).collect();
    assert_eq!(arguments.last(), Some(&"--watch-namespace=team-a"));
}

#[test]
fn rights_are_few() {
    let text = format!("{}{}", rules(), lease_rules());
    for forbidden in ["\"*\"", "pods", "secrets", "configmaps", "namespaces", "\"\"", "deletecollection"] {
        assert!(!text.contains(forbidden), "{forbidden}");
    }
    for rule in rules().as_array().unwrap().iter().chain(lease_rules().as_array().unwrap()) {
        let resource = rule["resources"][0].as_str().unwrap();
        let writes: Vec<&str> = rule["verbs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|verb| verb.as_str().unwrap())
            .filter(|verb| !["get", "list", "watch"].contains(verb))
            .collect();
        let expected: &[&str] = match resource {
            "kronjobs" => &[],
            "kronjobs/status" | "kronjobs/finalizers" => &["update"],
            "jobs" => &["create", "delete"],
            "events" => &["create", "patch"],
            "leases" if rule["resourceNames"].is_null() => &["create"],
            "leases" => &["update"],
            other => panic!("{other}"),
        };
        assert_eq!(writes, expected, "{resource}");
    }
}

/// The Pod Security Standard `restricted`, and what goes beyond it.
#[test]
fn pods_are_restricted() {
    for options in all() {
        let documents = documents(&options);
        let deployment = find(&documents, "Deployment", NAME);
        assert_eq!(deployment["spec"]["replicas"], options.replicas);
        assert_eq!(deployment["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"], 0);
        let pod = &deployment["spec"]["template"]["spec"];
        for field in ["hostNetwork", "hostPID", "hostIPC", "volumes", "initContainers"] {
            assert!(pod[field].is_null(), "{field}");
        }
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        assert!(pod["securityContext"]["runAsUser"].as_u64().unwrap() > 0);
        assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "RuntimeDefault");
        let container = &pod["containers"][0];
        assert_eq!(container["image"], options.image.as_str());
        let security = &container["securityContext"];
        assert_eq!(security["allowPrivilegeEscalation"], false);
        assert_eq!(security["readOnlyRootFilesystem"], true);
        assert_eq!(security["capabilities"], json!({"drop": ["ALL"]}));
        assert!(!container["resources"]["limits"]["memory"].is_null());
        assert_eq!(container["livenessProbe"]["httpGet"]["path"], "/livez");
        assert_eq!(container["readinessProbe"]["httpGet"]["path"], "/readyz");
    }
}

/// A variable that is not there would be left as it is written.
#[test]
fn arguments_use_variables_that_exist() {
    for options in all() {
        let documents = documents(&options);
        let container = &find(&documents, "Deployment", NAME)["spec"]["template"]["spec"]["containers"][0];
        let names: Vec<String> = container["env"]
            .as_array()
            .unwrap()
            .iter()
            .map(|variable| format!("$({})", variable["name"].as_str().unwrap()))
            .collect();
        for argument in container["args"].as_array().unwrap() {
            let argument = argument.as_str().unwrap();
            if let Some(at) = argument.find("$(") {
                assert!(names.iter().any(|name| *name == argument[at..]), "{argument}");
            }
        }
    }
}

#[test]
fn the_text_is_a_stream_of_the_documents() {
    for options in all() {
        let text = render(&options);
        assert_eq!(text.split("\n---\n").count(), documents(&options).len());
        assert!(text.contains(&format!("image: {}", options.image)) || text.contains(&options.image));
    }
}
