//! What the documents show is what the commands print.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The commands of a document's console blocks and the output below each.
fn consoles(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks
        .map(|block| {
            let (mut command, mut output) = (String::new(), String::new());
            let mut more = false;
            for line in block.lines() {
                if let Some(first) = line.strip_prefix("$ ") {
                    command.push_str(first);
                } else if more {
                    command.push_str(line.trim_start());
                } else {
                    output.push_str(line);
                    output.push('\n');
                }
                more = command.ends_with('\\') && output.is_empty();
                command = command.trim_end_matches('\\').to_string();
            }
            (command, output)
        })
        .collect()
}

#[test]
fn the_timelines_in_the_pages_are_what_the_simulation_prints() {
    let mut shown = Vec::new();
    for page in ["docs/operator.md", "docs/operator-primers.md"] {
        let text = std::fs::read_to_string(root().join(page)).unwrap();
        let before = shown.len();
        shown
            .extend(consoles(&text).into_iter().filter(|(command, _)| command.starts_with("kron-simulate ")));
        assert!(shown.len() > before, "{page}");
    }
    for (command, output) in shown {
        let run = Command::new(env!("CARGO_BIN_EXE_kron-simulate"))
            .args(command.split_whitespace().skip(1))
            .current_dir(root())
            .env_remove("KRON_TZDB")
            .env_remove("TZDIR")
            .output()
            .unwrap();
        assert!(run.status.success(), "{command}: {}", String::from_utf8_lossy(&run.stderr));
        assert_eq!(String::from_utf8_lossy(&run.stdout), output, "{command}");
    }
}

#[test]
fn bad_input_is_told_by_name() {
    let simulate = |more: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_kron-simulate"))
            .args(["--from", "2026-03-01T00:00:00Z"])
            .args(more)
            .current_dir(root())
            .env_remove("KRON_TZDB")
            .env_remove("TZDIR")
            .output()
            .unwrap();
        assert!(!run.status.success());
        String::from_utf8(run.stderr).unwrap()
    };
    let to = ["--to", "2026-03-02T00:00:00Z"];
    let missing = simulate(&[&to[..], &["-f", "no/such.yaml"]].concat());
    assert!(missing.contains("no/such.yaml: "), "{missing}");
    let foreign = simulate(&[&to[..], &["-f", "kron-operator/deploy/kustomization.yaml"]].concat());
    assert!(foreign.contains("there is no KronJob in the files"), "{foreign}");
    let jobs = simulate(&[&to[..], &["-f", "examples/fleet.kron"]].concat());
    assert!(jobs.contains("fleet.kron: a job file"), "{jobs}");
    let backwards = simulate(&["--to", "2026-03-01T00:00:00Z", "-f", "examples/manifests/reports.yaml"]);
    assert!(backwards.contains("--to is not after --from"), "{backwards}");
}
