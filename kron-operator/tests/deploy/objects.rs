//! What the objects in `deploy/` must have.

use std::collections::BTreeSet;
use std::time::Duration;

use clap::Parser;
use kron_operator::args::{Cli, Command};
use serde_json::{Value, json};

use super::{base, find, namespaced, rules};

const NAME: &str = "kron-operator";

fn pod(objects: &[Value]) -> &Value {
    find(objects, "Deployment", NAME).pointer("/spec/template/spec").unwrap()
}

fn arguments(objects: &[Value]) -> Vec<String> {
    let arguments = pod(objects)["containers"][0]["args"].as_array().unwrap();
    arguments.iter().map(|argument| argument.as_str().unwrap().to_string()).collect()
}

#[test]
fn what_is_bound_exists() {
    for objects in [base(), namespaced()] {
        let mut bound = BTreeSet::new();
        for binding in objects.iter().filter(|it| it["kind"].as_str().unwrap().ends_with("Binding")) {
            let role = &binding["roleRef"];
            let role = find(&objects, role["kind"].as_str().unwrap(), role["name"].as_str().unwrap());
            if role["kind"] == "Role" {
                assert_eq!(role["metadata"]["namespace"], binding["metadata"]["namespace"]);
            }
            bound.insert(role["metadata"]["name"].as_str().unwrap().to_string());
            let subject = &binding["subjects"][0];
            let account = find(&objects, "ServiceAccount", subject["name"].as_str().unwrap());
            assert_eq!(account["metadata"]["namespace"], subject["namespace"]);
        }
        assert_eq!(bound.len(), 2, "{bound:?}");
        assert_eq!(pod(&objects)["serviceAccountName"], NAME);
        let labels = &find(&objects, "Deployment", NAME)["spec"]["template"]["metadata"]["labels"];
        for (kind, name, path) in [
            ("Deployment", NAME, "/spec/selector/matchLabels"),
            ("Service", "kron-operator-metrics", "/spec/selector"),
            ("PodDisruptionBudget", NAME, "/spec/selector/matchLabels"),
            ("NetworkPolicy", NAME, "/spec/podSelector/matchLabels"),
        ] {
            assert_eq!(find(&objects, kind, name).pointer(path), Some(labels), "{kind}");
        }
    }
}

#[test]
fn the_rights_of_a_namespaced_operator_are_bound_in_the_namespaces_that_it_serves() {
    let objects = namespaced();
    assert!(!objects.iter().any(|it| it["kind"] == "ClusterRoleBinding"));
    let bound =
        objects.iter().filter(|it| it["kind"] == "RoleBinding" && it["roleRef"]["kind"] == "ClusterRole");
    let bound: Vec<&str> = bound.map(|it| it["metadata"]["namespace"].as_str().unwrap()).collect();
    assert!(bound.len() > 1);
    assert!(arguments(&objects).contains(&format!("--namespaces={}", bound.join(","))));
}

#[test]
fn rights_are_few() {
    let all = [rules("ClusterRole"), rules("Role")].concat();
    let text = json!(all).to_string();
    for forbidden in ["\"*\"", "pods", "secrets", "configmaps", "namespaces", "\"\"", "deletecollection"] {
        assert!(!text.contains(forbidden), "{forbidden}");
    }
    for rule in all {
        let resource = rule["resources"][0].as_str().unwrap();
        let verbs = rule["verbs"].as_array().unwrap().iter().map(|verb| verb.as_str().unwrap());
        let writes: Vec<&str> = verbs.filter(|verb| !["get", "list", "watch"].contains(verb)).collect();
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
    let objects = base();
    let namespace = find(&objects, "Namespace", "kron-system");
    assert_eq!(namespace["metadata"]["labels"]["pod-security.kubernetes.io/enforce"], "restricted");
    assert_eq!(find(&objects, "Deployment", NAME)["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"], 0);
    let pod = pod(&objects);
    for field in ["hostNetwork", "hostPID", "hostIPC", "volumes", "initContainers"] {
        assert!(pod[field].is_null(), "{field}");
    }
    assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
    // OpenShift chooses the user of a namespace, and refuses another one.
    for field in ["runAsUser", "runAsGroup", "fsGroup"] {
        assert!(pod["securityContext"][field].is_null(), "{field}");
    }
    assert_eq!(pod["securityContext"]["seccompProfile"]["type"], "RuntimeDefault");
    let container = &pod["containers"][0];
    let security = &container["securityContext"];
    assert_eq!(security["allowPrivilegeEscalation"], false);
    assert_eq!(security["readOnlyRootFilesystem"], true);
    assert_eq!(security["capabilities"], json!({"drop": ["ALL"]}));
    assert!(!container["resources"]["limits"]["memory"].is_null());
    assert_eq!(container["livenessProbe"]["httpGet"]["path"], "/livez");
    assert_eq!(container["readinessProbe"]["httpGet"]["path"], "/readyz");
}

/// The scheduler scores no node that lacks a label of any spread constraint: with a second key, such as the zone, replicas in a
/// cluster without zones end up on one node.
#[test]
fn replicas_are_spread_over_nodes_and_zones() {
    for objects in [base(), namespaced()] {
        let labels = &find(&objects, "Deployment", NAME)["spec"]["template"]["metadata"]["labels"];
        let (pod, this_rollout) = (pod(&objects), json!(["pod-template-hash"]));
        let spread = json!([{
            "labelSelector": {"matchLabels": labels}, "matchLabelKeys": this_rollout, "maxSkew": 1,
            "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway",
        }]);
        assert_eq!(pod["topologySpreadConstraints"], spread);
        let apart = json!({"podAntiAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{
            "podAffinityTerm": {
                "labelSelector": {"matchLabels": labels}, "matchLabelKeys": this_rollout,
                "topologyKey": "topology.kubernetes.io/zone",
            },
            "weight": 100,
        }]}});
        assert_eq!(pod["affinity"], apart);
    }
}

/// Kubernetes replaces `$(NAME)`; a variable that does not exist would stay as it is written.
#[test]
fn arguments_use_variables_that_exist() {
    for objects in [base(), namespaced()] {
        let variables = pod(&objects)["containers"][0]["env"].as_array().unwrap();
        let names: Vec<String> =
            variables.iter().map(|variable| format!("$({})", variable["name"].as_str().unwrap())).collect();
        for argument in arguments(&objects) {
            if let Some(at) = argument.find("$(") {
                assert!(names.iter().any(|name| *name == argument[at..]), "{argument}");
            }
        }
    }
}

#[test]
fn the_operator_understands_its_arguments() {
    for (objects, watched) in [(base(), None), (namespaced(), Some("team-a,team-b"))] {
        let arguments = std::iter::once(NAME.to_string()).chain(arguments(&objects));
        let cli = Cli::try_parse_from(arguments).unwrap();
        let Command::Run(run) = cli.command else { panic!("{cli:?}") };
        // The rules name the Lease.
        assert!(run.leader_elect && run.lease_name == rules("Role")[1]["resourceNames"][0].as_str().unwrap());
        assert_eq!(run.namespaces, watched.map(|names| names.parse().unwrap()));
        let port = &pod(&objects)["containers"][0]["ports"][0]["containerPort"];
        assert_eq!(run.listen.port(), port.as_u64().unwrap() as u16);
        assert_eq!(find(&objects, "Service", "kron-operator-metrics")["spec"]["ports"][0]["port"], *port);
        let policy = find(&objects, "NetworkPolicy", NAME);
        assert_eq!(policy["spec"]["ingress"], json!([{"ports": [{"port": port, "protocol": "TCP"}]}]));
    }
}

#[test]
fn a_shutdown_fits_into_the_grace_period() {
    let grace = pod(&base())["terminationGracePeriodSeconds"].as_u64().unwrap();
    let values = super::parse(&super::read("chart/values.yaml"));
    assert_eq!(values["terminationGracePeriodSeconds"], grace);
    let requests = kron_operator::engine::REQUEST_LIMIT;
    let all = requests + kron_operator::lease::RELEASE_LIMIT + kron_operator::events::DRAIN_LIMIT;
    assert!(all < Duration::from_secs(grace), "{all:?}");
}
