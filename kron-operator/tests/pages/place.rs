//! docs/guide/place.md: the CronJobs of a cluster are placed and put back.

use serde_json::json;

use super::migrate::cronjob;
use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let world = World::new("2026-03-01T06:00:00Z").await;
    world.server.create(cronjob("default", "nightly", "0 0 * * *", false)).unwrap();
    let mut of_helm = cronjob("default", "chart", "0 0 * * *", false);
    of_helm["metadata"]["annotations"] = json!({"meta.helm.sh/release-name": "web"});
    world.server.create(of_helm).unwrap();
    let find = |name: &str| world.server.get("batch/v1", "cronjobs", "default", name).unwrap();
    let before = find("nightly");

    let [adopt, undo] = page.commands("kubectl get cronjobs -A -o json | kron place --adopt");
    let printed = world.run(&adopt).await;
    assert_eq!(printed.trim(), "cronjob.batch/nightly serverside-applied");
    let placed = find("nightly");
    let declaration = "0 0 * * * @win(after,30m)";
    assert_eq!(placed["metadata"]["annotations"]["kron.io/spread"], declaration, "{placed}");
    assert_ne!(placed["spec"]["schedule"], "0 0 * * *");
    assert_eq!(placed["spec"]["jobTemplate"], before["spec"]["jobTemplate"]);
    assert_eq!(find("chart")["spec"]["schedule"], "0 0 * * *");
    // Placed again, nothing changes.
    world.run(&adopt).await;
    assert_eq!(find("nightly")["spec"], placed["spec"]);

    world.run(&undo).await;
    let undone = find("nightly");
    assert_eq!(undone["spec"], before["spec"]);
    assert_eq!(undone["metadata"]["annotations"], before["metadata"]["annotations"]);
}
