//! Integration tests of the state machine of a host.

#[path = "../../kron-core/tests/generators/config.rs"]
mod config;
mod host;
#[cfg(feature = "serde")]
mod host_vectors;
#[path = "../../kron-core/tests/import_graph.rs"]
mod import_graph;
mod imports;
