//! A session without streams, for a read beside the command that runs.

use std::time::SystemTime;

use kron_core::{Calendars, TzDatabase};

use crate::machine;
use crate::session::{Io, Reading, Session, Stop};

/// What it takes from the session of the command.
#[derive(Clone, Debug)]
pub(crate) struct Apart {
    /// It is read once.
    tz_database: TzDatabase,
    calendars: Calendars,
    colored: bool,
    command_line: fn() -> clap::Command,
}

impl Apart {
    /// With what a session has. `colored` says whether reports have colours.
    pub(crate) fn new(session: &mut Session<'_>, colored: bool) -> Result<Apart, Stop> {
        Ok(Apart {
            tz_database: session.tz_database()?,
            calendars: session.calendars.clone(),
            colored,
            command_line: session.command_line,
        })
    }

    /// Runs a function. Returns what it gives, unless it fails, and what is reported; `reading` says which file is being read.
    pub(crate) fn run<T>(
        &self,
        reading: Reading,
        run: impl FnOnce(&mut Session<'_>) -> Result<T, Stop>,
    ) -> (Option<T>, String) {
        let mut report = Vec::new();
        let mut io = Io {
            stdin: &mut std::io::empty(),
            stdout: &mut std::io::sink(),
            stderr: &mut report,
            colored_stdout: false,
            colored_stderr: self.colored,
            terminal_size: &|| None,
            stderr_columns: None,
            environment: &|_| None,
            clock: &mut || SystemTime::now().into(),
            sleep: &mut machine::sleep_until,
            host_name: &machine::host_name,
            time_zone: &machine::time_zone,
        };
        let mut session = Session::new(&mut io, self.command_line);
        session.use_tz_database(self.tz_database.clone());
        session.calendars = self.calendars.clone();
        session.reading = reading;
        // Standard input was read at the start.
        session.stdin();
        let result = run(&mut session).map_err(|stop| session.report_stop(stop)).ok();
        drop(session);
        (result, String::from_utf8_lossy(&report).into_owned())
    }
}
