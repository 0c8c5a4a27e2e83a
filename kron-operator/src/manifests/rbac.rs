//! Who the operator is and what it may do.

use serde_json::{Value, json};

use super::{NAME, Options, labels, metadata};

/// Name of the Role for the Lease.
const LEASE_ROLE: &str = "kron-operator-leader-election";
const GROUP: &str = "rbac.authorization.k8s.io";

/// What the operator may do in the namespaces that it serves: as much as it does, no Pods and no Secrets.
pub fn rules() -> Value {
    json!([
        {"apiGroups": ["kron.io"], "resources": ["kronjobs"], "verbs": ["get", "list", "watch"]},
        {"apiGroups": ["kron.io"], "resources": ["kronjobs/status"], "verbs": ["update"]},
        // Where owner references are guarded (OwnerReferencesPermissionEnforcement, as in OpenShift), a Job whose owner may
        // not be deleted before it takes this.
        {"apiGroups": ["kron.io"], "resources": ["kronjobs/finalizers"], "verbs": ["update"]},
        {"apiGroups": ["batch"], "resources": ["jobs"], "verbs": ["get", "list", "watch", "create", "delete"]},
        {"apiGroups": ["events.k8s.io"], "resources": ["events"], "verbs": ["create", "patch"]},
    ])
}

/// What it may do in its own namespace: hold its Lease. A create cannot be limited to a name.
pub fn lease_rules() -> Value {
    json!([
        {"apiGroups": ["coordination.k8s.io"], "resources": ["leases"], "verbs": ["create"]},
        {
            "apiGroups": ["coordination.k8s.io"],
            "resources": ["leases"],
            "resourceNames": [NAME],
            "verbs": ["get", "update"],
        },
    ])
}

/// ServiceAccount, roles and bindings.
pub(super) fn documents(options: &Options) -> Vec<Value> {
    let own = &options.namespace;
    let account = json!({
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": metadata(NAME, own),
        // The Pod asks for the token itself.
        "automountServiceAccountToken": false,
    });
    let lease_role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": metadata(LEASE_ROLE, own),
        "rules": lease_rules(),
    });
    let lease_binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": metadata(LEASE_ROLE, own),
        "roleRef": {"apiGroup": GROUP, "kind": "Role", "name": LEASE_ROLE},
        "subjects": subjects(options),
    });
    vec![account, role(options), binding(options), lease_role, lease_binding]
}

/// The ClusterRole, or the Role in the namespace that is served.
pub(super) fn role(options: &Options) -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": kind(options, "Role"),
        "metadata": scoped(options),
        "rules": rules(),
    })
}

/// Its binding.
pub(super) fn binding(options: &Options) -> Value {
    json!({
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": kind(options, "RoleBinding"),
        "metadata": scoped(options),
        "roleRef": {"apiGroup": GROUP, "kind": kind(options, "Role"), "name": NAME},
        "subjects": subjects(options),
    })
}

fn kind(options: &Options, kind: &str) -> String {
    if options.watched().is_some() { kind.to_string() } else { format!("Cluster{kind}") }
}

fn scoped(options: &Options) -> Value {
    match options.watched() {
        Some(namespace) => metadata(NAME, namespace),
        None => json!({"name": NAME, "labels": labels()}),
    }
}

fn subjects(options: &Options) -> Value {
    json!([{"kind": "ServiceAccount", "name": NAME, "namespace": options.namespace}])
}
