//! The README's examples print what it says they print.

use std::path::Path;
use std::process::Command;

#[test]
#[cfg(unix)]
fn examples_print_what_the_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_kron")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut examples = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        for example in block.split("$ ").skip(1) {
            let (command, want) = example.split_once('\n').unwrap();
            let ran = Command::new("bash")
                .args(["-c", command])
                .current_dir(&root)
                .env("PATH", &path)
                .output()
                .unwrap();
            let got = String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap();
            assert_eq!(got.trim_end(), want.trim_end(), "$ {command}");
            examples += 1;
        }
    }
    assert!(examples >= 8, "{examples} examples");
}
