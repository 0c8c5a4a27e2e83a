//! Laws of the source that the compiler does not hold.

use std::fs;
use std::path::{Path, PathBuf};

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// All source files with their text.
fn sources() -> Vec<(PathBuf, String)> {
    let entries = fs::read_dir(dir().join("src")).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
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
                "{name} in {} is not public",
                path.display()
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

#[test]
fn every_extern_function_is_guarded() {
    let functions = extern_functions();
    assert!(functions.len() > 90, "{} functions", functions.len());
    for (name, body) in functions {
        let guards = body.matches("guard(").count() + body.matches("guard_value(").count();
        assert_eq!(guards, 1, "{name} needs one guard around its work");
        assert!(name.starts_with("kron_"), "{name} has no prefix");
        let work = body.split("guard").nth(1).unwrap();
        for panics in [".unwrap()", ".expect(", "panic!", "todo!", "unreachable!", "unimplemented!"] {
            assert!(!work.contains(panics), "{name} can panic by {panics}");
        }
    }
}

/// Few modules touch raw memory; every other unsafe block only calls them.
#[test]
fn raw_memory_stays_in_its_modules() {
    // decision.rs writes a decision field by field into the caller's place.
    let raw_modules = ["memory.rs", "handle.rs", "text.rs", "tied.rs", "error.rs", "decision.rs"];
    for (path, text) in sources() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        if raw_modules.contains(&name) {
            continue;
        }
        for raw in
            ["from_raw", "into_raw", "slice::", "as_mut()", "transmute", "MaybeUninit", ".read()", ".write("]
        {
            let found = code.contains(raw) && !(raw == "as_mut()" && name == "fleet_builder.rs");
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
