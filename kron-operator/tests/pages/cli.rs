//! docs/reference/command.md: kron as a plugin of kubectl.

use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let (world, _operator) = World::with_operator("2026-03-01T06:00:00Z").await;
    world.run("kubectl apply -f examples/manifests/hello.yaml").await;
    let [link, next] = page.commands("ln -s");
    world.run(&link).await;
    let printed = world.run(&next).await;
    assert!(printed.contains("default/hello"), "{printed}");
}
