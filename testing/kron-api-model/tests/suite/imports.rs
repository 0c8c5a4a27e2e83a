//! The layout of the model: files in the order in which a request passes them, and no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The folders and files of `src`: a file imports only from its own folder and those before it.
const ORDER: [&str; 34] = [
    // Words and texts.
    "go",
    "json",
    "names",
    "protobuf",
    "call",
    "matcher",
    "routes",
    "status",
    "schema",
    // The parameters of requests.
    "options",
    "selectors",
    "rbac",
    "log",
    // Kinds of objects.
    "admission",
    "resource",
    "meta",
    "kinds",
    "encode",
    // Objects, and what requests do to them.
    "table",
    "store",
    "verbs",
    "kubectl_table",
    "discovery",
    "gc",
    "objects",
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
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let imports = import_graph::check_each_file(&src, &ORDER, &[]);
    assert!(imports > 150, "{imports} imports");
}
