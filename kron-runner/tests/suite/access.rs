//! Files that another user could have put in the place of those of a store.

use std::os::unix::fs::symlink;
use std::path::Path;

use kron_runner::SqliteStore;

#[test]
fn files_beside_it_are_no_links() {
    for suffix in ["-wal", "-shm", "-journal", ".lock"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kron.db");
        let other = folder.path().join("other");
        std::fs::write(&other, "precious").unwrap();
        let file = folder.path().join(format!("kron.db{suffix}"));
        for target in [other.as_path(), Path::new("/no/such/file")] {
            symlink(target, &file).unwrap();
            let error = SqliteStore::open(&path).unwrap_err().to_string();
            let part = format!("kron.db{suffix}: this is a symbolic link, so nothing is written to it");
            assert!(error.contains(&part), "{error}");
            std::fs::remove_file(&file).unwrap();
        }
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "precious");
        std::fs::create_dir(&file).unwrap();
        let error = SqliteStore::open(&path).unwrap_err().to_string();
        assert!(error.contains("this is not a file"), "{error}");
    }
}

#[test]
fn a_link_to_nothing_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (link, target) = (folder.path().join("link.db"), folder.path().join("new.db"));
    symlink(&target, &link).unwrap();
    let error = SqliteStore::open(&link).unwrap_err().to_string();
    let part = format!("a symbolic link to {}, which does not exist", target.display());
    assert!(error.contains(&part), "{error}");
    assert!(!target.exists() && !folder.path().join("link.db.lock").exists());
}
