//! What a server says that it serves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;
use kron_api_model::{Resource, Server, Status};
use serde_json::{Map, Value, json};

const VERBS: [&str; 8] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/// A group, a version of it, and a resource that is served there.
type Served = (String, String, Arc<Resource>);

/// A document of OpenAPI 2 without definitions, in protobuf, which is the only form that kubectl asks for: field 1 is the
/// version. It checks no field of a kind that has no definition.
const OPENAPI_2: &[u8] = b"\x0a\x032.0";

/// The answer to a request for what is served; none if the path is of something else.
pub(crate) fn answer(server: &Server, path: &str) -> Option<Result<Bytes, Status>> {
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    let served = server.served();
    let value = match parts.as_slice() {
        ["openapi", "v2"] => return Some(Ok(Bytes::from_static(OPENAPI_2))),
        ["api"] => Ok(json!({"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []})),
        ["apis"] => {
            let names: BTreeSet<&str> = served.iter().map(|(group, ..)| group.as_str()).collect();
            let groups = names.into_iter().filter_map(|name| group(&served, name)).collect::<Vec<Value>>();
            Ok(json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}))
        }
        ["apis", name] => group(&served, name).ok_or_else(Status::no_such_path).map(|mut group| {
            group["kind"] = json!("APIGroup");
            group["apiVersion"] = json!("v1");
            group
        }),
        ["api", version] => resources(&served, "", version),
        ["apis", group, version] => resources(&served, group, version),
        ["openapi", "v3"] => {
            let roots: BTreeSet<String> =
                served.iter().map(|(group, version, _)| root(group, version)).collect();
            let document = |root: &String| {
                (
                    root.trim_start_matches('/').to_owned(),
                    json!({"serverRelativeURL": format!("/openapi/v3{root}")}),
                )
            };
            Ok(json!({"paths": roots.iter().map(document).collect::<Map<String, Value>>()}))
        }
        ["openapi", "v3", "api", version] => open_api(&served, "", version),
        ["openapi", "v3", "apis", group, version] => open_api(&served, group, version),
        _ => return None,
    };
    Some(value.map(|value| value.to_string().into()))
}

/// The path of a group and version: `/api/v1`, `/apis/batch/v1`.
fn root(group: &str, version: &str) -> String {
    if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") }
}

/// A named group with its versions; the group without a name is not in the list of groups.
fn group(served: &[Served], name: &str) -> Option<Value> {
    let of_group = served.iter().filter(|(group, ..)| group == name);
    let versions: BTreeSet<&str> = of_group.map(|(_, version, _)| version.as_str()).collect();
    let versions: Vec<Value> = versions
        .into_iter()
        .map(|version| json!({"groupVersion": format!("{name}/{version}"), "version": version}))
        .collect();
    let preferred = versions.last().filter(|_| !name.is_empty())?.clone();
    Some(json!({"name": name, "versions": versions, "preferredVersion": preferred}))
}

/// The resources of a group and version.
fn of_version<'a>(served: &'a [Served], group: &str, version: &str) -> Result<Vec<&'a Resource>, Status> {
    let of_version = served.iter().filter(|(g, v, _)| g == group && v == version);
    let resources: Vec<&Resource> = of_version.map(|(.., resource)| &**resource).collect();
    if resources.is_empty() { Err(Status::no_such_path()) } else { Ok(resources) }
}

fn resources(served: &[Served], group: &str, version: &str) -> Result<Value, Status> {
    let mut all = Vec::new();
    for resource in of_version(served, group, version)? {
        all.push(json!({
            "name": resource.plural, "singularName": resource.singular, "namespaced": resource.namespaced,
            "kind": resource.kind, "verbs": VERBS, "shortNames": resource.short_names,
            "categories": resource.categories,
        }));
        if resource.status {
            all.push(json!({
                "name": format!("{}/status", resource.plural), "singularName": "",
                "namespaced": resource.namespaced, "kind": resource.kind, "verbs": ["get", "patch", "update"],
            }));
        }
    }
    let group_version = root(group, version).split('/').skip(2).collect::<Vec<_>>().join("/");
    Ok(
        json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": all}),
    )
}

/// As much of a document as clients read to see whether they may leave the check of fields to the server.
fn open_api(served: &[Served], group: &str, version: &str) -> Result<Value, Status> {
    let mut paths = BTreeMap::new();
    for resource in of_version(served, group, version)? {
        let namespace = if resource.namespaced { "/namespaces/{namespace}" } else { "" };
        let path = format!("{}{namespace}/{}/{{name}}", root(group, version), resource.plural);
        let parameter = |name: &str| json!({"name": name, "in": "query", "schema": {"type": "string"}});
        let patch = json!({
            "parameters": [parameter("dryRun"), parameter("fieldManager"), parameter("fieldValidation")],
            "responses": {},
            "x-kubernetes-action": "patch",
            "x-kubernetes-group-version-kind": {"group": group, "version": version, "kind": resource.kind},
        });
        paths.insert(path, json!({ "patch": patch }));
    }
    Ok(
        json!({"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": "model"}, "paths": paths, "components": {}}),
    )
}
