//! Who may write the files of a store and their folder.

use std::io;
use std::path::{Path, PathBuf};

#[cfg(target_os = "linux")]
use super::owner::{folder_fault, refuse_owner};
use super::place::beside;
use crate::store::{StoreError, StoreErrorKind};

/// The files of a store, by what follows the name of the database.
pub(super) const SUFFIXES: [&str; 5] = ["", "-wal", "-shm", "-journal", ".lock"];

/// The database that a path names, without links: all files of a store are beside it.
pub(super) fn resolve(path: &Path) -> Result<PathBuf, StoreError> {
    let failed = |error: io::Error, place: &Path| {
        let error = StoreError::new(StoreErrorKind::Io, error.to_string()).with_path(place);
        Err(error.with_help("check that its directory exists and can be written"))
    };
    match path.canonicalize() {
        Ok(real) => return Ok(real),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return failed(error, path),
    }
    if let Ok(target) = path.read_link() {
        let message =
            format!("the state file is a symbolic link to {}, which does not exist", target.display());
        let help = "remove the link, or name the file itself";
        return Err(StoreError::new(StoreErrorKind::Io, message).with_path(path).with_help(help));
    }
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => Ok(folder.join(name)),
        (Err(error), _) => failed(error, path),
        (Ok(_), None) => failed(io::ErrorKind::InvalidInput.into(), path),
    }
}

/// Refuses files that another user could have put there, so that no other file is written in their place. Gives warnings.
///
/// `path` is what the user named, and `real` the database.
pub(super) fn check(path: &Path, real: &Path) -> Result<Vec<String>, StoreError> {
    #[cfg(target_os = "linux")]
    {
        check_as(path, real, rustix::process::geteuid().as_raw())
    }
    // Elsewhere the users of files are not looked at.
    #[cfg(not(target_os = "linux"))]
    {
        _ = path;
        for suffix in SUFFIXES {
            refuse_link(&beside(real, suffix))?;
        }
        Ok(Vec::new())
    }
}

/// What is at a path, if something is. It must be a file, and no link to one.
fn refuse_link(file: &Path) -> Result<Option<std::fs::Metadata>, StoreError> {
    let found = match file.symlink_metadata() {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(StoreError::new(StoreErrorKind::Io, error.to_string()).with_path(file));
        }
    };
    let what = match (found.is_symlink(), found.is_file()) {
        (false, true) => return Ok(Some(found)),
        (true, _) => "a symbolic link",
        (false, false) => "not a file",
    };
    let message = format!("this is {what}, so nothing is written to it");
    Err(StoreError::new(StoreErrorKind::Io, message)
        .with_path(file)
        .with_help("look who made it, and remove it"))
}

/// The rules for a runner of that user.
#[cfg(target_os = "linux")]
fn check_as(path: &Path, real: &Path, user: u32) -> Result<Vec<String>, StoreError> {
    let mut warnings: Vec<String> = super::mount::warning(real).into_iter().collect();
    let mut folders: Vec<&Path> = real.parent().into_iter().collect();
    let link = path.symlink_metadata().ok().filter(std::fs::Metadata::is_symlink);
    if let Some(link) = link {
        refuse_owner(path, "the link", &link, user)?;
        let of_link = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        folders.push(of_link.unwrap_or(Path::new(".")));
    }
    for folder in folders {
        let Some((what, help)) = folder_fault(folder, user) else { continue };
        if user == 0 {
            return Err(StoreError::new(StoreErrorKind::Io, what).with_path(folder).with_help(help));
        }
        warnings.push(format!("{}: {what}; {help}", folder.display()));
    }
    for suffix in SUFFIXES {
        let file = beside(real, suffix);
        if let Some(found) = refuse_link(&file)? {
            refuse_owner(&file, "the file", &found, user)?;
        }
    }
    Ok(warnings)
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("kron.db");
        std::fs::write(&path, "").unwrap();
        (folder, path)
    }

    fn mode(path: &Path, mode: u32) {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    fn owner(path: &Path) -> u32 {
        path.metadata().unwrap().uid()
    }

    #[test]
    fn a_folder_that_others_can_write() {
        let (folder, path) = folder();
        let user = owner(&path);
        for (bits, open) in [(0o755, false), (0o775, true), (0o777, true), (0o1777, false)] {
            mode(folder.path(), bits);
            let help = format!("chmod go-w {}", path.parent().unwrap().display());
            let expected = match (open, user) {
                (false, _) => Ok(false),
                (true, 0) => Err(true),
                (true, _) => Ok(true),
            };
            let found = check_as(&path, &path, user);
            let found = found.map(|warnings| warnings.iter().any(|warning| warning.contains(&help)));
            let found = found.map_err(|error| error.to_string().contains(&help));
            assert_eq!(found, expected, "{bits:o}");
        }
    }

    /// The rules are tested for root and for other users, as root and as another user.
    #[test]
    fn files_and_folders_of_other_users() {
        let (folder, path) = folder();
        let user = owner(&path);
        assert_eq!(check_as(&path, &path, user).unwrap(), Vec::<String>::new());
        if user == 0 {
            // Files of root are used by a runner of another user, as far as it can write them.
            assert!(check_as(&path, &path, 1000).unwrap().is_empty());
            mode(folder.path(), 0o777);
            let warnings = check_as(&path, &path, 1000).unwrap();
            assert!(warnings[0].contains("(mode 0777)"), "{warnings:?}");
            mode(folder.path(), 0o755);
            std::os::unix::fs::chown(&path, Some(1000), None).unwrap();
            let error = check_as(&path, &path, 0).unwrap_err().to_string();
            assert!(error.contains("the file belongs to user 1000, and this runner is of user 0"), "{error}");
            assert!(error.contains("chown -h 0 "), "{error}");
            assert!(check_as(&path, &path, 1000).unwrap().is_empty());
            std::os::unix::fs::chown(folder.path(), Some(1000), None).unwrap();
            let error = check_as(&path, &path, 0).unwrap_err().to_string();
            assert!(error.contains("the folder of the state file belongs to user 1000"), "{error}");
            assert!(check_as(&path, &path, 1000).unwrap().is_empty());
        } else {
            let error = check_as(&path, &path, user + 1).unwrap_err().to_string();
            assert!(error.contains(&format!("the file belongs to user {user}")), "{error}");
            let error = check_as(&path, &path, 0).unwrap_err().to_string();
            assert!(error.contains(&format!("the folder of the state file belongs to user {user}")));
        }
    }
}
