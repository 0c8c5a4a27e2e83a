//! The SQLite file: it keeps what the store in memory keeps, has one runner, and refuses other files.

use std::time::Duration;

use kron_core::Outcome;
use kron_host::Trigger;
use kron_runner::{ExecutionResult, HistoryLimits, RunnerJob, SqliteStore, Start, StateFile, StoreErrorKind};

use crate::world::{BEGIN, World, job};

#[tokio::test(start_paused = true)]
async fn a_file_says_what_memory_says() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    let world = World::with_file(SqliteStore::open(&path).unwrap());
    let limits = HistoryLimits { successful: 3, failed: 2, outcomes: 12 };
    let jobs = |text: &str| {
        let handler = |start: Start| async move {
            let Trigger::Period { nominal, .. } = start.trigger else { return ExecutionResult::succeeded() };
            tokio::time::sleep(Duration::from_secs(240)).await;
            ExecutionResult::exited(i32::try_from(nominal / 60 % 3).unwrap())
        };
        vec![RunnerJob::new(job(text), handler).with_history(limits)]
    };
    for (text, minutes) in [
        ("*/3 * * * * @win(around,7m) @only(between=00:00-00:50) @policy(deadline=1m)", 40),
        ("*/3 * * * * @policy(deadline=20m,concurrency=replace)", 41),
        ("*/3 * * * * @policy(suspend=true)", 80),
        ("*/2 * * * * @win(before,5m) @policy(concurrency=allow)", 300),
    ] {
        let runner = world.runner(Vec::new()).jobs(jobs(text));
        let handle = runner.handle();
        let test = async {
            _ = handle.run_now("runner/test").await;
            world.until(BEGIN + minutes * 60).await;
        };
        runner.run(test).await.unwrap();
        world.until(BEGIN + minutes * 60 + 400).await;
    }
    let (file, memory) = (StateFile::open(&path).unwrap(), &world.store.memory);
    assert_eq!(file.jobs().unwrap(), memory.jobs());
    assert_eq!(file.job("runner/test").unwrap(), memory.jobs().pop());
    let mut executions = file.executions(None, 1000).unwrap();
    executions.reverse();
    assert_eq!(executions, memory.executions("runner/test"));
    assert_eq!(file.executions(Some("runner/test"), 2).unwrap().len(), 2);
    let statuses: std::collections::BTreeSet<_> =
        executions.iter().map(|execution| execution.result.as_ref().unwrap().status).collect();
    assert_eq!(statuses.len(), 2, "both kinds were kept");
    let mut outcomes = memory.outcomes("runner/test");
    assert_eq!(outcomes.len(), 12);
    outcomes.sort_by_key(|outcome| (outcome.nominal.is_none(), outcome.nominal));
    assert_eq!(file.outcomes("runner/test", 0, i64::MAX).unwrap(), outcomes);
    let first = outcomes[0].nominal.unwrap();
    assert_eq!(file.outcomes("runner/test", first, first + 1).unwrap(), outcomes[..1]);
    assert_eq!(file.older_missed("runner/test").unwrap(), memory.older_missed("runner/test"));
    assert_eq!(file.runners().unwrap(), memory.runners());
    assert_eq!(file.runners().unwrap().len(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_file_of_one_day_is_used_on_the_next() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    let world = World::new();
    for hours in [1, 30] {
        // It is closed and opened in between.
        let (runner, store) = (world.runner(Vec::new()), SqliteStore::open(&path).unwrap());
        drop(runner);
        let text = job("0 * * * * @policy(deadline=5h)");
        let runner = kron_runner::Runner::new(store).clock(world.clock.clone());
        runner.jobs([world.noted(text)]).run(world.until(BEGIN + hours * 3600 + 60)).await.unwrap();
        world.until(BEGIN + hours * 3600 + 25 * 3600 + 1800).await;
    }
    // Of hours 2 to 26 the last is started late, and those are missed before it.
    let hours: Vec<i64> = world.periods().iter().map(|nominal| (nominal - BEGIN) / 3600).collect();
    assert_eq!(hours, [1, 26, 27, 28, 29, 30]);
    let outcomes = StateFile::open(&path).unwrap().outcomes("runner/test", 0, i64::MAX).unwrap();
    let missed = outcomes.iter().filter(|outcome| outcome.outcome == Outcome::Missed).count();
    assert_eq!(missed, 24);
}

#[test]
fn a_file_has_one_runner() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    let store = SqliteStore::open(&path).unwrap();
    let error = SqliteStore::open(&path).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::InUse);
    let (path_text, pid) = (path.display(), std::process::id());
    let expected = format!(
        "{path_text}: process {pid} has this state file; end that runner, wait for its end, or name another file"
    );
    assert_eq!(error.to_string(), expected);
    // Another name of the file is the same file.
    #[cfg(unix)]
    {
        let link = directory.path().join("link.db");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert_eq!(SqliteStore::open(&link).unwrap_err().kind, StoreErrorKind::InUse);
        let hard = directory.path().join("hard.db");
        std::fs::hard_link(&path, &hard).unwrap();
        let error = SqliteStore::open(&hard).unwrap_err();
        assert_eq!(error.kind, StoreErrorKind::InUse);
        assert!(
            error.to_string().contains("the state file has 2 hard links; remove the other links"),
            "{error}"
        );
        std::fs::remove_file(hard).unwrap();
    }
    // It can be read meanwhile.
    assert!(StateFile::open(&path).unwrap().jobs().unwrap().is_empty());
    drop(store);
    SqliteStore::open(&path).unwrap();
}

#[test]
fn other_files_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    let at = |error: kron_runner::StoreError| {
        let text = error.to_string();
        let (_, text) = text.split_once("kron.db: ").unwrap();
        (error.kind, text.to_string())
    };
    let both = |kind, text: &str| {
        for error in [SqliteStore::open(&path).unwrap_err(), StateFile::open(&path).unwrap_err()] {
            assert_eq!(at(error), (kind, text.to_string()));
        }
    };
    std::fs::write(&path, "no database at all, but a text of a certain length".repeat(20)).unwrap();
    both(
        StoreErrorKind::Schema,
        "this is no state file of `kron run`; name another file, or restore a copy of it",
    );

    let other = |sql: &str| {
        std::fs::remove_file(&path).unwrap();
        rusqlite::Connection::open(&path).unwrap().execute_batch(sql).unwrap();
    };
    other("CREATE TABLE songs (title TEXT)");
    both(StoreErrorKind::Schema, "the file is a database of another program; name another file");
    other("PRAGMA application_id = 1263685454; PRAGMA user_version = 9; CREATE TABLE jobs (name TEXT)");
    both(
        StoreErrorKind::Schema,
        "the file has version 9, and this Kron knows version 1; use the Kron that wrote it, or a newer one",
    );
    std::fs::write(&path, "").unwrap();
    let empty = at(StateFile::open(&path).unwrap_err());
    assert_eq!(empty.1, "the file is empty; name the file that the runner writes");
    std::fs::write(&path, "x").unwrap();
    let short = at(StateFile::open(&path).unwrap_err());
    assert_eq!(short.1, "this is not a state file; name the file that the runner writes");
    let all = directory.path().join("all");
    std::fs::create_dir_all(all.join("parts")).unwrap();
    let error = SqliteStore::open(&all).unwrap_err().to_string();
    let example = all.join("kron.db");
    assert!(
        error.ends_with(&format!(
            "all: this is a directory; name a file in it, such as `{}`",
            example.display()
        )),
        "{error}"
    );
    assert_eq!(SqliteStore::open_waiting(&all).unwrap_err().to_string(), error);
    // No lock is left beside it.
    assert!(!directory.path().join("all.lock").exists());
    let missing = SqliteStore::open(directory.path().join("no/kron.db")).unwrap_err();
    assert!(
        missing.to_string().ends_with("; check that its directory exists and can be written"),
        "{missing}"
    );

    std::fs::remove_file(&path).unwrap();
    SqliteStore::open(&path).unwrap();
    let row = "INSERT INTO jobs (name, text, created, removed, suspended, suspend_requested, handled) \
               VALUES ('a', 'b', 1, 0, 0, 0, '{')";
    rusqlite::Connection::open(&path).unwrap().execute(row, []).unwrap();
    let error = StateFile::open(&path).unwrap().jobs().unwrap_err().to_string();
    assert!(error.contains("kron.db: table jobs, column handled: \"{\": "), "{error}");
    assert!(error.ends_with("; another program changed the file; restore a copy of it"), "{error}");
}

#[test]
fn the_page_describes_each_column() {
    let page = include_str!("../../../docs/reference/file-formats.md");
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    SqliteStore::open(&path).unwrap();
    let file = rusqlite::Connection::open(&path).unwrap();
    let sql =
        "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'";
    let mut statement = file.prepare(sql).unwrap();
    let columns = statement.query_map([], |row| Ok([row.get::<_, String>(0)?, row.get(1)?])).unwrap();
    let columns: Vec<[String; 2]> = columns.collect::<Result<_, _>>().unwrap();
    assert!(columns.len() > 40, "{columns:?}");
    for [table, column] in columns {
        let (_, section) = page.split_once(&format!("`{table}` has ")).unwrap();
        // The description of a table ends where that of the next one begins.
        let end = section.find("` has ").unwrap_or(section.len());
        assert!(section[..end].contains(&format!("`{column}`")), "{table}.{column}");
    }
}

/// The names of the files in a directory.
fn files(directory: &std::path::Path) -> Vec<String> {
    let names = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[cfg(unix)]
#[tokio::test]
async fn reading_writes_nothing_and_sees_a_runner_that_begins() {
    let directory = tempfile::tempdir().unwrap();
    // A name with characters that mean something in the name of a database.
    let path = directory.path().join("a b?c%20#.db");
    drop(SqliteStore::open(&path).unwrap());
    let before = files(directory.path());
    let file = StateFile::open(&path).unwrap();
    assert!(file.jobs().unwrap().is_empty());
    assert_eq!(files(directory.path()), before);
    // The same reader sees what runners write later, while they run and after that.
    for hours in 1..3 {
        let world = World::new();
        let runner = kron_runner::Runner::new(SqliteStore::open(&path).unwrap());
        let jobs = (0..hours).map(|number| {
            let job = kron_core::Job::parse(&format!("job/{number}"), "@yearly").unwrap();
            world.noted(job)
        });
        let runner = runner.jobs(jobs);
        let handle = runner.handle();
        let test = async {
            // The answer comes after the first write was begun; the second one after its end.
            let token = handle.run_now("job/0").await.unwrap();
            assert!(!token.is_empty());
            assert_eq!(file.jobs().unwrap().len(), hours);
        };
        runner.run(test).await.unwrap();
        assert_eq!(file.jobs().unwrap().len(), hours);
        let stopped = file.runners().unwrap().iter().filter(|runner| runner.stopped.is_some()).count();
        assert_eq!(stopped, hours);
    }
}

/// Two runners never start the same period because the file of one was moved away.
#[cfg(unix)]
#[tokio::test(start_paused = true)]
async fn nothing_is_started_while_the_file_is_elsewhere() {
    for suffix in ["", "-wal", ".lock"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("kron.db");
        let (file, other) =
            (directory.path().join(format!("kron.db{suffix}")), directory.path().join("other"));
        let world = World::new();
        let errors = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let seen = errors.clone();
        let runner = kron_runner::Runner::new(SqliteStore::open(&path).unwrap())
            .clock(world.clock.clone())
            .jobs([world.noted(job("*/5 * * * * @policy(deadline=4m)"))])
            .on_event(move |event| {
                if let kron_runner::RunnerEvent::StoreFailed { error, .. } = event {
                    seen.lock().unwrap().push(error.clone());
                }
            });
        let test = async {
            world.until(BEGIN + 310).await;
            assert_eq!(world.periods(), [BEGIN + 300]);
            std::fs::rename(&file, &other).unwrap();
            // A file of another runner at its place changes nothing.
            std::fs::write(&file, "").unwrap();
            world.until(BEGIN + 905).await;
            // Minute 10 was claimed before. Its start was not written.
            assert_eq!(world.periods(), [BEGIN + 300]);
            std::fs::rename(&other, &file).unwrap();
            world.until(BEGIN + 1210).await;
            assert_eq!(world.periods(), [BEGIN + 300, BEGIN + 900, BEGIN + 1200]);
        };
        runner.run(test).await.unwrap();
        let errors = errors.lock().unwrap();
        let what = match suffix {
            "" => "the state file".to_string(),
            suffix => format!("its file kron.db{suffix}"),
        };
        let expected = format!(
            "{}: {what} was moved, deleted or replaced while a runner has it; put it back, or restart the runner, which then \
             makes a new state file",
            path.display()
        );
        let kind = StoreErrorKind::Moved;
        assert!(errors.len() > 3, "{errors:?}");
        assert!(errors.iter().all(|error| error.kind == kind && error.to_string() == expected), "{errors:?}");
    }
}

/// As of a runner that has the file by another path.
#[cfg(target_os = "linux")]
#[test]
fn a_lock_of_another_process_is_seen() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    drop(SqliteStore::open(&path).unwrap());
    let mut command = std::process::Command::new("flock");
    // It ends with its input.
    command.arg(&path).args(["sh", "-c", "echo locked; exec cat"]);
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            println!("skipped: flock: {error}");
            return;
        }
    };
    let mut line = String::new();
    let output = child.stdout.as_mut().unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut line).unwrap();
    assert_eq!(line, "locked\n");
    let error = SqliteStore::open(&path).unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::InUse);
    assert!(error.to_string().contains("has this state file; end that runner"), "{error}");
    let waiting = std::thread::spawn(move || SqliteStore::open_waiting(path).map(drop));
    drop(child.stdin.take());
    child.wait().unwrap();
    waiting.join().unwrap().unwrap();
}
