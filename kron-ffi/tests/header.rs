//! `include/kron.h` is what cbindgen makes of the source, and says of each function what it must.

use std::fs;
use std::path::{Path, PathBuf};

const PREFACE: &str = "\
/* libkron: deterministic jitter for cron.
 *
 * Written by cbindgen from kron-ffi/src; do not edit. See kron-ffi/README.md for how to build and link.
 *
 * Results.   Every function that can fail returns a kron_result, 0 for success, and takes `kron_error **error` last. That
 *            may be NULL. Otherwise `*error` must be NULL or an error of an earlier call: a call that fails frees the
 *            earlier one and puts its own there, and one that succeeds, or answers KRON_RESULT_END or
 *            KRON_RESULT_ABSENT, leaves it alone. Free it once, at the end, with kron_error_free.
 * Outputs    come last, before the error, and are written on success only.
 * Strings in are UTF-8: NUL-terminated, or, in the functions that end in `_n`, with a length in bytes. They are not kept.
 * Pointers   are NULL, where the function says so, or valid; handles are live. That is checked for NULL only.
 * Times      are Unix seconds.
 * Zones      are looked up in the tz database that a call takes as `tzdb`; NULL is the one that is compiled in.
 * Structs    are allocated by the caller. Calls take their size, KRON_..._SIZE, so that they can grow.
 * Handles    are opaque. Each has one function that frees it. Jobs, fleets, schedules and tz databases are immutable and
 *            may be used by any number of threads at once; builders, series, strings, errors and plans belong to one
 *            thread at a time, or to several that only read.
 * Order      Handles may be freed in any order: a series keeps its job or fleet alive, a job keeps its time zone, and all
 *            other handles are independent.
 */
";

const SIZES: &[&str] =
    &["clock_change", "policy", "action", "decision", "host_state", "verification", "tzif"];

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(dir().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn macros() -> String {
    let version = env!("CARGO_PKG_VERSION");
    let [major, minor, patch] = <[&str; 3]>::try_from(version.split('.').collect::<Vec<_>>()).unwrap();
    let mut text = format!(
        "/* The version of this header; kron_version() is that of the library. */\n#define KRON_VERSION \"{version}\"\n\
         #define KRON_VERSION_MAJOR {major}\n#define KRON_VERSION_MINOR {minor}\n#define KRON_VERSION_PATCH {patch}\n\n\
         /* The sizes that calls take. */\n"
    );
    for name in SIZES {
        text += &format!("#define KRON_{}_SIZE (sizeof(kron_{name}))\n", name.to_uppercase());
    }
    text
}

/// The sections `# Safety` are for readers of the Rust source: in C every function has such a duty, which the preface states.
fn without_safety(header: &str) -> String {
    let mut out = String::new();
    let mut skipping = false;
    for line in header.lines() {
        skipping |= line.trim() == "* # Safety";
        if line.trim() == "*/" {
            skipping = false;
            // The blank line that stood before the section.
            if out.ends_with(" *\n") {
                out.truncate(out.len() - 3);
            }
        }
        if !skipping {
            out += line;
            out.push('\n');
        }
    }
    out
}

fn generate() -> String {
    let mut config = cbindgen::Config::from_file(dir().join("cbindgen.toml")).unwrap();
    config.header = Some(PREFACE.trim_end().to_owned());
    config.after_includes = Some(format!("\n{}", macros()));
    let bindings = cbindgen::Builder::new().with_crate(dir()).with_config(config).generate().unwrap();
    let mut bytes = Vec::new();
    bindings.write(&mut bytes);
    without_safety(&String::from_utf8(bytes).unwrap())
}

#[test]
fn the_header_is_what_the_source_says() {
    let (path, made) = (Path::new("include/kron.h"), generate());
    if std::env::var_os("KRON_BLESS").is_some() {
        fs::write(dir().join(path), made).unwrap();
        return;
    }
    let found = fs::read_to_string(dir().join(path)).unwrap_or_default();
    assert!(
        found == made,
        "include/kron.h is stale: run the test with KRON_BLESS=1 and look at the difference"
    );
}

/// Functions of the header with their comments.
fn functions() -> Vec<(String, String)> {
    let header = read("include/kron.h");
    let mut functions = Vec::new();
    let mut rest = header.as_str();
    while let Some(start) = rest.find("/**") {
        let (comment, after) = rest[start..].split_once("*/").unwrap();
        let declaration = after.trim_start().split(['{', ';']).next().unwrap_or_default();
        let name = declaration.split('(').next().unwrap_or_default().split([' ', '*', '\n']).next_back();
        if declaration.contains("(") && name.is_some_and(|name| name.starts_with("kron_")) {
            functions.push((name.unwrap_or_default().to_owned(), comment.to_owned()));
        }
        rest = after;
    }
    functions
}

#[test]
fn every_function_says_four_things() {
    let functions = functions();
    assert!(functions.len() > 90, "{} functions", functions.len());
    for (name, comment) in functions {
        let lines: Vec<&str> =
            comment.lines().map(|line| line.trim().trim_start_matches('*').trim()).collect();
        let at = |label: &str| {
            lines.iter().position(|line| line.starts_with(label) && line.len() > label.len() + 1)
        };
        let places = [at("Ownership:"), at("NULL:"), at("On error:")];
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{name}: {places:?} in {comment}");
        assert!(lines[1].ends_with(['.', ',']) || lines[1].len() > 30, "{name} does not say what it does");
        assert!(!comment.contains("[`") && !comment.contains("::"), "{name} speaks Rust: {comment}");
    }
}

#[test]
fn every_exported_function_is_in_the_header() {
    let functions: Vec<String> = functions().into_iter().map(|(name, _)| name).collect();
    let mut exported = crate::source::exported_functions();
    let mut declared = functions;
    exported.sort();
    declared.sort();
    assert_eq!(exported, declared);
    let mut symbols: Vec<String> = read("symbols.txt").lines().map(str::to_owned).collect();
    symbols.sort();
    assert_eq!(exported, symbols, "symbols.txt is stale");
}

#[test]
fn one_version_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    // SAFETY: the string is static and ends with NUL.
    let running = unsafe { std::ffi::CStr::from_ptr(kron::kron_version()) };
    assert_eq!(running.to_str(), Ok(version));
    assert!(read("include/kron.h").contains(&format!("#define KRON_VERSION \"{version}\"\n")));
    assert!(read("cmake/kron-config-version.cmake").contains(&format!("set(PACKAGE_VERSION \"{version}\")")));
    assert!(read("cmake/kron-config.cmake").contains(&format!("libkron.so.{version}")));
}
