//! Opening the files beside SQLite, and what goes wrong with that.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

use crate::store::{StoreError, StoreErrorKind};

/// Lets a file be opened only if it is no link.
pub(super) fn no_links(options: &mut OpenOptions) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    #[cfg(not(target_os = "linux"))]
    {
        _ = options;
    }
}

/// The error of a file that cannot be opened, written or renamed.
pub(super) fn io_error(path: &Path, error: &io::Error) -> StoreError {
    let help = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space on the disk",
        io::ErrorKind::ReadOnlyFilesystem => "mount it so that it can be written, or name another file",
        io::ErrorKind::PermissionDenied => "allow this user to write the file and its directory",
        _ => "check that its directory exists and can be written",
    };
    StoreError::new(StoreErrorKind::Io, error.to_string()).with_path(path).with_help(help)
}
