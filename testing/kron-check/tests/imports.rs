//! The layout of the checker: files in the order in which they build on each other, and no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The files of `src`: each imports only from those before it.
const ORDER: [&str; 20] = [
    "times", "faults", "case", "server", "wire", "process", "ghost", "step", "world", "property", "requests",
    "apply", "steps", "describe", "encode", "quiet", "explore", "args", "lib", "main",
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let imports = import_graph::check_each_file(&src, &ORDER, &[]);
    assert!(imports > 40, "{imports} imports");
}
