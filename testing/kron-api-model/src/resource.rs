//! What is served: the resources, their names and where they differ.

use std::collections::BTreeMap;
use std::sync::Arc;

use kron_api_schema::Schema;

/// A resource: one table of objects, reached through one or more API versions.
#[derive(Clone)]
#[non_exhaustive]
pub struct Resource {
    /// The API group; empty for `v1`.
    pub group: String,
    /// `kronjobs`
    pub plural: String,
    /// `KronJob`
    pub kind: String,
    pub(crate) list_kind: String,
    /// `kronjob`
    pub singular: String,
    /// `kj`
    pub short_names: Vec<String>,
    /// `all`
    pub categories: Vec<String>,
    /// Whether its objects are in namespaces.
    pub namespaced: bool,
    /// Whether it has the subresource `status`.
    pub status: bool,
    pub(crate) strategy: Strategy,
}

impl std::fmt::Debug for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::status::qualified(&self.plural, &self.group))
    }
}

/// What a server does with objects of a resource beyond storing them.
#[derive(Clone)]
pub(crate) enum Strategy {
    Namespace,
    Job,
    Event,
    Lease,
    Definition,
    /// A kind of [`StoredKind`](crate::StoredKind).
    Stored,
    /// The schemas by version, and the version that objects are stored in.
    Custom {
        storage: String,
        schemas: BTreeMap<String, Arc<Schema>>,
    },
}

impl Strategy {
    /// Whether PUT may omit `metadata.resourceVersion`.
    pub(crate) fn unconditional_update(&self) -> bool {
        matches!(self, Strategy::Namespace | Strategy::Job | Strategy::Event | Strategy::Stored)
    }

    /// Whether PUT creates what is not there.
    pub(crate) fn create_on_update(&self) -> bool {
        matches!(self, Strategy::Lease | Strategy::Event)
    }

    /// Whether `metadata.generation` is counted.
    pub(crate) fn has_generation(&self) -> bool {
        matches!(self, Strategy::Job | Strategy::Definition | Strategy::Stored | Strategy::Custom { .. })
    }
}

/// The API version that a request speaks, and so the form its answer has.
#[derive(Clone, Debug)]
pub(crate) struct View {
    /// `batch/v1`.
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) list_kind: String,
    pub(crate) form: Form,
    /// Only the metadata is wanted.
    pub(crate) metadata_only: bool,
    /// Elements of lists carry `apiVersion` and `kind`, as those of custom resources do.
    pub(crate) typed_items: bool,
}

/// How the stored form of an object becomes that of an API version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// It is the same.
    Stored,
    /// Another version of a custom resource: the same fields under another `apiVersion`.
    Relabelled,
    /// An Event of `events.k8s.io/v1`; stored is that of `v1`.
    EventsV1,
}

impl Resource {
    /// `v1` or `group/v1`.
    pub(crate) fn api_version(group: &str, version: &str) -> String {
        if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
    }

    pub(crate) fn view(&self, group: &str, version: &str, metadata_only: bool) -> View {
        let form = match &self.strategy {
            Strategy::Event if group == "events.k8s.io" => Form::EventsV1,
            Strategy::Custom { storage, .. } if storage != version => Form::Relabelled,
            _ => Form::Stored,
        };
        View {
            api_version: Resource::api_version(group, version),
            kind: self.kind.clone(),
            list_kind: self.list_kind.clone(),
            form,
            metadata_only,
            typed_items: matches!(self.strategy, Strategy::Custom { .. }),
        }
    }

    fn short_names(plural: &str) -> Vec<String> {
        let names: &[&str] = match plural {
            "namespaces" => &["ns"],
            "events" => &["ev"],
            "customresourcedefinitions" => &["crd", "crds"],
            _ => &[],
        };
        names.iter().map(|&name| name.to_owned()).collect()
    }

    /// The resources that are there without any definition, with the group versions they are served under.
    pub(crate) fn built_in() -> Vec<(Resource, Vec<(&'static str, &'static str)>)> {
        let resource = |group: &str, plural: &str, kind: &str, strategy| Resource {
            group: group.into(),
            plural: plural.into(),
            kind: kind.into(),
            list_kind: format!("{kind}List"),
            singular: kind.to_lowercase(),
            short_names: Resource::short_names(plural),
            categories: if plural == "jobs" { vec!["all".into()] } else { Vec::new() },
            namespaced: !matches!(strategy, Strategy::Namespace | Strategy::Definition),
            status: matches!(strategy, Strategy::Namespace | Strategy::Job | Strategy::Definition),
            strategy,
        };
        vec![
            (resource("", "namespaces", "Namespace", Strategy::Namespace), vec![("", "v1")]),
            (resource("", "events", "Event", Strategy::Event), vec![("", "v1"), ("events.k8s.io", "v1")]),
            (resource("batch", "jobs", "Job", Strategy::Job), vec![("batch", "v1")]),
            (
                resource("coordination.k8s.io", "leases", "Lease", Strategy::Lease),
                vec![("coordination.k8s.io", "v1")],
            ),
            (
                resource(
                    "apiextensions.k8s.io",
                    "customresourcedefinitions",
                    "CustomResourceDefinition",
                    Strategy::Definition,
                ),
                vec![("apiextensions.k8s.io", "v1")],
            ),
        ]
    }
}
