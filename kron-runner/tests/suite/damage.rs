//! State files with random bytes in them: one is refused, or what is read of it is what was written.
//!
//! `KRON_RUNNER_SEEDS` and `KRON_RUNNER_FIRST` run other seeds.

use std::path::Path;
use std::time::Duration;

use kron_core::Job;
use kron_runner::{
    ExecutionRecord, ExecutionResult, JobRecord, Opening, OutcomeRecord, Runner, RunnerJob, RunnerRecord,
    SimulatedClock, SqliteStore, Start, StateFile, StoreError, StoreErrorKind,
};

use crate::random::{Random, number};
use crate::world::BEGIN;

const PAGE: usize = 4096;
const JOBS: usize = 30;

/// All that a file has.
#[derive(Debug, PartialEq, Eq)]
struct Content {
    jobs: Vec<JobRecord>,
    executions: Vec<ExecutionRecord>,
    outcomes: Vec<Vec<OutcomeRecord>>,
    runners: Vec<RunnerRecord>,
}

fn content(path: &Path) -> Result<Content, StoreError> {
    let file = StateFile::open(path)?;
    let outcomes = (0..JOBS).map(|number| file.outcomes(&name(number), i64::MIN, i64::MAX));
    Ok(Content {
        outcomes: outcomes.collect::<Result<_, _>>()?,
        jobs: file.jobs()?,
        executions: file.executions(None, u32::MAX)?,
        runners: file.runners()?,
    })
}

fn name(number: usize) -> String {
    format!("damage/{number}")
}

/// A file with some hours of history.
async fn sound(path: &Path) -> Vec<u8> {
    let jobs = (0..JOBS).map(|number| {
        let job = Job::parse(&name(number), "*/10 * * * * @win(after,9m) @policy(deadline=1h)").unwrap();
        RunnerJob::new(job, |_: Start| async { ExecutionResult::exited(3) })
    });
    let store = SqliteStore::open(path).unwrap();
    let runner = Runner::new(store).clock(SimulatedClock::new(BEGIN * 1000)).jobs(jobs);
    runner.run(tokio::time::sleep(Duration::from_secs(4 * 3600))).await.unwrap();
    std::fs::read(path).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_damaged_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    let bytes = sound(&path).await;
    let expected = content(&path).unwrap();
    let pages = bytes.len() / PAGE;
    assert!(pages > 40 && expected.executions.len() > 500, "{pages} pages");
    let (first, seeds) = (number("KRON_RUNNER_FIRST", 0), number("KRON_RUNNER_SEEDS", 150));
    let (mut refused, mut unread) = (0, 0);
    for seed in first..first + seeds {
        let mut random = Random(seed);
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(4) {
            // At the head of a page, or anywhere.
            let at = match random.one_in(3) {
                true => random.below(bytes.len() - 900),
                false => random.below(pages) * PAGE,
            };
            damaged[at..at + 900].fill_with(|| u8::try_from(random.below(256)).unwrap());
        }
        std::fs::write(&path, &damaged).unwrap();
        match SqliteStore::open(&path) {
            Err(error) => {
                assert_eq!(error.kind, StoreErrorKind::Damaged, "seed {seed}: {error}");
                assert!(std::fs::read(&path).unwrap() == damaged, "seed {seed}: it was changed");
                refused += 1;
                continue;
            }
            Ok(store) => drop(store),
        }
        // What no start depends on is read later.
        match content(&path) {
            Ok(read) => assert!(read == expected, "seed {seed}: the content is another one"),
            Err(error) => {
                assert_eq!(error.kind, StoreErrorKind::Damaged, "seed {seed}: {error}");
                unread += 1;
            }
        }
    }
    println!("{seeds} seeds: {refused} refused, {unread} with a history that cannot be read");
    assert!(refused * 10 > seeds * 9 || seeds < 100, "{refused} of {seeds} are refused");
}

#[tokio::test(start_paused = true)]
async fn a_new_state_keeps_the_damaged_one_aside() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("kron.db");
    let mut bytes = sound(&path).await;
    let new = Opening { replace_damaged: true, ..Opening::default() };
    // One that is sound stays.
    let store = SqliteStore::open_with(&path, new).unwrap();
    assert!(store.kept_aside().is_none());
    drop(store);
    assert_eq!(content(&path).unwrap().jobs.len(), JOBS);
    bytes[5 * PAGE..6 * PAGE].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let error = SqliteStore::open(&path).unwrap_err().to_string();
    assert!(error.contains("kron.db: the state file is damaged: "), "{error}");
    let store = SqliteStore::open_with(&path, new).unwrap();
    let kept = store.kept_aside().unwrap().to_path_buf();
    let text = kept.file_name().unwrap().to_string_lossy().into_owned();
    assert!(text.starts_with("kron.db.damaged-20") && text.ends_with('Z'), "{text}");
    assert!(std::fs::read(&kept).unwrap() == bytes);
    assert_eq!(SqliteStore::open(&path).unwrap_err().kind, StoreErrorKind::InUse);
    store.check_place().unwrap();
    drop(store);
    assert!(content(&path).unwrap().jobs.is_empty());
    // A file of another program is nobody's damaged state.
    std::fs::write(&path, "precious").unwrap();
    assert_eq!(SqliteStore::open_with(&path, new).unwrap_err().kind, StoreErrorKind::Schema);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
}
