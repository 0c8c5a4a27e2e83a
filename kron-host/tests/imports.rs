//! A file imports only from its own folder and those before it, and there is no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The folders and files of `src`, lowest first.
const ORDER: [&str; 19] = [
    "limits",
    "metric",
    "backoff",
    "handled",
    "record",
    "request",
    "report",
    "attempt",
    "search",
    "list_proof",
    "claims",
    "view",
    "start",
    "dispatcher",
    "starts",
    "answers",
    "run_now",
    "periods",
    "stored",
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let order: Vec<&str> = ORDER.into_iter().chain(["lib"]).collect();
    let imports = import_graph::check(&src, &order, &[]);
    assert!(imports > 40, "{imports} imports");
}
