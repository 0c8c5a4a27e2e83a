//! The layout of the crate: modules in the order in which data flows, and no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The folders and files of `src`: a file imports only from its own folder and those before it.
const ORDER: [&str; 34] = [
    "limits",
    "without_days",
    "error",
    "prime",
    "kronjob",
    "names",
    "audit",
    "icalendar",
    "load",
    "snapshot",
    "convert::format",
    "convert::options",
    "convert::finding",
    "convert::output",
    "convert::duration",
    "convert::yaml",
    "convert::sets",
    "convert::days",
    "convert::times",
    "convert::cron_field",
    "convert::job_line",
    "convert::conversion",
    "convert::reader",
    "convert::manifest",
    "convert::formats::controller_schedule",
    "convert::formats::objects",
    "convert::formats",
    "convert::export",
    "convert::seeds",
    "convert",
    "base",
    "place",
    "read",
    "lib",
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let imports = import_graph::check(&src, &ORDER, &[]);
    assert!(imports > 150, "{imports} imports");
}
