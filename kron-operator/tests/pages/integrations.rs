//! kron-operator/integrations/README.md: Argo CD, and policies for admission.

use serde_json::json;

use super::page::Page;
use super::world::World;

pub async fn follow(page: &Page) {
    let world = World::new("2026-03-01T06:00:00Z").await;
    world.server.create_namespace("argocd").unwrap();
    let configuration = json!({
        "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "argocd-cm", "namespace": "argocd"},
        "data": {"url": "https://argocd.example"},
    });
    world.server.create(configuration).unwrap();
    let [patch] = page.commands("kubectl -n argocd patch configmap argocd-cm");
    world.run(&patch).await;
    let patched = world.server.get("v1", "configmaps", "argocd", "argocd-cm").unwrap();
    assert!(patched["data"]["resource.customizations.health.kron.io_KronJob"].is_string(), "{patched}");
    assert_eq!(patched["data"]["url"], "https://argocd.example");

    world.server.create_namespace("team-a").unwrap();
    let [apply, label] = page.commands("kubectl apply -f kron-operator/integrations/admission");
    world.run(&apply).await;
    world.run(&label).await;
    let group = "admissionregistration.k8s.io/v1";
    let policies = world.server.list(group, "validatingadmissionpolicies");
    let bindings = world.server.list(group, "validatingadmissionpolicybindings");
    assert_eq!((policies.len(), bindings.len()), (1, 1));
    // The label is the one that the policy looks for.
    let namespace = world.server.get("v1", "namespaces", "", "team-a").unwrap();
    assert_eq!(namespace["metadata"]["labels"]["kron.io/smallest-window"], "10m", "{namespace}");
    assert!(policies[0].to_string().contains("kron.io/smallest-window"), "{policies:?}");
}
