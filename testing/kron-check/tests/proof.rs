//! Tables of docs/explain/proof.md.

use std::path::Path;

/// The rows of the table under a heading, each as its cells.
pub fn table(heading: &str) -> Vec<Vec<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/explain/proof.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (_, section) = page.split_once(&format!("## {heading}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|row| row.trim_matches('|').split(" | ").map(|cell| cell.trim().to_string()).collect()).collect()
}

/// The words of a command in backquotes, after the name of the command.
pub fn words(cell: &str) -> Vec<String> {
    let arguments = cell.trim_matches('`').split(' ').map(ToString::to_string);
    ["kron-check".to_string()].into_iter().chain(arguments).collect()
}
