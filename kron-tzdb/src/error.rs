//! Why a directory is not a time zone database.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why a directory could not be read as a time zone database.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// A file or directory cannot be read.
    Io {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// There is no TZif file in the directory.
    NoZones {
        /// The directory.
        path: PathBuf,
    },
    /// There are more files than a time zone database has.
    TooManyFiles {
        /// The directory.
        path: PathBuf,
        /// How many files are read at most.
        max: usize,
    },
    /// The files are not a time zone database: one is damaged, or a name or the version is not right.
    Data {
        /// The directory.
        path: PathBuf,
        /// What the core says; its field names the zone.
        error: kron_core::Error,
    },
}

impl ReadError {
    pub(crate) fn io(path: &Path, error: io::Error) -> ReadError {
        ReadError::Io { path: path.to_owned(), error }
    }

    /// What to do about it, where that can be said.
    ///
    /// ```
    /// let error = kron_tzdb::read_dir("/does/not/exist").unwrap_err();
    /// assert_eq!(error.help().unwrap(), "name a directory of TZif files, such as `/usr/share/zoneinfo`");
    /// ```
    pub fn help(&self) -> Option<String> {
        match self {
            ReadError::Io { .. } | ReadError::NoZones { .. } | ReadError::TooManyFiles { .. } => {
                Some("name a directory of TZif files, such as `/usr/share/zoneinfo`".to_string())
            }
            ReadError::Data { error, .. } => error.help(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::Io { path, error } => write!(f, "{}: {error}", path.display()),
            ReadError::NoZones { path } => write!(f, "{}: no TZif file is in this directory", path.display()),
            ReadError::TooManyFiles { path, max } => {
                write!(f, "{}: more than {max} files are in this directory", path.display())
            }
            ReadError::Data { path, error } => {
                write!(f, "{}: {}: {}", path.display(), error.field(), error.reason())
            }
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ReadError::Io { error, .. } => Some(error),
            ReadError::Data { error, .. } => Some(error),
            ReadError::NoZones { .. } | ReadError::TooManyFiles { .. } => None,
        }
    }
}
