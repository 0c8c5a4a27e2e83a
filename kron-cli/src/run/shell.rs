//! The shell that commands are started by.

use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::fields::CommandFields;
use crate::output::system::system;

/// What runs a command line.
#[derive(Clone, Debug)]
pub(crate) struct Shell {
    /// Its program, which takes the command line after `-c`.
    pub(crate) program: PathBuf,
}

impl Shell {
    /// Finds a shell, so that a misspelled one is an error before anything is started: a path, or a name that is looked for in
    /// the directories of `PATH`. The directory of a job changes nothing about a relative path.
    ///
    /// # Errors
    ///
    /// Why it cannot be used.
    pub(crate) fn find(program: &Path, path: Option<&OsStr>) -> Result<Shell, String> {
        if program.components().count() == 1 && !program.as_os_str().as_encoded_bytes().contains(&b'/') {
            let mut directories = path.map(std::env::split_paths).into_iter().flatten();
            let found = directories.find_map(|directory| Shell::at(&directory.join(program)).ok());
            return found.ok_or_else(|| "there is no such program in the directories of PATH".to_string());
        }
        Shell::at(program)
    }

    fn at(program: &Path) -> Result<Shell, String> {
        let metadata = std::fs::metadata(program).map_err(|error| system(&error))?;
        if !metadata.is_file() {
            return Err("it is not a file".to_string());
        }
        if metadata.permissions().mode() & 0o111 == 0 {
            return Err("it is not executable".to_string());
        }
        let program = std::path::absolute(program).map_err(|error| system(&error))?;
        Ok(Shell { program })
    }

    /// The error of a start, with what the user named.
    pub(super) fn start_error(&self, error: io::Error, fields: &CommandFields) -> io::Error {
        let message = match &fields.cwd {
            Some(directory) if !directory.is_dir() => {
                format!("the directory of `cwd`, {}, does not exist", directory.display())
            }
            _ => format!("the shell {} cannot be started: {}", self.program.display(), system(&error)),
        };
        io::Error::new(error.kind(), message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shells_are_found_before_they_are_needed() {
        let find = |program: &str, path: Option<&str>| {
            Shell::find(Path::new(program), path.map(OsStr::new)).map(|shell| shell.program)
        };
        assert_eq!(find("/bin/sh", None), Ok(PathBuf::from("/bin/sh")));
        assert_eq!(find("sh", Some("/no/such:/bin")), Ok(PathBuf::from("/bin/sh")));
        let none = "there is no such program in the directories of PATH".to_string();
        assert_eq!((find("sh", None), find("no-such-shell", Some("/bin"))), (Err(none.clone()), Err(none)));
        assert!(find("/no/such/shell", None).unwrap_err() == "it does not exist");
        assert_eq!(find("/bin", None), Err("it is not a file".to_string()));
        assert_eq!(find("/etc/passwd", None), Err("it is not executable".to_string()));
    }
}
