//! The layout of the workspace.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates of the workspace that have tests beside their sources.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let folders = [root.to_path_buf(), root.join("testing")]
        .into_iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap());
    let folders = folders.map(|entry| entry.unwrap().path());
    folders.filter(|folder| folder.join("Cargo.toml").exists() && folder.join("tests").is_dir()).collect()
}

/// Every crate has few programs of tests, whose other files are modules. A file that is no module is compiled by nobody.
#[test]
fn every_file_of_tests_is_a_module_or_a_program() {
    let crates = crates();
    assert!(crates.len() > 10, "{crates:?}");
    let mut files = 0;
    for folder in crates {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let finds_programs = !manifest.contains("autotests = false");
        let mut pending = vec![folder.join("tests")];
        while let Some(tests) = pending.pop() {
            let entries: Vec<PathBuf> =
                fs::read_dir(&tests).unwrap().map(|entry| entry.unwrap().path()).collect();
            let is_source = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "rs");
            let sources: Vec<&PathBuf> = entries.iter().filter(is_source).collect();
            // A folder without files of Rust has data, or sources of another language.
            let modules =
                entries.iter().filter(|path| path.join("mod.rs").exists()).chain(sources.iter().copied());
            // The file of the folder itself may stand beside it.
            let beside = tests.with_extension("rs");
            let texts: String = sources
                .iter()
                .copied()
                .chain([&beside])
                .filter_map(|path| fs::read_to_string(path).ok())
                .collect();
            for path in modules {
                let stem = path.file_stem().unwrap().to_str().unwrap();
                let in_crate = path.strip_prefix(&folder).unwrap().to_str().unwrap();
                let is_program = manifest.contains(&format!("\"{in_crate}\""))
                    || tests.ends_with("tests")
                        && (finds_programs || manifest.contains(&format!("name = \"{stem}\"")));
                // A macro may declare modules by a table of their names.
                let is_module =
                    texts.contains(&format!("mod {stem};")) || texts.contains(&format!("\n    {stem}: \""));
                assert!(is_program || is_module || stem == "mod", "{} is compiled by nobody", path.display());
                files += 1;
            }
            pending.extend(entries.into_iter().filter(|path| path.is_dir()));
        }
    }
    assert!(files > 100, "{files}");
}
