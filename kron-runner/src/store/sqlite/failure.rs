//! What goes wrong with a state file, and what helps.

use std::path::Path;

use rusqlite::{Error, ErrorCode, ffi};

use super::aside::damaged;
use crate::store::{StoreError, StoreErrorKind};

/// The bytes of a page of a database.
const PAGE: u64 = 4096;

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

fn extended(error: &Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}

/// Whether the content of the file cannot be what was written to it.
fn is_damage(error: &Error, path: &Path) -> bool {
    let is_odd_value = matches!(
        error,
        Error::FromSqlConversionFailure(..)
            | Error::InvalidColumnType(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::Utf8Error(..)
    );
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt) => true,
        // A database without its first bytes still has whole pages; another file hardly has.
        Some(ErrorCode::NotADatabase) => path.metadata().is_ok_and(|file| file.len() % PAGE == 0),
        _ => is_odd_value,
    }
}

/// What is wrong, without the words and the form of the path that SQLite uses.
fn what_is_wrong(error: &Error) -> String {
    let text = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full",
        Some(ErrorCode::CannotOpen) => "it cannot be opened",
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => "it cannot be written",
        Some(ErrorCode::NotADatabase) => "this is no state file of `kron run`",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "another program locks it",
        Some(ErrorCode::SystemIoFailure) => {
            let code = extended(error).unwrap_or_default();
            return format!("the system failed to read or write it (SQLite error {code})");
        }
        _ => return error.to_string(),
    };
    text.to_string()
}

impl Failure {
    /// Whether the disk had no room.
    pub(super) fn is_full(&self) -> bool {
        matches!(self, Failure::Sqlite(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull))
    }

    /// The error of that file.
    pub(super) fn at(self, path: &Path) -> StoreError {
        match self {
            Failure::Row { place, why } => {
                StoreError::new(StoreErrorKind::Damaged, format!("{place}: {why}"))
                    .with_path(path)
                    .with_help("another program changed the file; restore a copy of it")
            }
            Failure::Sqlite(error) if is_damage(&error, path) => damaged(path, &error.to_string()),
            Failure::Sqlite(error) => {
                let (kind, help) = match error.sqlite_error_code() {
                    Some(ErrorCode::DiskFull) => (StoreErrorKind::Io, Some("free some space on the disk")),
                    Some(ErrorCode::CannotOpen) => (
                        StoreErrorKind::Io,
                        Some("check that its directory exists, and that this user can read and write both"),
                    ),
                    Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => {
                        (StoreErrorKind::Io, Some("allow this user to write the file and its directory"))
                    }
                    Some(ErrorCode::NotADatabase) => {
                        (StoreErrorKind::Schema, Some("name another file, or restore a copy of it"))
                    }
                    Some(ErrorCode::SystemIoFailure)
                        if extended(&error) == Some(ffi::SQLITE_IOERR_SHMSIZE) =>
                    {
                        (StoreErrorKind::Io, Some("free some space on the disk"))
                    }
                    Some(ErrorCode::SystemIoFailure) => (
                        StoreErrorKind::Io,
                        Some(
                            "look at the messages of the system about the disk, and whether it can be written",
                        ),
                    ),
                    _ => (StoreErrorKind::Io, None),
                };
                let error = StoreError::new(kind, what_is_wrong(&error)).with_path(path);
                help.map_or(error.clone(), |help| error.with_help(help))
            }
        }
    }
}
