//! The files of `--calendar`: calendar files, and iCalendar files by their names.

use std::path::{Path, PathBuf};

use kron_core::{Calendar, Calendars, Errors};
use kron_formats::icalendar::calendar_from_icalendar;

use crate::exit_status::ExitStatus;
use crate::files::read_file;
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

/// The calendars of all files. Any error ends the command.
pub(crate) fn read(paths: &[PathBuf], session: &mut Session<'_>) -> Result<Calendars, Stop> {
    let mut calendars = Calendars::new();
    for path in paths {
        let source = read_file(path, session)?;
        let found = parse(path, &source.text).map_err(|errors| {
            let help = other_extension(path, &source.text);
            let problem = |error| match (source.problem(error), help) {
                (problem, Some(help)) => problem.help(help),
                (problem, None) => problem,
            };
            Stop::Failed(errors.iter().map(problem).collect(), ExitStatus::Error)
        })?;
        for calendar in found {
            calendars
                .add(calendar)
                .map_err(|error| Diagnostic { file: source.file.clone(), ..Diagnostic::of_error(&error) })?;
        }
    }
    Ok(calendars)
}

/// Whether a file is read as an iCalendar file.
fn is_icalendar(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ics"))
}

/// The help for a file that has the extension of the other format.
fn other_extension(path: &Path, text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let begin = "BEGIN:VCALENDAR";
    let begins = text.get(..begin.len()).is_some_and(|start| start.eq_ignore_ascii_case(begin));
    match (is_icalendar(path), begins) {
        (false, true) => Some("rename an iCalendar file to `NAME.ics`"),
        (true, false) if Calendars::parse(text).is_ok_and(|found| !found.is_empty()) => {
            Some("rename a calendar file to another extension, such as `NAME.txt`")
        }
        _ => None,
    }
}

/// The calendars of one file. An iCalendar file ends in `.ics`, and its calendar is called as the file is.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Vec<Calendar>, Vec<kron_core::Error>> {
    if !is_icalendar(path) {
        let found = Calendars::parse(text).map_err(Errors::into_iter);
        return found.map(|found| found.iter().cloned().collect()).map_err(Iterator::collect);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    calendar_from_icalendar(&name, text).map(|calendar| vec![calendar]).map_err(|error| vec![error])
}
