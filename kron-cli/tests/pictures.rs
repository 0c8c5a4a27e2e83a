//! Each guide has a picture, and each picture of docs/pictures is what its command draws.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set to write the pictures.
const RECORD: &str = "KRON_RECORD";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

/// The names of the pictures, with the commands that draw them.
fn commands() -> Vec<(String, String)> {
    let list = std::fs::read_to_string(root().join("docs/pictures/commands.txt")).unwrap();
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.split_once(": ").unwrap())
        .map(|(name, command)| (name.into(), command.into()))
        .collect()
}

#[test]
#[cfg(unix)]
fn each_picture_is_what_its_command_draws() {
    let bin = Path::new(env!("CARGO_BIN_EXE_kron")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let folder = root().join("docs/pictures");
    let mut wrong = Vec::new();
    for (name, command) in commands() {
        let mut bash = Command::new("bash");
        let bash = bash.args(["-c", &command]).current_dir(root()).env("PATH", &path);
        let ran = bash.env_remove("KRON_TZDB").env_remove("TZDIR").output().unwrap();
        assert!(ran.status.success(), "{command}: {}", String::from_utf8_lossy(&ran.stderr));
        if std::env::var_os(RECORD).is_some() {
            std::fs::write(folder.join(&name), &ran.stdout).unwrap();
        }
        if std::fs::read(folder.join(&name)).unwrap_or_default() != ran.stdout {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?} are not current: set {RECORD}=1 to write them");
}

#[test]
fn each_guide_has_a_picture_and_each_picture_a_page() {
    let names: BTreeSet<String> = commands().into_iter().map(|(name, _)| name).collect();
    let files = std::fs::read_dir(root().join("docs/pictures")).unwrap();
    let files = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<String> = files.filter(|name| name != "commands.txt").collect();
    assert_eq!(files, names);
    let mut shown = BTreeSet::new();
    for entry in std::fs::read_dir(root().join("docs/guide")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let of_page = names.iter().filter(|name| text.contains(&format!("](../pictures/{name})")));
        let before = shown.len();
        shown.extend(of_page.cloned());
        // Or what a command draws in a terminal, which the tests of examples run.
        let is_drawn = text
            .split("```console\n")
            .skip(1)
            .any(|block| block.split("```").next().is_some_and(|block| block.contains(['█', '▲'])));
        assert!(shown.len() > before || is_drawn, "{} has no picture", path.display());
    }
    assert_eq!(shown, names);
}
