//! The model, driven as the operator drives it: through clients of kube, on the paused clock.

mod access;
mod controllers;
mod custom;
mod deletion;
mod events;
mod faults;
#[path = "../../../../kron-core/tests/import_graph.rs"]
mod import_graph;
mod imports;
mod lists;
mod objects;
mod validation;
mod watches;
mod world;
mod writes;
