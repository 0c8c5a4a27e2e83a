//! The Kubernetes objects that run the operator, for `kron-operator manifests` and for the files in `deploy/`.
//!
//! This is their one source: a test holds `deploy/` and the Helm chart against it.

mod rbac;
mod workload;

use serde_json::{Value, json};

pub use self::rbac::{lease_rules, rules};
use crate::crd::to_yaml;

/// The name of the operator and of everything that belongs to it, the Lease included.
pub const NAME: &str = "kron-operator";
/// The namespace of the operator unless another is asked for.
pub const NAMESPACE: &str = "kron-system";
/// The port of `/livez`, `/readyz` and `/metrics`.
pub const PORT: u16 = 8080;

/// Which KronJobs the operator serves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Those of every namespace, by a ClusterRole.
    #[default]
    Cluster,
    /// Those of one namespace, by a Role there.
    Namespaced {
        /// The namespace; nothing for the operator's own.
        namespace: Option<String>,
    },
}

/// What to render.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Which KronJobs the operator serves.
    pub scope: Scope,
    /// The namespace of the operator.
    pub namespace: String,
    /// The container image, with its tag or digest.
    pub image: String,
    /// How many replicas run; one of them leads.
    pub replicas: u32,
    /// The definition of the KronJob resource, to be installed with the rest.
    pub crd: Option<Value>,
    /// Whether a NetworkPolicy closes all ports but the metrics' and all ways but the one to the API server.
    pub network_policy: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            scope: Scope::Cluster,
            namespace: NAMESPACE.to_string(),
            image: format!("{NAME}:{}", env!("CARGO_PKG_VERSION")),
            replicas: 2,
            crd: None,
            network_policy: false,
        }
    }
}

impl Options {
    /// The namespace whose KronJobs are served, if it is one.
    fn watched(&self) -> Option<&str> {
        match &self.scope {
            Scope::Cluster => None,
            Scope::Namespaced { namespace } => Some(namespace.as_deref().unwrap_or(&self.namespace)),
        }
    }
}

/// The objects, in an order in which they can be created.
pub fn documents(options: &Options) -> Vec<Value> {
    let mut documents: Vec<Value> = options.crd.iter().cloned().collect();
    // Who serves one namespace has it already, and may not be allowed to make one.
    if options.scope == Scope::Cluster {
        documents.push(namespace(options));
    }
    documents.extend(rbac::documents(options));
    documents.extend(workload::documents(options));
    documents
}

/// The objects as a stream of YAML documents.
///
/// ```
/// use kron_operator::manifests::{Options, render};
/// let text = render(&Options::default());
/// assert!(text.starts_with("apiVersion: v1\nkind: Namespace\n"));
/// assert!(!text.contains("secrets"));
/// ```
pub fn render(options: &Options) -> String {
    documents(options).iter().map(to_yaml).collect::<Vec<_>>().join("---\n")
}

/// The files of `deploy/` that are made from these objects: path below it, and text.
pub fn files() -> Vec<(&'static str, String)> {
    let cluster = Options::default();
    let namespaced = Options { scope: Scope::Namespaced { namespace: None }, ..cluster.clone() };
    let file = |documents: &[Value]| {
        let text: Vec<String> = documents.iter().map(to_yaml).collect();
        format!("# Generated from src/manifests; do not edit.\n{}", text.join("---\n"))
    };
    vec![
        ("base/namespace.yaml", file(&[namespace(&cluster)])),
        ("base/rbac.yaml", file(&rbac::documents(&cluster))),
        ("base/deployment.yaml", file(&[workload::deployment(&cluster)])),
        ("base/service.yaml", file(&[workload::service(&cluster)])),
        ("base/disruption-budget.yaml", file(&[workload::disruption_budget(&cluster)])),
        ("namespaced/role.yaml", file(&[rbac::role(&namespaced), rbac::binding(&namespaced)])),
        ("network-policy/network-policy.yaml", file(&[workload::network_policy(&cluster)])),
    ]
}

fn namespace(options: &Options) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {
            "name": options.namespace,
            "labels": {
                "app.kubernetes.io/name": NAME,
                // The Pods need nothing that the strictest standard forbids.
                "pod-security.kubernetes.io/enforce": "restricted",
            },
        },
    })
}

/// Metadata of an object in a namespace.
fn metadata(name: &str, namespace: &str) -> Value {
    json!({"name": name, "namespace": namespace, "labels": labels()})
}

fn labels() -> Value {
    json!({"app.kubernetes.io/name": NAME})
}

#[cfg(test)]
mod tests;
