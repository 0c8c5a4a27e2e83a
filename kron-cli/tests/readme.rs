//! The console examples of pages print what the pages say.

use std::path::Path;
use std::process::Command;

use crate::support::{TzDir, directory, paris_without_winter_time};

/// A folder of that name that has what is at the root of the repository: examples read it, and files that they write are in
/// the folder.
#[cfg(unix)]
fn folder_for_examples(name: &str, root: &Path) -> String {
    let folder = directory(name);
    for entry in std::fs::read_dir(root).unwrap() {
        let entry = entry.unwrap();
        std::os::unix::fs::symlink(entry.path(), Path::new(&folder).join(entry.file_name())).unwrap();
    }
    folder
}

/// Runs the examples of a page as if at the root of the repository. `place` is a path in the page, and where it really is.
/// Returns how many examples there are.
#[cfg(unix)]
fn run_examples(page: &str, place: Option<(&str, &str)>) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
    let folder = folder_for_examples(&format!("examples-of-{}", page.replace('/', "-")), &root);
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    let text = place.iter().fold(text, |text, (shown, real)| text.replace(shown, real));
    let bin = Path::new(env!("CARGO_BIN_EXE_kron")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut examples = 0;
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ").skip(1) {
            let (command, want) = example.split_once('\n').unwrap();
            if command.starts_with("kron-simulate ") {
                // The tests of that command run it.
                continue;
            }
            let ran = Command::new("bash")
                .args(["-c", command])
                .current_dir(&folder)
                .env("PATH", &path)
                // Pictures have characters beyond ASCII.
                .env("LC_ALL", "C.UTF-8")
                .env_remove("COLUMNS")
                .env_remove("KRON_TZDB")
                .env_remove("TZDIR")
                .output()
                .unwrap();
            let got = String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap();
            assert_eq!(got.trim_end(), want.trim_end(), "$ {command}");
            examples += 1;
        }
    }
    examples
}

#[test]
#[cfg(unix)]
fn examples_of_the_readme() {
    let examples = run_examples("README.md", None);
    assert!(examples >= 3, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_tour() {
    let examples = run_examples("docs/guide/tour.md", None);
    assert!(examples >= 8, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_comparison() {
    let examples = run_examples("docs/explain/compare.md", None);
    assert!(examples >= 5, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn the_picture_of_the_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let command = readme.lines().find(|line| line.ends_with(" > docs/herd.svg")).expect("a command");
    let command =
        command.strip_suffix(" > docs/herd.svg").and_then(|command| command.strip_prefix("kron ")).unwrap();
    let run = |more: &[&str]| {
        let mut args: Vec<&str> = command.split(' ').collect();
        args.truncate(args.len() - if more.is_empty() { 0 } else { 2 });
        let ran = Command::new(env!("CARGO_BIN_EXE_kron"))
            .args(args)
            .args(more)
            .current_dir(&root)
            .output()
            .unwrap();
        String::from_utf8(ran.stdout).unwrap()
    };
    let picture = std::fs::read_to_string(root.join("docs/herd.svg")).unwrap();
    assert!(picture == run(&[]), "docs/herd.svg is not what this command prints: kron {command}");
    // The numbers in the text.
    let json: serde_json::Value = serde_json::from_str(&run(&["--cron", "-o", "json"])).unwrap();
    let (cron, kron) = (&json["cron"]["starts"], &json["kron"]["starts"]["peak"]);
    assert_eq!(cron["peakAt"], "2026-03-02T00:00:00Z");
    let text = format!(
        "cron starts {} of them. With Kron, no ten minutes have more than {kron} starts",
        cron["peak"]
    );
    assert!(readme.replace('\n', " ").contains(&text), "{text}");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_primed_schedules() {
    let examples = run_examples("docs/guide/prime.md", None);
    assert!(examples >= 6, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_wait() {
    let examples = run_examples("docs/guide/crontab.md", None);
    assert!(examples >= 3, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_time_zones() {
    let dir: TzDir = paris_without_winter_time("page", "2026z");
    let examples = run_examples("docs/guide/timezones.md", Some(("/opt/tz/2026z", dir.path())));
    assert!(examples >= 12, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_forecasts() {
    let examples = run_examples("docs/guide/forecast.md", None);
    assert!(examples >= 3, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_spreads() {
    let examples = run_examples("docs/guide/spread.md", None);
    assert!(examples >= 4, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_audits() {
    let examples = run_examples("docs/guide/kubernetes-audit.md", None);
    assert!(examples >= 3, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_comparisons() {
    let dir: TzDir = paris_without_winter_time("page-about-comparisons", "2026z");
    let examples = run_examples("docs/guide/diff.md", Some(("/opt/tz/2026z", dir.path())));
    assert!(examples >= 4, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_conversions() {
    let examples = run_examples("docs/guide/convert.md", None);
    assert!(examples >= 5, "{examples} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_the_page_about_primers() {
    let examples = run_examples("docs/guide/kubernetes-primers.md", None);
    assert!(examples >= 1, "{examples} examples");
}
