//! Users who write into Jobs what is not true.

use serde_json::{Value, json};

use crate::e2e::cluster::{label_of, object};
use crate::e2e::manifest::Manifest;
use crate::world::World;

impl World<'_> {
    /// A user makes a Job whose owner and labels are a lie about a period to come.
    pub fn forge_a_job(&mut self) {
        let name = self.any_name();
        let Some(kronjob) = self.stored(&name) else { return };
        let namespace = &self.cluster.namespace;
        let forged = format!("forged-{}", self.dice.number(0, 1_000_000_000));
        self.note(format!("a user makes Job {forged} for {name}"));
        let period = self.dice.pick(&["20990101T000000Z", "20270101T000000Z"]);
        let mut job = crate::e2e::manifest::template();
        job["apiVersion"] = json!("batch/v1");
        job["kind"] = json!("Job");
        job["metadata"] = json!({
            "name": forged, "namespace": namespace,
            "labels": {"kron.io/name": name, "kron.io/period-id": period, "kron.io/chosen-time": period},
            "ownerReferences": [{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": name,
                "uid": kronjob["metadata"]["uid"], "controller": true}],
        });
        drop(self.server.create(job));
    }

    /// A user edits the labels by which a Job of the operator is found, or by which its period or token is known.
    pub fn edit_a_label(&mut self) {
        let jobs: Vec<(String, String, String)> = {
            let seen = self.observer.seen();
            // Whether a Job is a primer, its name says, too.
            let jobs = seen.present.iter().map(|uid| (uid, &seen.jobs[uid]));
            let jobs = jobs.filter(|(_, job)| job.primer_for.is_none());
            jobs.map(|(uid, job)| (uid.clone(), job.name.clone(), job.owner.clone())).collect()
        };
        if jobs.is_empty() {
            return;
        }
        let (uid, name, owner) = self.dice.pick(&jobs);
        let of_owner = |kronjob: &Value| kronjob["metadata"]["uid"] == *owner;
        let Some(kronjob) = self.names.iter().filter_map(|name| self.stored(name)).find(of_owner) else {
            return;
        };
        let (label, value) = match self.dice.number(0, 8) {
            0..4 => {
                let job = Manifest::new(&object(kronjob)).job();
                let near = self.cluster.now() + self.dice.number(0, 1800) as i64 - 600;
                let Some(period) = job.periods(near..near + 86_400).next() else { return };
                ("kron.io/period-id", json!(label_of(period.nominal_timestamp())))
            }
            4 => ("kron.io/period-id", Value::Null),
            5 => ("kron.io/run-now", kronjob["metadata"]["annotations"]["kron.io/run-now"].clone()),
            6 => ("kron.io/run-now", json!("nobody-asked")),
            _ => ("kron.io/name", Value::Null),
        };
        self.note(format!("a user sets {label} of Job {name} to {value}"));
        self.observer.label_is_edited(&uid, label, &value);
        let namespace = self.cluster.namespace.clone();
        self.server.edit("batch/v1", "jobs", &namespace, &name, |job| {
            let labels = job["metadata"]["labels"].as_object_mut().unwrap();
            if value.is_null() {
                labels.remove(label);
            } else {
                labels.insert(label.to_string(), value);
            }
        });
    }
}
