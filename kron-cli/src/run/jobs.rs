//! The jobs of job files with their commands.

use std::path::Path;

use super::directories::{Directories, Found};
use super::fields::{self, FieldError};
use super::user::User;
use crate::args::jobs::JobArgs;
use crate::exit_status::ExitStatus;
use crate::input::{Input, shown};
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

/// A job and its command.
pub(crate) type JobCommand = (kron_core::Job, fields::CommandFields);

/// The jobs of the files with their commands; any error ends it.
pub(crate) fn read(args: &JobArgs, session: &mut Session<'_>) -> Result<Vec<JobCommand>, Stop> {
    let input = Input::read_regular(args, session)?.without_errors(session)?;
    if input.is_text() {
        let error = Diagnostic::error("a job text has no command, so there is nothing to run");
        return Err(error.help("write it with `command=...` into a job file").into());
    }
    let (mut jobs, mut errors) = (Vec::new(), Vec::new());
    let user = User::current();
    let mut directories = Directories::new();
    for entry in &input.entries {
        let (command, mut found) = fields::read(entry.fields(), &user);
        let directory = command.as_ref().and_then(|command| command.cwd.as_deref());
        found.extend(directory.and_then(|directory| missing_directory(directory, &mut directories)));
        for error in found {
            let error = if entry.is_manifest() { in_a_manifest() } else { error };
            let found = match error.warning {
                true => Diagnostic::warning(error.message),
                false => Diagnostic::error(error.message),
            };
            let found = Diagnostic { help: error.help, ..found };
            let place = |line: &str| match &error.key {
                Some(key) => fields::place(line, key),
                None => Some(line.trim_end().len()..line.len()),
            };
            errors.push(input.locate_in_line(entry, found, place));
        }
        jobs.extend(command.map(|command| (entry.job().clone(), command)));
    }
    if errors.iter().any(Diagnostic::is_error) {
        return Err(Stop::Failed(shown(errors, ""), ExitStatus::Error));
    }
    errors.iter().for_each(|warning| session.report(warning));
    Ok(jobs)
}

/// The warning about a directory that does not exist. It may be there when the job starts.
fn missing_directory(directory: &Path, directories: &mut Directories) -> Option<FieldError> {
    let name = directory.display();
    let (message, help) = match directories.find(directory) {
        Found::Yes | Found::Unknown => return None,
        Found::No => (
            format!("the directory of `cwd`, {name}, does not exist"),
            "make it before the job starts, or correct the path",
        ),
        Found::Silent => (
            format!("the directory of `cwd`, {name}, does not answer"),
            "look whether the server of its file system is there; the starts of its jobs wait for it",
        ),
    };
    let (key, help) = (Some("cwd".to_string()), Some(help.to_string()));
    Some(FieldError { key, message, help, warning: true })
}

/// The error about a KronJob, whose containers need a cluster.
fn in_a_manifest() -> FieldError {
    FieldError {
        key: None,
        message: "this is a KronJob, which has no command line".to_string(),
        help: Some("write a job file with `command=`, or use kron-operator in a cluster".to_string()),
        warning: false,
    }
}
