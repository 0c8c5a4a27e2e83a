//! The files of `--calendar`: calendar files, and iCalendar files by their names.

use std::path::{Path, PathBuf};

use kron_core::{Calendar, Calendars, Errors};

use crate::exit_status::ExitStatus;
use crate::input::read_file;
use crate::output::diagnostic::Diagnostic;
use crate::session::{Session, Stop};

/// The calendars of all files. Any error ends the command.
pub(crate) fn read(paths: &[PathBuf], session: &mut Session<'_>) -> Result<Calendars, Stop> {
    let mut calendars = Calendars::new();
    for path in paths {
        let source = match read_file(path, session) {
            Ok(source) => source,
            Err(diagnostic) => return Err(session.fail(&diagnostic, ExitStatus::Error)),
        };
        let found = match parse(path, source.as_ref()) {
            Ok(found) => found,
            Err(errors) => {
                for error in &errors {
                    let mut problem = source.problem(error);
                    if source.as_ref().trim_start().starts_with("BEGIN:VCALENDAR") {
                        problem.help = Some("rename an iCalendar file to `NAME.ics`".to_string());
                    }
                    session.report(&problem);
                }
                return Err(Stop::Reported(ExitStatus::Error));
            }
        };
        for calendar in found {
            if let Err(error) = calendars.add(calendar) {
                let mut diagnostic = Diagnostic::of_error(&error);
                diagnostic.file.clone_from(&source.file);
                return Err(session.fail(&diagnostic, ExitStatus::Error));
            }
        }
    }
    Ok(calendars)
}

/// The calendars of one file. An iCalendar file ends in `.ics`, and its calendar is called as the file is.
pub(crate) fn parse(path: &Path, text: &str) -> Result<Vec<Calendar>, Vec<kron_core::Error>> {
    let is_icalendar = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ics"));
    if !is_icalendar {
        let found = Calendars::parse(text).map_err(Errors::into_iter);
        return found.map(|found| found.iter().cloned().collect()).map_err(Iterator::collect);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Calendar::from_icalendar(&name, text).map(|calendar| vec![calendar]).map_err(|error| vec![error])
}
