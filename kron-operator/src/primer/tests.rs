use serde_json::{Value, json};

use super::*;

fn primer(main: &Value, image: Option<&str>) -> Value {
    template(PrimerOf {
        template: main,
        image: image.unwrap_or(PAUSE_IMAGE),
        lead: 900,
        namespace: "prod",
        name: "report-x",
        main_labels: &[],
        labels: &[],
    })
}

fn with_pod(pod: Value) -> Value {
    let mut whole =
        json!({"restartPolicy": "OnFailure", "containers": [{"name": "main", "image": "report:1"}]});
    for (field, value) in pod.as_object().unwrap() {
        whole[field] = value.clone();
    }
    json!({"spec": {"template": {"metadata": {"labels": {"app": "report"}, "annotations": {"a": "b"}}, "spec": whole}}})
}

#[test]
fn the_pod_is_placed_as_that_of_the_execution() {
    let taken = json!({
        "imagePullSecrets": [{"name": "registry"}],
        "nodeSelector": {"pool": "batch"},
        "os": {"name": "linux"},
        "overhead": {"cpu": "250m", "memory": "120Mi"},
        "preemptionPolicy": "Never",
        "priority": 1000,
        "priorityClassName": "batch",
        "runtimeClassName": "gvisor",
        "schedulerName": "packer",
        "securityContext": {"runAsNonRoot": true, "runAsUser": 1000, "seccompProfile": {"type": "RuntimeDefault"}},
        "serviceAccount": "report",
        "serviceAccountName": "report",
        "tolerations": [{"key": "batch", "operator": "Exists"}],
    });
    let primer = primer(&with_pod(taken.clone()), None);
    let pod = &primer["spec"]["template"]["spec"];
    for (field, value) in taken.as_object().unwrap() {
        assert_eq!(pod[field], *value, "{field}");
    }
    assert_eq!(taken.as_object().unwrap().len(), TAKEN.len(), "every field is tried");
}

#[test]
fn the_pod_starts_fast_waits_and_ends_within_a_second() {
    let main = with_pod(json!({
        "terminationGracePeriodSeconds": 600, "volumes": [{"name": "v"}], "hostNetwork": true, "nodeName": "n",
        "initContainers": [{"name": "init", "image": "init:1"}],
        "containers": [{
            "name": "main", "image": "report:1", "command": ["run"], "volumeMounts": [{"name": "v"}],
            "ports": [{"hostPort": 80}], "securityContext": {"allowPrivilegeEscalation": false},
            "resources": {"requests": {"cpu": "2", "memory": "1Gi"}},
        }],
    }));
    assert_eq!(
        primer(&main, None),
        json!({"spec": {
            "parallelism": 1, "completions": 1, "activeDeadlineSeconds": 1500,
            "template": {"spec": {
                "restartPolicy": "Never", "terminationGracePeriodSeconds": 1, "automountServiceAccountToken": false,
                "enableServiceLinks": false,
                "containers": [{
                    "name": "primer", "image": PAUSE_IMAGE, "imagePullPolicy": "IfNotPresent",
                    "securityContext": {"allowPrivilegeEscalation": false},
                    "resources": {"requests": {"cpu": "2", "memory": "1073741824"}},
                }],
            }},
        }})
    );
}

#[test]
fn another_image_is_run_as_it_is() {
    let primer = primer(&with_pod(json!({})), Some("warm:2"));
    assert_eq!(primer["spec"]["template"]["spec"]["containers"][0]["image"], "warm:2");
}

#[test]
fn as_many_pods_as_run_at_once() {
    for (job, pods) in [
        (json!({}), 1),
        (json!({"parallelism": 4}), 4),
        (json!({"parallelism": 4, "completions": 12}), 4),
        (json!({"parallelism": 4, "completions": 3}), 3),
        (json!({"completions": 5}), 1),
        (json!({"parallelism": 0}), 0),
    ] {
        let mut main = with_pod(json!({}));
        for (field, value) in job.as_object().unwrap() {
            main["spec"][field] = value.clone();
        }
        let primer = primer(&main, None);
        assert_eq!(
            (&primer["spec"]["parallelism"], &primer["spec"]["completions"]),
            (&json!(pods), &json!(pods)),
            "{job}"
        );
    }
}

#[test]
fn labels_and_annotations_of_the_execution_stay_with_it() {
    let primer = primer(&with_pod(json!({})), None);
    assert!(primer["metadata"].is_null() && primer["spec"]["template"]["metadata"].is_null());
}

#[test]
fn no_template_is_too_odd() {
    for main in
        [json!(null), json!({}), json!({"spec": {"template": {"spec": {"containers": 7, "affinity": []}}}})]
    {
        assert_eq!(primer(&main, None)["spec"]["parallelism"], 1, "{main}");
    }
}
