//! A strict model of a Kubernetes API server in one process, for tests and simulations of the operator.
//!
//! [`Server::client`] gives a [`kube::Client`] whose requests end in this process: no socket, no thread, no time of its
//! own. The wall clock is injected; delays and timeouts are tokio's, so that a paused clock drives them.
//!
//! ```
//! use std::sync::Arc;
//! use k8s_openapi::api::coordination::v1::Lease;
//! use kube::api::{Api, PostParams};
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let server = kron_api_model::Server::new(Arc::new(|| chrono::DateTime::UNIX_EPOCH));
//! let leases: Api<Lease> = Api::default_namespaced(server.client("replica-a"));
//! let lease = serde_json::from_value(serde_json::json!({"metadata": {"name": "leader"}}))?;
//! let created = leases.create(&PostParams::default(), &lease).await?;
//! assert_eq!(created.metadata.resource_version, Some(server.version().to_string()));
//! # Ok(())
//! # }
//! ```
//!
//! # What it does
//!
//! * **Resources**: `namespaces`, `events` (`v1` and `events.k8s.io/v1`, one storage), `batch/v1` `jobs`,
//!   `coordination.k8s.io/v1` `leases`, `customresourcedefinitions`, and what these define. All verbs of a collection, an
//!   object and the subresource `status`; `/version`. `kron-api-kubectl` has what kubectl and Helm need beyond.
//! * **Other kinds** on demand ([`Objects::serve`]): their objects are stored as they are written; unknown fields and wrong types
//!   are found in kinds that come with Kubernetes.
//! * **Objects**: one version counter; `uid`, creation time, `generation`, generated names; checks of names, labels,
//!   annotations, finalizers, owners; dry runs; `fieldValidation`; a write that changes nothing makes no version.
//! * **Concurrency**: stale versions and preconditions conflict, with the status codes, reasons and sentences of servers.
//! * **Custom resources**: structural schema with defaults and rules, versions of the same fields, status apart.
//! * **Jobs**: defaults, generated selector and labels, what may not change, what a status may say.
//! * **Deletion**: preconditions, finalizers, background, foreground and orphaning; collection of objects whose owners
//!   are gone ([`Objects::set_gc_delay`]); namespaces and definitions that end.
//! * **Lists**: selectors, pages of one snapshot, exact and older versions, expired ones. **Watches**: no event missing,
//!   none twice; selectors, bookmarks, initial events, timeouts, expired versions.
//! * **Access**: rules for a caller ([`Server::allow`]), with the sentence of a refusal.
//! * **Faults**: each [`Fault`] of requests ([`Server::inject`]); cut and stalled watches, compaction, stale caches, partitions;
//!   a restored backup ([`Server::restore`]).
//! * **Admission**: creates that are changed, as by a webhook ([`Objects::mutate_creates`]).
//! * **Log**: who asked for what, when, and what came of it ([`Server::requests`]).
//! * **Controllers**, started on demand: TTL of finished Jobs ([`Objects::start_ttl_controller`]), and one that runs Jobs
//!   ([`Objects::start_job_controller`]).
//!
//! # What it does not
//!
//! * No pods, nodes or any other kind by itself. A kind that a test adds has no defaults, no controller and no rules for
//!   values. No validating webhooks, no webhooks on updates, no policies; no quotas (a fault has their sentence).
//! * No authentication: a caller is who it says. No rules for URLs that are not resources. No impersonation.
//! * No discovery, no tables, no strategic merge patches and no server-side apply. Nobody writes `managedFields`.
//! * JSON bodies only. No `log`, `scale` and other subresources, no proxy paths.
//! * Repeated keys of a JSON body are not refused: the last one wins.
//! * Of a Job's pods only names, images, pull policies, variables' names, labels and the restart policy are checked
//!   beyond their types; fields newer than the types at hand are kept unseen. Pod failure and success policies and
//!   `managedBy` are not checked. A suspended Job that never started may change more of its template than real ones.
//! * Custom resources: no conversion webhooks, no `selectableFields`, no `scale`. A definition is established at once; its
//!   names are not compared with those of others; it lacks most checks of definitions.
//! * Bookmarks come each minute. Events do not expire. History is kept by count, not by age; lists and watches age alike.
//!   Slow watches are never dropped by the server itself. Nothing throttles (a fault does).
//! * Requests are executed at one moment, in the order of their arrival: races within one request cannot be seen except
//!   through hooks.
#![forbid(unsafe_code)]

mod background;
mod call;
mod encode;
mod fault;
mod gc;
mod job_controller;
mod json;
mod kinds;
mod log;
mod matcher;
mod meta;
mod names;
mod network;
mod objects;
mod options;
mod rbac;
mod resource;
mod routes;
mod selectors;
mod server;
mod service;
mod simulated_clock;
mod status;
mod store;
mod table;
mod ttl;
mod verbs;
mod watch;

pub use background::Background;
pub use call::{Call, Verb};
pub use fault::{Fault, FaultId, FaultKind, Hook};
pub use job_controller::Run;
pub use log::Record;
pub use matcher::Match;
pub use network::{Cut, Partition, StallId};
pub use objects::{Backup, Clock, Objects, StoredKind};
pub use resource::Resource;
pub use server::Server;
pub use simulated_clock::SimulatedClock;
pub use status::Status;

pub use kron_api_schema::FieldError;
