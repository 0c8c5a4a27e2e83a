//! The tests of the operator: one binary, so that it is linked once.

mod crd;
mod deploy;
mod docs;
mod e2e;
mod imports;
mod installed;
mod pages;
mod socket;
mod tzdb;

#[path = "../../kron-core/tests/import_graph.rs"]
mod import_graph;
