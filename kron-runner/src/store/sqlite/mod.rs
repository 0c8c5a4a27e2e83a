//! The store in a SQLite file.

mod access;
mod aside;
mod failure;
mod files;
mod holder;
mod inode;
mod lock;
#[cfg(target_os = "linux")]
mod mount;
#[cfg(target_os = "linux")]
mod owner;
mod place;
mod read;
mod rows;
mod schema;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::{Connection, params};

pub use read::StateFile;

use self::failure::Failure;
use self::lock::Lock;
use self::place::Place;
use super::{Change, HistoryLimits, LATE, Store, StoreError, StoreErrorKind, StoredJob};
use crate::handler::BoxFuture;
use crate::record::{ClockAhead, ExecutionRecord, OutcomeRecord, RunnerRecord};
use crate::result::ExecutionStatus;

/// How many runners are kept, the last ones.
const RUNNERS_KEPT: u32 = 1000;
/// How many counts of missed periods are kept for each job, the last ones.
const OLDER_MISSED_KEPT: u32 = 100;

/// Keeps the state of the jobs in a SQLite file, which survives the process.
///
/// Each write is one transaction that is on the disk before a start depends on it (`journal_mode=WAL`, `synchronous=FULL`).
/// A runner has the file to itself: it has locks on the file and on `<path>.lock`, which the system releases when the process ends,
/// however it ends. Others may read the file at any time, with [`StateFile`] or with SQL; `docs/reference/file-formats.md` names the columns.
pub struct SqliteStore {
    file: Arc<File>,
}

struct File {
    path: PathBuf,
    place: Place,
    warnings: Vec<String>,
    kept_aside: Option<PathBuf>,
    /// Closed before the lock is released, as its own locks depend on that of the database.
    connection: Mutex<Connection>,
    /// Held for as long as the store.
    _lock: Lock,
}

/// How a state file is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// Whether to wait, and to block the thread, while another runner has the file.
    pub wait: bool,
    /// Whether to keep a damaged file aside, and to begin with a new one. A file that is sound stays.
    pub replace_damaged: bool,
}

impl fmt::Debug for SqliteStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SqliteStore").field("path", &self.file.path).finish_non_exhaustive()
    }
}

impl SqliteStore {
    /// Opens a file, or makes it.
    ///
    /// # Errors
    ///
    /// [`InUse`](StoreErrorKind::InUse) if another runner has it, [`Schema`](StoreErrorKind::Schema) if it is not a file of this
    /// version of Kron, [`Damaged`](StoreErrorKind::Damaged), and [`Io`](StoreErrorKind::Io), also if other users could put files
    /// in its place.
    ///
    /// ```
    /// use kron_runner::{SqliteStore, StoreErrorKind};
    /// let directory = tempfile::tempdir()?;
    /// let path = directory.path().join("kron.db");
    /// let store = SqliteStore::open(&path)?;
    /// assert_eq!(SqliteStore::open(&path).unwrap_err().kind, StoreErrorKind::InUse);
    /// drop(store);
    /// SqliteStore::open(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_with(path, Opening::default())
    }

    /// The same, but waits until no other runner has the file. It blocks the thread.
    ///
    /// # Errors
    ///
    /// Those of [`open`](SqliteStore::open), but for `InUse`.
    ///
    /// ```
    /// let directory = tempfile::tempdir()?;
    /// let path = directory.path().join("kron.db");
    /// let first = kron_runner::SqliteStore::open(&path)?;
    /// let second = std::thread::spawn(move || kron_runner::SqliteStore::open_waiting(&path));
    /// drop(first);
    /// assert!(second.join().unwrap().is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_waiting(path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        SqliteStore::open_with(path, Opening { wait: true, ..Opening::default() })
    }

    /// The same, with what to do if another runner has the file, or if it is damaged.
    ///
    /// # Errors
    ///
    /// Those of [`open`](SqliteStore::open), as far as the opening does not help.
    ///
    /// ```
    /// use kron_runner::{Opening, SqliteStore, StoreErrorKind};
    /// let directory = tempfile::tempdir()?;
    /// let path = directory.path().join("kron.db");
    /// drop(SqliteStore::open(&path)?);
    /// let length = std::fs::metadata(&path)?.len();
    /// std::fs::write(&path, vec![7; length as usize])?;
    /// assert_eq!(SqliteStore::open(&path).unwrap_err().kind, StoreErrorKind::Damaged);
    ///
    /// let store = SqliteStore::open_with(&path, Opening { replace_damaged: true, ..Opening::default() })?;
    /// assert_eq!(std::fs::read(store.kept_aside().unwrap())?[0], 7);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_with(path: impl AsRef<Path>, opening: Opening) -> Result<SqliteStore, StoreError> {
        let path = path.as_ref();
        place::check_file(path)?;
        let real = access::resolve(path)?;
        let warnings = access::check(path, &real)?;
        place::check_links(path)?;
        let mut lock = Lock::take(path, &real, opening.wait)?;
        let open = || schema::open(path, &real, |connection| stored(connection).map(drop));
        let (connection, kept_aside) = match open() {
            Err(error) if opening.replace_damaged && error.kind == StoreErrorKind::Damaged => {
                let kept = aside::set_aside(&real)?;
                lock.retake(path, &real)?;
                (open()?, Some(kept))
            }
            opened => (opened?, None),
        };
        let (connection, place) = (Mutex::new(connection), Place::new(path));
        let file = File { path: path.into(), place, warnings, kept_aside, connection, _lock: lock };
        Ok(SqliteStore { file: Arc::new(file) })
    }

    /// What a user should know of the file and its folder: who else can replace it. Often there is nothing.
    ///
    /// ```
    /// let directory = tempfile::tempdir()?;
    /// let store = kron_runner::SqliteStore::open(directory.path().join("kron.db"))?;
    /// assert!(store.warnings().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn warnings(&self) -> &[String] {
        &self.file.warnings
    }

    /// Where the damaged file is that this one replaced when it was [opened](SqliteStore::open_with).
    pub fn kept_aside(&self) -> Option<&Path> {
        self.file.kept_aside.as_deref()
    }

    /// Whether the file is still where it was opened. Every write asks this too.
    ///
    /// # Errors
    ///
    /// [`Moved`](StoreErrorKind::Moved) if it was moved, deleted or replaced.
    ///
    /// ```
    /// use kron_runner::{SqliteStore, StoreErrorKind};
    /// let directory = tempfile::tempdir()?;
    /// let path = directory.path().join("kron.db");
    /// let store = SqliteStore::open(&path)?;
    /// assert!(store.check_place().is_ok());
    /// # #[cfg(unix)] {
    /// std::fs::rename(&path, directory.path().join("other.db"))?;
    /// assert_eq!(store.check_place().unwrap_err().kind, StoreErrorKind::Moved);
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check_place(&self) -> Result<(), StoreError> {
        self.file.place.check()
    }

    /// Does something with the connection, on a thread where it may wait for the disk.
    fn with<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, Failure> + Send + 'static,
    ) -> BoxFuture<'_, Result<T, StoreError>> {
        let file = self.file.clone();
        Box::pin(async move {
            let path = file.path.clone();
            let done = tokio::task::spawn_blocking(move || {
                let mut connection = file.connection.lock().unwrap_or_else(PoisonError::into_inner);
                file.place.check()?;
                let done = work(&mut connection).map_err(|failure| failure.at(&file.path))?;
                // Data written to a file without a path is lost.
                file.place.check()?;
                Ok(done)
            });
            // The runtime is shutting down.
            let ended = |_| StoreError::new(StoreErrorKind::Io, "the write ended").with_path(path);
            done.await.map_err(ended)?
        })
    }
}

/// Does something; if the disk has no room, empties the log and does it once more.
fn with_room<T>(
    connection: &mut Connection,
    work: impl Fn(&mut Connection) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match work(connection) {
        Err(full) if full.is_full() => {
            // If this fails, the reason is that there is no room.
            schema::empty_log(connection).map_err(|_| full)?;
            work(connection)
        }
        done => done,
    }
}

fn load(connection: &mut Connection, runner: &RunnerRecord) -> Result<Vec<StoredJob>, Failure> {
    let transaction = connection.transaction()?;
    rows::add_runner(&transaction, runner)?;
    let sql = "DELETE FROM runners WHERE rowid IN \
               (SELECT rowid FROM runners ORDER BY rowid DESC LIMIT -1 OFFSET ?1)";
    transaction.execute(sql, [RUNNERS_KEPT])?;
    let jobs = stored(&transaction)?;
    transaction.commit()?;
    Ok(jobs)
}

/// All jobs with the executions that a runner has to know.
fn stored(connection: &Connection) -> Result<Vec<StoredJob>, Failure> {
    let mut jobs: Vec<StoredJob> = rows::jobs(connection, None)?
        .into_iter()
        .map(|job| StoredJob { job, executions: Vec::new() })
        .collect();
    let filter = "ended IS NULL OR EXISTS (SELECT 1 FROM jobs WHERE jobs.name = executions.job \
                  AND (jobs.claim_nominal = executions.nominal OR jobs.run_now = executions.token))";
    for execution in rows::executions(connection, &format!("WHERE {filter}"), [])? {
        let found = jobs.binary_search_by(|stored| stored.job.name.as_str().cmp(&execution.job));
        if let Ok(index) = found
            && StoredJob::needs(&jobs[index].job, &execution)
        {
            jobs[index].executions.push(execution);
        }
    }
    Ok(jobs)
}

fn commit(connection: &mut Connection, changes: &[Change]) -> Result<(), Failure> {
    let transaction = connection.transaction()?;
    for change in changes {
        apply(&transaction, change)?;
    }
    Ok(transaction.commit()?)
}

fn apply(connection: &Connection, change: &Change) -> Result<(), Failure> {
    match change {
        Change::Job(job) => rows::put_job(connection, job)?,
        Change::Execution(execution) => rows::put_execution(connection, execution)?,
        Change::RemoveExecution { job, name } => {
            let sql = "DELETE FROM executions WHERE job = ?1 AND name = ?2";
            connection.prepare_cached(sql)?.execute(params![job, name])?;
        }
        Change::Outcome(outcome) => rows::add_outcome(connection, outcome)?,
        Change::OlderMissed(missed) => rows::add_older_missed(connection, missed)?,
        Change::Trim { job, limits } => trim(connection, job, *limits)?,
        Change::Reopened { now, recorded_from, ahead } => {
            let sql = format!(
                "DELETE FROM outcomes WHERE chosen > ?1 AND recorded >= ?2 AND outcome IN ('missed', 'skipped') \
                 AND NOT {}",
                schema::LOST
            );
            connection.execute(&sql, [now, recorded_from])?;
            let sql = "DELETE FROM older_missed WHERE recorded >= max(?1 * 1000, ?2)";
            connection.execute(sql, [now, recorded_from])?;
            connection.execute("DELETE FROM clock_ahead WHERE through <= ?1", [now])?;
            ahead.iter().try_for_each(|ahead| rows::add_clock_ahead(connection, *ahead))?;
        }
        Change::RunnerStopped { name, at } => {
            let sql = "UPDATE runners SET stopped = ?2 WHERE name = ?1";
            connection.execute(sql, params![name, at])?;
        }
    }
    Ok(())
}

/// Removes the oldest entries beyond the limits.
fn trim(connection: &Connection, job: &str, limits: HistoryLimits) -> Result<(), Failure> {
    // Those whose outcomes the job's row may not have yet stay.
    let sql = "DELETE FROM executions WHERE rowid IN (\
               SELECT e.rowid FROM executions e JOIN jobs j ON j.name = e.job \
               WHERE e.job = ?1 AND e.ended IS NOT NULL AND (e.status IS ?4) = ?2 \
               AND (e.nominal IS NULL OR e.nominal IS NOT j.claim_nominal) \
               AND (e.token IS NULL OR e.token IS NOT j.run_now \
                    OR (j.run_now_claimed IS e.token AND j.run_now_outcome IS NOT NULL)) \
               AND e.rowid IS NOT (SELECT l.rowid FROM executions l WHERE l.job = ?1 \
                    AND l.created - l.chosen * 1000 > ?5 ORDER BY l.created DESC LIMIT 1) \
               ORDER BY e.created DESC, e.name DESC LIMIT -1 OFFSET ?3)";
    let mut statement = connection.prepare_cached(sql)?;
    for (succeeded, kept) in [(true, limits.successful), (false, limits.failed)] {
        statement.execute(params![job, succeeded, kept, ExecutionStatus::Succeeded.as_str(), LATE])?;
    }
    for (table, kept) in [("outcomes", limits.outcomes), ("older_missed", OLDER_MISSED_KEPT)] {
        let sql = format!(
            "DELETE FROM {table} WHERE rowid IN \
             (SELECT rowid FROM {table} WHERE job = ?1 ORDER BY rowid DESC LIMIT -1 OFFSET ?2)"
        );
        connection.prepare_cached(&sql)?.execute(params![job, kept])?;
    }
    Ok(())
}

impl Store for SqliteStore {
    fn load(&self, runner: &RunnerRecord) -> BoxFuture<'_, Result<Vec<StoredJob>, StoreError>> {
        let runner = runner.clone();
        self.with(move |connection| with_room(connection, |connection| load(connection, &runner)))
    }

    fn executions_after(&self, chosen: i64) -> BoxFuture<'_, Result<Vec<ExecutionRecord>, StoreError>> {
        self.with(move |connection| {
            let open = |table| {
                format!(
                    "chosen > ?1 OR rowid IN (SELECT t.rowid FROM jobs j JOIN {table} t ON t.job = j.name \
                     AND t.nominal > min(coalesce(j.handled_through, {}), ?1))",
                    i64::MIN
                )
            };
            let executions = format!("WHERE {}", open("executions"));
            let mut found = rows::executions(connection, &executions, [chosen])?;
            let lost = format!("WHERE {} AND ({})", schema::LOST, open("outcomes"));
            let lost = rows::outcomes(connection, &lost, [chosen])?;
            found.extend(lost.iter().filter_map(OutcomeRecord::lost_execution));
            Ok(found)
        })
    }

    fn clock_ahead(&self, now: i64) -> BoxFuture<'_, Result<Vec<ClockAhead>, StoreError>> {
        self.with(move |connection| rows::clock_ahead(connection, now))
    }

    fn commit(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), StoreError>> {
        self.with(move |connection| with_room(connection, |connection| commit(connection, &changes)))
    }
}

#[cfg(test)]
mod tests {
    use kron_host::Record;

    use super::*;
    use crate::record::JobRecord;

    fn row(name: &str, text: &str) -> Change {
        let (name, text, record) = (name.to_string(), text.to_string(), Record::default());
        Change::Job(Box::new(JobRecord {
            name,
            text,
            created: 0,
            removed: false,
            suspend_requested: false,
            run_now: None,
            record,
        }))
    }

    #[tokio::test]
    async fn a_full_disk_leaves_nothing_of_a_write() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("kron.db");
        let store = SqliteStore::open(&path).unwrap();
        let limit = |pages: u32| {
            let connection = store.file.connection.lock().unwrap();
            connection.query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(())).unwrap();
        };
        store.commit(vec![row("first", "a")]).await.unwrap();
        // The limit is never below what the file has.
        limit(1);
        let large = || vec![row("second", "a"), row("third", &"long ".repeat(20_000))];
        let error = store.commit(large()).await.unwrap_err();
        let expected = format!("{}: the disk is full; free some space on the disk", path.display());
        assert_eq!((error.kind, error.to_string()), (StoreErrorKind::Io, expected));
        let names = || -> Vec<String> {
            StateFile::open(&path).unwrap().jobs().unwrap().into_iter().map(|job| job.name).collect()
        };
        assert_eq!(names(), ["first"]);
        limit(u32::MAX >> 1);
        store.commit(large()).await.unwrap();
        assert_eq!(names(), ["first", "second", "third"]);
    }

    #[test]
    fn each_write_is_on_the_disk_before_it_is_answered() {
        let directory = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(directory.path().join("kron.db")).unwrap();
        let connection = store.file.connection.lock().unwrap();
        let mode: String = connection.query_row("PRAGMA journal_mode", [], |row| row.get(0)).unwrap();
        let synchronous: i64 = connection.query_row("PRAGMA synchronous", [], |row| row.get(0)).unwrap();
        // 2 is FULL.
        assert_eq!((mode.as_str(), synchronous), ("wal", 2));
    }

    /// A second try in one process leaves the locks of SQLite as they are.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_refusal_ends_no_lock() {
        let directory = tempfile::tempdir().unwrap();
        let path =
            directory.path().join("kron.db").canonicalize().unwrap_or(directory.path().join("kron.db"));
        let store = SqliteStore::open(&path).unwrap();
        let locks = || {
            let all = std::fs::read_to_string("/proc/locks").unwrap();
            let inode = std::os::unix::fs::MetadataExt::ino(&path.metadata().unwrap());
            let of_file = format!(":{inode} ");
            all.lines().filter(|line| line.contains(&of_file) && line.contains("POSIX")).count()
        };
        let before = locks();
        assert!(before > 0, "SQLite has no lock");
        assert!(inode::InodeLock::take(&path, &path, false).is_err());
        assert!(SqliteStore::open(&path).is_err());
        assert_eq!(locks(), before);
        drop(store);
        assert!(StateFile::open(&path).unwrap().jobs().unwrap().is_empty());
        assert!(inode::InodeLock::take(&path, &path, false).is_ok());
    }
}
