//! The Job that a primer becomes, if the KronJob has no template for it: pods that are placed as those of the execution are,
//! hold as much of a node, and do nothing.

mod affinity;
mod source;

use kron_formats::kronjob::{PodResources, pods_at_once};
use serde_json::{Map, Value, json};

use affinity::Selectors;
pub use source::PrimerOf;

/// The image of a primer if neither the KronJob nor the operator's settings name one. It is small, waits, and ends as soon as it gets SIGTERM.
pub const PAUSE_IMAGE: &str = "registry.k8s.io/pause:3.10";

/// How many seconds after its start a primer ends by itself, if nobody deleted it.
const ENDS_BY_ITSELF: i64 = 600;
/// How many seconds a pod has to end after it was deleted: its room is free when the pods of the execution come.
const GRACE: i64 = 1;
/// Fields of the main pods that decide where they run, and whether they are admitted. `overhead` must be that of the runtime
/// class; the scheduler adds it to the requests of this pod, too.
const TAKEN: [&str; 13] = [
    "imagePullSecrets",
    "nodeSelector",
    "os",
    "overhead",
    "preemptionPolicy",
    "priority",
    "priorityClassName",
    "runtimeClassName",
    "schedulerName",
    "securityContext",
    "serviceAccount",
    "serviceAccountName",
    "tolerations",
];

/// The job template of a primer.
///
/// Its pods have none of the labels of the template, so that no Service sends them requests, and no disruption budget, network
/// policy or affinity of the execution counts them.
pub fn template(of: PrimerOf<'_>) -> Value {
    let main = &of.template["spec"]["template"];
    let pods = pods_at_once(&of.template["spec"]);
    let mut container = json!({
        "name": "primer",
        "image": of.image,
        "imagePullPolicy": "IfNotPresent",
        "resources": resources(&main["spec"]),
    });
    // An admission that accepts the first container of the execution accepts this one.
    take("securityContext", &main["spec"]["containers"][0], &mut container);
    let mut pod = json!({
        "restartPolicy": "Never",
        "terminationGracePeriodSeconds": GRACE,
        // It makes no requests, so it need not wait for a token or for the addresses of Services.
        "automountServiceAccountToken": false,
        "enableServiceLinks": false,
        "containers": [container],
    });
    TAKEN.into_iter().for_each(|field| take(field, &main["spec"], &mut pod));
    let selectors = Selectors::new(of);
    if let Some(affinity) = selectors.affinity(&main["spec"]["affinity"]) {
        pod["affinity"] = affinity;
    }
    if let Some(constraints) = selectors.spread(&main["spec"]["topologySpreadConstraints"]) {
        pod["topologySpreadConstraints"] = constraints;
    }
    json!({"spec": {
        "parallelism": pods,
        "completions": pods,
        "activeDeadlineSeconds": of.lead.saturating_add(ENDS_BY_ITSELF),
        "template": {"spec": pod},
    }})
}

/// Takes a field over, if it is there.
fn take(field: &str, from: &Value, to: &mut Value) {
    if !from[field].is_null() {
        to[field] = from[field].clone();
    }
}

/// The resources of the one container of a primer: those of a whole pod of the execution.
fn resources(pod: &Value) -> Value {
    let PodResources { requests, limits, .. } = PodResources::of_pod(pod);
    let mut resources = Map::new();
    for (list, values) in [("requests", requests), ("limits", limits)] {
        if !values.is_empty() {
            let values: Map<String, Value> =
                values.into_iter().map(|(name, quantity)| (name, json!(quantity.to_string()))).collect();
            resources.insert(list.to_string(), values.into());
        }
    }
    resources.into()
}

#[cfg(test)]
mod tests;
