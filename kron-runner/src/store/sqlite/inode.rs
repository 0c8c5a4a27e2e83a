//! The lock on the database file itself, whatever its path is.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::files::{io_error, no_links};
use super::holder::{held_by, in_use};
use super::place::Identity;
use crate::store::StoreError;

/// The databases that this process has the locks of.
///
/// To close any descriptor of a file ends the locks that SQLite has on it in this process, so a second one is never opened.
static HELD: Mutex<Vec<Identity>> = Mutex::new(Vec::new());

/// How often a thread looks whether another one of this process still has the file.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A lock on the database file. The file `<path>.lock` is not enough: a file that is mounted at two paths has one beside each.
///
/// It is a lock of `flock`, which SQLite does not use, so that it does not disturb SQLite's own locks. It is taken before SQLite
/// opens the file, and must be dropped after SQLite has closed it.
pub(super) struct InodeLock {
    file: Option<File>,
    identity: Identity,
}

impl Drop for InodeLock {
    fn drop(&mut self) {
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = self.file.take() {
            // A process that is just being started by another thread has a copy of it.
            drop(file.unlock());
        }
        held.retain(|identity| *identity != self.identity);
    }
}

impl InodeLock {
    /// Takes the lock on the database at `real`, which is made if it does not exist. `path` is what the user named. `None`
    /// where the system has no such lock.
    pub(super) fn take(path: &Path, real: &Path, wait: bool) -> Result<Option<InodeLock>, StoreError> {
        loop {
            let Some((file, identity)) = open(real)? else {
                if !wait {
                    return Err(in_use(path, Some(std::process::id())));
                }
                std::thread::sleep(LOOK_AGAIN);
                continue;
            };
            if !has_own_locks(&file) {
                return Ok(None);
            }
            match wait {
                true => file.lock().map_err(|error| io_error(real, &error))?,
                false => match file.try_lock() {
                    Ok(()) => {}
                    Err(TryLockError::Error(error)) => return Err(io_error(real, &error)),
                    Err(TryLockError::WouldBlock) => return Err(in_use(path, held_by(&file))),
                },
            }
            let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
            // During the wait, another file may have taken its place.
            if Identity::of(real) == Some(identity) {
                held.push(identity);
                return Ok(Some(InodeLock { file: Some(file), identity }));
            }
        }
    }
}

/// Opens the database. `None` if this process has it already.
fn open(real: &Path) -> Result<Option<(File, Identity)>, StoreError> {
    let held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let is_held = |identity: &Identity| held.contains(identity);
    if Identity::of(real).as_ref().is_some_and(is_held) {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).read(true).write(true);
    no_links(&mut options);
    let file = options.open(real).map_err(|error| io_error(real, &error))?;
    let metadata = file.metadata().map_err(|error| io_error(real, &error))?;
    let identity = Identity::of_metadata(&metadata);
    if is_held(&identity) {
        // Another file was moved here since, and its locks must stay.
        std::mem::forget(file);
        return Ok(None);
    }
    Ok(Some((file, identity)))
}

/// Whether locks of `flock` are apart from those of `fcntl`, which SQLite uses. On file systems of a network they are not, and
/// outside Linux neither.
fn has_own_locks(file: &File) -> bool {
    #[cfg(target_os = "linux")]
    {
        // NFS, SMB and 9P in <linux/magic.h>.
        const NETWORK: [u32; 5] = [0x6969, 0xff53_4d42, 0xfe53_4d42, 0x517b, 0x0102_1997];
        let found = rustix::fs::fstatfs(file).map(|found| found.f_type as u32);
        found.is_ok_and(|found| !NETWORK.contains(&found))
    }
    #[cfg(not(target_os = "linux"))]
    {
        _ = file;
        false
    }
}
