//! A request as faults, access rules and the log see it.

use std::sync::Arc;

use serde_json::Value;
use tokio::time::Instant;

/// What is done to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Verb {
    /// Reads one object.
    Get,
    /// Reads a collection.
    List,
    /// Streams the changes of a collection.
    Watch,
    /// Makes an object.
    Create,
    /// Replaces an object.
    Update,
    /// Changes parts of an object.
    Patch,
    /// Deletes an object.
    Delete,
    /// Deletes a collection.
    DeleteCollection,
}

impl Verb {
    /// The verb as access rules write it: `deletecollection`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verb::Get => "get",
            Verb::List => "list",
            Verb::Watch => "watch",
            Verb::Create => "create",
            Verb::Update => "update",
            Verb::Patch => "patch",
            Verb::Delete => "delete",
            Verb::DeleteCollection => "deletecollection",
        }
    }
}

/// A request: who wants to do what to which object.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The name that the client was made with.
    pub caller: String,
    /// What is done.
    pub verb: Verb,
    /// The API group of the resource; empty for `v1`.
    pub group: String,
    /// The API version of the resource: `v1alpha1`.
    pub version: String,
    /// The plural of the resource: `jobs`.
    pub resource: String,
    /// The subresource: `status`; empty for the object itself.
    pub subresource: String,
    /// The namespace; empty for all namespaces and for resources without.
    pub namespace: String,
    /// The name of the object. A create has it from its body; empty for collections and generated names.
    pub name: String,
    /// Nothing is to be stored: `dryRun=All`.
    pub dry_run: bool,
    /// The field manager that the caller names, or empty.
    pub field_manager: String,
    /// The content type of a patch says which kind of patch it is; empty for requests without a body.
    pub content_type: String,
    /// The decoded query, in the order of the URI.
    pub query: Vec<(String, String)>,
    /// The body, if it is JSON; null otherwise.
    pub body: Arc<Value>,
    /// When the caller sent it, on tokio's clock. A fault or a caller that is frozen can hold it up.
    pub sent: Instant,
}

impl Call {
    /// The value of a query parameter, the last one if there are several.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.query.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The resource and its subresource, as access rules write it: `kronjobs/status`.
    pub fn resource_path(&self) -> String {
        if self.subresource.is_empty() {
            self.resource.clone()
        } else {
            format!("{}/{}", self.resource, self.subresource)
        }
    }
}
