//! docs/guide/kubernetes-primers.md: how long a node takes.

use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let (world, _operator) = World::with_operator("2026-03-02T06:00:00Z").await;
    world.server.create_namespace("trading").unwrap();
    world.run("kubectl apply -f examples/manifests/risk-figures.yaml").await;
    world.run("kubectl config set-context --current --namespace trading").await;
    // The primer that the simulation on this page shows has been made a second ago.
    world.reach("2026-03-02T06:38:58Z").await;
    world.make_pods("batch/v1", "jobs", "");
    let [pods] = page.commands("kubectl get pods -l kron.io/primer-for");
    let printed = world.run(&pods).await;
    let words: Vec<Vec<&str>> = printed.lines().map(|line| line.split_whitespace().collect()).collect();
    let time = "2026-03-02T06:38:58Z";
    assert_eq!(
        words,
        [vec!["POD", "CREATED", "SCHEDULED", "READY"], vec!["risk-figures-psmxtionbml6-pod", time, time, time]]
    );
    assert!(page.says("risk-figures-psmxtionbml6 primer created"));

    let event = |name: &str, reason: &str| {
        let object = serde_json::json!({"kind": "Pod", "name": "pod", "namespace": "trading", "apiVersion": "v1"});
        serde_json::json!({
            "apiVersion": "v1", "kind": "Event", "metadata": {"name": name, "namespace": "trading"},
            "involvedObject": object, "reason": reason, "message": "a message", "type": "Normal",
        })
    };
    world.server.create(event("wanted", "TriggeredScaleUp")).unwrap();
    world.server.create(event("other", "NotTriggerScaleUp")).unwrap();
    let command = page.inline("kubectl get events --field-selector reason=TriggeredScaleUp");
    let printed = world.run(&command).await;
    assert!(printed.contains("wanted") && !printed.contains("other"), "{printed}");
}
