//! Events in both of their versions, and leases.

use k8s_openapi::api::coordination::v1::Lease;
use k8s_openapi::api::core::v1::ObjectReference;
use kube::api::{Api, ListParams, PostParams};
use kube::runtime::events::{Event, EventType, Recorder, Reporter};
use serde_json::{Value, json};

use crate::world::{refusal, server};

#[tokio::test(start_paused = true)]
async fn a_recorder_writes_what_both_versions_read() {
    let server = server();
    let client = server.client("test");
    let reporter = Reporter { controller: "kron-operator".into(), instance: Some("replica-a".into()) };
    let recorder = Recorder::new(client.clone(), reporter);
    let about = ObjectReference {
        api_version: Some("kron.io/v1alpha1".into()),
        kind: Some("KronJob".into()),
        name: Some("k".into()),
        namespace: Some("default".into()),
        uid: Some("123".into()),
        ..ObjectReference::default()
    };
    let event = Event {
        type_: EventType::Normal,
        reason: "SuccessfulCreate".into(),
        note: Some("Created Job a".into()),
        action: "Create".into(),
        secondary: None,
    };
    recorder.publish(&event, &about).await.unwrap();
    recorder.publish(&event, &about).await.unwrap();
    let new: Api<k8s_openapi::api::events::v1::Event> = Api::default_namespaced(client.clone());
    let chosen = ListParams::default().fields("regarding.uid=123,reason=SuccessfulCreate");
    let found = new.list(&chosen).await.unwrap().items;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].note.as_deref(), Some("Created Job a"));
    assert_eq!(found[0].series.as_ref().unwrap().count, 2, "the second one is patched in");
    let old: Api<k8s_openapi::api::core::v1::Event> = Api::default_namespaced(client);
    let chosen = ListParams::default().fields("involvedObject.name=k,involvedObject.kind=KronJob");
    let found = old.list(&chosen).await.unwrap().items;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].message.as_deref(), Some("Created Job a"));
    assert_eq!(found[0].involved_object.uid.as_deref(), Some("123"));
    assert_eq!(server.list("events.k8s.io/v1", "events")[0]["regarding"]["kind"], "KronJob");
}

#[tokio::test(start_paused = true)]
async fn half_an_event_is_refused() {
    let server = server();
    let event = json!({
        "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": {"name": "a"},
        "eventTime": "2026-03-01T00:00:00.000000Z", "reportingController": "kron.io/operator",
        "reportingInstance": "a", "action": "Create", "reason": "Created", "type": "Normal",
        "regarding": {"kind": "KronJob", "name": "k", "namespace": "default"},
    });
    for (key, value, expected) in [
        ("reportingInstance", Value::Null, "reportingInstance: Required value"),
        ("action", json!(""), "action: Required value"),
        ("type", json!("Odd"), "type: Invalid value: \"\": has invalid value: Odd"),
        ("note", json!("x".repeat(1025)), "can have at most 1024 characters"),
        (
            "regarding",
            json!({"kind": "KronJob"}),
            "involvedObject.namespace: Invalid value: \"\": does not match",
        ),
        ("eventTime", json!("2026-03-01T00:00:00Z"), "cannot parse"),
    ] {
        let mut wrong = event.clone();
        wrong["metadata"] = json!({"name": "a", "namespace": "default"});
        if key == "regarding" {
            server.create_namespace("team").ok();
            wrong["metadata"]["namespace"] = json!("team");
        }
        wrong[key] = value;
        let error = server.create(wrong).unwrap_err();
        assert!(error.message.contains(expected), "{key}: {error}");
    }
    server.create(event).unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_lease_has_one_holder() {
    let server = server();
    let leases: Api<Lease> = Api::default_namespaced(server.client("a"));
    let lease = |holder: &str, version: Option<&str>| -> Lease {
        serde_json::from_value(json!({
            "metadata": {"name": "leader", "resourceVersion": version},
            "spec": {"holderIdentity": holder, "leaseDurationSeconds": 15,
                "renewTime": "2026-03-01T00:00:00.000000Z"},
        }))
        .unwrap()
    };
    let first = leases.create(&PostParams::default(), &lease("a", None)).await.unwrap();
    let version = first.metadata.resource_version.as_deref();
    leases.replace("leader", &PostParams::default(), &lease("b", version)).await.unwrap();
    assert_eq!(refusal(leases.replace("leader", &PostParams::default(), &lease("c", version)).await).0, 409);
    assert_eq!(refusal(leases.replace("leader", &PostParams::default(), &lease("c", None)).await).0, 422);
    let mut other = lease("a", None);
    other.metadata.name = Some("other".into());
    leases.replace("other", &PostParams::default(), &other).await.unwrap();
    assert_eq!(server.count("coordination.k8s.io/v1", "leases"), 2, "a PUT creates leases");
    let mut wrong = lease("a", None);
    wrong.metadata.name = Some("wrong".into());
    wrong.spec.as_mut().unwrap().lease_duration_seconds = Some(0);
    let (_, _, message) = refusal(leases.create(&PostParams::default(), &wrong).await);
    assert!(
        message.contains("spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"),
        "{message}"
    );
}
