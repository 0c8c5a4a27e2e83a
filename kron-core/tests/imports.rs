//! The layout that CONTRIBUTING.md describes: folders in the order in which data flows, and no circle of imports.

use std::path::Path;

use crate::import_graph;

/// The folders and files of `src` in the order of CONTRIBUTING.md: a file imports only from its own folder and those before
/// it.
const ORDER: [&str; 17] = [
    "planted_bugs",
    "limits",
    "math",
    "word_enum",
    "error",
    "serde_support",
    "time",
    "constraint",
    "days",
    "cron",
    "draw",
    "decision",
    "plan",
    "job",
    "text",
    "place",
    "proof",
];

/// Errors print times, and these two files import nothing of the crate.
const LEAVES: [&str; 2] = ["time::civil", "time::rfc3339"];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let order: Vec<&str> = ORDER.into_iter().chain(["lib"]).collect();
    let imports = import_graph::check(&src, &order, &LEAVES);
    assert!(imports > 300, "{imports} imports");
}
