//! `deploy/`: the kustomizations build the objects of the files.

use kron_crd::custom_resource_definition;
use serde_json::Value;

use super::{assert_same, base, documents, namespaced, output, parse, path, read, restrict_network};

#[test]
fn kustomizations_name_files_that_are_there_and_all_of_them() {
    for folder in [
        "base",
        "crd",
        "job-policy",
        "namespaced/operator",
        "namespaced/served",
        "network-policy",
        "user-roles",
    ] {
        let kustomization = parse(&read(&format!("deploy/{folder}/kustomization.yaml")));
        let resources = kustomization["resources"].as_array().into_iter().flatten();
        let patches = kustomization["patches"].as_array().into_iter().flatten().map(|patch| &patch["path"]);
        let mut named: Vec<String> = resources
            .chain(patches)
            .filter_map(Value::as_str)
            .filter(|name| name.ends_with(".yaml"))
            .map(str::to_string)
            .collect();
        named.sort();
        let mut there: Vec<String> = std::fs::read_dir(path(&format!("deploy/{folder}")))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "kustomization.yaml")
            .collect();
        there.sort();
        assert_eq!(named, there, "{folder}");
    }
    // Who deletes what this folder applies keeps the KronJobs.
    let top = parse(&read("deploy/kustomization.yaml"));
    assert_eq!(top["resources"], serde_json::json!(["base"]));
}

#[test]
fn objects_are_in_the_namespace_of_the_kustomization() {
    let kustomization = parse(&read("deploy/base/kustomization.yaml"));
    for object in base() {
        let namespace = &object["metadata"]["namespace"];
        let own = namespace.is_null() || *namespace == kustomization["namespace"];
        assert!(own, "{object}");
    }
}

#[test]
fn kustomize_builds_the_objects_of_the_files() {
    let folder = |below: &str| path(below).display().to_string();
    let Some(built) = output("kubectl", &["kustomize", &folder("deploy/base")]) else { return };
    assert_same(documents(&built), base());
    let built = output("kubectl", &["kustomize", &folder("deploy/namespaced")]).unwrap();
    assert_same(documents(&built), namespaced());

    let top = output("kubectl", &["kustomize", &folder("deploy")]).unwrap();
    assert_same(documents(&top), base());
    let definition = output("kubectl", &["kustomize", &folder("deploy/crd")]).unwrap();
    assert_same(documents(&definition), vec![custom_resource_definition(false)]);
}

/// Roles of users are for KronJobs alone, and only the operator may write the status.
#[test]
fn roles_of_users_leave_the_status_to_the_operator() {
    let roles = documents(&read("deploy/user-roles/roles.yaml"));
    assert_eq!(roles.len(), 2);
    for role in &roles {
        assert_eq!(role["kind"], "ClusterRole");
        for rule in role["rules"].as_array().unwrap() {
            assert_eq!(rule["apiGroups"], serde_json::json!(["kron.io"]), "{role}");
            assert_eq!(rule["resources"], serde_json::json!(["kronjobs"]), "{role}");
        }
    }
}

/// A kustomization of a user, in a folder next to a copy of ours in which the two namespaces are others.
#[test]
fn other_namespaces_and_components_go_together() {
    let home = std::env::temp_dir().join(format!("kron-kustomize-{}", std::process::id()));
    for folder in
        ["base", "namespaced", "namespaced/operator", "namespaced/served", "network-policy", "job-policy"]
    {
        std::fs::create_dir_all(home.join(folder)).unwrap();
        for entry in std::fs::read_dir(path(&format!("deploy/{folder}"))).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                std::fs::copy(entry.path(), home.join(folder).join(entry.file_name())).unwrap();
            }
        }
    }
    for (file, text, other) in [
        ("operator/kustomization.yaml", "\nnamespace: kron-system\n", "\nnamespace: kron-b\n"),
        ("operator/kustomization.yaml", "--namespaces=team-a,", "--namespaces=team-x,"),
        ("served/bindings.yaml", "namespace: team-a\n", "namespace: team-x\n"),
    ] {
        let file = home.join("namespaced").join(file);
        let before = std::fs::read_to_string(&file).unwrap();
        assert!(before.contains(text), "{before}");
        std::fs::write(&file, before.replace(text, other)).unwrap();
    }
    let user = home.join("user");
    std::fs::create_dir_all(&user).unwrap();
    let text = "resources: [../namespaced]\ncomponents: [../network-policy, ../job-policy]\n\
                images: [{name: kron-operator, newName: example.com/k, newTag: '1'}]\n";
    std::fs::write(user.join("kustomization.yaml"), text).unwrap();
    let made = output("kubectl", &["kustomize", &user.display().to_string()]);
    std::fs::remove_dir_all(&home).unwrap();
    let Some(made) = made else { return };
    let mut wanted = namespaced();
    restrict_network(&mut wanted);
    // Exactly these texts name the namespaces and the image.
    let text = Value::from(wanted).to_string();
    let text = text.replace("kron-system", "kron-b").replace("team-a", "team-x");
    let text = text.replace("kron-operator:0.1.0", "example.com/k:1");
    let mut wanted = parse(&text).as_array().unwrap().clone();
    wanted.extend(documents(&read("deploy/job-policy/policy.yaml")));
    assert_same(documents(&made), wanted);
}
