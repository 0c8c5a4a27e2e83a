//! docs/reference/resource.md: run now.

use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let (world, _operator) = World::with_operator("2026-03-01T06:00:00Z").await;
    world.server.create_namespace("prod").unwrap();
    world.run("kubectl apply -f examples/manifests/db-backup.yaml").await;
    world.pass(5).await;
    let [annotate] = page.commands("kubectl -n prod annotate kronjob db-backup kron.io/run-now");
    world.run(&annotate).await;
    world.pass(5).await;
    let jobs = world.server.list("batch/v1", "jobs");
    let [job] = &*jobs else { panic!("{jobs:?}") };
    assert!(job["metadata"]["labels"]["kron.io/run-now"].is_string(), "{job}");
    let kronjob = world.server.get("kron.io/v1alpha1", "kronjobs", "prod", "db-backup").unwrap();
    assert_eq!(kronjob["status"]["lastRunNow"]["outcome"], "executed", "{kronjob}");
}
