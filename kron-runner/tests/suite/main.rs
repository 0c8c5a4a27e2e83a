//! Tests of the runner: in simulated time with stores that fail, and with real processes.

mod behaviour;
mod clock;
mod crashes;
mod disk;
#[path = "../../../kron-core/tests/import_graph.rs"]
mod import_graph;
mod imports;
mod kills;
mod many;
mod sqlite;
mod world;
