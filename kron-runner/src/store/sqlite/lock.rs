//! The lock that gives a file to one runner.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use super::files::{io_error, no_links};
use super::holder::{held_by, in_use};
use super::inode::InodeLock;
use super::place::beside;
use crate::store::StoreError;

/// A lock on the file `<path>.lock`, and one on the database itself. The system releases them when the process ends.
///
/// The first one is a file of its own, because SQLite's locks on the database would be lost when a second handle to it is closed.
/// It is taken first, so that no second handle is made in the usual case.
pub(super) struct Lock {
    inode: Option<InodeLock>,
    file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        drop(self.inode.take());
        // Closing the file is not enough: a process that is just being started by another thread has a copy of it.
        // If this fails, the system releases the lock when the last copy is closed.
        drop(self.file.unlock());
    }
}

impl Lock {
    /// Takes the lock, or says who has it; if `wait`, waits for it. `path` is what the user named, and `real` the database.
    pub(super) fn take(path: &Path, real: &Path, wait: bool) -> Result<Lock, StoreError> {
        let lock_path = beside(real, ".lock");
        let mut file = open(&lock_path)?;
        match wait {
            true => file.lock().map_err(|error| io_error(&lock_path, &error))?,
            false => match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::Error(error)) => return Err(io_error(&lock_path, &error)),
                Err(TryLockError::WouldBlock) => {
                    let mut pid = String::new();
                    // The process may be writing its number at this moment, and on a full disk it cannot.
                    let written = file.read_to_string(&mut pid).ok().and_then(|_| pid.trim().parse().ok());
                    return Err(in_use(path, held_by(&file).or(written)));
                }
            },
        }
        // The number is for messages only, and a full disk may have no room for it.
        let _ = write_pid(&mut file);
        Ok(Lock { inode: InodeLock::take(path, real, wait)?, file })
    }

    /// Takes the lock of the database again, which is another file now.
    pub(super) fn retake(&mut self, path: &Path, real: &Path) -> Result<(), StoreError> {
        drop(self.inode.take());
        self.inode = InodeLock::take(path, real, false)?;
        Ok(())
    }
}

fn write_pid(file: &mut File) -> io::Result<()> {
    let text = format!("{}\n", std::process::id());
    file.rewind()?;
    // In the place of the last one, which takes no room on the disk.
    file.write_all(text.as_bytes())?;
    file.set_len(text.len() as u64)
}

/// Opens the file of the lock. Links to one database have one lock.
fn open(lock_path: &Path) -> Result<File, StoreError> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    no_links(&mut options);
    options.open(lock_path).map_err(|error| io_error(lock_path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_of_the_open_file_does_not_keep_the_lock() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("kron.db");
        let take = || Lock::take(&path, &path, false);
        let lock = take().unwrap();
        let copies = [lock.file.try_clone().unwrap()];
        assert!(take().is_err());
        drop(lock);
        assert!(take().is_ok());
        drop(copies);
    }

    /// On a full disk the number of an ended process stays in the file.
    #[cfg(target_os = "linux")]
    #[test]
    fn only_a_process_that_lives_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("kron.db");
        let lock = Lock::take(&path, &path, false).unwrap();
        std::fs::write(directory.path().join("kron.db.lock"), "4194305\n").unwrap();
        let error = Lock::take(&path, &path, false).map(drop).unwrap_err().to_string();
        assert!(error.contains(&format!("process {} has this state file", std::process::id())), "{error}");
        drop(lock);
        // The largest number of a process is 4194304.
        assert!(in_use(&path, Some(4_194_305)).to_string().contains(": another process has this state file"));
        assert!(in_use(&path, None).to_string().contains(": another process has this state file"));
    }
}
