//! The layout of the operator: modules in the order in which data flows, and no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The folders and files of `src`: a file imports only from its own folder and those before it.
const ORDER: [&str; 23] = [
    "planted_bugs",
    "random",
    "turns",
    "clock",
    "tzdb",
    "client",
    "telemetry",
    "metrics",
    "web",
    "namespaces",
    "args",
    "commands",
    "object",
    "primer",
    "new_job",
    "plan",
    "lease",
    "events",
    "engine",
    "operator",
    "run",
    "lib",
    "main",
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let imports = import_graph::check_each_file(&src, &ORDER, &[]);
    assert!(imports > 150, "{imports} imports");
}
