//! What a server says of itself: versions, groups, resources.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::resource::Strategy;
use crate::routes::Route;
use crate::status::Status;
use crate::store::Store;
use crate::verbs::Reply;

pub(crate) fn answer(store: &Store, route: &Route) -> Result<Reply, Status> {
    match route {
        Route::Version => Ok(Reply::value(
            200,
            &json!({"major": "1", "minor": "36", "gitVersion": "v1.36.0-model", "gitCommit": "", "gitTreeState": "",
                "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "", "platform": "linux/amd64"}),
        )),
        Route::Health => Ok(Reply { code: 200, body: b"ok".to_vec(), warnings: Vec::new() }),
        Route::CoreVersions => Ok(Reply::value(
            200,
            &json!({"kind": "APIVersions", "versions": ["v1"],
                "serverAddressByClientCIDRs": []}),
        )),
        Route::Groups => {
            let groups: Vec<Value> =
                groups(store).iter().map(|(name, versions)| group(name, versions)).collect();
            Ok(Reply::value(200, &json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})))
        }
        Route::Group(name) => match groups(store).get(name) {
            Some(versions) => {
                let mut body = group(name, versions);
                crate::json::set(&mut body, &["kind"], "APIGroup");
                crate::json::set(&mut body, &["apiVersion"], "v1");
                Ok(Reply::value(200, &body))
            }
            None => Err(Status::no_such_path()),
        },
        Route::Resources(group, version) => resources(store, group, version),
        Route::Resource(_) | Route::Nothing => Err(Status::no_such_path()),
    }
}

fn groups(store: &Store) -> BTreeMap<String, Vec<String>> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (group, version, _) in store.served().filter(|(group, _, _)| !group.is_empty()) {
        let versions = groups.entry(group.to_owned()).or_default();
        if !versions.iter().any(|known| known == version) {
            versions.push(version.to_owned());
        }
    }
    groups
}

fn group(name: &str, versions: &[String]) -> Value {
    let versions: Vec<Value> = versions
        .iter()
        .map(|version| json!({"groupVersion": format!("{name}/{version}"), "version": version}))
        .collect();
    json!({"name": name, "versions": versions, "preferredVersion": versions.first()})
}

fn resources(store: &Store, group: &str, version: &str) -> Result<Reply, Status> {
    const VERBS: [&str; 8] =
        ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
    let mut resources = Vec::new();
    for (_, _, table) in store.served().filter(|(g, v, _)| *g == group && *v == version) {
        let resource = store.resource(table);
        let verbs: Vec<&str> = VERBS
            .into_iter()
            .filter(|verb| *verb != "deletecollection" || !matches!(resource.strategy, Strategy::Namespace))
            .collect();
        resources
            .push(json!({"name": resource.plural, "singularName": resource.singular, "kind": resource.kind,
            "namespaced": resource.namespaced, "verbs": verbs, "shortNames": resource.short_names}));
        if resource.status {
            resources.push(json!({"name": format!("{}/status", resource.plural), "singularName": "",
                "kind": resource.kind, "namespaced": resource.namespaced, "verbs": ["get", "patch", "update"]}));
        }
    }
    if resources.is_empty() {
        return Err(Status::no_such_path());
    }
    let group_version = crate::resource::Resource::api_version(group, version);
    Ok(Reply::value(
        200,
        &json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": group_version,
        "resources": resources}),
    ))
}
