//! Runs `kron` in this process, with texts for its streams and a clock that nobody may read.

use std::path::PathBuf;

use kron_cli::{Io, run};

/// A nightly backup.
pub const BACKUP: [&str; 4] =
    ["@daily @win(after,3h) @seed(stable,salt=backup)", "--name", "prod/db-backup", "--at"];
/// Where most tests begin.
pub const MARCH: &str = "2026-03-01T00:00:00Z";

/// What a run left behind.
#[derive(Debug, PartialEq, Eq)]
pub struct Ran {
    pub code: u8,
    pub out: String,
    pub err: String,
}

/// Runs with empty input.
#[track_caller]
pub fn kron(args: &[&str]) -> Ran {
    kron_with(args, b"")
}

/// Runs with that input.
#[track_caller]
pub fn kron_with(args: &[&str], mut input: &[u8]) -> Ran {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = run(
        std::iter::once("kron").chain(args.iter().copied()),
        &mut Io {
            stdin: &mut input,
            stdout: &mut out,
            stderr: &mut err,
            colored_stdout: false,
            colored_stderr: false,
            clock: &mut || panic!("the clock was read"),
        },
    );
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    Ran { code, out: text(out), err: text(err) }
}

/// Runs, and asserts that all is fine and nothing stands on stderr. The output.
#[track_caller]
pub fn fine(args: &[&str]) -> String {
    let ran = kron(args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

/// Runs, and asserts that it ended with bad input and no output. What stands on stderr.
#[track_caller]
pub fn refused(args: &[&str]) -> String {
    let ran = kron(args);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    ran.err
}

/// A file with that content, in the build's own directory for such things.
pub fn file(name: &str, content: impl AsRef<[u8]>) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the test directory can be written");
    path.to_str().expect("the test directory's name is UTF-8").to_string()
}

/// The output with the file's path as `FILE`.
pub fn with_path_hidden(text: &str, path: &str) -> String {
    text.replace(path, "FILE")
}
