//! A file imports only from its own folder and those before it, and there is no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The folders and files of `src`, lowest first.
const ORDER: [&str; 11] = [
    "limits",
    "human_length",
    "error",
    "fleet",
    "forecast",
    "diff",
    "compare",
    "lint",
    "spread",
    "zones",
    "lib",
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let imports = import_graph::check(&src, &ORDER, &[]);
    assert!(imports > 20, "{imports} imports");
}
