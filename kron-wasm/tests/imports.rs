//! The layout of the crate: modules in the order in which data flows, and a page that names all exports.

use std::fs;
use std::path::Path;

use crate::import_graph;

/// The files of `src`: a file imports only from those before it.
const ORDER: [&str; 12] = [
    "limits", "failure", "instant", "handles", "series", "request", "answers", "fleet", "dispatch",
    "instance", "exports", "lib",
];

#[test]
fn imports_go_one_way() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let imports = import_graph::check(&src, &ORDER, &[]);
    assert!(imports > 10, "{imports} imports");
}

#[test]
fn the_page_names_every_export() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let source = fs::read_to_string(folder.join("src/exports.rs")).unwrap();
    let exports: Vec<&str> =
        source.split("extern \"C\" fn ").skip(1).map(|rest| rest.split('(').next().unwrap()).collect();
    assert_eq!(exports.len(), 14);
    for export in exports {
        assert!(page.contains(&format!("`{export}(")), "{export}");
    }
}
