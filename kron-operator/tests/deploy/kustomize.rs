//! `deploy/`: the files are those that `manifests` makes, and the kustomizations put them together rightly.

use kron_operator::{
    crd::custom_resource_definition,
    manifests::{self, Options, Scope},
};
use serde_json::Value;

use super::{assert_same, documents, output, parse, path, read};

fn namespaced() -> Options {
    Options { scope: Scope::Namespaced { namespace: None }, ..Options::default() }
}

/// With `KRON_REGENERATE=1` the files are written.
#[test]
fn files_are_generated() {
    for (name, text) in manifests::files() {
        let below = format!("deploy/{name}");
        if std::env::var_os("KRON_REGENERATE").is_some() {
            std::fs::write(path(&below), &text).unwrap();
        }
        assert!(
            read(&below) == text,
            "{below} is not what src/manifests makes; \
             write it with KRON_REGENERATE=1 cargo test -p kron-operator --test suite files_are_generated"
        );
    }
}

#[test]
fn kustomizations_name_files_that_are_there_and_all_of_them() {
    for folder in ["base", "namespaced", "network-policy"] {
        let kustomization = parse(&read(&format!("deploy/{folder}/kustomization.yaml")));
        let mut named: Vec<String> = kustomization["resources"]
            .as_array()
            .unwrap()
            .iter()
            .map(|resource| resource.as_str().unwrap().to_string())
            .filter(|resource| resource.ends_with(".yaml"))
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
    let top = parse(&read("deploy/kustomization.yaml"));
    assert_eq!(top["resources"], serde_json::json!(["crd.yaml", "base"]));
}

#[test]
fn the_base_has_every_object_of_cluster_mode() {
    let kustomization = parse(&read("deploy/base/kustomization.yaml"));
    let found: Vec<Value> = kustomization["resources"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|file| documents(&read(&format!("deploy/base/{}", file.as_str().unwrap()))))
        .collect();
    assert_same(found, manifests::documents(&Options::default()));
    assert_eq!(kustomization["namespace"], manifests::NAMESPACE);
}

#[test]
fn kustomize_makes_what_manifests_makes() {
    let folder = |below: &str| path(below).display().to_string();
    let Some(base) = output("kubectl", &["kustomize", &folder("deploy/base")]) else { return };
    assert_same(documents(&base), manifests::documents(&Options::default()));
    let overlay = output("kubectl", &["kustomize", &folder("deploy/namespaced")]).unwrap();
    assert_same(documents(&overlay), manifests::documents(&namespaced()));

    let all = output("kubectl", &["kustomize", &folder("deploy")]).unwrap();
    let options = Options { crd: Some(custom_resource_definition(false)), ..Options::default() };
    assert_same(documents(&all), manifests::documents(&options));
}

/// As a user puts it together, in a folder of their own beside a copy of ours.
#[test]
fn another_namespace_and_the_network_policy_go_together() {
    let home = std::env::temp_dir().join(format!("kron-kustomize-{}", std::process::id()));
    for folder in ["base", "namespaced", "network-policy"] {
        std::fs::create_dir_all(home.join(folder)).unwrap();
        for entry in std::fs::read_dir(path(&format!("deploy/{folder}"))).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), home.join(folder).join(entry.file_name())).unwrap();
        }
    }
    let user = home.join("user");
    std::fs::create_dir_all(&user).unwrap();
    let text = "namespace: team-a\nresources: [../namespaced]\ncomponents: [../network-policy]\n\
                images: [{name: kron-operator, newName: example.com/k, newTag: '1'}]\n";
    std::fs::write(user.join("kustomization.yaml"), text).unwrap();
    let made = output("kubectl", &["kustomize", &user.display().to_string()]);
    std::fs::remove_dir_all(&home).unwrap();
    let Some(made) = made else { return };
    let options = Options {
        namespace: "team-a".into(),
        image: "example.com/k:1".into(),
        network_policy: true,
        ..namespaced()
    };
    assert_same(documents(&made), manifests::documents(&options));
}
