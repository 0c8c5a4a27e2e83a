//! docs/guide/kubernetes-operations.md: another tz database.

use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let (world, _operator) = World::with_operator("2026-03-01T06:00:00Z").await;

    // A start-up error, with the path of a folder that is there and is no tz database.
    std::fs::create_dir(world.folder.join("tzdb")).unwrap();
    let folder = world.folder.join("tzdb").display().to_string();
    let (succeeded, _, errors) =
        world.try_run("KRON_TZDB=$PWD/tzdb kron-operator run --listen 127.0.0.1:0").await;
    assert!(!succeeded);
    assert_eq!(errors.replace(&folder, "/tzdb"), page.shown("kron-operator: KRON_TZDB: /tzdb:"));

    let dockerfile = page.file("dockerfile", "FROM docker.io/library/python");
    std::fs::write(world.folder.join("Dockerfile"), &dockerfile).unwrap();
    let [build, push, set_image, status, logs] = page.commands("docker build -t");
    world.run(&build).await;
    world.run(&push).await;
    let docker = world.docker();
    let tag = &docker[1].words[1];
    assert_eq!(docker[0].words, ["build", "-t", tag, "-"]);
    assert_eq!(docker[0].input, dockerfile);
    assert_eq!(docker[1].words, ["push", tag]);
    // It is made from the image that docs/guide/kubernetes.md makes, and has another tag.
    assert!(dockerfile.contains("\nFROM registry.example.com/kron-operator:0.1.0\n"));
    assert!(tag.starts_with("registry.example.com/kron-operator:0.1.0-"), "{tag}");

    world.roll_out("kron-system", "kron-operator");
    world.run(&set_image).await;
    let deployment = world.roll_out("kron-system", "kron-operator");
    let pod = &deployment["spec"]["template"]["spec"];
    assert_eq!(pod["containers"][0]["image"], **tag, "{pod}");
    assert!(pod["containers"][0]["args"].is_array(), "the rest stays: {pod}");
    assert!(world.run(&status).await.contains("successfully rolled out"));

    // The log of an operator that begins, and has nobody to talk to.
    let (_, log, errors) = world
        .try_run(
            "sed 's/127.0.0.1:[0-9]*/127.0.0.1:1/' kubeconfig > nobody\n\
             kron-operator run --kubeconfig nobody --listen 127.0.0.1:0 > log 2>&1 & operator=$!\n\
             until grep -q 'tz database' log; do kill -0 $operator; sleep 0.1; done\n\
             kill -KILL $operator; cat log",
        )
        .await;
    assert!(log.contains("tz database"), "{log}{errors}");
    world.make_pods("apps/v1", "deployments", &log);
    let line = world.run(&logs).await;
    for word in ["version", "source", "fingerprint"] {
        assert!(line.contains(&format!("{word}=")) && page.says(&format!("`{word}`")), "{word} in {line}");
    }

    let (lease, shown) = page.console("kubectl -n kron-system get lease");
    world.shows(&lease, &shown).await;
}
