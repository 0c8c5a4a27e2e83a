//! What the model needs so that `kubectl apply -k kron-operator/deploy` works on it: the kinds, and what roles and bindings mean.

use std::collections::BTreeSet;

use kron_api_model::{Server, StoredKind};
use serde_json::Value;

/// The kinds of an installation that the model does not have by itself: version, kind, plural, short names, whether in namespaces.
const KINDS: [(&str, &str, &str, &[&str], bool); 16] = [
    ("v1", "ConfigMap", "configmaps", &["cm"], true),
    ("v1", "Pod", "pods", &["po"], true),
    ("v1", "Secret", "secrets", &[], true),
    ("v1", "Service", "services", &["svc"], true),
    ("v1", "ServiceAccount", "serviceaccounts", &["sa"], true),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicy",
        "validatingadmissionpolicies",
        &[],
        false,
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
        &[],
        false,
    ),
    ("apps/v1", "Deployment", "deployments", &["deploy"], true),
    ("batch/v1", "CronJob", "cronjobs", &["cj"], true),
    ("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", &[], true),
    ("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies", &["netpol"], true),
    ("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets", &["pdb"], true),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", "clusterroles", &[], false),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "clusterrolebindings", &[], false),
    ("rbac.authorization.k8s.io/v1", "Role", "roles", &[], true),
    ("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings", &[], true),
];

/// Serves the kinds.
pub fn serve_kinds(server: &Server) {
    for (api_version, kind, plural, short_names, namespaced) in KINDS {
        server.serve(&StoredKind { api_version, kind, plural, short_names, namespaced });
    }
}

/// A caller of the model with no rights but those of the roles that are bound to the operator's ServiceAccount.
pub struct Rights<'s> {
    server: &'s Server,
    caller: &'s str,
    /// The uids of the bindings that count already.
    followed: BTreeSet<String>,
}

impl<'s> Rights<'s> {
    /// The caller has no rights before the first [`Rights::follow`].
    pub fn of(server: &'s Server, caller: &'s str) -> Rights<'s> {
        server.allow(caller, Vec::new());
        Rights { server, caller, followed: BTreeSet::new() }
    }

    /// Adds the rights of bindings that are new. What was bound once stays.
    pub fn follow(&mut self) {
        for kind in ["clusterrolebindings", "rolebindings"] {
            for binding in self.server.list("rbac.authorization.k8s.io/v1", kind) {
                self.add(&binding);
            }
        }
    }

    fn add(&mut self, binding: &Value) {
        let ours =
            |subject: &Value| subject["name"] == "kron-operator" && subject["namespace"] == "kron-system";
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        let uid = text(&binding["metadata"]["uid"]);
        let subjects = binding["subjects"].as_array();
        if self.followed.contains(&uid) || !subjects.is_some_and(|subjects| subjects.iter().any(ours)) {
            return;
        }
        let namespace = text(&binding["metadata"]["namespace"]);
        let role = &binding["roleRef"];
        let (plural, of_role) =
            if role["kind"] == "Role" { ("roles", &*namespace) } else { ("clusterroles", "") };
        let Some(role) = self.server.get(
            "rbac.authorization.k8s.io/v1",
            plural,
            of_role,
            role["name"].as_str().unwrap_or_default(),
        ) else {
            return;
        };
        let rules = role["rules"].as_array().cloned().unwrap_or_default();
        if namespace.is_empty() {
            self.server.allow(self.caller, rules);
        } else {
            self.server.allow_in(self.caller, &namespace, rules);
        }
        self.followed.insert(uid);
    }
}
