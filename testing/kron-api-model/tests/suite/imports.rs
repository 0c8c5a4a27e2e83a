//! The layout of the model and of the crates around it: files in the order in which a request passes them, and no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The files of `kron-api-schema`.
const SCHEMA: [&str; 11] =
    ["go", "cel", "error", "node", "correlation", "value", "prune", "check", "lists", "rules", "lib"];

/// The files of `kron-api-kubectl`.
const KUBECTL: [&str; 7] = ["protobuf", "apply", "discovery", "definition", "strategic", "table", "lib"];

/// The folders and files of `src`: a file imports only from its own folder and those before it.
const ORDER: [&str; 29] = [
    // Words and texts.
    "json",
    "names",
    "call",
    "matcher",
    "routes",
    "status",
    // The parameters of requests.
    "options",
    "selectors",
    "rbac",
    "log",
    // Kinds of objects.
    "resource",
    "meta",
    "kinds",
    "encode",
    // Objects, and what requests do to them.
    "table",
    "store",
    "verbs",
    "gc",
    "objects",
    "simulated_clock",
    // Controllers.
    "background",
    "ttl",
    "job_controller",
    // Between callers and objects.
    "fault",
    "network",
    "server",
    "watch",
    "service",
    "lib",
];

#[test]
fn imports_go_one_way() {
    let testing = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (name, order, least) in
        [("schema", &SCHEMA[..], 20), ("model", &ORDER[..], 130), ("kubectl", &KUBECTL[..], 6)]
    {
        let src = testing.join(format!("kron-api-{name}/src"));
        let imports = import_graph::check_each_file(&src, order, &[]);
        assert!(imports > least, "{name}: {imports} imports");
    }
}
