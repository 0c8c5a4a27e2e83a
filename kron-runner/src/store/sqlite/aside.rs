//! Keeping a damaged store aside, so that a new one can take its place.

use std::io;
use std::path::{Path, PathBuf};

use super::access::SUFFIXES;
use super::place::beside;
use crate::store::{StoreError, StoreErrorKind};

/// Renames the database and its logs to `<path>.damaged-<time>`, and gives the new path. The lock stays. Nothing is overwritten.
pub(super) fn set_aside(real: &Path) -> Result<PathBuf, StoreError> {
    let now = chrono::DateTime::<chrono::Utc>::from(std::time::SystemTime::now());
    set_aside_at(real, &now.format("%Y%m%dT%H%M%SZ").to_string())
        .map_err(|(place, error)| super::files::io_error(&place, &error))
}

fn set_aside_at(real: &Path, time: &str) -> Result<PathBuf, (PathBuf, io::Error)> {
    let name = |number: u32| match number {
        1 => beside(real, &format!(".damaged-{time}")),
        number => beside(real, &format!(".damaged-{time}-{number}")),
    };
    let files = SUFFIXES.iter().filter(|suffix| **suffix != ".lock");
    let free = |kept: &PathBuf| files.clone().all(|suffix| beside(kept, suffix).symlink_metadata().is_err());
    let none = || (real.to_path_buf(), io::Error::from(io::ErrorKind::AlreadyExists));
    let kept = (1..=1000).map(name).find(free).ok_or_else(none)?;
    // The database goes first: SQLite never uses a log without its database, and removes it.
    for suffix in files {
        let file = beside(real, suffix);
        rename(&file, &beside(&kept, suffix)).map_err(|error| (file, error))?;
    }
    let folder = real.parent().unwrap_or(Path::new("."));
    let synced = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
    // Elsewhere a folder cannot be opened.
    match synced {
        Err(error) if cfg!(unix) => Err((folder.into(), error)),
        _ => Ok(kept),
    }
}

/// Renames a file if it is there, and never over another one.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // The file system does not know the flag. The name was free a moment ago, and the runner has the lock.
            Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {}
            Err(rustix::io::Errno::NOENT) => return Ok(()),
            renamed => return Ok(renamed?),
        }
    }
    match std::fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        renamed => renamed,
    }
}

/// The error of a store whose content is damaged. `what` is what SQLite found.
pub(super) fn damaged(path: &Path, what: &str) -> StoreError {
    StoreError::new(StoreErrorKind::Damaged, format!("the state file is damaged: {what}"))
        .with_path(path)
        .with_help("restore a copy of it, or move it away and begin with a new one")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_overwritten() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().canonicalize().unwrap().join("kron.db");
        for number in 1..=3 {
            for suffix in ["", "-wal", "-shm"] {
                std::fs::write(beside(&path, suffix), format!("{number}{suffix}")).unwrap();
            }
            let kept = set_aside_at(&path, "20261127T012329Z").unwrap();
            let end = if number == 1 { String::new() } else { format!("-{number}") };
            assert_eq!(kept, beside(&path, &format!(".damaged-20261127T012329Z{end}")));
            for suffix in ["", "-wal", "-shm"] {
                let text = std::fs::read_to_string(beside(&kept, suffix)).unwrap();
                assert_eq!(text, format!("{number}{suffix}"));
                assert!(!beside(&path, suffix).exists());
            }
        }
    }
}
