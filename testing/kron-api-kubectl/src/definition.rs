//! Custom resources have what their definitions say.

use kron_api_model::Server;
use serde_json::Value;

/// The definition of the resource of an object, if that is a custom one.
pub(crate) fn definition(server: &Server, api_version: &str, kind: &str) -> Option<Value> {
    let (group, _) = api_version.split_once('/')?;
    server.list("apiextensions.k8s.io/v1", "customresourcedefinitions").into_iter().find(|definition| {
        definition["spec"]["group"] == group && definition["spec"]["names"]["kind"] == kind
    })
}
