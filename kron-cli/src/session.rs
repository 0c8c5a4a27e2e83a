//! The environment of a command: streams, colours, environment variables, time zone database and clock; and how a
//! command ends.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use kron_core::{Calendars, Parser, TzDatabase};
use kron_tzdb::{ReadError, Setting};

use crate::exit_status::ExitStatus;
use crate::output::diagnostic::Diagnostic;
use crate::output::system::system;
use crate::output::table::printable;
use crate::output::terminal::Terminal;

/// Streams, colours, environment variables and a clock for [`run`](crate::run).
pub struct Io<'a> {
    /// Read for a file named `-`, and by `verify` without a file.
    pub stdin: &'a mut dyn Read,
    /// Where answers go.
    pub stdout: &'a mut dyn Write,
    /// Where errors, warnings and notes go.
    pub stderr: &'a mut dyn Write,
    /// Whether `stdout` shows colours by ANSI escape codes.
    pub colored_stdout: bool,
    /// Whether `stderr` shows colours by ANSI escape codes.
    pub colored_stderr: bool,
    /// The columns and rows of the terminal that `stdout` is; `None` if it is none.
    pub terminal_size: &'a dyn Fn() -> Option<(u16, u16)>,
    /// The columns of the terminal that `stderr` is; `None` if it is none.
    pub stderr_columns: Option<u16>,
    /// The environment variable of a name, if it is set. `KRON_TZDB` and `TZDIR` name the directory of the time zone
    /// database. `LC_ALL`, `LC_CTYPE`, `LANG` and `COLUMNS` say what a text may look like, and `TERM` whether a screen can be redrawn; no
    /// other variable is read.
    pub environment: &'a dyn Fn(&str) -> Option<OsString>,
    /// The present time. It is read at most once, and only if the arguments name no time or one relative to now; `wait` reads it
    /// again after each sleep, and `--watch` each second.
    pub clock: &'a mut dyn FnMut() -> DateTime<Utc>,
    /// Returns when `clock` shows this time or later, or earlier than that.
    pub sleep: &'a mut dyn FnMut(DateTime<Utc>),
    /// The name of this machine, if it has one: it replaces `{host}` in `--name`.
    pub host_name: &'a dyn Fn() -> Option<String>,
    /// The name of this machine's time zone, if it is known: crontabs and timers that name none are read in it.
    pub time_zone: &'a dyn Fn() -> Option<String>,
}

impl fmt::Debug for Io<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Io")
            .field("colored_stdout", &self.colored_stdout)
            .field("colored_stderr", &self.colored_stderr)
            .field("terminal_size", &(self.terminal_size)())
            .field("stderr_columns", &self.stderr_columns)
            .finish_non_exhaustive()
    }
}

/// The reason for which a command ends early. [`Session::end`] prints it.
#[derive(Debug)]
pub(crate) enum Stop {
    /// What is wrong, and the exit code.
    Failed(Vec<Diagnostic>, ExitStatus),
    /// The output cannot be written.
    Output(io::Error),
}

impl Stop {
    /// An end with one error and this exit code.
    pub(crate) fn with(error: impl Into<Box<Diagnostic>>, status: ExitStatus) -> Stop {
        Stop::Failed(vec![*error.into()], status)
    }
}

impl From<Diagnostic> for Stop {
    fn from(error: Diagnostic) -> Stop {
        Stop::with(error, ExitStatus::Error)
    }
}

impl From<Box<Diagnostic>> for Stop {
    fn from(error: Box<Diagnostic>) -> Stop {
        Stop::with(error, ExitStatus::Error)
    }
}

impl From<kron_core::Error> for Stop {
    fn from(error: kron_core::Error) -> Stop {
        Diagnostic::of_error(&error).into()
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Output(error)
    }
}

/// Where a read of files is, for another thread that waits for it. Clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reading(Arc<Mutex<Option<PathBuf>>>);

impl Reading {
    /// This file or directory is looked at next.
    pub(crate) fn is_at(&self, path: &Path) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(path.to_path_buf());
    }

    /// What is looked at.
    #[cfg(all(feature = "run", target_os = "linux"))]
    pub(crate) fn at(&self) -> Option<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Standard output. Its reader may close the pipe early, as `head` does.
pub(crate) struct Stdout<'a> {
    stream: &'a mut dyn Write,
    /// Whether the command goes on without a reader.
    goes_on: bool,
    closed: bool,
    /// The output so far, if `--save` writes it to a file at the end.
    saved: Option<Vec<u8>>,
}

impl Write for Stdout<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        if self.closed {
            return Ok(text.len());
        }
        if let Some(saved) = &mut self.saved {
            return saved.write(text);
        }
        match self.stream.write(text) {
            Err(error) if self.goes_on && error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(text.len())
            }
            result => result,
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.stream.flush() {
            Err(error) if self.goes_on && error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            result => result,
        }
    }
}

/// The streams, the clock and the time zone database of one run. Answers are buffered, diagnostics are not.
pub(crate) struct Session<'a> {
    /// All subcommands with their arguments and their help.
    pub(crate) command_line: fn() -> clap::Command,
    pub(crate) out: BufWriter<Stdout<'a>>,
    pub(crate) colored_out: bool,
    stdin: Option<&'a mut dyn Read>,
    err: &'a mut dyn Write,
    colored_err: bool,
    terminal_size: &'a dyn Fn() -> Option<(u16, u16)>,
    err_columns: Option<u16>,
    environment: &'a dyn Fn(&str) -> Option<OsString>,
    clock: &'a mut dyn FnMut() -> DateTime<Utc>,
    sleep: &'a mut dyn FnMut(DateTime<Utc>),
    host_name: &'a dyn Fn() -> Option<String>,
    time_zone: &'a dyn Fn() -> Option<String>,
    /// The present time, when it was last read.
    now: Option<DateTime<Utc>>,
    /// What a person would type, of the subcommand that runs.
    example: &'static str,
    /// The file of `--save`.
    save: Option<PathBuf>,
    /// The options whose files are written, and may not be files that are read.
    written: Vec<(&'static str, PathBuf)>,
    tz_setting: Setting,
    /// Read when the first command asks for it.
    tz_database: Option<TzDatabase>,
    pub(crate) calendars: Calendars,
    /// Which file is being read.
    pub(crate) reading: Reading,
}

impl<'a> Session<'a> {
    pub(crate) fn new(io: &'a mut Io<'_>, command_line: fn() -> clap::Command) -> Session<'a> {
        Session {
            command_line,
            out: BufWriter::with_capacity(
                1 << 16,
                Stdout { stream: &mut *io.stdout, goes_on: false, closed: false, saved: None },
            ),
            colored_out: io.colored_stdout,
            stdin: Some(&mut *io.stdin),
            err: &mut *io.stderr,
            colored_err: io.colored_stderr,
            terminal_size: io.terminal_size,
            err_columns: io.stderr_columns,
            environment: io.environment,
            clock: &mut *io.clock,
            sleep: &mut *io.sleep,
            host_name: io.host_name,
            time_zone: io.time_zone,
            now: None,
            example: "kron --help",
            save: None,
            written: Vec::new(),
            tz_setting: Setting::CompiledIn,
            tz_database: None,
            calendars: Calendars::new(),
            reading: Reading::default(),
        }
    }

    /// From now on the command runs to its end even if the reader of its output closes the pipe: its exit code is an answer,
    /// too.
    pub(crate) fn go_on_without_reader(&mut self) {
        self.out.get_mut().goes_on = true;
    }

    /// The columns and rows of the terminal that shows the output; `None` if none does.
    pub(crate) fn terminal_size(&self) -> Option<(u16, u16)> {
        if self.save.is_some() { None } else { (self.terminal_size)() }
    }

    /// What gives the size of the terminal, which changes.
    pub(crate) fn terminal_size_now(&self) -> &'a dyn Fn() -> Option<(u16, u16)> {
        self.terminal_size
    }

    /// The clock, and where answers go, for a screen that is redrawn.
    pub(crate) fn clock_and_out(&mut self) -> (&mut dyn FnMut() -> DateTime<Utc>, &mut dyn Write) {
        (&mut *self.clock, &mut self.out)
    }

    /// An environment variable.
    pub(crate) fn variable(&self, name: &str) -> Option<OsString> {
        (self.environment)(name)
    }

    /// Chooses the time zone database by `--tzdb` and the environment. It is not read yet.
    pub(crate) fn choose_tz_database(&mut self, flag: Option<PathBuf>) {
        self.tz_setting = Setting::new(flag, self.environment);
        self.tz_database = None;
    }

    /// Takes a time zone database that was read already.
    pub(crate) fn use_tz_database(&mut self, database: TzDatabase) {
        self.tz_database = Some(database);
    }

    /// Shows colours or none, whatever the streams are.
    pub(crate) fn choose_colors(&mut self, colored: bool) {
        (self.colored_out, self.colored_err) = (colored, colored);
    }

    /// What standard output can show.
    pub(crate) fn terminal(&self) -> Terminal {
        let columns = self.terminal_size().map(|(columns, _)| columns);
        Terminal::new(columns, self.colored_out, self.environment)
    }

    /// What standard error can show, if it is a terminal.
    pub(crate) fn terminal_of_err(&self) -> Option<Terminal> {
        self.err_columns.map(|columns| Terminal::new(Some(columns), self.colored_err, self.environment))
    }

    /// Whether diagnostics have colours.
    #[cfg(all(feature = "run", target_os = "linux"))]
    pub(crate) fn colored_err(&self) -> bool {
        self.colored_err
    }

    /// The time zone database, which is read at the first call.
    pub(crate) fn tz_database(&mut self) -> Result<TzDatabase, Stop> {
        if let Some(database) = &self.tz_database {
            return Ok(database.clone());
        }
        match self.tz_setting.read() {
            Ok(database) => Ok(self.tz_database.insert(database).clone()),
            Err(error) => {
                let from = match &self.tz_setting {
                    Setting::Dir { from, .. } => from,
                    Setting::CompiledIn => "time zone database",
                };
                let error_text = match &error {
                    ReadError::Io { path, error } => format!("{}: {}", path.display(), system(error)),
                    other => other.to_string(),
                };
                let found = Diagnostic::error(printable(&format!("{from}: {error_text}")));
                Err(Diagnostic { help: error.help(), ..found }.into())
            }
        }
    }

    /// The name of the time zone database: `2026f (compiled in)`, or `2027a (from DIR)`.
    pub(crate) fn tz_database_name(&mut self) -> Result<String, Stop> {
        let database = self.tz_database()?;
        let version = database.version().unwrap_or("unknown");
        Ok(match &self.tz_setting {
            Setting::CompiledIn => format!("{version} (compiled in)"),
            Setting::Dir { path, .. } => format!("{version} (from {})", printable(&path.to_string_lossy())),
        })
    }

    /// A parser that looks zones up in the time zone database, and names of calendars in the calendars.
    pub(crate) fn parser(&mut self) -> Result<Parser, Stop> {
        Ok(Parser::new().with_tz_database(self.tz_database()?).with_calendars(self.calendars.clone()))
    }

    /// The present time: the same in all of a run, so that times relative to it agree.
    pub(crate) fn now(&mut self) -> DateTime<Utc> {
        *self.now.get_or_insert_with(|| (self.clock)())
    }

    /// Sleeps until a time. Returns the present time, which may be earlier or much later.
    pub(crate) fn sleep_until(&mut self, time: DateTime<Utc>) -> DateTime<Utc> {
        (self.sleep)(time);
        *self.now.insert((self.clock)())
    }

    /// The name of this machine.
    pub(crate) fn host_name(&self) -> Option<String> {
        (self.host_name)().filter(|name| !name.is_empty())
    }

    /// The time zone of this machine, if the database has it.
    pub(crate) fn zone_of_machine(&mut self) -> Result<Option<String>, Stop> {
        let Some(name) = (self.time_zone)() else { return Ok(None) };
        Ok(self.tz_database()?.zone(&name).is_ok().then_some(name))
    }

    /// Standard input; `None` after the first call.
    pub(crate) fn stdin(&mut self) -> Option<&'a mut dyn Read> {
        self.stdin.take()
    }

    /// Begins a subcommand: the example that errors about missing arguments show, the file of `--save`, and whether that file may
    /// be one that is read.
    pub(crate) fn begin(&mut self, example: &'static str, save: Option<&Path>, edits: bool) {
        self.example = example;
        let Some(path) = save else { return };
        self.out.get_mut().saved = Some(Vec::new());
        self.colored_out = false;
        self.save = Some(path.to_path_buf());
        if !edits {
            self.may_not_read("--save", path);
        }
    }

    /// From now on, this file may not be read: an option says that it is written.
    pub(crate) fn may_not_read(&mut self, option: &'static str, path: &Path) {
        self.written.push((option, path.to_path_buf()));
    }

    /// The error about an argument that is missing.
    pub(crate) fn missing(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).help(format!("write for example `{}`", self.example))
    }

    /// Refuses to read a file that an option would replace.
    pub(crate) fn may_read(&self, path: &Path) -> Result<(), Box<Diagnostic>> {
        match self.written.iter().find(|(_, written)| is_same_file(written, path)) {
            None => Ok(()),
            Some((option, _)) => {
                let error = Diagnostic::error(format!("{option} would replace a file that is read"));
                Err(Box::new(error.file(path.display()).help("choose another file")))
            }
        }
    }

    /// Prints an error, a warning or a note to stderr, after the answers so far. All of them are printed here.
    pub(crate) fn report(&mut self, diagnostic: &Diagnostic) {
        // An error of stdout is reported by the next write to it. An error of stderr cannot be reported.
        let _ = self.out.flush();
        let columns = self.terminal_of_err().map(|terminal| terminal.columns);
        let _ = writeln!(self.err, "{}", diagnostic.render(self.colored_err, columns));
    }

    /// How many lines of the terminal these take; none if they go elsewhere.
    pub(crate) fn rows_of<'d>(&self, diagnostics: impl Iterator<Item = &'d Diagnostic>) -> usize {
        let Some(terminal) = self.terminal_of_err() else { return 0 };
        let rows = |diagnostic: &Diagnostic| diagnostic.render(false, Some(terminal.columns)).lines().count();
        diagnostics.map(rows).sum()
    }

    /// Writes a line of a summary to stderr.
    pub(crate) fn remark(&mut self, line: &str) {
        let _ = self.out.flush();
        let _ = writeln!(self.err, "{line}");
    }

    /// Writes a text to stdout, plain or with colours.
    pub(crate) fn print_styled(&mut self, plain: &str, styled: &str) -> Result<(), Stop> {
        Ok(self.out.write_all(if self.colored_out { styled } else { plain }.as_bytes())?)
    }

    /// Prints what was wrong, and gives the exit code.
    pub(crate) fn report_stop(&mut self, stop: Stop) -> ExitStatus {
        match stop {
            Stop::Failed(errors, status) => {
                errors.iter().for_each(|error| self.report(error));
                status
            }
            // A reader that has seen enough is no error.
            Stop::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitStatus::Success,
            Stop::Output(error) => {
                self.report(&Diagnostic::error(format!("the output cannot be written: {error}")));
                ExitStatus::Error
            }
        }
    }

    /// Writes the rest of the output, prints what was wrong, and gives the exit code.
    pub(crate) fn end(mut self, result: Result<ExitStatus, Stop>) -> ExitStatus {
        let flushed = self.out.flush();
        let status = match (result, flushed) {
            (Ok(status), Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => status,
            (Ok(_), Err(error)) => self.report_stop(error.into()),
            (Ok(status), Ok(())) => status,
            (Err(stop), _) => self.report_stop(stop),
        };
        // A file that was there before stays as it is if there is no answer.
        let saved = self.out.get_mut().saved.take().filter(|_| status != ExitStatus::Error);
        match saved.zip(self.save.take()) {
            None => status,
            // An answer without output does not replace a file.
            Some((bytes, path)) if bytes.is_empty() && path.exists() => {
                let note = Diagnostic::note("there is no output, so this file stays as it is");
                self.report(&Diagnostic { file: Some(path.display().to_string()), ..note });
                status
            }
            Some((bytes, path)) => match std::fs::write(&path, bytes) {
                Ok(()) => status,
                Err(failed) => self.report_stop(unwritten(&path, &failed).into()),
            },
        }
    }
}

/// Whether two paths lead to the same file, also by links. If one does not exist, they do not.
pub(crate) fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (std::fs::metadata(one), std::fs::metadata(other)) {
        use std::os::unix::fs::MetadataExt as _;
        return (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The error about a file that cannot be written.
pub(crate) fn unwritten(path: &Path, failed: &io::Error) -> Diagnostic {
    let (message, help) = match failed.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            ("there is no such directory".to_string(), Some("make it, or name another one"))
        }
        io::ErrorKind::PermissionDenied => ("permission denied".to_string(), None),
        io::ErrorKind::IsADirectory => {
            ("this is a directory, not a file".to_string(), Some("name a file in it"))
        }
        _ => (format!("the file cannot be written: {}", system(failed)), None),
    };
    let error = Diagnostic::error(message).file(path.display());
    help.map_or(error.clone(), |help| error.help(help))
}
