//! The built binary: what only a process has.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use crate::support::{MARCH, TzDir, directory, file};

fn kron() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kron"));
    command
        .env_remove("CLICOLOR_FORCE")
        .env_remove("KRON_COMPLETE")
        .env_remove("KRON_TZDB")
        .env_remove("TZDIR");
    command
}

#[test]
fn exit_codes() {
    let p = |args: &[&str]| kron().args(args).stdin(Stdio::null()).output().expect("it runs").status.code();
    assert_eq!(p(&["next", "@daily", "--name", "a", "--at", MARCH]), Some(0));
    assert_eq!(p(&["next", "@daily", "--name", "a", "--at", "2100-01-01T00:00:00Z"]), Some(1));
    assert_eq!(p(&["next", "@dayly", "--name", "a", "--at", MARCH]), Some(2));
    assert_eq!(p(&["next", "--nonsense"]), Some(2));
    assert_eq!(p(&["lint", "@dayly"]), Some(1));
    assert_eq!(p(&["--help"]), Some(0));
}

#[test]
fn explain_into_verify() {
    let args = ["explain", "@daily @win(after,3h)", "--name", "a/b", "--at", MARCH, "-o", "json"];
    let receipt = kron().args(args).output().expect("it runs").stdout;
    let mut verify =
        kron().arg("verify").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    verify.stdin.take().expect("a pipe").write_all(&receipt).expect("it reads");
    let output = verify.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), b"agrees\n".as_slice()));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    for form in ["table", "json", "ndjson", "csv"] {
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
            kron().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert!(lines.next().is_some_and(|line| line.is_ok()));
        // Closes the pipe, long before the list ends.
        drop(lines);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()), "{form}");
    }
}

#[test]
fn no_colours_in_pipes() {
    let output = kron().args(["next", "61 * * * *", "--name", "a"]).output().expect("it runs");
    assert!(output.stderr.starts_with(b"error: schedule.minute: "));
    let output = kron().arg("--help").output().expect("it runs");
    assert!(!output.stdout.contains(&0x1b));
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let bad = OsStr::from_bytes(b"@daily\xff");
    let output = kron().arg("next").arg(bad).args(["--name", "a"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let output = kron().args(["next", "-f"]).arg(bad).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.starts_with(b"error: there is no such file\n"));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written() {
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let args = ["next", "@daily", "--name", "a", "--at", MARCH];
    let output = kron().args(args).stdout(full).stderr(Stdio::piped()).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stderr.starts_with(b"error: the output cannot be written: "));
}

#[test]
fn the_environment_names_a_time_zone_database() {
    let dir = TzDir::new("binary", "2026z");
    for variable in ["KRON_TZDB", "TZDIR"] {
        let output = kron().arg("--version").env(variable, dir.path()).output().expect("it runs");
        let want = format!("time zone database 2026z (from {}); ", dir.path());
        assert!(String::from_utf8_lossy(&output.stdout).contains(&want), "{variable}");
    }
}

/// What a script of `kron completions` gets for the last of these words.
fn completions(words: &[&str]) -> Vec<String> {
    let output = kron()
        .arg("--")
        .arg("kron")
        .args(words)
        .env("KRON_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_IFS", "\n")
        .stdin(Stdio::null())
        .output()
        .expect("it runs");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), b"".as_slice()), "{words:?}");
    String::from_utf8(output.stdout).expect("output is UTF-8").lines().map(str::to_string).collect()
}

#[test]
fn names_of_jobs_complete() {
    let jobs =
        file("complete.kron", "@daily name=db/b\n@daily name=db/a\n61 * * * * name=bad\n@daily name=web\n");
    for job in ["next", "explain"] {
        assert_eq!(completions(&[job, "-f", &jobs, "--job", ""]), ["db/a", "db/b", "web"]);
        assert_eq!(completions(&[job, "-f", &jobs, "--job", "db/"]), ["db/a", "db/b"]);
        assert_eq!(completions(&[job, "-f", &jobs, "--job=w"]), ["--job=web"]);
    }
    assert_eq!(completions(&["next", "-f", "no/such/file", "--job", ""]), [""; 0]);
    assert_eq!(completions(&["next", "-f", "-", "--job", ""]), [""; 0]);
    assert_eq!(completions(&["next", "--job", ""]), [""; 0]);
    // A directory and a manifest, with a namespace.
    let dir = directory("complete");
    let manifest = "apiVersion: kron.io/v1alpha1\nkind: KronJob\nmetadata: {name: etl}\nspec: {schedule: '@daily', jobTemplate: \
                    {spec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}}}\n";
    std::fs::write(format!("{dir}/a.yaml"), manifest).expect("the test directory can be written");
    std::fs::write(format!("{dir}/b.kron"), "@daily name=\"with blank\"\n@daily name=plain\n")
        .expect("as above");
    assert_eq!(completions(&["next", "-n", "prod", "-f", &dir, "--job", ""]), ["plain", "prod/etl"]);
    // Files may follow the option.
    let words = ["next", "--job", "", "-f", &jobs];
    let output = kron()
        .arg("--")
        .arg("kron")
        .args(words)
        .env("KRON_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", "3")
        .output();
    assert!(output.expect("it runs").stdout.starts_with(b"db/a"));
}

#[test]
fn commands_options_and_codes_complete() {
    assert_eq!(completions(&["ne"]), ["next"]);
    assert_eq!(completions(&["explain", "--nom"]), ["--nominal"]);
    assert_eq!(completions(&["next", "-o", "c"]), ["csv"]);
    assert_eq!(completions(&["lint", "--allow", "tzdb"]), ["tzdb-rules-differ", "tzdb-old"]);
    assert_eq!(completions(&["completions", "z"]), ["zsh"]);
}

/// The script in the shell itself.
#[cfg(target_os = "linux")]
#[test]
fn bash_completes_names_of_jobs() {
    let jobs = file("bash.kron", "@daily name=db/b\n@daily name=db/a\n@daily name=web\n");
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_kron"));
    let path = format!("{}:{}", binary.parent().expect("a directory").display(), env!("PATH"));
    let script = format!(
        "source <(kron completions bash); COMP_WORDS=(kron next -f '{jobs}' --job db); COMP_CWORD=5; \
         _clap_complete_kron kron db --job; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let output =
        Command::new("bash").args(["--norc", "-c", &script]).env("PATH", path).output().expect("bash runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "db/a\ndb/b\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
