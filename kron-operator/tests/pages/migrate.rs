//! docs/guide/kubernetes-migrate.md: from CronJobs to KronJobs.

use serde_json::{Value, json};

use super::page::Page;
use super::world::World;

/// A CronJob as somebody writes it.
pub fn cronjob(namespace: &str, name: &str, schedule: &str, suspend: bool) -> Value {
    json!({
        "apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "schedule": schedule, "suspend": suspend,
            "jobTemplate": {"spec": {"template": {"spec": {
                "restartPolicy": "OnFailure", "containers": [{"name": "main", "image": "busybox"}],
            }}}},
        },
    })
}

fn suspended(world: &World, namespace: &str, name: &str) -> (Value, Value) {
    let mut cronjob = world.server.get("batch/v1", "cronjobs", namespace, name).unwrap();
    let mut kronjob = world.server.get("kron.io/v1alpha1", "kronjobs", namespace, name).unwrap();
    (cronjob["spec"]["suspend"].take(), kronjob["spec"]["policy"]["suspend"].take())
}

pub async fn follow(page: &Page) {
    let (world, _operator) = World::with_operator("2026-03-01T06:00:00Z").await;
    for namespace in ["team-a", "team-b"] {
        world.server.create_namespace(namespace).unwrap();
    }
    for (namespace, name, schedule, suspend) in [
        ("team-a", "hourly", "0 * * * *", false),
        ("team-a", "paused", "30 * * * *", true),
        ("team-b", "daily", "0 5 * * *", false),
        // Refused: it has no fifth field.
        ("team-b", "wrong", "0 5 * *", false),
    ] {
        world.server.create(cronjob(namespace, name, schedule, suspend)).unwrap();
    }
    let started = |namespace: &str, name: &str, time: &str| {
        world.server.edit("batch/v1", "cronjobs", namespace, name, |cronjob| {
            cronjob["status"]["lastScheduleTime"] = json!(time);
        });
    };
    started("team-a", "hourly", "2026-03-01T06:00:00Z");
    started("team-b", "daily", "2026-03-01T05:00:00Z");
    started("team-b", "wrong", "2026-03-01T05:00:00Z");

    // 1. and 2.
    let [get, convert] = page.commands("kubectl get cronjobs -A -o yaml");
    world.run(&get).await;
    // It says by its code that it refused one.
    let (_, _, messages) = world.try_run(&convert).await;
    assert!(messages.contains("team-b/wrong"), "{messages}");
    let [apply] = page.commands("kubectl apply -f kronjobs.yaml");
    world.run(&apply).await;
    assert_eq!(world.server.count("kron.io/v1alpha1", "kronjobs"), 3);
    world.pass(5).await;
    assert_eq!(suspended(&world, "team-a", "hourly"), (json!(false), json!(true)));

    // 3. Those that were refused or suspended stay as they are.
    world.reach("2026-03-01T06:20:30Z").await;
    for command in page.commands::<2>("kubectl get cronjobs -A -o json") {
        world.run(&command).await;
    }
    for (namespace, name) in [("team-a", "hourly"), ("team-b", "daily")] {
        assert_eq!(suspended(&world, namespace, name), (json!(true), json!(false)), "{name}");
    }
    assert_eq!(suspended(&world, "team-a", "paused"), (json!(true), json!(true)));
    let wrong = world.server.get("batch/v1", "cronjobs", "team-b", "wrong").unwrap();
    assert_eq!(wrong["spec"]["suspend"], false);
    world.pass(5).await;

    // 4. Each CronJob's last start, and no other.
    let [check] = page.commands("while read -r namespace name; do\n  last=");
    // As in a shell of a user, which goes on after an error.
    let check = format!("set +e\n{check}");
    let (_, printed, errors) = world.try_run(&check).await;
    let starts: Vec<&str> = printed.lines().filter(|line| line.starts_with("2026-")).collect();
    assert_eq!(starts.len(), 2, "{printed}{errors}");
    assert!(!errors.contains("--until"), "{errors}");
    for (start, name) in [("2026-03-01T06:00:00Z", "team-a/hourly"), ("2026-03-01T05:00:00Z", "team-b/daily")] {
        assert!(starts.iter().any(|line| line.contains(start) && line.contains(name)), "{printed}");
    }
    // One that was due between the two steps is listed.
    started("team-a", "hourly", "2026-03-01T05:00:00Z");
    let (_, printed, errors) = world.try_run(&check).await;
    assert_eq!(printed.lines().filter(|line| line.starts_with("2026-")).count(), 3, "{printed}{errors}");

    // 6.
    let [convert, apply] = page.commands("kron convert cronjobs.yaml --window 30m");
    world.try_run(&convert).await;
    world.run(&apply).await;
    let hourly = world.server.get("kron.io/v1alpha1", "kronjobs", "team-a", "hourly").unwrap();
    assert_eq!(hourly["spec"]["window"]["duration"], "30m");
    assert_eq!(hourly["spec"]["policy"]["suspend"], false, "{hourly}");
}
