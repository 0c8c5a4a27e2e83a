//! What the system says, in words of its own only where Kron has none.

use std::io::{Error, ErrorKind};

/// Why a file, a directory, a program or an address cannot be used.
pub(crate) fn system(failed: &Error) -> String {
    let text = match failed.kind() {
        ErrorKind::NotFound => "it does not exist",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::NotADirectory => "a part of the path is not a directory",
        ErrorKind::IsADirectory => "it is a directory",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "the quota of the disk is used up",
        ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        ErrorKind::AddrInUse => "another program has this port",
        ErrorKind::AddrNotAvailable => "this machine has no such address",
        _ => return failed.to_string(),
    };
    text.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_failures_have_words() {
        let p = |kind: ErrorKind| system(&kind.into());
        assert_eq!(
            [p(ErrorKind::NotFound), p(ErrorKind::AddrInUse)],
            ["it does not exist", "another program has this port"]
        );
        assert_eq!(system(&Error::other("odd")), "odd");
    }
}
