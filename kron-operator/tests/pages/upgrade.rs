//! docs/guide/kubernetes-upgrade.md: KronJobs are saved and restored.

use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let (world, _operator) = World::with_operator("2026-03-01T06:00:00Z").await;
    let hello = || world.server.get("kron.io/v1alpha1", "kronjobs", "default", "hello");
    world.run("kubectl apply -f examples/manifests/hello.yaml").await;
    world.pass(5).await;
    world.run("kubectl annotate kj hello kron.io/run-now=first").await;
    world.pass(5).await;
    let before = hello().unwrap();
    assert_eq!(before["status"]["lastRunNow"]["token"], "first", "{before}");

    let [save] = page.commands("kubectl get kronjobs -A -o json |");
    world.run(&save).await;
    world.run("kubectl delete kj hello").await;
    world.pass(60).await;
    assert!(hello().is_none());
    let of_token = || {
        let jobs = world.server.list("batch/v1", "jobs");
        jobs.iter().filter(|job| job["metadata"]["labels"]["kron.io/run-now"] == "first").count()
    };
    assert_eq!(of_token(), 0);

    let [restore] = page.commands("kubectl create -f kronjobs.json");
    world.run(&restore).await;
    world.pass(5).await;
    let after = hello().unwrap();
    assert_eq!(after["spec"], before["spec"]);
    assert_ne!(after["metadata"]["uid"], before["metadata"]["uid"]);
    assert!(!after["status"]["configuration"]["since"].is_null(), "{after}");
    // The old token was saved with it, and is spent.
    assert_eq!(after["status"]["lastRunNow"]["outcome"], "skipped", "{after}");
    assert_eq!(of_token(), 0);
}
