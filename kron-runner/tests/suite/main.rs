//! Tests of the runner: in simulated time with stores that fail, and with real processes.

#[cfg(unix)]
mod access;
mod behaviour;
mod clock;
mod crashes;
mod damage;
mod disk;
mod edits;
#[path = "../../../kron-core/tests/import_graph.rs"]
mod import_graph;
mod imports;
mod kills;
mod many;
mod many_faults;
#[cfg(target_os = "linux")]
mod mounts;
mod random;
mod shutdown;
mod simulation;
mod sqlite;
mod world;
