//! Trees of text files: found, and written back as a whole.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use kron_formats::place::{self, Source};

use crate::files::{check_no_fifo, is_descriptor, label, not_utf_8, unread};
use crate::output::diagnostic::Diagnostic;
use crate::output::system::system;

/// Longer files of a directory are passed over, and are an error if they are named.
const BYTES: u64 = 16 << 20;
/// How the names of temporary files begin and end. Cron passes over names that begin with a dot.
const TEMPORARY: (&str, &str) = (".kron-", ".tmp");

/// A text file that may be written back.
#[derive(Debug)]
pub(crate) struct TextFile {
    /// As the arguments name it, or below the directory that they name.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    /// The file itself, where the path is a link.
    target: PathBuf,
    read: Stamp,
    /// Whether the arguments name the file itself, not a directory that holds it.
    pub(crate) named: bool,
}

/// By what a file that was changed meanwhile is recognized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    length: u64,
    modified: Option<std::time::SystemTime>,
    #[cfg(unix)]
    inode: (u64, u64),
}

impl Stamp {
    /// That of a file by its path, if it is there.
    pub(crate) fn of_file(path: &Path) -> Option<Stamp> {
        fs::metadata(path).ok().map(|data| Stamp::of(&data))
    }

    fn of(data: &Metadata) -> Stamp {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt as _;
        Stamp {
            length: data.len(),
            modified: data.modified().ok(),
            #[cfg(unix)]
            inode: (data.dev(), data.ino()),
        }
    }
}

/// The files that paths mean.
#[derive(Debug, Default)]
pub(crate) struct TextFiles {
    pub(crate) files: Vec<TextFile>,
    /// The texts of directories that are not UTF-8, which are passed over.
    pub(crate) other_encodings: Vec<PathBuf>,
}

/// The files that paths mean: each file once. Of a directory, the regular UTF-8 files that git does not ignore; links in it are not
/// followed.
pub(crate) fn read(paths: &[PathBuf]) -> Result<TextFiles, Box<Diagnostic>> {
    let TextFiles { mut files, mut other_encodings } = TextFiles::default();
    let mut seen = BTreeSet::new();
    for path in paths {
        if !path.is_dir() {
            let file = named(path)?;
            if seen.insert(file.target.clone()) {
                files.push(file);
            }
            continue;
        }
        for found in walk(path) {
            let found = found?;
            let target = fs::canonicalize(&found).map_err(|failed| Box::new(unread(&found, &failed)))?;
            if seen.contains(&target) {
                continue;
            }
            match of_directory(&found, &target)? {
                OfDirectory::Text(file) => files.push(file),
                OfDirectory::OtherEncoding => other_encodings.push(found),
                OfDirectory::NoText => continue,
            }
            seen.insert(target);
        }
    }
    Ok(TextFiles { files, other_encodings })
}

/// The regular files below a directory, in order of their paths, without the temporary ones that a killed command left behind.
pub(crate) fn walk(path: &Path) -> impl Iterator<Item = Result<PathBuf, Box<Diagnostic>>> {
    let mut walk = WalkBuilder::new(path);
    // Folders such as `.github` have schedules; `.git` has none of this tree. Files called `.ignore` are not git's.
    walk.hidden(false)
        .ignore(false)
        .require_git(false)
        .sort_by_file_path(Path::cmp)
        .filter_entry(|entry| entry.file_name() != ".git");
    walk.build().filter_map(|entry| match entry {
        Ok(entry) => {
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            (is_file && !is_temporary(entry.file_name())).then(|| Ok(entry.into_path()))
        }
        Err(failed) => {
            Some(Err(Box::new(Diagnostic::error(format!("the directory cannot be read: {failed}")))))
        }
    })
}

fn is_temporary(name: &OsStr) -> bool {
    let (start, end) = TEMPORARY;
    name.to_str().is_some_and(|name| name.starts_with(start) && name.ends_with(end))
}

fn named(path: &Path) -> Result<TextFile, Box<Diagnostic>> {
    let unread = |failed| Box::new(unread(path, &failed));
    check_no_fifo(path)?;
    // The output of a command has no other path.
    let target = match fs::canonicalize(path) {
        Err(_) if is_descriptor(path) => path.to_path_buf(),
        found => found.map_err(unread)?,
    };
    let (bytes, read) = bytes(&target).map_err(unread)?;
    let refused = |message: String| Box::new(Diagnostic::error(message).file(label(path)));
    let Some(bytes) = bytes else { return Err(refused("the file is longer than 16 MiB".to_string())) };
    let text = String::from_utf8(bytes).map_err(|failed| Box::new(not_utf_8(path, &failed)))?;
    Ok(TextFile { path: path.to_path_buf(), text, target, read, named: true })
}

/// What a file is that was found.
enum OfDirectory {
    Text(TextFile),
    OtherEncoding,
    /// It is no text, or too long.
    NoText,
}

fn of_directory(path: &Path, target: &Path) -> Result<OfDirectory, Box<Diagnostic>> {
    let (bytes, read) = bytes(target).map_err(|failed| Box::new(unread(path, &failed)))?;
    Ok(match bytes.map(String::from_utf8) {
        None => OfDirectory::NoText,
        Some(Err(failed)) if is_text(failed.as_bytes()) => OfDirectory::OtherEncoding,
        Some(Err(_)) => OfDirectory::NoText,
        Some(Ok(text)) => OfDirectory::Text(TextFile {
            path: path.to_path_buf(),
            text,
            target: target.to_path_buf(),
            read,
            named: false,
        }),
    })
}

/// Whether bytes that are not UTF-8 are a text in another encoding: UTF-16 with its mark, or one without control characters.
fn is_text(bytes: &[u8]) -> bool {
    let has_mark = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    has_mark || bytes.iter().all(|byte| *byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c))
}

/// The text of a file that was found; nothing if it is too long, or no text.
pub(crate) fn text_of(path: &Path) -> io::Result<Option<String>> {
    let (bytes, _) = bytes(path)?;
    Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok()))
}

/// The workflows and actions that workflows call in their own repositories, wherever these are: a path need not have them below it.
pub(crate) fn called_files(sources: &[Source<'_>]) -> Vec<(String, String)> {
    place::called_files(sources, &|path| {
        // No links, as everywhere, and nothing that could wait for another process.
        let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
        if is_file { text_of(Path::new(path)).ok().flatten() } else { None }
    })
}

/// The bytes of a file, unless they are too many.
fn bytes(target: &Path) -> io::Result<(Option<Vec<u8>>, Stamp)> {
    let file = File::open(target)?;
    let data = file.metadata()?;
    if data.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut bytes = Vec::new();
    file.take(BYTES + 1).read_to_end(&mut bytes)?;
    Ok(((bytes.len() as u64 <= BYTES).then_some(bytes), Stamp::of(&data)))
}

/// Writes new texts into files: all of them are written beside their places first, and take the places then. Mode and owner stay.
///
/// A file that changed since it was read is an error, and then none changes. If a file cannot take its place, the error says which have
/// taken theirs.
pub(crate) fn write(changes: &[(&TextFile, &str)]) -> Result<(), Box<Diagnostic>> {
    let failed = |file: &TextFile, failed: io::Error| {
        Box::new(
            Diagnostic::error(format!("the file cannot be written: {}", system(&failed)))
                .file(label(&file.path)),
        )
    };
    let mut written = Vec::new();
    for (file, text) in changes {
        written.push(beside(file, text).map_err(|error| failed(file, error))?);
    }
    for (file, _) in changes {
        let data = fs::metadata(&file.target).map_err(|error| failed(file, error))?;
        if Stamp::of(&data) != file.read {
            let error = Diagnostic::error("the file changed since it was read, so nothing is written");
            return Err(Box::new(error.file(label(&file.path)).help("run the command again")));
        }
    }
    for (index, ((file, _), temporary)) in changes.iter().zip(written).enumerate() {
        if let Err(error) = temporary.persist(&file.target) {
            let error = failed(file, error.error);
            let done: Vec<String> = changes[..index].iter().map(|(file, _)| label(&file.path)).collect();
            return Err(match done.as_slice() {
                [] => error,
                done => Box::new(error.help(format!("these are changed already: {}", done.join(", ")))),
            });
        }
    }
    Ok(())
}

/// A new file beside one, with its mode and its owner.
fn beside(file: &TextFile, text: &str) -> io::Result<tempfile::NamedTempFile> {
    let folder = file.target.parent().unwrap_or(Path::new("."));
    let (start, end) = TEMPORARY;
    let mut new = tempfile::Builder::new().prefix(start).suffix(end).tempfile_in(folder)?;
    new.write_all(text.as_bytes())?;
    let data = fs::metadata(&file.target)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let own = new.as_file().metadata()?;
        if (own.uid(), own.gid()) != (data.uid(), data.gid()) {
            fchown(new.as_file(), Some(data.uid()), Some(data.gid()))?;
        }
    }
    new.as_file().set_permissions(data.permissions())?;
    new.as_file().sync_all()?;
    Ok(new)
}
