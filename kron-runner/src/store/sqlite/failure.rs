//! What goes wrong with a state file, and what helps.

use std::path::Path;

use rusqlite::{Error, ErrorCode};

use crate::store::{StoreError, StoreErrorKind};

/// What goes wrong with a file, before its path is added.
pub(super) enum Failure {
    Sqlite(Error),
    /// A row that Kron did not write.
    Row {
        place: String,
        why: String,
    },
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Sqlite(error)
    }
}

impl Failure {
    /// The error of that file.
    pub(super) fn at(self, path: &Path) -> StoreError {
        let path = path.display();
        match self {
            Failure::Row { place, why } => {
                StoreError::new(StoreErrorKind::Schema, format!("{path}: {place}: {why}"))
                    .with_help("another program changed the file; restore a copy of it")
            }
            Failure::Sqlite(error) => {
                let (kind, help) = match error.sqlite_error_code() {
                    Some(ErrorCode::DiskFull) => (StoreErrorKind::Io, Some("free some space on the disk")),
                    Some(ErrorCode::CannotOpen) => {
                        (StoreErrorKind::Io, Some("check that its directory exists and can be written"))
                    }
                    Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                        (StoreErrorKind::Io, Some("allow this user to write the file and its directory"))
                    }
                    Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                        (StoreErrorKind::Schema, Some("name another file, or restore a copy of it"))
                    }
                    _ => (StoreErrorKind::Io, None),
                };
                let error = StoreError::new(kind, format!("{path}: {error}"));
                help.map_or(error.clone(), |help| error.with_help(help))
            }
        }
    }
}
