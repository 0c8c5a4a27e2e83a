//! Whether a file is mounted without its folder.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// The warning about a database that is mounted alone: SQLite's log beside it is not in the same place. Where a container is
/// removed, the log goes with it, and with the log what was written last.
pub(super) fn warning(real: &Path) -> Option<String> {
    let mounts = std::fs::read("/proc/self/mountinfo").ok()?;
    is_mounted(real, &mounts).then(|| {
        format!(
            "{}: the state file is mounted without its folder, so its log `-wal` is lost with the container; mount the folder",
            real.display()
        )
    })
}

/// Whether the fifth field of a line of `mountinfo` is the path.
fn is_mounted(real: &Path, mounts: &[u8]) -> bool {
    let point = |line: &[u8]| line.split(|byte| *byte == b' ').nth(4).map(unescape);
    mounts.split(|byte| *byte == b'\n').filter_map(point).any(|point| OsStr::from_bytes(&point) == real)
}

/// Blanks are written as `\040`.
fn unescape(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
        let escaped =
            digits.filter(|_| *first == b'\\').and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &after[3..] } else { after };
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_of_a_file() {
        let mounts = b"36 35 98:0 /a /srv/kron.db rw - ext4 /dev/a rw\n37 35 98:0 /b /srv/a\\040b\\134c/kron.db rw - ext4 x rw\n";
        let found = |path: &str| is_mounted(Path::new(path), mounts);
        assert!(found("/srv/kron.db") && found("/srv/a b\\c/kron.db"));
        assert!(!found("/srv") && !found("/a") && !found("/srv/kron.db2"));
    }
}
