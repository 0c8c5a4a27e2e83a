//! Which other users can replace a file, by owners and modes.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::store::{StoreError, StoreErrorKind};

/// Files of other users can be made where this bit is set, but those of this user cannot be renamed.
const STICKY: u32 = 0o1000;
const OTHERS_WRITE: u32 = 0o022;

/// What lets other users put files there, and what helps.
pub(super) fn folder_fault(folder: &Path, user: u32) -> Option<(String, String)> {
    let found = folder.metadata().ok()?;
    let name = folder.display();
    if found.uid() != user && found.uid() != 0 {
        let what = format!(
            "the folder of the state file belongs to user {}, who can replace the state file",
            found.uid()
        );
        return Some((what, format!("use another folder, or run `chown {user} {name}`")));
    }
    let mode = found.mode();
    let open = mode & OTHERS_WRITE != 0 && mode & STICKY == 0;
    open.then(|| {
        let what = format!(
            "other users can write the folder of the state file (mode {:04o}), and replace the state file",
            mode & 0o7777
        );
        (what, format!("run `chmod go-w {name}`"))
    })
}

/// Refuses a file that belongs to neither this user nor root.
pub(super) fn refuse_owner(file: &Path, what: &str, found: &Metadata, user: u32) -> Result<(), StoreError> {
    let owner = found.uid();
    if owner == user || owner == 0 {
        return Ok(());
    }
    let message = format!("{what} belongs to user {owner}, and this runner is of user {user}");
    let help = format!("start the runner as user {owner}, or run `chown -h {user} {}`", file.display());
    Err(StoreError::new(StoreErrorKind::Io, message).with_path(file).with_help(help))
}
