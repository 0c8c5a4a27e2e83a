//! Whether the files of a store are still where they were opened.

use std::path::{Path, PathBuf};

use crate::store::{StoreError, StoreErrorKind};

/// The files of a database, as they were when it was opened: the database, its log and the lock. A file that was moved or
/// deleted is still written by its connection, and another runner could take its path.
pub(super) struct Place {
    path: PathBuf,
    files: Vec<(PathBuf, Identity)>,
}

/// What distinguishes a file from another one that takes its path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity {
    #[cfg(unix)]
    device: u64,
    #[cfg(unix)]
    inode: u64,
}

impl Identity {
    pub(super) fn of(path: &Path) -> Option<Identity> {
        std::fs::metadata(path).ok().as_ref().map(Identity::of_metadata)
    }

    pub(super) fn of_metadata(metadata: &std::fs::Metadata) -> Identity {
        #[cfg(unix)]
        let found = {
            use std::os::unix::fs::MetadataExt as _;
            Identity { device: metadata.dev(), inode: metadata.ino() }
        };
        // Elsewhere an open file can be neither moved nor deleted.
        #[cfg(not(unix))]
        let found = {
            _ = metadata;
            Identity {}
        };
        found
    }
}

/// The path of a file in the directory of the database, named after it.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.canonicalize().unwrap_or_else(|_| path.into()).into_os_string();
    name.push(suffix);
    name.into()
}

/// Refuses a directory, beside which a lock would otherwise be left.
pub(super) fn check_file(path: &Path) -> Result<(), StoreError> {
    if !path.is_dir() {
        return Ok(());
    }
    let help = format!("name a file in it, such as `{}`", path.join("kron.db").display());
    Err(StoreError::new(StoreErrorKind::Io, "this is a directory").with_path(path).with_help(help))
}

/// Refuses a file with several hard links: a runner by another link would have another log.
pub(super) fn check_links(path: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    let links = {
        use std::os::unix::fs::MetadataExt as _;
        std::fs::metadata(path).map_or(1, |metadata| metadata.nlink())
    };
    #[cfg(not(unix))]
    let links = {
        _ = path;
        1
    };
    if links <= 1 {
        return Ok(());
    }
    Err(StoreError::new(StoreErrorKind::InUse, format!("the state file has {links} hard links"))
        .with_path(path)
        .with_help("remove the other links, or give each runner a state file of its own"))
}

impl Place {
    /// The files of an open database. Where it has no log, because the file system cannot have one, the log is not looked for.
    pub(super) fn new(path: &Path) -> Place {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.into());
        let all = [absolute.clone(), beside(&absolute, "-wal"), beside(&absolute, ".lock")];
        let files = all.into_iter().filter_map(|file| Identity::of(&file).map(|found| (file, found)));
        Place { files: files.collect(), path: path.into() }
    }

    /// Whether all of them are where they were.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        let moved = self.files.iter().find(|(file, known)| Identity::of(file) != Some(*known));
        let Some((file, _)) = moved else { return Ok(()) };
        let what = match file.file_name() {
            Some(name) if self.files.first().is_some_and(|(first, _)| first != file) => {
                format!("its file {}", name.to_string_lossy())
            }
            _ => "the state file".to_string(),
        };
        let message = format!("{what} was moved, deleted or replaced while a runner has it");
        Err(StoreError::new(StoreErrorKind::Moved, message)
            .with_path(&self.path)
            .with_help("put it back, or restart the runner, which then makes a new state file"))
    }
}
