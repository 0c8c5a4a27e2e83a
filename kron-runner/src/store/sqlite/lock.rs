//! The lock that gives a file to one runner.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::store::{StoreError, StoreErrorKind};

/// A lock on the file `<path>.lock`. The system releases it when the process ends. A file of its own, because SQLite's locks on
/// the database would be lost when a second handle to it is closed.
pub(super) struct Lock {
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file is not enough: a process that is just being started by another thread has a copy of it.
        // If this fails, the system releases the lock when the last copy is closed.
        drop(self.file.unlock());
    }
}

impl Lock {
    /// Takes the lock, or says who has it.
    pub(super) fn try_take(path: &Path) -> Result<Lock, StoreError> {
        let (lock_path, mut file) = open(path)?;
        match file.try_lock() {
            Ok(()) => Lock::taken(file, &lock_path),
            Err(TryLockError::Error(error)) => Err(io_error(&lock_path, &error)),
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // The process may be writing its number at this moment.
                let known = file.read_to_string(&mut pid).is_ok_and(|_| pid.trim().parse::<u32>().is_ok());
                let holder = if known { format!("process {}", pid.trim()) } else { "another process".into() };
                let message = format!("{}: {holder} has this state file", path.display());
                let help = "end that runner, wait for its end, or name another file";
                Err(StoreError::new(StoreErrorKind::InUse, message).with_help(help))
            }
        }
    }

    /// Waits for the lock.
    pub(super) fn take(path: &Path) -> Result<Lock, StoreError> {
        let (lock_path, file) = open(path)?;
        file.lock().map_err(|error| io_error(&lock_path, &error))?;
        Lock::taken(file, &lock_path)
    }

    fn taken(mut file: File, path: &Path) -> Result<Lock, StoreError> {
        let write = |file: &mut File| {
            file.rewind()?;
            file.set_len(0)?;
            writeln!(file, "{}", std::process::id())
        };
        write(&mut file).map_err(|error| io_error(path, &error))?;
        Ok(Lock { file })
    }
}

/// Opens the file of the lock. Links to one database have one lock.
fn open(path: &Path) -> Result<(PathBuf, File), StoreError> {
    let lock_path = super::place::beside(path, ".lock");
    let options = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&lock_path);
    let file = options.map_err(|error| io_error(&lock_path, &error))?;
    Ok((lock_path, file))
}

fn io_error(path: &Path, error: &io::Error) -> StoreError {
    StoreError::new(StoreErrorKind::Io, format!("{}: {error}", path.display()))
        .with_help("check that its directory exists and can be written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_the_open_file_does_not_keep_the_lock() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("kron.db");
        let lock = Lock::try_take(&path).unwrap();
        let copy = lock.file.try_clone().unwrap();
        assert!(Lock::try_take(&path).is_err());
        drop(lock);
        assert!(Lock::try_take(&path).is_ok());
        drop(copy);
    }
}
