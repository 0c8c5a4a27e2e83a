//! Rules of the source that the compiler does not check.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All source files by their path in `src`, such as `job/decide.rs`, with their text.
pub(crate) fn sources() -> Vec<(String, String)> {
    let root = dir().join("src");
    let (mut folders, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
                found.push((name, fs::read_to_string(path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// Name and body of every extern function.
fn extern_functions() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (path, text) in sources() {
        let mut rest = text.as_str();
        while let Some(start) = rest.find("extern \"C\" fn ") {
            let before = rest[..start].trim_end();
            rest = &rest[start + "extern \"C\" fn ".len()..];
            let name = rest.split('(').next().unwrap().to_owned();
            assert!(
                before.ends_with("pub unsafe") || before.ends_with("pub"),
                "{name} in {path} is not public"
            );
            // Formatted code ends a function with a brace in the first column.
            let body = rest.split("\n}\n").next().unwrap().to_owned();
            let attributes = before.rsplit("\n\n").next().unwrap();
            assert!(attributes.contains("#[unsafe(no_mangle)]"), "{name} is mangled");
            found.push((name, body));
        }
    }
    found
}

pub(crate) fn exported_functions() -> Vec<String> {
    extern_functions().into_iter().map(|(name, _)| name).collect()
}

/// The guards, which catch panics.
const GUARDS: [&str; 8] = [
    " guard(",
    " guard_value(",
    " guard_get(",
    " guard_set(",
    " guard_clone(",
    " guard_string(",
    " guard_decision(",
    " guard_primed(",
];

#[test]
fn every_extern_function_is_guarded() {
    let functions = extern_functions();
    assert!(functions.len() > 90, "{} functions", functions.len());
    for (name, body) in functions {
        let guards: usize = GUARDS.iter().map(|guard| body.matches(guard).count()).sum();
        assert_eq!(guards, 1, "{name} needs one guard around its work");
        assert!(name.starts_with("kron_"), "{name} has no prefix");
        let work = body.split("guard").nth(1).unwrap();
        for panics in [".unwrap()", ".expect(", "panic!", "todo!", "unreachable!", "unimplemented!"] {
            assert!(!work.contains(panics), "{name} can panic by {panics}");
        }
    }
}

/// The folders of `src` in the order of CONTRIBUTING.md: a file imports only from its own folder and those before it.
const FOLDERS: [&str; 9] = ["abi", "error", "value", "tzdb", "parser", "schedule", "job", "host", "fleet"];

/// The files that a file imports from.
fn imports(text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]").next().unwrap();
    let paths = code.split("crate::").skip(1);
    paths
        .filter_map(|path| {
            let mut names =
                path.split("::").map(|name| name.split(|c: char| !c.is_alphanumeric() && c != '_').next());
            Some(format!("{}/{}.rs", names.next()??, names.next()??))
        })
        .collect()
}

#[test]
fn imports_go_one_way() {
    let files: BTreeMap<String, Vec<String>> =
        sources().into_iter().map(|(name, text)| (name, imports(&text))).collect();
    let place = |name: &str| {
        let folder = name.split('/').next().unwrap();
        FOLDERS.iter().position(|known| *known == folder).unwrap_or_else(|| panic!("FOLDERS lacks {name}"))
    };
    let mut arrows = 0;
    for (name, imports) in files.iter().filter(|(name, _)| *name != "lib.rs") {
        for import in imports {
            assert!(
                files.contains_key(import),
                "{name} imports {import}, which is not a file: name the file, not its folder"
            );
            assert!(place(import) <= place(name), "{name} imports {import}, which is further down");
            arrows += 1;
        }
    }
    assert!(arrows > 150, "{arrows} imports");
    // Leaves out files that import nothing that is left, or that nothing that is left imports: circles remain.
    let mut left: Vec<&String> = files.keys().collect();
    loop {
        let all = left.clone();
        left.retain(|name| files[*name].iter().any(|import| all.contains(&import)));
        left.retain(|name| all.iter().any(|other| files[*other].contains(name)));
        if left == all {
            break;
        }
    }
    assert!(left.is_empty(), "a circle of imports in {left:?}");
}

/// Few modules touch raw memory; every other unsafe block only calls them.
#[test]
fn raw_memory_stays_in_its_modules() {
    // The report of an error writes a handle into the caller's place, and a decision is written there field by field.
    let raw_files = ["error/guard.rs", "value/decision.rs"];
    for (name, text) in sources() {
        let code = text.split("#[cfg(test)]").next().unwrap();
        if name.starts_with("abi/") || raw_files.contains(&&*name) {
            continue;
        }
        for raw in
            ["from_raw", "into_raw", "slice::", "as_mut()", "transmute", "MaybeUninit", ".read()", ".write("]
        {
            let found = code.contains(raw) && !(raw == "as_mut()" && name == "fleet/builder.rs");
            assert!(!found, "{name} uses {raw}");
        }
    }
}

/// A panic that aborts cannot become a code.
#[test]
fn no_profile_aborts_on_panic() {
    let mut folders = vec![dir()];
    folders.extend(dir().ancestors().skip(1).take(1).map(Path::to_path_buf));
    for folder in folders {
        for file in ["Cargo.toml", ".cargo/config.toml", ".cargo/config"] {
            let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
            for line in text.lines() {
                let line = line.split('#').next().unwrap_or_default().replace(' ', "");
                assert!(!line.starts_with("panic=") || line == "panic=\"unwind\"", "{file}: {line}");
                assert!(!line.contains("panic=abort"), "{file}: {line}");
            }
        }
    }
}
