//! docs/guide/kubernetes-audit.md: the audit of a cluster.

use chrono::{SecondsFormat, TimeDelta, Utc};

use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let [all] = page.commands("kubectl get kronjobs,jobs,events -A -o json | kron audit -f -\n");
    let [recent] = page.commands("kubectl get kronjobs,jobs,events -A -o json | kron audit -f - --for 1h");

    // The audit ends now, by the clock of the machine, and so does the time of the cluster.
    let start = (Utc::now() - TimeDelta::hours(3)).to_rfc3339_opts(SecondsFormat::Millis, true);
    let (world, _operator) = World::with_operator(&start).await;
    world.run("kubectl apply -f examples/manifests/hello.yaml").await;
    world.pass(3 * 3600 - 30).await;
    for command in [&all, &recent] {
        let printed = world.run(command).await;
        assert!(printed.contains("1 KronJob") && printed.contains("executed"), "{printed}");
    }

    // The same three hours, without an operator in the last one.
    let (world, operator) = World::with_operator(&start).await;
    world.run("kubectl apply -f examples/manifests/hello.yaml").await;
    world.pass(2 * 3600).await;
    operator.kill().await;
    world.pass(3600 - 30).await;
    for command in [&all, &recent] {
        let (succeeded, printed, _) = world.try_run(command).await;
        assert!(!succeeded, "{printed}");
        assert!(printed.contains("no operator has handled it"), "{printed}");
    }
}
