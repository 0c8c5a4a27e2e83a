//! What the documents show is what the commands print.

use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
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
    for page in ["docs/guide/kubernetes.md", "docs/guide/kubernetes-primers.md"] {
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

/// The example of docs/guide/kubernetes-audit.md, but for what differs between two runs: versions of objects, and names of processes.
#[test]
fn the_objects_of_the_page_about_audits_are_those_of_the_simulation() {
    let page = std::fs::read_to_string(root().join("docs/guide/kubernetes-audit.md")).unwrap();
    let (_, rest) = page.split_once("kron-simulate ").unwrap();
    let command = rest.split("```").next().unwrap().replace("\\\n", " ");
    let (args, committed) = command.split_once("--objects").unwrap();
    let written = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("cluster.json");
    let run = Command::new(env!("CARGO_BIN_EXE_kron-simulate"))
        .args(args.split_whitespace())
        .arg("--objects")
        .arg(&written)
        .current_dir(root())
        .env_remove("KRON_TZDB")
        .env_remove("TZDIR")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let read = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        let mut list: serde_json::Value = serde_json::from_str(&text).unwrap();
        for item in list["items"].as_array_mut().unwrap() {
            item["metadata"]["resourceVersion"].take();
            item["status"]["claim"]["holder"].take();
        }
        list
    };
    let (committed, written) = (read(&root().join(committed.trim())), read(&written));
    assert!(committed["items"].as_array().unwrap().len() > 20);
    assert!(
        committed == written,
        "write examples/audit/cluster.json again by the command of docs/guide/kubernetes-audit.md"
    );
}

#[test]
fn objects_that_cannot_be_written_are_an_error() {
    let run = Command::new(env!("CARGO_BIN_EXE_kron-simulate"))
        .args([
            "--from",
            "2026-03-01T00:00:00Z",
            "--to",
            "2026-03-01T00:10:00Z",
            "-f",
            "examples/manifests/hello.yaml",
        ])
        .args(["--objects", "no/such/folder/x.json"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(!run.status.success());
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(error.contains("no/such/folder/x.json: "), "{error}");
}

#[test]
fn bad_input_is_refused_by_name() {
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
