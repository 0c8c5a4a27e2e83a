//! What the documents say is what is so.

use std::path::Path;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

#[test]
fn the_page_names_the_compiled_in_tz_database() {
    let text = std::fs::read_to_string(root().join("docs/operator-operations.md")).unwrap();
    let database = kron_core::TzDatabase::COMPILED_IN;
    assert!(text.contains(&format!("Release {} is compiled in.", kron_operator::tzdb::version(&database))));
    let identified = kron_operator::tzdb::identify(&database);
    assert!(text.contains(&format!("\n{identified}\n")), "the Lease's annotation is {identified}");
}
