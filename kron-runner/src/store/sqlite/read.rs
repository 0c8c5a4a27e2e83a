//! Reading a state file, while a runner writes it or after that.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use rusqlite::{Connection, params};

use super::failure::Failure;
use super::place::beside;
use super::{rows, schema};
use crate::record::{ClockAhead, ExecutionRecord, JobRecord, OlderMissed, OutcomeRecord, RunnerRecord};
use crate::store::{StoreError, StoreErrorKind};

/// How many times a file that changes while it is read is read again.
const ATTEMPTS: usize = 10;

/// A state file that is only read. A runner may write it at the same time. The file is not changed, and need not be writable
/// for the user who reads it.
///
/// Each call blocks the thread for as long as the disk takes, and reads what is stored then. Its errors are those of
/// [`SqliteStore::open`](crate::SqliteStore::open), but for `InUse`.
///
/// ```
/// use kron_core::Job;
/// use kron_runner::{Runner, SqliteStore, StateFile};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("kron.db");
/// let job = Job::parse("web/ping", "*/5 * * * *")?;
/// let shutdown = tokio::time::sleep(std::time::Duration::from_millis(50));
/// Runner::new(SqliteStore::open(&path)?).job(job, |_| async {}).run(shutdown).await?;
///
/// let file = StateFile::open(&path)?;
/// assert_eq!(file.jobs()?[0].text, "*/5 * * * *");
/// assert!(file.job("web/ping")?.is_some() && file.job("web/pong")?.is_none());
/// assert!(file.executions(Some("web/ping"), 10)?.is_empty());
/// assert!(file.outcomes("web/ping", 0, i64::MAX)?.is_empty() && file.older_missed("web/ping")?.is_empty());
/// assert!(file.runners()?[0].stopped.is_some() && file.clock_ahead(0)?.is_empty());
/// # Ok(())
/// # }
/// ```
pub struct StateFile {
    path: PathBuf,
    opened: Mutex<Option<Opened>>,
}

struct Opened {
    connection: Connection,
    /// The file as it was when it was opened, if no runner was writing it.
    unchanging: Option<Snapshot>,
}

/// What shows that a file has changed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Snapshot {
    modified: Option<SystemTime>,
    bytes: u64,
}

impl Snapshot {
    /// `None` if a runner has the file, or was killed while it had it.
    fn of(path: &Path) -> Option<Snapshot> {
        // A runner has these files for as long as it has the state file, and SQLite removes them at its end.
        let in_use = ["-wal", "-journal"].into_iter().any(|suffix| beside(path, suffix).exists());
        let metadata = std::fs::metadata(path).ok().filter(|_| cfg!(unix) && !in_use)?;
        Some(Snapshot { modified: metadata.modified().ok(), bytes: metadata.len() })
    }
}

impl Opened {
    fn new(path: &Path, unchanging: Option<Snapshot>) -> Result<Opened, StoreError> {
        Ok(Opened { connection: schema::open_to_read(path, unchanging.is_some())?, unchanging })
    }
}

impl fmt::Debug for StateFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateFile").field("path", &self.path).finish_non_exhaustive()
    }
}

impl StateFile {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is not a state file of this version of Kron.
    ///
    /// ```
    /// let error = kron_runner::StateFile::open("no/such.db").unwrap_err();
    /// assert_eq!(error.to_string(), "no/such.db: there is no such file; name the file that the runner writes");
    /// let error = kron_runner::StateFile::open(".").unwrap_err();
    /// assert_eq!(error.to_string(), ".: this is a directory; name the file that the runner writes");
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<StateFile, StoreError> {
        let file = StateFile { path: path.as_ref().into(), opened: Mutex::new(None) };
        file.read(|_| Ok(()))?;
        Ok(file)
    }

    fn read<T>(&self, read: impl Fn(&Connection) -> Result<T, Failure>) -> Result<T, StoreError> {
        let mut kept = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..ATTEMPTS {
            let before = Snapshot::of(&self.path);
            let opened = match kept.take().filter(|opened| opened.unchanging == before) {
                Some(opened) => Ok(opened),
                None => Opened::new(&self.path, before),
            };
            let found = opened.and_then(|opened| {
                let opened = kept.insert(opened);
                read(&opened.connection).map_err(|failure| failure.at(&self.path))
            });
            // What was read while a runner began to write may be of two states.
            if before.is_none() || Snapshot::of(&self.path) == before {
                return found;
            }
        }
        Err(StoreError::new(StoreErrorKind::Io, "the file changed whenever it was read")
            .with_path(&self.path)
            .with_help("ask again"))
    }

    /// All jobs by name, those that were removed included.
    ///
    /// # Errors
    ///
    /// See [`StateFile`].
    pub fn jobs(&self) -> Result<Vec<JobRecord>, StoreError> {
        self.read(|connection| rows::jobs(connection, None))
    }

    /// The job of that name.
    ///
    /// # Errors
    ///
    /// See [`StateFile`].
    pub fn job(&self, name: &str) -> Result<Option<JobRecord>, StoreError> {
        Ok(self.read(|connection| rows::jobs(connection, Some(name)))?.pop())
    }

    /// The last executions of a job, or of all jobs, the newest first. Those that never began are not among them.
    ///
    /// # Errors
    ///
    /// See [`StateFile`].
    pub fn executions(&self, job: Option<&str>, limit: u32) -> Result<Vec<ExecutionRecord>, StoreError> {
        let rest =
            "WHERE (?1 IS NULL OR job = ?1) AND began IS NOT NULL ORDER BY created DESC, name DESC LIMIT ?2";
        self.read(|connection| rows::executions(connection, rest, params![job, limit]))
    }

    /// The outcomes of a job: those of periods with nominal times in [from, until), in Unix seconds, by nominal time, and
    /// then those of run-now requests that were recorded in that time.
    ///
    /// # Errors
    ///
    /// See [`StateFile`].
    pub fn outcomes(&self, job: &str, from: i64, until: i64) -> Result<Vec<OutcomeRecord>, StoreError> {
        let rest = "WHERE job = ?1 AND coalesce(nominal, recorded / 1000) >= ?2 \
                    AND coalesce(nominal, recorded / 1000) < ?3 ORDER BY nominal IS NULL, nominal, id";
        self.read(|connection| rows::outcomes(connection, rest, params![job, from, until]))
    }

    /// The missed periods of a job that were counted and not listed.
    ///
    /// # Errors
    ///
    /// See [`StateFile`].
    pub fn older_missed(&self, job: &str) -> Result<Vec<OlderMissed>, StoreError> {
        self.read(|connection| rows::older_missed(connection, job))
    }

    /// The times after that Unix second for which starts were made while the clock was ahead, in order.
    ///
    /// # Errors
    ///
    /// See [`StateFile`].
    pub fn clock_ahead(&self, now: i64) -> Result<Vec<ClockAhead>, StoreError> {
        self.read(|connection| rows::clock_ahead(connection, now))
    }

    /// The last runners that had the file, in order. One that was killed has no end.
    ///
    /// # Errors
    ///
    /// See [`StateFile`].
    pub fn runners(&self) -> Result<Vec<RunnerRecord>, StoreError> {
        self.read(rows::runners)
    }
}
