//! docs/guide/spread.md: other seeds for the KronJobs of a cluster.

use serde_json::{Value, json};

use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let (world, _operator) = World::with_operator("2026-03-01T06:00:00Z").await;
    for name in ["a", "b", "c"] {
        let kronjob = json!({
            "apiVersion": "kron.io/v1alpha1", "kind": "KronJob", "metadata": {"name": name, "namespace": "default"},
            "spec": {
                "schedule": "0 * * * *", "window": {"duration": "2m"},
                "jobTemplate": {"spec": {"template": {"spec": {
                    "restartPolicy": "Never", "containers": [{"name": "main", "image": "busybox"}],
                }}}},
            },
        });
        // As somebody has applied it.
        std::fs::write(world.folder.join("kronjob.json"), kronjob.to_string()).unwrap();
        world.run("kubectl apply -f kronjob.json").await;
    }
    let [get, spread, diff, apply] = page.commands("kubectl get kronjobs -A -o json");
    world.run(&get).await;
    world.run(&spread).await;
    // It ends with an error code, as there are differences.
    let (_, differences, errors) = world.try_run(&diff).await;
    assert!(differences.contains("default/a"), "{differences}{errors}");
    world.run(&apply).await;
    world.pass(5).await;
    let kronjobs = world.server.list("kron.io/v1alpha1", "kronjobs");
    let seeds: Vec<&Value> = kronjobs.iter().map(|kronjob| &kronjob["spec"]["seed"]).collect();
    assert!(seeds.iter().all(|seed| seed["strategy"] == "fixed"), "{seeds:?}");
    assert!(seeds.iter().any(|seed| seed["salt"].as_str().is_some_and(|salt| !salt.is_empty())), "{seeds:?}");
}
