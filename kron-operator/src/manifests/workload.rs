//! What runs, and what surrounds it.

use serde_json::{Value, json};

use super::{NAME, Options, PORT, Scope, labels, metadata};

/// Any user but root; the image names the same.
const USER: u32 = 65532;

/// Deployment, Service, PodDisruptionBudget, and NetworkPolicy where it is wanted.
pub(super) fn documents(options: &Options) -> Vec<Value> {
    let mut documents = vec![service(options), disruption_budget(options)];
    if options.network_policy {
        documents.push(network_policy(options));
    }
    documents.push(deployment(options));
    documents
}

/// The arguments of the operator. `$(…)` is replaced by Kubernetes, from the variables of the container.
fn arguments(options: &Options) -> Vec<String> {
    let mut arguments = vec![
        "run".to_string(),
        format!("--listen=0.0.0.0:{PORT}"),
        "--log-format=json".to_string(),
        "--leader-elect=true".to_string(),
        "--lease-namespace=$(POD_NAMESPACE)".to_string(),
        format!("--lease-name={NAME}"),
        "--identity=$(POD_NAME)".to_string(),
    ];
    match &options.scope {
        Scope::Cluster => {}
        Scope::Namespaced { namespace: None } => {
            arguments.push("--watch-namespace=$(POD_NAMESPACE)".to_string());
        }
        Scope::Namespaced { namespace: Some(namespace) } => {
            arguments.push(format!("--watch-namespace={namespace}"));
        }
    }
    arguments
}

fn variable(name: &str, path: &str) -> Value {
    json!({"name": name, "valueFrom": {"fieldRef": {"fieldPath": path}}})
}

fn probe(path: &str, period: u32) -> Value {
    json!({"httpGet": {"path": path, "port": "http"}, "periodSeconds": period, "timeoutSeconds": 3, "failureThreshold": 3})
}

fn container(options: &Options) -> Value {
    json!({
        "name": NAME,
        "image": options.image,
        "imagePullPolicy": "IfNotPresent",
        "args": arguments(options),
        "env": [variable("POD_NAME", "metadata.name"), variable("POD_NAMESPACE", "metadata.namespace")],
        "ports": [{"name": "http", "containerPort": PORT, "protocol": "TCP"}],
        "livenessProbe": probe("/livez", 10),
        "readinessProbe": probe("/readyz", 5),
        // A replica that stands by and has read 10 000 KronJobs and 50 000 Jobs fits in 200 MiB (tests/scale.rs). No limit of
        // CPU: being throttled is being late.
        "resources": {
            "requests": {"cpu": "50m", "memory": "100Mi"},
            "limits": {"memory": "256Mi"},
        },
        "securityContext": {
            "allowPrivilegeEscalation": false,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": true,
        },
    })
}

/// Replicas on different nodes and in different zones, as far as there are such.
fn spread(key: &str) -> Value {
    json!({
        "maxSkew": 1,
        "topologyKey": key,
        "whenUnsatisfiable": "ScheduleAnyway",
        "labelSelector": {"matchLabels": labels()},
    })
}

/// The Deployment.
pub(super) fn deployment(options: &Options) -> Value {
    json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": metadata(NAME, &options.namespace),
        "spec": {
            "replicas": options.replicas,
            "selector": {"matchLabels": labels()},
            // The next one stands ready before the last one gives its Lease back.
            "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
            "template": {
                "metadata": {
                    "labels": labels(),
                    "annotations": {"kubectl.kubernetes.io/default-container": NAME},
                },
                "spec": {
                    "serviceAccountName": NAME,
                    "automountServiceAccountToken": true,
                    "enableServiceLinks": false,
                    "terminationGracePeriodSeconds": 30,
                    "securityContext": {
                        "runAsNonRoot": true,
                        "runAsUser": USER,
                        "runAsGroup": USER,
                        "seccompProfile": {"type": "RuntimeDefault"},
                    },
                    "topologySpreadConstraints": [
                        spread("kubernetes.io/hostname"),
                        spread("topology.kubernetes.io/zone"),
                    ],
                    "containers": [container(options)],
                },
            },
        },
    })
}

/// The Service for metrics.
pub(super) fn service(options: &Options) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": metadata(&format!("{NAME}-metrics"), &options.namespace),
        "spec": {
            "selector": labels(),
            "ports": [{"name": "http", "port": PORT, "targetPort": "http", "protocol": "TCP"}],
        },
    })
}

/// At most one replica is drained at a time. A single one may be drained, too.
pub(super) fn disruption_budget(options: &Options) -> Value {
    json!({
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata(NAME, &options.namespace),
        "spec": {"maxUnavailable": 1, "selector": {"matchLabels": labels()}},
    })
}

/// In: metrics, for namespaces with the label `metrics: enabled` (probes come from the node, which policies let pass).
/// Out: the API server, which no selector can name, on its usual ports.
pub(super) fn network_policy(options: &Options) -> Value {
    let port = |port: u16| json!({"port": port, "protocol": "TCP"});
    json!({
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(NAME, &options.namespace),
        "spec": {
            "podSelector": {"matchLabels": labels()},
            "policyTypes": ["Ingress", "Egress"],
            "ingress": [{
                "from": [{"namespaceSelector": {"matchLabels": {"metrics": "enabled"}}}],
                "ports": [port(PORT)],
            }],
            "egress": [{"ports": [port(443), port(6443)]}],
        },
    })
}
