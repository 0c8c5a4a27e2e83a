//! The texts of the files and folders that arguments name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use globset::GlobSet;
use kron_formats::{place, read};

use crate::args::jobs::{JobArg, neither_text_nor_file};
use crate::files::{Source, is_stdin, label, path_of, read_file, unread};
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};
use crate::tree;

/// A text with its place.
pub(super) struct FileText {
    pub(super) source: Source,
    pub(super) place: Place,
}

/// Where a text is from, and what that says about it.
#[derive(Debug)]
pub(crate) struct Place {
    /// As the arguments name it, or below the folder that they name.
    pub(crate) file: PathBuf,
    /// With the folders that show what it is.
    path: String,
    /// Its path below the argument, without its extension.
    names: String,
    /// The host that it belongs to, if it is known.
    host: Option<String>,
    /// Whether an argument names the file, not a folder that holds it.
    pub(super) is_named: bool,
}

impl Place {
    /// A text of this place, as jobs are read from it.
    pub(super) fn source<'a>(&'a self, text: &'a str) -> read::Source<'a> {
        let source =
            read::Source::new(&self.path, text).with_names(&self.names).on_host(self.host.as_deref());
        if self.is_named { source.named() } else { source }
    }

    /// Whether it is the service that this timer of systemd starts.
    pub(super) fn is_service_of(&self, timer: &FileText) -> bool {
        let is = |file: &Path, wanted: &str| file.extension().is_some_and(|found| found == wanted);
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let named = format!("Unit={name}");
        is(&self.file, "service")
            && is(&timer.place.file, "timer")
            && (self.file.file_stem() == timer.place.file.file_stem()
                || timer.source.text.lines().any(|line| line.replace(' ', "") == named))
    }

    /// A text of this place, as its schedules are placed.
    pub(super) fn to_place<'a>(&'a self, text: &'a str) -> place::Source<'a> {
        let mut source = place::Source::new(&self.path, text);
        (source.by_content, source.host) = (self.is_named, self.host.as_deref());
        source
    }
}

impl FileText {
    pub(super) fn source(&self) -> read::Source<'_> {
        self.place.source(&self.source.text)
    }
}

/// The texts of files.
#[derive(Default)]
pub(super) struct Files {
    pub(super) texts: Vec<FileText>,
    /// The reasons for which files that arguments name cannot be read.
    pub(super) unreadable: Vec<Diagnostic>,
    /// The same for files of folders.
    pub(super) problems: Vec<Diagnostic>,
    /// The folders, as arguments name them.
    pub(super) folders: Vec<String>,
    /// How many files of folders are not what jobs are read from.
    pub(super) passed_over: usize,
}

/// Which files are read, and as what.
pub(super) struct Reading<'a> {
    /// A file of a folder may be of any name.
    pub(super) any_path: bool,
    /// What is passed over in folders.
    pub(super) excluded: &'a GlobSet,
    /// The host of all files.
    pub(super) host: Option<&'a str>,
}

/// Reads files and those below folders, each once.
pub(super) fn gather(
    all: &[JobArg],
    reading: &Reading<'_>,
    session: &mut Session<'_>,
) -> Result<Files, Stop> {
    let Reading { any_path, excluded, host } = *reading;
    let mut files = Files::default();
    let paths = paths(all);
    // A file that an argument names is read as such, though a folder holds it.
    let named: BTreeSet<PathBuf> = paths
        .iter()
        .filter(|(path, _)| !path.is_dir())
        .filter_map(|(path, _)| path.canonicalize().ok())
        .collect();
    let mut seen = BTreeMap::new();
    for (path, is_file) in paths {
        session.reading.is_at(path);
        if is_stdin(path) || !path.is_dir() {
            if files.is_new(path, &mut seen) {
                let read = read_file(path, session);
                files.take(path, read, is_file);
            }
            continue;
        }
        files.folders.push(label(path));
        for found in tree::walk(path) {
            let file = match found {
                Ok(file) => file,
                Err(error) => {
                    files.problems.push(note(*error));
                    continue;
                }
            };
            session.reading.is_at(&file);
            if excluded.is_match(file.strip_prefix(path).unwrap_or(&file)) {
                continue;
            }
            let target = file.canonicalize().unwrap_or_else(|_| file.clone());
            if !named.contains(&target) && seen.insert(target, file.clone()).is_none() {
                files.take_found(path, &file, any_path, session)?;
            }
        }
    }
    let machine = session.host_name();
    for place in files.texts.iter_mut().map(|text| &mut text.place) {
        // Crontabs of this machine.
        let is_of_machine =
            ["/etc", "/var/spool"].iter().any(|folder| Path::new(&place.path).starts_with(folder));
        place.host = host.map(str::to_string).or_else(|| machine.clone().filter(|_| is_of_machine));
    }
    Ok(files)
}

/// Reads regular files, and of a folder the job files and manifests in it.
#[cfg(all(feature = "run", target_os = "linux"))]
pub(super) fn regular(all: &[JobArg], session: &mut Session<'_>) -> Result<Files, Stop> {
    use crate::files::{JOB_FILES, files_of, read_regular_file};
    let mut files = Files::default();
    let mut seen = BTreeMap::new();
    for (path, is_file) in paths(all) {
        session.reading.is_at(path);
        let found = match files_of(path) {
            Ok(found) => found,
            Err(error) => {
                files.unreadable.push(*error);
                continue;
            }
        };
        if found.is_empty() {
            let warning = Diagnostic::warning(format!("there are no files {JOB_FILES} in it"));
            files.problems.push(warning.file(path.display()));
        }
        for file in found {
            session.reading.is_at(&file);
            if files.is_new(&file, &mut seen) {
                let read = read_regular_file(&file, session);
                files.take(&file, read, is_file);
            }
        }
    }
    Ok(files)
}

fn paths(all: &[JobArg]) -> Vec<(&Path, bool)> {
    let paths = all.iter().filter_map(|arg| match arg {
        JobArg::Text(_) => None,
        JobArg::Path(path, is_file) => Some((path.as_path(), *is_file)),
    });
    paths.collect()
}

/// What the names of schedules begin with that have none but their keys: a path without its extension.
fn names_of(path: &Path) -> String {
    let path = path.with_extension("");
    let parts: Vec<_> =
        path.iter().map(|part| part.to_string_lossy()).filter(|part| !part.is_empty()).collect();
    parts.join("/").replace(char::is_control, "\u{fffd}")
}

fn place_of(file: &Path, names: String, is_named: bool) -> Place {
    Place { file: file.to_path_buf(), path: path_of(file), names, host: None, is_named }
}

fn note(problem: Diagnostic) -> Diagnostic {
    Diagnostic { severity: kron_core::Severity::Note, ..problem }
}

impl Files {
    /// Whether a file was not read yet.
    fn is_new(&mut self, file: &Path, seen: &mut BTreeMap<PathBuf, PathBuf>) -> bool {
        let canonical = file.canonicalize().unwrap_or_else(|_| file.to_path_buf());
        let Some(first) = seen.insert(canonical, file.to_path_buf()).filter(|_| !is_stdin(file)) else {
            return true;
        };
        let error = Diagnostic::error(format!("this file was read already, as {}", first.display()));
        let error = error.file(file.display());
        self.unreadable.push(error.help("name each file once, by itself or by its directory"));
        false
    }

    /// Takes the text of a file that is named. `is_file`: the argument cannot be meant as anything else.
    fn take(&mut self, path: &Path, read: Result<Source, Box<Diagnostic>>, is_file: bool) {
        match read {
            Ok(source) => {
                let name = if is_stdin(path) {
                    Path::new("")
                } else {
                    Path::new(path.file_name().unwrap_or_default())
                };
                let place = place_of(path, names_of(name), true);
                self.texts.push(FileText { source, place });
            }
            Err(error) => {
                let meant_as_text = || neither_text_nor_file(path).filter(|_| !is_file && !path.exists());
                self.unreadable.push(meant_as_text().unwrap_or(*error));
            }
        }
    }

    /// Takes the text of a file of a folder, if jobs may be in it.
    fn take_found(
        &mut self,
        folder: &Path,
        file: &Path,
        any_path: bool,
        session: &Session<'_>,
    ) -> Result<(), Stop> {
        let text = match tree::text_of(file) {
            Ok(text) => text,
            Err(failed) => {
                self.problems.push(note(unread(file, &failed)));
                return Ok(());
            }
        };
        let Some(text) = text else {
            self.passed_over += 1;
            return Ok(());
        };
        let names = names_of(file.strip_prefix(folder).unwrap_or(file));
        let source = Source::new(Some(label(file)), text);
        let text = FileText { source, place: place_of(file, names, false) };
        // A document has examples of schedules.
        if any_path || text.source().may_have_jobs() && !text.place.to_place("").is_prose() {
            session.may_read(file)?;
            self.texts.push(text);
        } else {
            self.passed_over += 1;
        }
        Ok(())
    }
}
