//! The tables, and opening a file that has them.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::aside::damaged;
use super::failure::Failure;
use crate::store::{StoreError, StoreErrorKind};

/// `KRON`, in the header of each file.
const APPLICATION_ID: i64 = 0x4b52_4f4e;
/// The version of the tables. A later Kron reads all earlier ones.
const VERSION: i64 = 1;
/// After so many pages, SQLite copies its log into the database. The log has hardly more bytes than these pages, so that it needs
/// little room; with a tenth of SQLite's default, a commit costs about as much as before.
const LOG_PAGES: i64 = 100;
/// The bytes that stay of a log that was longer, for example after the first write of many jobs.
const LOG_BYTES: i64 = 512 * 1024;
/// How long a write waits for another program that reads or writes the file.
const BUSY: Duration = Duration::from_secs(10);

/// Selects the outcomes of executions that may have run; see [`OutcomeRecord::is_lost`](crate::OutcomeRecord).
pub(super) const LOST: &str = "(cause IN ('claimLost', 'claimLostBeforeEdit', 'maybeReplaced'))";
/// The index for them: there are few.
const LOST_INDEX: &str = "CREATE INDEX outcomes_lost ON outcomes (chosen) WHERE";

/// What `docs/reference/file-formats.md` describes. Times of periods are Unix seconds, and times at which something happened Unix
/// milliseconds.
const TABLES: &str = "
CREATE TABLE jobs (
    name TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    created INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    suspended INTEGER NOT NULL,
    suspend_requested INTEGER NOT NULL,
    since INTEGER,
    configuration TEXT,
    handled_through INTEGER,
    last_nominal INTEGER,
    last_chosen INTEGER,
    last_outcome TEXT,
    next_nominal INTEGER,
    next_chosen INTEGER,
    claim_nominal INTEGER,
    claim_runner TEXT,
    claim_time INTEGER,
    handled TEXT NOT NULL,
    run_now TEXT,
    run_now_claimed TEXT,
    run_now_outcome TEXT,
    run_now_execution TEXT
) STRICT;
CREATE TABLE executions (
    job TEXT NOT NULL,
    name TEXT NOT NULL,
    nominal INTEGER,
    chosen INTEGER,
    token TEXT,
    runner TEXT NOT NULL,
    created INTEGER NOT NULL,
    began INTEGER,
    ended INTEGER,
    status TEXT,
    exit_code INTEGER,
    message TEXT,
    pid INTEGER,
    process_start INTEGER,
    boot_id TEXT,
    pipe_device INTEGER,
    stdout_pipe INTEGER,
    stderr_pipe INTEGER,
    PRIMARY KEY (job, name)
) STRICT;
CREATE INDEX executions_by_time ON executions (created);
CREATE INDEX executions_by_job ON executions (job, created);
CREATE INDEX executions_by_chosen ON executions (chosen);
CREATE INDEX executions_by_nominal ON executions (job, nominal);
CREATE TABLE outcomes (
    id INTEGER PRIMARY KEY,
    job TEXT NOT NULL,
    nominal INTEGER,
    chosen INTEGER,
    token TEXT,
    outcome TEXT NOT NULL,
    cause TEXT NOT NULL,
    cause_details TEXT NOT NULL,
    execution TEXT,
    recorded INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX outcomes_by_period ON outcomes (job, nominal) WHERE nominal IS NOT NULL;
CREATE UNIQUE INDEX outcomes_by_token ON outcomes (job, token) WHERE token IS NOT NULL;
CREATE INDEX outcomes_by_job ON outcomes (job);
CREATE TABLE older_missed (
    id INTEGER PRIMARY KEY,
    job TEXT NOT NULL,
    count INTEGER NOT NULL,
    recorded INTEGER NOT NULL
) STRICT;
CREATE INDEX older_missed_by_job ON older_missed (job);
CREATE TABLE clock_ahead (
    after INTEGER NOT NULL,
    through INTEGER NOT NULL,
    PRIMARY KEY (after, through)
) STRICT;
CREATE TABLE runners (
    name TEXT PRIMARY KEY,
    pid INTEGER NOT NULL,
    started INTEGER NOT NULL,
    stopped INTEGER
) STRICT;
";

/// Opens a file to write it, and makes the tables where it has none. A damaged file, or one that cannot be read with `read`, is
/// refused and stays as it is. `path` is what the user named, and `real` the database.
pub(super) fn open(
    path: &Path,
    real: &Path,
    read: impl Fn(&Connection) -> Result<(), Failure>,
) -> Result<Connection, StoreError> {
    let open = || -> Result<Connection, Failure> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NOFOLLOW
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(real, flags)?;
        connection.busy_timeout(BUSY)?;
        // Otherwise each new value of a parameter would plan the statement again.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        // Otherwise the log would be copied into a damaged file when it is closed.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        Ok(connection)
    };
    let mut connection = open().map_err(|failure| failure.at(path))?;
    let is_new = version(&connection, path)? == 0;
    if !is_new {
        check(&connection, path)?;
        read(&connection).map_err(|failure| failure.at(path))?;
    }
    let prepare = |connection: &mut Connection| -> Result<(), Failure> {
        // The answer is the mode. Where a file system cannot have WAL, SQLite's rollback journal is as durable.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.query_row(&format!("PRAGMA wal_autocheckpoint = {LOG_PAGES}"), [], |_| Ok(()))?;
        connection.query_row(&format!("PRAGMA journal_size_limit = {LOG_BYTES}"), [], |_| Ok(()))?;
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        if is_new {
            let transaction = connection.transaction()?;
            transaction.execute_batch(TABLES)?;
            transaction.execute_batch(&format!("{LOST_INDEX} {LOST}"))?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
            transaction.commit()?;
        }
        Ok(())
    };
    prepare(&mut connection).map_err(|failure| failure.at(path))?;
    Ok(connection)
}

/// Refuses a file whose structure is damaged.
fn check(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let found = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get::<_, String>(0));
    let found = found.map_err(|error| Failure::from(error).at(path))?;
    if found == "ok" {
        return Ok(());
    }
    // After a line with the name of the database.
    Err(damaged(path, found.lines().last().unwrap_or_default()))
}

/// Copies the log into the database and empties it, which gives its room back.
pub(super) fn empty_log(connection: &Connection) -> Result<(), Failure> {
    Ok(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
}

/// Opens a file to read it: with the log of the runner that writes it, or, if there is none, as a file that does not
/// change. Reading then needs no right to write, and leaves no file behind.
pub(super) fn open_to_read(path: &Path, unchanging: bool) -> Result<Connection, StoreError> {
    let none = |what: &str| {
        StoreError::new(StoreErrorKind::Io, what)
            .with_path(path)
            .with_help("name the file that the runner writes")
    };
    if !path.exists() {
        return Err(none("there is no such file"));
    }
    if path.is_dir() {
        return Err(none("this is a directory"));
    }
    let open = || -> Result<Connection, Failure> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = match unchanging {
            true => Connection::open_with_flags(immutable(path), flags | OpenFlags::SQLITE_OPEN_URI)?,
            false => Connection::open_with_flags(path, flags)?,
        };
        connection.busy_timeout(BUSY)?;
        Ok(connection)
    };
    let connection = open().map_err(|failure| failure.at(path))?;
    match version(&connection, path)? {
        // SQLite takes a file of a few bytes for an empty database.
        0 if path.metadata().is_ok_and(|file| file.len() > 0) => Err(none("this is not a state file")),
        0 => Err(none("the file is empty")),
        _ => Ok(connection),
    }
}

/// The name under which SQLite neither locks nor writes a file.
fn immutable(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    let name: String = bytes
        .map(|byte| if plain(*byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") })
        .collect();
    format!("file:{name}?immutable=1")
}

/// The version of the tables of a file; 0 if it is empty.
fn version(connection: &Connection, path: &Path) -> Result<i64, StoreError> {
    let read = |pragma: &str| connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0));
    let all = || -> Result<(i64, i64, i64), Failure> {
        let tables =
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))?;
        Ok((read("application_id")?, read("user_version")?, tables))
    };
    let (application, version, tables) = all().map_err(|failure| failure.at(path))?;
    let refuse = |what: String, help: &str| {
        Err(StoreError::new(StoreErrorKind::Schema, what).with_path(path).with_help(help))
    };
    match (application, version, tables) {
        (0, 0, 0) => Ok(0),
        (APPLICATION_ID, VERSION, _) => Ok(VERSION),
        (APPLICATION_ID, version, _) => refuse(
            format!("the file has version {version}, and this Kron knows version {VERSION}"),
            "use the Kron that wrote it, or a newer one",
        ),
        _ => refuse("the file is a database of another program".into(), "name another file"),
    }
}

#[cfg(test)]
mod tests {
    use kron_core::{Concurrency, Duration, Outcome};
    use kron_host::Cause;

    use super::*;
    use crate::{OutcomeRecord, cause_word};

    #[test]
    fn the_condition_selects_the_same_outcomes_as_the_record() {
        let (error, deadline) = (String::new(), Duration::from_secs(60));
        let causes = [
            Cause::Started,
            Cause::ActiveExecution { concurrency: Concurrency::Forbid },
            Cause::NoAllowedSecond { window_end: 0 },
            Cause::DeadlinePassed { late: 1, deadline, claimed: true },
            Cause::CaughtUp { claimed: true },
            Cause::MaybeRemoved { retention: 0 },
            Cause::MaybeReplaced,
            Cause::MaybeRemovedBeforeEdit { retention: 0 },
            Cause::Suspended,
            Cause::Edited,
            Cause::TakenBack,
            Cause::NoTurn { waited: 1 },
            Cause::Failed { failures: 1, tried: 1, error: error.clone() },
            Cause::Refused { error },
            Cause::NameTaken,
            Cause::Removed,
            Cause::Closed,
        ];
        let connection = Connection::open_in_memory().unwrap();
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reference/file-formats.md");
        let page = std::fs::read_to_string(page).unwrap();
        let mut lost = 0;
        for cause in causes {
            assert!(page.contains(&format!("`{}`", cause_word(&cause))), "the page names no {cause:?}");
            let sql = format!("SELECT {LOST} FROM (SELECT ?1 AS cause)");
            let selected: bool = connection.query_row(&sql, [cause_word(&cause)], |row| row.get(0)).unwrap();
            let record = OutcomeRecord {
                job: "backup".into(),
                nominal: Some(0),
                chosen: Some(0),
                token: None,
                outcome: Outcome::Missed,
                cause,
                execution: None,
                recorded: 0,
            };
            assert_eq!(selected, record.is_lost(), "{record:?}");
            lost += u32::from(selected);
        }
        assert_eq!(lost, 3);
    }
}
