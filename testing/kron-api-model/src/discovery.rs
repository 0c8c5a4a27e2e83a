//! What a server says of itself: its version, that it is well, and what it serves.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::resource::Resource;
use crate::routes::Route;
use crate::status::Status;
use crate::store::Store;
use crate::verbs::Reply;

const VERBS: [&str; 8] = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/// A document of OpenAPI 2 without definitions, in protobuf, which is the only form that kubectl asks for: field 1 is the
/// version. It checks no field of a kind that has no definition.
const OPENAPI_2: &[u8] = b"\x0a\x032.0";

pub(crate) fn answer(route: &Route, store: &Store) -> Result<Reply, Status> {
    let value = match route {
        Route::Version => {
            json!({"major": "1", "minor": "36", "gitVersion": "v1.36.0-model", "gitCommit": "", "gitTreeState": "",
                "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "", "platform": "linux/amd64"})
        }
        Route::Health => return Ok(Reply { code: 200, body: b"ok".to_vec(), warnings: Vec::new() }),
        Route::OpenApi2 => return Ok(Reply { code: 200, body: OPENAPI_2.to_vec(), warnings: Vec::new() }),
        Route::Core => json!({"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": []}),
        Route::Groups => {
            let names: BTreeSet<&str> = store.served().map(|(group, ..)| group).collect();
            let groups = names.into_iter().filter_map(|name| group(store, name)).collect::<Vec<Value>>();
            json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
        }
        Route::Group(name) => {
            let mut group = group(store, name).ok_or_else(Status::no_such_path)?;
            group["kind"] = json!("APIGroup");
            group["apiVersion"] = json!("v1");
            group
        }
        Route::Resources { group, version } => resources(store, group, version)?,
        Route::OpenApi => {
            let served: BTreeSet<String> =
                store.served().map(|(group, version, _)| root(group, version)).collect();
            let paths: BTreeMap<&str, Value> = served
                .iter()
                .map(|path| {
                    (path.trim_start_matches('/'), json!({"serverRelativeURL": format!("/openapi/v3{path}")}))
                })
                .collect();
            json!({ "paths": paths })
        }
        Route::OpenApiOf { group, version } => open_api(store, group, version)?,
        Route::Resource(_) | Route::Nothing => return Err(Status::no_such_path()),
    };
    Ok(Reply::value(200, &value))
}

/// The path of a group and version: `/api/v1`, `/apis/batch/v1`.
fn root(group: &str, version: &str) -> String {
    if group.is_empty() { format!("/api/{version}") } else { format!("/apis/{group}/{version}") }
}

/// A named group with its versions; the group without a name is not in the list of groups.
fn group(store: &Store, name: &str) -> Option<Value> {
    let versions: BTreeSet<&str> =
        store.served().filter(|(group, ..)| *group == name).map(|(_, version, _)| version).collect();
    let versions: Vec<Value> = versions
        .into_iter()
        .map(|version| json!({"groupVersion": Resource::api_version(name, version), "version": version}))
        .collect();
    let preferred = versions.last().filter(|_| !name.is_empty())?.clone();
    Some(json!({"name": name, "versions": versions, "preferredVersion": preferred}))
}

/// The resources of a group and version.
fn served<'a>(store: &'a Store, group: &str, version: &str) -> Result<Vec<&'a Resource>, Status> {
    let resources: Vec<&Resource> = store
        .served()
        .filter(|(g, v, _)| *g == group && *v == version)
        .map(|(_, _, table)| &**store.resource(table))
        .collect();
    if resources.is_empty() { Err(Status::no_such_path()) } else { Ok(resources) }
}

fn resources(store: &Store, group: &str, version: &str) -> Result<Value, Status> {
    let mut all = Vec::new();
    for resource in served(store, group, version)? {
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
    let group_version = Resource::api_version(group, version);
    Ok(
        json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version, "resources": all}),
    )
}

/// As much of a document as clients read to see whether they may leave the check of fields to the server.
fn open_api(store: &Store, group: &str, version: &str) -> Result<Value, Status> {
    let mut paths = BTreeMap::new();
    for resource in served(store, group, version)? {
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
