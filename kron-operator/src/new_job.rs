//! The Job that a period becomes: the template as it is, with labels, an owner reference and a name.

use kron_crd::Time;
use kron_formats::names::{NAME_LABEL, PRIMER_FOR_LABEL, label_of_name, label_time, labels_of};
use kron_host::Trigger;
use serde_json::{Map, Value, json};

use crate::object::KronJobView;
use crate::primer::{PrimerOf, template};

/// The object at a key, made where there is none. A template that has something else there is refused by the schema, and
/// by the API server when the Job is sent; here it is replaced.
fn child<'v>(parent: &'v mut Map<String, Value>, key: &str) -> &'v mut Map<String, Value> {
    let value = parent.entry(key).or_insert_with(|| json!({}));
    if !value.is_object() {
        *value = json!({});
    }
    match value {
        Value::Object(map) => map,
        _ => unreachable!("it is an object now"),
    }
}

fn add_labels(metadata: &mut Map<String, Value>, labels: &[(&'static str, String)]) {
    let target = child(metadata, "labels");
    for (key, value) in labels {
        target.insert((*key).to_string(), Value::String(value.clone()));
    }
}

/// The Job of a start, under a name, of a template in JSON: the template's metadata and spec, untouched but for the labels on the Job and on
/// its pods, its name and namespace, and the owner reference.
pub fn job(kronjob: &KronJobView, template: &str, trigger: &Trigger, name: &str) -> Value {
    // OK because the template was printed from a value.
    let template: Value = serde_json::from_str(template).unwrap_or_default();
    let labels = labels_of(trigger, &kronjob.key.name);
    assemble(kronjob, template, &labels, &labels, name)
}

/// The primer of a period, under a name: of the primer's own template, if it has one, or else of the template of the Jobs. Both
/// are in JSON. `image` is for KronJobs that name none.
///
/// Its pods have the label of the period alone: with the name of the KronJob, whatever selects the pods of its Jobs by it would
/// select them, too.
pub fn primer_job(
    kronjob: &KronJobView,
    template_text: &str,
    period: Time,
    name: &str,
    image: &str,
) -> Value {
    let Some(primer) = kronjob.spec.as_ref().ok().and_then(|spec| spec.primer.as_ref()) else {
        return Value::Null;
    };
    // OK because the template was printed from a value.
    let given: Value = serde_json::from_str(template_text).unwrap_or_default();
    let name_label = (NAME_LABEL, label_of_name(&kronjob.key.name));
    let of_period = (PRIMER_FOR_LABEL, label_time(period.0));
    let of_pods = [of_period.clone()];
    let template = match primer.has_job_template {
        true => given,
        false => template(PrimerOf {
            template: &given,
            image: primer.image.as_deref().unwrap_or(image),
            lead: primer.lead.duration().as_secs(),
            namespace: &kronjob.key.namespace,
            name,
            main_labels: std::slice::from_ref(&name_label),
            labels: &of_pods,
        }),
    };
    assemble(kronjob, template, &[name_label, of_period], &of_pods, name)
}

/// A Job of a template, with labels for it and for its pods.
fn assemble(
    kronjob: &KronJobView,
    template: Value,
    labels: &[(&'static str, String)],
    of_pods: &[(&'static str, String)],
    name: &str,
) -> Value {
    let Value::Object(mut job) = template else { return Value::Null };
    job.insert("apiVersion".into(), json!("batch/v1"));
    job.insert("kind".into(), json!("Job"));
    let metadata = child(&mut job, "metadata");
    add_labels(metadata, labels);
    metadata.insert("name".into(), json!(name));
    metadata.insert("namespace".into(), json!(&*kronjob.key.namespace));
    let owner = json!({
        "apiVersion": kron_formats::kronjob::API_VERSION, "kind": kron_formats::kronjob::KIND, "name": &*kronjob.key.name,
        "uid": &*kronjob.uid, "controller": true, "blockOwnerDeletion": true,
    });
    metadata.insert("ownerReferences".into(), json!([owner]));
    let pods = child(child(&mut job, "spec"), "template");
    add_labels(child(pods, "metadata"), of_pods);
    Value::Object(job)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_arrives_untouched() {
        let template = json!({
            "metadata": {"labels": {"team": "db"}, "annotations": {"a": "b"}},
            "spec": {"backoffLimit": 0, "unheardOf": {"a": [1, null, 1.0, 18446744073709551615u64]}, "template": {
                "metadata": {"labels": {"app": "dump"}},
                "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i", "future": true}]},
            }},
        });
        let manifest = json!({
            "apiVersion": "kron.io/v1alpha1", "kind": "KronJob",
            "metadata": {"name": "db", "namespace": "prod", "uid": "k"},
            "spec": {"schedule": "@daily", "jobTemplate": template},
        });
        let kronjob =
            KronJobView::read(&serde_json::from_value(manifest).unwrap(), &kron_core::Parser::new());
        let kept = kronjob.spec.as_ref().unwrap().template.as_deref().unwrap();
        let trigger = Trigger::Period { nominal: 1_772_323_200, chosen: 1_772_323_201 };
        let mut job = job(&kronjob, kept, &trigger, "db-x");

        let labels = json!({
            "kron.io/name": "db", "kron.io/period-id": "20260301T000000Z", "kron.io/chosen-time": "20260301T000001Z",
        });
        let mut take = |pointer: &str| job.pointer_mut(pointer).unwrap().take();
        let mut all = labels.clone();
        all["team"] = json!("db");
        assert_eq!(take("/metadata/labels"), all);
        let mut all = labels;
        all["app"] = json!("dump");
        assert_eq!(take("/spec/template/metadata/labels"), all);
        assert_eq!(
            take("/metadata/ownerReferences"),
            json!([{"apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "name": "db", "uid": "k", "controller": true,
                "blockOwnerDeletion": true}])
        );
        assert_eq!((take("/metadata/name"), take("/metadata/namespace")), (json!("db-x"), json!("prod")));
        assert_eq!((take("/apiVersion"), take("/kind")), (json!("batch/v1"), json!("Job")));
        // What is left is the template.
        let mut rest = template;
        for pointer in ["/metadata/labels", "/spec/template/metadata/labels"] {
            rest.pointer_mut(pointer).unwrap().take();
        }
        for field in ["name", "namespace", "ownerReferences"] {
            job["metadata"].as_object_mut().unwrap().remove(field);
        }
        job.as_object_mut().unwrap().retain(|field, _| field != "apiVersion" && field != "kind");
        assert_eq!(job, rest);
    }
}
