//! Which process has a file.

use std::fs::File;
use std::path::Path;

use crate::store::{StoreError, StoreErrorKind};

/// Another process has the file: that one, if it is known and lives.
pub(super) fn in_use(path: &Path, pid: Option<u32>) -> StoreError {
    let holder = match pid.filter(|pid| is_alive(*pid)) {
        Some(pid) => format!("process {pid}"),
        None => "another process".into(),
    };
    let help = "end that runner, wait for its end, or name another file";
    StoreError::new(StoreErrorKind::InUse, format!("{holder} has this state file"))
        .with_path(path)
        .with_help(help)
}

/// Whether there is a process with that number, as far as the system says it.
fn is_alive(pid: u32) -> bool {
    !cfg!(target_os = "linux") || Path::new(&format!("/proc/{pid}")).exists()
}

/// The process that has the lock of a file, as the system knows it.
pub(super) fn held_by(file: &File) -> Option<u32> {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::MetadataExt as _;
        let found = file.metadata().ok()?;
        let (major, minor) = (rustix::fs::major(found.dev()), rustix::fs::minor(found.dev()));
        let place = format!("{major:02x}:{minor:02x}:{}", found.ino());
        let locks = std::fs::read_to_string("/proc/locks").ok()?;
        let fields = locks.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        // `1: FLOCK  ADVISORY  WRITE 4711 fe:00:1234 0 EOF`
        let mut holders = fields.filter_map(|fields| match *fields.as_slice() {
            [_, "FLOCK", _, _, pid, found, ..] if found == place => pid.parse().ok(),
            _ => None,
        });
        holders.next()
    }
    #[cfg(not(target_os = "linux"))]
    {
        _ = file;
        None
    }
}
