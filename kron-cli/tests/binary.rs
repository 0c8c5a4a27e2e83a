//! The built binary: what only a process has.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::support::{MARCH, TzDir, binary, directory, file};

#[test]
fn exit_codes() {
    let p = |args: &[&str]| binary().args(args).stdin(Stdio::null()).output().expect("it runs").status.code();
    assert_eq!(p(&["next", "@daily", "--name", "a", "--at", MARCH]), Some(0));
    assert_eq!(p(&["next", "@daily", "--name", "a", "--at", "2100-01-01T00:00:00Z"]), Some(1));
    assert_eq!(p(&["next", "@dayly", "--name", "a", "--at", MARCH]), Some(2));
    assert_eq!(p(&["next", "--nonsense"]), Some(2));
    assert_eq!(p(&["lint", "@dayly"]), Some(1));
    assert_eq!(p(&["--help"]), Some(0));
}

/// kubectl runs the program `kubectl-kron` for `kubectl kron`.
#[cfg(unix)]
#[test]
fn a_link_is_a_plugin_of_kubectl() {
    let link = format!("{}/kubectl-kron", directory("plugin"));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_kron"), &link).expect("a link");
    let run = |args: &[&str]| {
        let output = Command::new(&link).args(args).stdin(Stdio::null()).output().expect("it runs");
        (output.status.code(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
    };
    let args = ["next", "@daily @win(after,1h)", "--name", "a", "--at", MARCH, "-c", "1"];
    let output = binary().args(args).output().expect("it runs");
    assert_eq!(run(&args), (Some(0), String::from_utf8_lossy(&output.stdout).into_owned()));
    assert!(run(&["--help"]).1.contains("Usage: kubectl kron [OPTIONS] <COMMAND>"), "{}", run(&["--help"]).1);
    assert!(
        run(&["next", "--help"]).1.contains("Usage: kubectl kron next "),
        "{}",
        run(&["next", "--help"]).1
    );
    let (code, text) = run(&["nonsense"]);
    assert!(code == Some(2) && text.contains("`kubectl kron --help`"), "{text}");
}

#[test]
fn explain_into_verify() {
    let args = ["explain", "@daily @win(after,3h)", "--name", "a/b", "--at", MARCH, "-o", "json"];
    let receipt = binary().args(args).output().expect("it runs").stdout;
    let mut verify =
        binary().arg("verify").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    verify.stdin.take().expect("a pipe").write_all(&receipt).expect("it reads");
    let output = verify.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), b"agrees\n".as_slice()));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for form in ["text", "json", "ndjson", "csv"] {
        let args = [
            "next",
            "* * * * *",
            "--name",
            "a",
            "--at",
            MARCH,
            "--until",
            "2090-01-01T00:00:00Z",
            "-o",
            form,
        ];
        let mut child =
            binary().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert!(lines.next().is_some_and(|line| line.is_ok()));
        // Closes the pipe, long before the list ends.
        drop(lines);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()), "{form}");
    }
}

/// The exit code says what a command has found, even if its output is not read to the end.
#[test]
fn a_reader_that_has_seen_enough_changes_no_finding() {
    // More findings than a pipe holds.
    let jobs: String = (0..3000).map(|job| format!("* * * * * name=job-{job}\n")).collect();
    let path = file("many-findings.kron", jobs);
    let mut lint = binary();
    let mut child = lint
        .args(["lint", "-q", "-f", &path, "-o", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut first = [0; 10];
    let mut out = child.stdout.take().expect("a pipe");
    std::io::Read::read_exact(&mut out, &mut first).expect("it writes");
    drop(out);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(1), b"".as_slice()));
}

#[test]
fn no_colours_in_pipes() {
    let output = binary().args(["next", "61 * * * *", "--name", "a"]).output().expect("it runs");
    assert!(output.stderr.starts_with(b"error: schedule.minute: "));
    let output = binary().arg("--help").output().expect("it runs");
    assert!(!output.stdout.contains(&0x1b));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let bad = OsStr::from_bytes(b"@daily\xff");
    let output = binary().arg("next").arg(bad).args(["--name", "a"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let output = binary().args(["next", "-f"]).arg(bad).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.starts_with(b"error: there is no such file\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written() {
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let args = ["next", "@daily", "--name", "a", "--at", MARCH];
    let output = binary().args(args).stdout(full).stderr(Stdio::piped()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.starts_with(b"error: the output cannot be written: "));
}

#[test]
fn the_environment_names_a_time_zone_database() {
    let dir = TzDir::new("binary", "2026z");
    for variable in ["KRON_TZDB", "TZDIR"] {
        let output = binary().arg("--version").env(variable, dir.path()).output().expect("it runs");
        let want = format!("time zone database 2026z (from {}); ", dir.path());
        assert!(String::from_utf8_lossy(&output.stdout).contains(&want), "{variable}");
    }
}
