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
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
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
                paths(&format!("{prefix}{}", start.trim()), rest.trim().trim_end_matches('}'), found)
            }
            None => found.push(format!("{prefix}{part}")),
        }
    }
}

/// The modules that a module imports from or names in its code.
fn imports(name: &str, code: &str, modules: &BTreeMap<String, String>) -> BTreeSet<String> {
    let parent = name.rsplit_once("::").map_or("", |(parent, _)| parent);
    // A module that re-exports a name of a file below it gives the name, and does not use it.
    let code = &code.replace("pub use self::", "pub use ");
    let mut found = Vec::new();
    for (start, base) in [("use super::", parent), ("use self::", name)] {
        for rest in code.split(start).skip(1) {
            let tree = rest.split(';').next().unwrap();
            let above = base.rsplit_once("::").map_or("", |(above, _)| above);
            match tree.strip_prefix("super::") {
                Some(tree) => paths(&format!("{above}::"), tree, &mut found),
                None => paths(&format!("{base}::"), tree, &mut found),
            }
        }
    }
    for rest in code.split("crate::").skip(1) {
        let path: usize =
            rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':').unwrap_or(rest.len());
        match rest[path..].starts_with('{') {
            true => paths("", rest.split(';').next().unwrap(), &mut found),
            false => found.push(rest[..path].to_string()),
        }
    }
    let module = |path: String| {
        let mut path = path.trim_start_matches("::");
        while !modules.contains_key(path) {
            path = path.rsplit_once("::")?.0;
        }
        Some(path.to_string())
    };
    found.into_iter().filter_map(module).filter(|other| other != name).collect()
}

/// Checks the files of `src`: each imports only from its own folder and those before it in `order`, whose entries are folders and
/// files, as in `error` and `convert::times`; and there is no circle.
/// Files of `leaves` may be imported from everywhere, and import only each other. Returns the number of imports.
pub fn check(src: &Path, order: &[&str], leaves: &[&str]) -> usize {
    let mut code = BTreeMap::new();
    modules(src, "", &mut code);
    let files: BTreeMap<&String, BTreeSet<String>> =
        code.iter().map(|(name, text)| (name, imports(name, text, &code))).collect();
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
    assert!(left.is_empty(), "a circle of imports in {left:?}");
    files.values().map(BTreeSet::len).sum()
}
