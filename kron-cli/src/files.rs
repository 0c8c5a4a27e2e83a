//! The files that arguments name, and their texts.

use std::cell::OnceCell;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use kron_core::Error;
use kron_formats::FILE_BYTES;

use crate::output::diagnostic::{Diagnostic, Excerpt};
use crate::output::system::system;
use crate::session::{Session, Stop};

/// Files of a directory that may hold jobs.
const EXTENSIONS: [&str; 4] = ["kron", "yaml", "yml", "json"];
/// The same extensions as a phrase for messages.
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) const JOB_FILES: &str = "*.kron, *.yaml, *.yml or *.json";

/// A text that jobs are read from.
#[derive(Debug)]
pub(crate) struct Source {
    /// The file as the arguments name it; `None` for a text among the arguments.
    pub(crate) file: Option<String>,
    pub(crate) text: String,
    /// Whether a byte order mark was before the text.
    has_mark: bool,
    /// Bytes of each line; found when the first error needs them.
    lines: OnceCell<Vec<Range<usize>>>,
}

impl Source {
    pub(crate) fn new(file: Option<String>, text: String) -> Source {
        // As the core does, so that places in the first line agree.
        let without_mark = text.strip_prefix('\u{feff}').map(str::to_string);
        let has_mark = without_mark.is_some();
        Source { file, text: without_mark.unwrap_or(text), has_mark, lines: OnceCell::new() }
    }

    /// The bytes of a file with this text instead.
    pub(crate) fn whole(&self, text: &str) -> String {
        if self.has_mark { format!("\u{feff}{text}") } else { text.to_string() }
    }

    /// A line, from 1.
    pub(crate) fn line(&self, number: usize) -> Option<&str> {
        let lines = self.lines.get_or_init(|| {
            let start = |line: &str| line.as_ptr() as usize - self.text.as_ptr() as usize;
            self.text.lines().map(|line| start(line)..start(line) + line.len()).collect()
        });
        lines.get(number.checked_sub(1)?).and_then(|line| self.text.get(line.clone()))
    }

    /// An error of the core about this text, with its place.
    pub(crate) fn problem(&self, error: &Error) -> Diagnostic {
        let mut diagnostic = Diagnostic::of_error(error);
        diagnostic.file.clone_from(&self.file);
        diagnostic.line = error.line();
        let text = match error.line() {
            Some(line) => self.line(line),
            None => self.file.is_none().then_some(&*self.text),
        };
        diagnostic.excerpt = text.zip(error.span()).map(|(text, span)| Excerpt::new(text, span));
        diagnostic
    }
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file as messages name it.
pub(crate) fn label(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_string() } else { path.display().to_string() }
}

/// The path of a file with `/` between its parts, with the folders that show what it is.
pub(crate) fn path_of(path: &Path) -> String {
    let absolute = if is_stdin(path) { None } else { std::path::absolute(path).ok() };
    let text = absolute.as_deref().unwrap_or(path).to_string_lossy().into_owned();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// The files that an argument means: those of a directory that may hold jobs, in order of their names, or the path
/// itself.
pub(crate) fn files_of(path: &Path) -> Result<Vec<PathBuf>, Box<Diagnostic>> {
    // A path that is not a directory, or cannot be examined, is read as a file; reading reports what is wrong.
    if is_stdin(path) || !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let holds_jobs = |file: &PathBuf| {
        let extension = file.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) && !file.is_dir()
    };
    let entries = std::fs::read_dir(path).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()
    });
    let mut files = entries.map_err(|failed| {
        Box::new(
            Diagnostic::error(format!("the directory cannot be read: {}", system(&failed)))
                .file(path.display()),
        )
    })?;
    files.retain(holds_jobs);
    // The system lists them in any order.
    files.sort_unstable();
    Ok(files)
}

/// The standard input of a command, for one argument only.
pub(crate) fn stdin_once<'a>(session: &mut Session<'a>) -> Result<&'a mut dyn Read, Box<Diagnostic>> {
    let error = || Diagnostic::error("standard input can be read once only").file(label(Path::new("-")));
    session.stdin().ok_or_else(|| Box::new(error()))
}

/// Why a file cannot be read.
pub(crate) fn unread(path: &Path, failed: &io::Error) -> Diagnostic {
    let message = match failed.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_string(),
        io::ErrorKind::PermissionDenied => "permission denied".to_string(),
        io::ErrorKind::IsADirectory => "this is a directory, not a file".to_string(),
        _ => format!("the file cannot be read: {}", system(failed)),
    };
    let error = Diagnostic::error(message).file(label(path));
    match failed.kind() {
        io::ErrorKind::IsADirectory => error.help("name the files in it"),
        _ => error,
    }
}

/// Reads a text from a file or, for `-`, from standard input.
pub(crate) fn read_file(path: &Path, session: &mut Session<'_>) -> Result<Source, Box<Diagnostic>> {
    read_opened(path, session, |path| {
        check_no_fifo(path)?;
        File::open(path).map_err(|failed| Box::new(unread(path, &failed)))
    })
}

/// Refuses a FIFO that stands in a folder: reading it would wait for somebody who writes to it. What a shell passes by `/dev/fd` has one.
pub(crate) fn check_no_fifo(path: &Path) -> Result<(), Box<Diagnostic>> {
    if !is_fifo(path) || is_descriptor(path) {
        return Ok(());
    }
    let error = Diagnostic::error("this is a FIFO, not a regular file").file(label(path));
    Err(Box::new(error.help("pass its text by `-`, or write it into a file")))
}

/// Whether a path names an open file of this process, as a shell passes the output of a command.
pub(crate) fn is_descriptor(path: &Path) -> bool {
    ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
}

#[cfg(unix)]
fn is_fifo(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    std::fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_fifo(_: &Path) -> bool {
    false
}

/// The same, and a file that is no regular one is an error. It is not waited for.
#[cfg(all(feature = "run", target_os = "linux"))]
pub(crate) fn read_regular_file(path: &Path, session: &mut Session<'_>) -> Result<Source, Box<Diagnostic>> {
    read_opened(path, session, open_regular)
}

#[cfg(all(feature = "run", target_os = "linux"))]
fn open_regular(path: &Path) -> Result<File, Box<Diagnostic>> {
    use rustix::fs::{Mode, OFlags};
    let unread = |failed| Box::new(unread(path, &failed));
    let check = |kind: std::fs::FileType| match other_kind(kind) {
        None => Ok(()),
        Some(kind) => {
            let error = Diagnostic::error(format!("this is {kind}, not a regular file")).file(label(path));
            Err(Box::new(error.help(
                "`kron run` reads its files again at SIGHUP; write the jobs into a file, or pass them by `-`",
            )))
        }
    };
    // Some devices do something when they are opened.
    check(std::fs::metadata(path).map_err(unread)?.file_type())?;
    // It may be another one by now, and a FIFO that nobody writes to would be waited for.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|failed| unread(failed.into()))?;
    let file = File::from(file);
    check(file.metadata().map_err(unread)?.file_type())?;
    Ok(file)
}

/// What a file is that is neither a regular one nor a directory.
#[cfg(all(feature = "run", target_os = "linux"))]
fn other_kind(kind: std::fs::FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt as _;
    if kind.is_fifo() {
        Some("a FIFO")
    } else if kind.is_socket() {
        Some("a socket")
    } else if kind.is_char_device() || kind.is_block_device() {
        Some("a device")
    } else {
        None
    }
}

fn read_opened(
    path: &Path,
    session: &mut Session<'_>,
    open: impl FnOnce(&Path) -> Result<File, Box<Diagnostic>>,
) -> Result<Source, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    let read = if is_stdin(path) {
        stdin_once(session)?.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes)
    } else {
        session.may_read(path)?;
        open(path)?.take(FILE_BYTES as u64 + 1).read_to_end(&mut bytes)
    };
    read.map_err(|failed| Box::new(unread(path, &failed)))?;
    // Reads no more than the core's limit, so that a device without an end is refused.
    if bytes.len() > FILE_BYTES {
        return Err(Box::new(Diagnostic::error("the file is longer than 64 MiB").file(label(path))));
    }
    String::from_utf8(bytes)
        .map(|text| Source::new(Some(label(path)), text))
        .map_err(|failed| Box::new(not_utf_8(path, &failed)))
}

/// The error about a file that is not UTF-8.
pub(crate) fn not_utf_8(path: &Path, failed: &FromUtf8Error) -> Diagnostic {
    let bytes = failed.as_bytes();
    let valid = failed.utf8_error().valid_up_to();
    let line = bytes[..valid].iter().filter(|byte| **byte == b'\n').count() + 1;
    let message = format!("the file is not UTF-8: byte {:#04x} at offset {valid}", bytes[valid]);
    let error = Diagnostic { line: Some(line), ..Diagnostic::error(message).file(label(path)) };
    let is_utf_16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    if is_utf_16 { error.help("it looks like UTF-16; save it as UTF-8") } else { error }
}

/// Reads all of these files, which are not directories. The first that cannot be read ends the command.
pub(crate) fn read_all(paths: &[PathBuf], session: &mut Session<'_>) -> Result<Vec<Source>, Stop> {
    paths.iter().map(|path| Ok(read_file(path, session)?)).collect()
}
