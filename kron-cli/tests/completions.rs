//! Completions, as the scripts ask for them and in the shells themselves.

use std::io::ErrorKind;
use std::process::{Command, Stdio};

use crate::support::{binary, directory, file};

/// What a script of `kron completions` gets for the last of these words.
fn completions(words: &[&str]) -> Vec<String> {
    let output = binary()
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
    // Files need no -f.
    assert_eq!(completions(&["next", &jobs, "--job", "db/"]), ["db/a", "db/b"]);
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
    let output = binary()
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

/// Runs a script in a shell that finds the built `kron`. Nothing if the machine does not have the shell, which
/// `scripts/test_all.sh` does not allow (`KRON_SHELLS`).
#[cfg(target_os = "linux")]
fn in_shell(shell: &str, options: &[&str], script: &str) -> Option<String> {
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_kron"));
    let path = format!("{}:{}", binary.parent().expect("a directory").display(), env!("PATH"));
    let output = match Command::new(shell).args(options).args(["-c", script]).env("PATH", path).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            assert!(std::env::var_os("KRON_SHELLS").is_none(), "there is no {shell}");
            eprintln!("skipped: there is no {shell}");
            return None;
        }
        output => output.expect("the shell runs"),
    };
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{shell}");
    Some(String::from_utf8(output.stdout).expect("output is UTF-8"))
}

#[cfg(target_os = "linux")]
fn jobs_of_shells(name: &str) -> String {
    file(name, "@daily name=db/b\n@daily name=db/a\n@daily name=web\n")
}

#[cfg(target_os = "linux")]
#[test]
fn bash_completes_names_of_jobs() {
    let jobs = jobs_of_shells("bash.kron");
    let script = format!(
        "source <(kron completions bash); COMP_WORDS=(kron next -f '{jobs}' --job db); COMP_CWORD=5; \
         _clap_complete_kron kron db --job; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    assert_eq!(in_shell("bash", &["--norc"], &script).expect("every Linux has bash"), "db/a\ndb/b\n");
}

/// The functions of zsh that register and show completions are replaced: they need a terminal.
#[cfg(target_os = "linux")]
#[test]
fn zsh_completes_names_of_jobs() {
    let jobs = jobs_of_shells("zsh.kron");
    let script = format!(
        "compdef() {{ function=$1 }}; _describe() {{ print -l -- \"${{(@P)3}}\" }}; \
         source <(kron completions zsh); words=(kron next -f '{jobs}' --job db); CURRENT=6; $function"
    );
    let Some(output) = in_shell("zsh", &["-f"], &script) else { return };
    assert!(output.contains("db/a\n") && output.contains("db/b\n"), "{output}");
}

#[cfg(target_os = "linux")]
#[test]
fn fish_completes_names_of_jobs() {
    let jobs = jobs_of_shells("fish.kron");
    let script = format!("kron completions fish | source; complete -C \"kron next -f '{jobs}' --job db\"");
    let Some(output) = in_shell("fish", &["--no-config"], &script) else { return };
    assert_eq!(output, "db/a\ndb/b\n");
}
