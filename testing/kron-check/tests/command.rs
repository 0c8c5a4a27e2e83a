//! The command as a process.

use std::path::Path;
use std::process::{Command, Output};

/// A small search, with further arguments.
fn search(arguments: &[&str]) -> Output {
    let small = ["--case", "forbid", "--periods", "1", "--faults", "0"];
    Command::new(env!("CARGO_BIN_EXE_kron-check")).args(small).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_search_whose_result_the_file_has_is_not_made_again() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("results.txt");
    // It may be left from an earlier run.
    let _ = std::fs::remove_file(&file);
    let path = file.to_str().unwrap();
    let first = search(&["--resume", path]);
    let line = text(&first.stdout);
    assert!(first.status.success() && line.contains("complete, no violation"), "{first:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), line);
    let second = search(&["--resume", path]);
    assert_eq!(text(&second.stdout), format!("{} (done before)\n", line.trim_end()));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), line);
}

#[test]
fn results_that_cannot_be_written_are_an_error_before_the_search() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-directory/results.txt");
    let run = search(&["--resume", path.to_str().unwrap()]);
    assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), String::new()));
    let error = text(&run.stderr);
    assert!(error.starts_with(&format!("kron-check: {}: ", path.display())), "{error}");
}

#[test]
#[cfg(feature = "planted-bugs")]
fn a_file_of_results_has_none_of_a_planted_bug() {
    let run = search(&["--resume", "results.txt", "--plant", "start-early"]);
    assert_eq!((run.status.code(), text(&run.stdout)), (Some(2), String::new()));
    assert!(text(&run.stderr).contains("cannot be used with"), "{run:?}");
}
