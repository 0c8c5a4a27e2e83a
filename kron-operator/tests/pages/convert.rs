//! docs/guide/convert.md: the CronJobs of a cluster.

use super::migrate::cronjob;
use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let (world, _operator) = World::with_operator("2026-03-01T06:00:00Z").await;
    world.server.create(cronjob("default", "hourly", "0 * * * *", false)).unwrap();
    let [convert] = page.commands("kubectl get cronjobs -A -o yaml | kron convert -");
    world.run(&convert).await;
    world.run("kubectl apply -f kronjobs.yaml").await;
    let kronjob = world.server.get("kron.io/v1alpha1", "kronjobs", "default", "hourly").unwrap();
    assert_eq!(kronjob["spec"]["schedule"], "0 * * * *");
}
