//! docs/guide/kubernetes.md: installation, and a first KronJob.

use serde_json::Value;

use super::page::Page;
use super::world::World;

const TAG: &str = "registry.example.com/kron-operator:0.1.0";

pub async fn follow(page: &Page) {
    by_kubectl(page).await;
    by_helm(page).await;
    for_some_namespaces(page).await;
    first_kronjob(page).await;
}

/// Takes the comment away from `images:`, the end of a kustomization.
fn uncomment_images(text: String) -> String {
    let (before, images) = text.split_once("# images:\n").unwrap();
    let images: String =
        images.lines().map(|line| format!("{}\n", line.strip_prefix("# ").unwrap())).collect();
    format!("{before}images:\n{images}")
}

fn deployment(world: &World, namespace: &str) -> Value {
    let found = world.server.get("apps/v1", "deployments", namespace, "kron-operator");
    found.unwrap_or_else(|| panic!("no Deployment in {namespace}"))["spec"]["template"]["spec"]["containers"][0].take()
}

async fn by_kubectl(page: &Page) {
    let world = World::new("2026-02-28T12:00:00Z").await;
    let [build, push] = page.commands("docker build -f");
    world.run(&build).await;
    world.run(&push).await;
    let docker = world.docker();
    assert_eq!(docker[0].words, ["build", "-f", "kron-operator/Dockerfile", "-t", TAG, "."]);
    assert!(world.folder.join("kron-operator/Dockerfile").exists());
    assert_eq!(docker[1].words, ["push", TAG]);

    assert!(page.says("Uncomment `images:` at the end of `kron-operator/deploy/kustomization.yaml`"));
    world.edit("kron-operator/deploy/kustomization.yaml", uncomment_images);
    let [definition, apply, status] =
        page.commands("kubectl apply -k kron-operator/deploy/crd\nkubectl apply -k");
    world.run(&definition).await;
    world.run(&apply).await;
    assert_eq!(deployment(&world, "kron-system")["image"], TAG);
    world.roll_out("kron-system", "kron-operator");
    let done = world.run(&status).await;
    assert!(done.contains("successfully rolled out"), "{done}");
    // What is installed is enough for an operator to work.
    let _operator = world.start_operator().await;

    let [roles] = page.commands("kubectl apply -f kron-operator/deploy/user-roles/roles.yaml");
    let before = world.server.count("rbac.authorization.k8s.io/v1", "clusterroles");
    world.run(&roles).await;
    assert_eq!(world.server.count("rbac.authorization.k8s.io/v1", "clusterroles"), before + 2);

    // The network policy, by the other uncommented lines.
    assert!(page.says("uncomment `components:` in `kron-operator/deploy/kustomization.yaml`"));
    world.edit("kron-operator/deploy/kustomization.yaml", |text| {
        text.replace("# components:\n# - network-policy\n", "components:\n- network-policy\n")
    });
    assert!(world.run(&format!("{apply} --dry-run=client")).await.contains("networkpolicy.networking.k8s.io/"));
    world.run(&page.inline(
        "kubectl -n default get endpointslices -l kubernetes.io/service-name=kubernetes",
    )).await;
}

async fn by_helm(page: &Page) {
    let world = World::new("2026-02-28T12:00:00Z").await;
    let [install] = page.commands("helm install");
    world.run(&install).await;
    let image = deployment(&world, "kron-system")["image"].take();
    assert_eq!(image, TAG);
    let definition =
        world.server.get("apiextensions.k8s.io/v1", "customresourcedefinitions", "", "kronjobs.kron.io");
    assert!(definition.is_some());
    let _operator = world.start_operator().await;

    // Where the resource is installed already.
    let other = World::new("2026-02-28T12:00:00Z").await;
    other.run("kubectl apply -k kron-operator/deploy/crd").await;
    let (succeeded, output, errors) = other.try_run(&install).await;
    assert!(!succeeded, "{output}");
    assert!(errors.contains("kronjobs.kron.io"), "{errors}");
    assert!(page.says("add `--set crds.install=false` then"));
    // Helm 3 has no server-side apply.
    other.run(&format!("{install} --set crds.install=false --server-side=false")).await;
    assert_eq!(deployment(&other, "kron-system")["image"], TAG);
}

async fn for_some_namespaces(page: &Page) {
    let world = World::new("2026-02-28T12:00:00Z").await;
    let [bindings, arguments] = ["served/bindings.yaml", "operator/kustomization.yaml"]
        .map(|file| format!("kron-operator/deploy/namespaced/{file}"));
    assert!(page.says(&format!("Name the namespaces in `{bindings}` and in `--namespaces` in `{arguments}`")));
    world.edit("kron-operator/deploy/namespaced/kustomization.yaml", uncomment_images);
    for command in page.commands::<4>("kubectl create namespace team-a") {
        world.run(&command).await;
    }
    let container = deployment(&world, "kron-system");
    assert_eq!(container["image"], TAG);
    let arguments = container["args"].as_array().unwrap();
    assert!(arguments.contains(&"--namespaces=team-a,team-b".into()), "{arguments:?}");
    let rbac = "rbac.authorization.k8s.io/v1";
    for namespace in ["team-a", "team-b"] {
        assert!(world.server.get(rbac, "rolebindings", namespace, "kron-operator").is_some(), "{namespace}");
    }
    assert_eq!(world.server.count(rbac, "clusterrolebindings"), 0);
}

async fn first_kronjob(page: &Page) {
    let (world, _operator) = World::with_operator("2026-02-28T12:00:00Z").await;
    world.reach("2026-03-01T00:00:00Z").await;
    let [apply, list, jobs, logs] = page.commands("kubectl apply -f examples/manifests/hello.yaml");
    world.run(&apply).await;
    world.pass(5).await;
    assert!(page.says("A few seconds into March 2026, `kubectl get kj` shows:"));
    world.shows(&list, &page.shown("NAME    SCHEDULE")).await;
    world.reach("2026-03-01T00:00:30Z").await;
    // The Job that the simulation on this page shows, too.
    let printed = world.run(&jobs).await;
    assert!(printed.contains("hello-7of3hivw4wjz") && page.says("hello-7of3hivw4wjz job created"), "{printed}");
    world.make_pods("batch/v1", "jobs", "hello\n");
    assert_eq!(world.run(&logs).await, "hello\n");

    // The first Job has ended.
    world.reach("2026-03-01T00:02:00Z").await;
    let [annotate, jobs] = page.commands("kubectl annotate kj hello");
    world.run(&annotate).await;
    world.pass(5).await;
    let printed = world.run(&jobs).await;
    assert_eq!(printed.lines().count(), 3, "{printed}");

    let description = world.run(&page.inline("kubectl describe kj hello")).await;
    for what in ["Next Chosen Time:", "Last Run Now:", "SuccessfulCreate"] {
        assert!(description.contains(what), "{what} in {description}");
    }
    world.run(&page.inline("kubectl delete kj hello")).await;
    world.pass(5).await;
    assert!(world.server.list("batch/v1", "jobs").is_empty());

    let [namespace, apply, list] = page.commands("kubectl create namespace prod");
    world.run(&namespace).await;
    world.run(&apply).await;
    world.pass(5).await;
    world.shows(&list, &page.shown("NAME        SCHEDULE")).await;
}
