//! How much code the crate has.

use std::path::Path;

use crate::code_lines::{code_lines, sources};

/// The most lines of code of `src`, without comments, blank lines and what only tests compile. A core that is larger holds what
/// does not decide the starts of one job: see "Layout" in CONTRIBUTING.md for the crate that it belongs to.
const CORE_LINES_MAX: usize = 15_000;

#[test]
fn the_core_stays_small() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&src);
    let mut lines: Vec<(usize, String)> = files
        .into_iter()
        .map(|(path, text)| (code_lines(&text), path.strip_prefix(&src).unwrap().display().to_string()))
        .collect();
    lines.sort_unstable_by(|a, b| b.cmp(a));
    let sum: usize = lines.iter().map(|(lines, _)| lines).sum();
    // Fewer lines or files would mean that the test does not see the sources.
    assert!(sum > CORE_LINES_MAX / 2 && lines.len() > 100, "{sum} lines in {} files", lines.len());
    let largest = &lines[..10];
    assert!(
        sum <= CORE_LINES_MAX,
        "{sum} lines of code, more than {CORE_LINES_MAX}; the most have {largest:?}"
    );
}
