//! The example in the help of each subcommand, as a person would type it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::support::{MARCH, directory, fine};

/// The subcommands with their examples.
fn examples() -> Vec<(String, String)> {
    let help = fine(&["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    let example = |name: &str| {
        let help = fine(&[name, "--help"]);
        let line = help.split("Example:\n").nth(1).and_then(|rest| rest.lines().next()).unwrap();
        (name.to_string(), line.trim().to_string())
    };
    names.map(example).collect()
}

/// Programs that the examples use, which this machine may not have.
const PROGRAMS: [(&str, &str); 3] = [
    ("kubectl", "cat cluster.json"),
    ("crontab", "if [ \"$1\" = -l ]; then printf '0 3 * * * /usr/bin/backup\\n'; else cat > installed; fi"),
    ("git", "cat old.kron"),
];

fn run(example: &str, place: &Path) -> Output {
    let kron = Path::new(env!("CARGO_BIN_EXE_kron")).parent().unwrap().display();
    let path = format!("{}:{kron}:{}", place.join("bin").display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-o", "pipefail", "-c", example]).current_dir(place).stdin(Stdio::null());
    command.env("PATH", path).env("HOME", place).env_remove("KRON_TZDB").env_remove("TZDIR");
    command.output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn every_example_can_be_typed() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = directory("examples");
    let place = Path::new(&place);
    std::fs::create_dir(place.join("bin")).unwrap();
    for (name, script) in PROGRAMS {
        let path = place.join("bin").join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    std::fs::copy(root.join("examples/audit/cluster.json"), place.join("cluster.json")).unwrap();
    std::fs::write(place.join("old.kron"), "0 1 * * * @win(after,1h) name=db/backup command=true\n").unwrap();
    let jobs =
        "0 2 * * * @win(after,1h) name=db/backup command=true\n0 9 * * 1 name=db/vacuum command=true\n";
    std::fs::write(place.join("jobs.kron"), jobs).unwrap();
    let made = "kron explain '@daily' --name a --at 2026-03-01 -o json > receipt.json; for list in old new; do \
                kron next jobs.kron --from 2026-03-01 --for 1w -o ndjson > $list.ndjson; done";
    assert!(run(made, place).status.success());

    let mut tried = 0;
    for (name, example) in examples() {
        let (example, code) = match name.as_str() {
            // A line of a crontab: the command after the five fields, which would sleep.
            "wait" => {
                let line = example.split_once("kron wait").unwrap().1.replace("&& backup", "");
                (format!("kron wait {line} --print --at {MARCH}"), 3)
            }
            // It runs until it is stopped; tests/run/ start it.
            "run" => continue,
            // There is no runner yet.
            "run-now" | "suspend" | "resume" | "status" | "history" | "why" => (example, 2),
            // The jobs of the file start at other times, and those of the cluster are years old.
            "diff" | "audit" => (example, 1),
            _ => (example, 0),
        };
        let ran = run(&example, place);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(code), "{example}\n{said}");
        if code == 2 {
            assert!(
                said.starts_with("error: there is no such state file\n--> kron.db\n"),
                "{example}\n{said}"
            );
        }
        tried += 1;
    }
    assert!(tried > 20, "{tried} examples");
    assert!(place.join("installed").exists() && place.join(".bashrc").exists());
    assert!(place.join(".local/share/man/man1/kron-next.1").exists());
}
