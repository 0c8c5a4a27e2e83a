//! Integration tests of fleets.

mod advice;
// The generators of the core's tests, some of which are not used here.
#[allow(dead_code, unused_imports, reason = "shared with the tests of kron-core")]
#[path = "../../kron-core/tests/generators/mod.rs"]
mod generators;
#[path = "../../kron-core/tests/import_graph.rs"]
mod import_graph;
mod imports;
mod merge;
#[allow(dead_code, reason = "the generators use a part of it")]
#[path = "../../kron-core/tests/oracle.rs"]
mod oracle;
mod service;
