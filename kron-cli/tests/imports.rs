//! The layout of the command: modules in the order in which data flows, and no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The folders and files of `src`: a file imports only from its own folder and those before it.
const ORDER: [&str; 26] = [
    "exit_status",
    "machine",
    "codes",
    "output",
    "session",
    "time_arg",
    "files",
    "tree",
    "calendar_file",
    "complete",
    "args",
    "input",
    "adoption",
    "placing",
    "spreading",
    "forecasting",
    "subcommand",
    "version",
    "watch",
    "run",
    "cmd",
    "usage",
    "cli",
    "command",
    "lib",
    "main",
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let imports = import_graph::check(&src, &ORDER, &[]);
    assert!(imports > 80, "{imports} imports");
}
