//! The committed files are up to date with the types.

use kron_crd::{custom_resource_definition, to_yaml};
use serde_json::{Value, json};

use super::recording;

const HEADER: &str =
    "# The resource KronJob, generated from its types: KRON_RECORD=1 cargo test -p kron-operator crd::\n";

const PATCH_HEADER: &str = "\
# Strict mode: spec.schedule, spec.timezone and spec.seed.strategy cannot be changed after creation. Generated, as crd.yaml.
# Use it as a component, or: kubectl patch crd kronjobs.kron.io --type=json --patch-file patch.yaml
";

fn path(name: &str) -> String {
    format!("{}/deploy/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[track_caller]
fn check_file(name: &str, want: &str) {
    if recording() {
        std::fs::write(path(name), want).unwrap();
    }
    let found = std::fs::read_to_string(path(name)).unwrap_or_default();
    assert!(found == want, "deploy/{name} is not current: KRON_RECORD=1 cargo test -p kron-operator crd::");
}

fn read_yaml(name: &str) -> Value {
    serde_saphyr::from_str(&std::fs::read_to_string(path(name)).unwrap()).unwrap()
}

#[test]
fn the_committed_definition_is_current() {
    let definition = custom_resource_definition(false);
    check_file("crd/crd.yaml", &format!("{HEADER}{}", to_yaml(&definition)));
    assert_eq!(read_yaml("crd/crd.yaml"), definition, "the YAML reads back as it was");
}

#[test]
fn the_committed_patch_gives_the_strict_definition() {
    check_file("strict/patch.yaml", &format!("{PATCH_HEADER}{}", to_yaml(&strict_patch())));
    let mut definition = read_yaml("crd/crd.yaml");
    for operation in read_yaml("strict/patch.yaml").as_array().unwrap() {
        add(&mut definition, operation);
    }
    assert_eq!(definition, custom_resource_definition(true));
    assert_ne!(definition, custom_resource_definition(false));
}

/// The JSON patch (RFC 6902) that turns the definition into the strict one, for kustomize and `kubectl patch`. `kubectl apply`
/// of the plain definition drops what was patched in, so the patch belongs into the kustomization that applies it.
fn strict_patch() -> Value {
    let (plain, strict) = (custom_resource_definition(false), custom_resource_definition(true));
    let operations = ["schedule", "timezone", "seed/properties/strategy"].map(|field| {
        let spec = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
        let path = format!("{spec}/{field}/x-kubernetes-validations");
        let rule = &strict.pointer(&path).unwrap()[0];
        match plain.pointer(&path) {
            Some(_) => json!({"op": "add", "path": format!("{path}/0"), "value": rule}),
            None => json!({"op": "add", "path": path, "value": [rule]}),
        }
    });
    operations.into_iter().collect()
}

/// `add` of RFC 6902.
fn add(into: &mut Value, operation: &Value) {
    assert_eq!(operation["op"], "add");
    let (parent, last) = operation["path"].as_str().unwrap().rsplit_once('/').unwrap();
    let value = operation["value"].clone();
    match into.pointer_mut(parent).unwrap_or_else(|| panic!("nothing at {parent}")) {
        Value::Array(list) => list.insert(last.parse().unwrap(), value),
        Value::Object(map) => assert!(map.insert(last.to_owned(), value).is_none(), "{parent} has {last}"),
        other => panic!("{parent} is {other}"),
    }
}

#[test]
fn the_component_patches_the_definition() {
    let component = read_yaml("strict/kustomization.yaml");
    assert_eq!(component["kind"], "Component");
    let target = json!({"group": "apiextensions.k8s.io", "version": "v1", "kind": "CustomResourceDefinition",
        "name": custom_resource_definition(false)["metadata"]["name"]});
    assert_eq!(component["patches"], json!([{"path": "patch.yaml", "target": target}]));
}

/// Every place of a schema.
fn walk(schema: &Value, path: &str, visit: &mut impl FnMut(&str, &Value)) {
    visit(path, schema);
    for (name, below) in schema["properties"].as_object().into_iter().flatten() {
        walk(below, &format!("{path}.{name}"), visit);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(below) = schema.get(key) {
            walk(below, &format!("{path}[*]"), visit);
        }
    }
}

/// Requirements of a server for a definition that the model does not check when it compiles the schema.
#[test]
fn the_schema_is_one_that_servers_take() {
    let known = [
        "additionalProperties",
        "default",
        "description",
        "enum",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "minItems",
        "minLength",
        "minimum",
        "pattern",
        "properties",
        "required",
        "type",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
        "x-kubernetes-preserve-unknown-fields",
        "x-kubernetes-validations",
    ];
    for strict in [false, true] {
        let definition = custom_resource_definition(strict);
        let mut places = 0;
        walk(super::cases::openapi_schema(&definition), "", &mut |path, schema| {
            places += 1;
            for keyword in schema.as_object().unwrap().keys() {
                assert!(known.contains(&keyword.as_str()), "{path}: {keyword}");
            }
            assert!(schema["type"].is_string(), "{path}: one type");
            for rule in schema["x-kubernetes-validations"].as_array().into_iter().flatten() {
                for (key, text) in rule.as_object().unwrap() {
                    let one_line =
                        text.as_str().is_none_or(|text| text.trim() == text && !text.contains('\n'));
                    assert!(one_line, "{path}: {key} is one line");
                }
                // Without a bound a server cannot estimate a rule, and refuses it.
                let bounded = schema["type"] != "string"
                    || schema["maxLength"].is_u64()
                    || rule["rule"] == "self == oldSelf";
                assert!(bounded, "{path} needs maxLength");
            }
            let described =
                path.contains(".jobTemplate.") || !path.starts_with(".s") || path.ends_with("[*]");
            assert!(described || schema["description"].is_string(), "{path} needs a description");
        });
        assert!(places > 90, "{places} places");
    }
}

#[test]
fn columns_are_those_that_users_of_cron_jobs_look_for() {
    let definition = custom_resource_definition(false);
    let version = &definition["spec"]["versions"][0];
    let columns = version["additionalPrinterColumns"].as_array().unwrap();
    let shown = columns.iter().filter(|column| column.get("priority").is_none());
    let names: Vec<&str> = shown.map(|column| column["name"].as_str().unwrap()).collect();
    let want =
        ["Schedule", "Timezone", "Window", "Suspend", "Ready", "Active", "Last outcome", "Next start", "Age"];
    assert_eq!(names, want);
    let schema = super::cases::openapi_schema(&definition);
    for column in columns {
        // Each path leads to a field of the schema.
        let path =
            column["jsonPath"].as_str().unwrap().replace("[*]", "").replace("[?(@.type==\"Ready\")]", "");
        let mut at = schema;
        for field in path.split('.').skip(1).take_while(|_| !path.starts_with(".metadata")) {
            at = if at["type"] == "array" {
                &at["items"]["properties"][field]
            } else {
                &at["properties"][field]
            };
            assert!(at.is_object(), "{path}");
        }
    }
    assert_eq!(definition["spec"]["names"]["shortNames"], json!(["kj"]));
    assert_eq!(version["subresources"], json!({"status": {}}));
}

#[test]
fn yaml_is_safe_from_its_readers() {
    let tricky = json!({
        "a": ["no", "Yes", "y", "1", "1e3", ".5", "0x1", "null", "~", "", " a", "a ", "a: b", "a #b", "- a", "@x", "*x", "&x",
            "!x", "%x", "`x", "{x}", "[x]", "'x'", "\"x\"", "a\nb", "a\\b", "é", "\u{1}", "x y", "2026-01-01", "=", "<<",
            ".inf", ".NaN", "on", "OFF", "True", "1_000", "1:30", "0o7", "a\u{a0}b", "\u{feff}x", "\u{2028}"],
        "long": "word ".repeat(60).trim_end(), "long with 'quotes': and # signs": "it's \"x\": #".repeat(20),
        "doubled": "a  b ".repeat(60), "one": "x".repeat(300), "nested": [[1, [2, {"a": {"b": []}}]], {}, null, true, 1.5, -1],
        "no": {"1": 1, "a b": {"": ""}},
    });
    let text = to_yaml(&tricky);
    assert_eq!(serde_saphyr::from_str::<Value>(&text).unwrap(), tricky, "{text}");
}
