//! KronJobs as manifests, and what the core says of the same manifest.

use kron_core::Job;
use kron_core::Parser;
use kron_formats::{LoadOptions, load};
use kube::api::DynamicObject;
use serde_json::{Value, json};

use super::cluster::Start;

/// A KronJob of each minute with a Job that does nothing, and these fields of the spec instead of its own.
pub fn kronjob(name: &str, namespace: &str, spec: &Value) -> Value {
    let mut whole = json!({"schedule": "* * * * *", "jobTemplate": template()});
    for (field, value) in spec.as_object().unwrap() {
        whole[field] = value.clone();
    }
    json!({
        "apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
        "metadata": {"name": name, "namespace": namespace}, "spec": whole,
    })
}

/// A template whose pods fit no node: tests end Jobs themselves, also in a cluster that has nodes.
pub fn template() -> Value {
    json!({"spec": {"template": {"spec": {
        "nodeSelector": {"kron.io/test": "no-node-has-this-label"}, "restartPolicy": "Never", "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10"}],
    }}}})
}

/// A KronJob as the API server gave it.
#[derive(Clone, Debug)]
pub struct Manifest {
    pub value: Value,
}

impl Manifest {
    pub fn new(object: &DynamicObject) -> Manifest {
        Manifest { value: serde_json::to_value(object).unwrap() }
    }

    pub fn name(&self) -> &str {
        self.value["metadata"]["name"].as_str().unwrap()
    }

    pub fn uid(&self) -> &str {
        self.value["metadata"]["uid"].as_str().unwrap()
    }

    pub fn created(&self) -> i64 {
        let created = self.value["metadata"]["creationTimestamp"].as_str().unwrap();
        chrono::DateTime::parse_from_rfc3339(created).unwrap().timestamp()
    }

    /// The job that `kron` reads from the manifest, on any machine.
    pub fn job(&self) -> Job {
        let text = self.value.to_string();
        let loaded = load(&Parser::new(), &text, &LoadOptions::default()).unwrap();
        loaded.jobs.into_iter().next().unwrap().job
    }

    /// The starts after a Unix second, in their order, as `kron next -f` lists them.
    pub fn starts(&self, after: i64, count: usize) -> Vec<Start> {
        let job = self.job();
        let starts = job.starts(after + 1..).take(count).map(Result::unwrap);
        let pair = |decision: kron_core::Decision<'_>| Start {
            nominal: decision.nominal_timestamp(),
            chosen: decision.chosen_timestamp().unwrap(),
        };
        starts.map(pair).collect()
    }

    /// The next start after a Unix second.
    pub fn start(&self, after: i64) -> Start {
        self.starts(after, 1)[0]
    }
}
