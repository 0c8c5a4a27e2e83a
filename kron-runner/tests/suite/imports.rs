//! The layout of the runner: files in the order in which they build on each other, and no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The folders and files of `src`: a file imports only from its own folder and those before it.
const ORDER: [&str; 12] = [
    // What is stored, and what runs.
    "result", "record", "handler", "clock", "store", // What a runner has, says and answers.
    "error", "event", "job", "handle", // The runner.
    "engine", "runner", "lib",
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let imports = import_graph::check_each_file(&src, &ORDER, &[]);
    assert!(imports > 60, "{imports} imports");
}
