//! docs/guide/forecast.md: the load of the CronJobs of a cluster.

use super::migrate::cronjob;
use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let world = World::new("2026-03-01T06:00:00Z").await;
    world.server.create(cronjob("default", "hourly", "0 * * * *", false)).unwrap();
    world.server.create(cronjob("default", "daily", "0 5 * * *", false)).unwrap();
    let [forecast] = page.commands("kubectl get cronjobs -A -o json | kron forecast");
    let printed = world.run(&forecast).await;
    // The days are those of the machine's clock.
    assert!(printed.contains("\n2 jobs, 175 starts, UTC\n"), "{printed}");
    assert!(printed.contains(" 1 x 0 5 * * *  default/daily\n"), "{printed}");
}
