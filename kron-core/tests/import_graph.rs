//! The imports between the files of a crate, for tests of its layout.

use std::collections::{BTreeMap, BTreeSet};
use std::{fs, path::Path};

/// The modules below a folder with their code, without comments and tests.
#[allow(clippy::disallowed_methods, reason = "the core does no I/O, but this test reads its sources")]
fn modules(folder: &Path, path: &str, found: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let stem = file.file_stem().unwrap().to_str().unwrap();
        let name = if path.is_empty() { stem.to_string() } else { format!("{path}::{stem}") };
        if file.is_dir() {
            modules(&file, &name, found);
        } else if stem != "tests" {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            let code: Vec<&str> = code.lines().map(|line| line.split("//").next().unwrap()).collect();
            found.insert(if stem == "mod" { path.to_string() } else { name }, code.join("\n"));
        }
    }
}

/// The paths of a use tree, such as `error::{Error, list::Errors}`.
fn paths(prefix: &str, tree: &str, found: &mut Vec<String>) {
    let mut depth = 0;
    let parts = tree.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        match part.split_once('{') {
            Some((start, rest)) => {
                let end = rest.rfind('}').unwrap_or(rest.len());
                paths(&format!("{prefix}{}", start.trim()), &rest[..end], found);
            }
            None => found.push(format!("{prefix}{part}")),
        }
    }
}

/// The paths that a file names, in its imports and in its code.
fn named_paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for statement in code.split(';') {
        let line = statement.rfind("use ").filter(|at| {
            let before = statement[..*at].lines().last().unwrap_or_default().trim();
            before.is_empty() || before.starts_with("pub")
        });
        let rest = match line {
            Some(at) => {
                paths("", &statement[at + "use ".len()..], &mut found);
                &statement[..at]
            }
            None => statement,
        };
        // `pub(in path)` imports nothing.
        let rest = rest.split("(in ").enumerate().map(|(index, rest)| match index {
            0 => rest,
            _ => rest.split_once(')').map_or("", |(_, rest)| rest),
        });
        for part in rest {
            let words = part.split(|c| !is_path(c)).filter(|word| word.contains("::"));
            found.extend(words.map(|word| word.trim_end_matches(':').to_string()));
        }
    }
    found
}

/// The module that a path leads to from a module, if it is one of the crate.
fn resolve(name: &str, path: &str, modules: &BTreeMap<String, String>) -> Option<String> {
    let name = if name == "lib" || name == "main" { "" } else { name };
    let join = |base: &str, rest: &str| match (base, rest) {
        ("", rest) => rest.to_string(),
        (base, "") => base.to_string(),
        (base, rest) => format!("{base}::{rest}"),
    };
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    let mut full = match first {
        "crate" => rest.to_string(),
        "self" => join(name, rest),
        "super" => {
            let (mut base, mut rest) = (name, path);
            while let Some(above) = rest.strip_prefix("super::") {
                base = base.rsplit_once("::").map_or("", |(above, _)| above);
                rest = above;
            }
            join(base, rest)
        }
        _ => Some(join(name, path)).filter(|_| modules.contains_key(&join(name, first)))?,
    };
    while !modules.contains_key(&full) {
        full.truncate(full.rfind("::")?);
    }
    Some(full)
}

/// Checks the files of `src`: each imports only from its own folder and those before it in `order`, whose entries are folders and
/// files, as in `error` and `convert::times`; and there is no circle. Files of `leaves` may be imported from everywhere, and import
/// only each other. The `mod.rs` of a folder may use the files of the folder, which may import from it. Returns the number of
/// imports.
#[allow(dead_code, reason = "each crate uses one of the two checks")]
pub fn check(src: &Path, order: &[&str], leaves: &[&str]) -> usize {
    check_imports(src, order, leaves, |name, import| !import.starts_with(&format!("{name}::")))
}

/// The same, and a `mod.rs` is a file like all others: what it uses does not import from it.
#[allow(dead_code, reason = "each crate uses one of the two checks")]
pub fn check_each_file(src: &Path, order: &[&str], leaves: &[&str]) -> usize {
    check_imports(src, order, leaves, |_, _| true)
}

fn check_imports(src: &Path, order: &[&str], leaves: &[&str], counts: impl Fn(&str, &str) -> bool) -> usize {
    let mut code = BTreeMap::new();
    modules(src, "", &mut code);
    let imports = |name: &str, text: &str| -> BTreeSet<String> {
        let all = named_paths(text).into_iter().filter_map(|path| resolve(name, &path, &code));
        all.filter(|other| other != name && counts(name, other)).collect()
    };
    let files: BTreeMap<&String, BTreeSet<String>> =
        code.iter().map(|(name, text)| (name, imports(name, text))).collect();
    // An entry of the order can be a part of a folder: the longest one counts.
    let place = |name: &str| {
        let holds = |known: &str| name == known || name.starts_with(&format!("{known}::"));
        let found =
            order.iter().enumerate().filter(|(_, known)| holds(known)).max_by_key(|(_, known)| known.len());
        found
            .map(|(place, _)| place)
            .unwrap_or_else(|| panic!("{name} has no place in the order of the crate"))
    };
    for (name, imports) in &files {
        for import in imports.iter().filter(|import| !leaves.contains(&import.as_str())) {
            assert!(
                place(import) <= place(name),
                "{name} imports {import}, which is further down in the order"
            );
        }
    }
    for leaf in leaves {
        let outside = files[&(*leaf).to_string()].iter().find(|import| !leaves.contains(&import.as_str()));
        assert_eq!(outside, None, "{leaf} imports it");
    }
    // Leaves out files that import nothing that is left, or that nothing that is left imports: circles remain.
    let mut left: Vec<&String> = files.keys().copied().collect();
    loop {
        let all = left.clone();
        left.retain(|name| files[*name].iter().any(|import| all.contains(&import)));
        left.retain(|name| all.iter().any(|other| files[*other].contains(*name)));
        if left == all {
            break;
        }
    }
    let circle = left.iter().map(|name| (*name, files[*name].iter().filter(|import| left.contains(import))));
    let circle: Vec<String> =
        circle.map(|(name, imports)| format!("{name} imports {:?}", imports.collect::<Vec<_>>())).collect();
    assert!(circle.is_empty(), "a circle of imports: {}", circle.join("; "));
    files.values().map(BTreeSet::len).sum()
}
