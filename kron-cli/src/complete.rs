//! Completions of the command line by a shell.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use clap_complete::engine::CompletionCandidate;
use clap_complete::env::Shells;
use kron_core::{Calendars, Parser};
use kron_formats::{FILE_BYTES, LoadError, LoadOptions};

use crate::calendar_file;
use crate::codes;
use crate::files::files_of;

/// The variable by which a script of `kron completions` asks for completions.
pub(crate) const VARIABLE: &str = "KRON_COMPLETE";

/// The shells that have a script.
pub(crate) fn shells() -> Vec<&'static str> {
    Shells::builtins().names().collect()
}

/// The script for a shell.
pub(crate) fn script(shell: &str) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(shell) {
        shell.write_registration(VARIABLE, "kron", "kron", "kron", &mut script)?;
    }
    Ok(script)
}

/// The codes of warnings and notes.
pub(crate) fn lint_codes() -> Vec<CompletionCandidate> {
    let candidates = codes::all()
        .map(|(code, summary)| CompletionCandidate::new(code.as_str()).help(Some(summary.into())));
    candidates.collect()
}

/// The names of the jobs in the files of the command line that is being completed, if they begin with a text.
pub(crate) fn job_names(begin: &OsStr) -> Vec<CompletionCandidate> {
    let Some(begin) = begin.to_str() else { return Vec::new() };
    // A completer gets one word only. The other words are in the arguments of this process, after `--`.
    let words: Vec<OsString> = std::env::args_os().skip_while(|word| word != "--").skip(1).collect();
    let Words { files, namespace, calendars } = files_and_namespace(&words);
    let parser = Parser::new().with_calendars(calendars_in(&calendars));
    let mut names: Vec<String> = Vec::new();
    for file in files.iter().filter_map(|file| files_of(Path::new(file)).ok()).flatten() {
        names.extend(names_in(&file, namespace.as_deref(), &parser));
    }
    // A shell would split a name with blanks.
    names.retain(|name| {
        name.starts_with(begin) && !name.contains(|c: char| c.is_whitespace() || c.is_control())
    });
    names.sort_unstable();
    names.dedup();
    names.into_iter().map(CompletionCandidate::new).collect()
}

/// What a command line says about files.
#[derive(Debug, Default, PartialEq, Eq)]
struct Words {
    files: Vec<String>,
    namespace: Option<String>,
    calendars: Vec<String>,
}

/// The values of `-f`, `-n` and `--calendar` in all their spellings, and the arguments that are not options. Values of other
/// options are among these, but they name no files of jobs.
fn files_and_namespace(words: &[OsString]) -> Words {
    let mut found = Words::default();
    // Shells that break words at `=` pass it as a word of its own.
    let mut words = words.iter().filter_map(|word| word.to_str()).filter(|word| *word != "=").skip(1);
    while let Some(word) = words.next() {
        let mut value = |long: &str, short: &str| match word.strip_prefix(long) {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            // An option may have no short form, and a word that is being completed may be empty.
            None if word.starts_with("--") || short.is_empty() => None,
            None if word == short => words.next(),
            None => word.strip_prefix(short).map(|rest| rest.strip_prefix('=').unwrap_or(rest)),
        };
        if let Some(file) = value("--file", "-f") {
            found.files.push(file.to_string());
        } else if let Some(name) = value("--namespace", "-n") {
            found.namespace = Some(name.to_string());
        } else if let Some(file) = value("--calendar", "") {
            found.calendars.push(file.to_string());
        } else if !word.is_empty() && !word.starts_with('-') {
            found.files.push(word.to_string());
        }
    }
    found
}

/// The calendars in files, as far as they can be read.
fn calendars_in(files: &[String]) -> Calendars {
    let mut calendars = Calendars::new();
    for file in files.iter().map(Path::new) {
        let found = text_of(file).and_then(|text| calendar_file::parse(file, &text).ok());
        for calendar in found.into_iter().flatten() {
            // The command reports a name that is given twice.
            let _ = calendars.add(calendar);
        }
    }
    calendars
}

/// The text of a file.
fn text_of(file: &Path) -> Option<String> {
    let mut text = String::new();
    // Reading a device or a pipe may never end.
    let is_file = std::fs::metadata(file).is_ok_and(|file| file.is_file());
    let read = |text: &mut String| File::open(file)?.take(FILE_BYTES as u64).read_to_string(text);
    (is_file && read(&mut text).is_ok()).then_some(text)
}

/// The names of the jobs in a file. A file that cannot be read has none, because completions cannot show errors.
fn names_in(file: &Path, namespace: Option<&str>, parser: &Parser) -> Vec<String> {
    let Some(text) = text_of(file) else { return Vec::new() };
    let mut options = LoadOptions::default();
    if let Some(namespace) = namespace {
        options = options.with_namespace(namespace);
    }
    let loaded =
        kron_formats::load(parser, &text, &options).unwrap_or_else(|LoadError { loaded, .. }| loaded);
    loaded.jobs.into_iter().map(|loaded| loaded.job.name().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_all_spellings() {
        let p = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let Words { files, namespace, calendars } = files_and_namespace(&words);
            assert_eq!(calendars.is_empty(), !line.contains("calendar"));
            (files, namespace)
        };
        let files = |files: &[&str]| files.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            p("kron next -f a --file b -fc --file=d -f=e --file = g --job"),
            (files(&["next", "a", "b", "c", "d", "e", "g"]), None)
        );
        assert_eq!(p("kron next -n prod -f a"), (files(&["next", "a"]), Some("prod".to_string())));
        assert_eq!(
            p("kron next --namespace=prod x --job"),
            (files(&["next", "x"]), Some("prod".to_string()))
        );
        assert_eq!(p("kron next -f"), (files(&["next"]), None));
        assert_eq!(p("kron next a b --job x"), (files(&["next", "a", "b", "x"]), None));
        assert_eq!(p("kron --calendar x.ics next --calendar=y -f a"), (files(&["next", "a"]), None));
    }
}
