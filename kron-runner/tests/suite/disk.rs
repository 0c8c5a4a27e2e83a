//! The SQLite file alone, on a disk that fails, in simulated time: crashes before, after and in the middle of writes, writes
//! that are refused, answers that get lost and a full disk, while jobs are edited and run on request.
//!
//! The jobs are those with which kron-core tests its state machine. `KRON_RUNNER_SEEDS` and `KRON_RUNNER_FIRST` run other seeds:
//!
//! ```sh
//! KRON_RUNNER_SEEDS=5000 cargo test --release -p kron-runner --features sqlite --test suite disk::
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kron_core::{Job, Outcome};
use kron_host::Cause;
use kron_runner::{
    BoxFuture, Change, Clock, ClockAhead, ExecutionRecord, ExecutionStatus, HistoryLimits, Runner,
    RunnerError, RunnerJob, RunnerRecord, SimulatedClock, SqliteStore, Start, StateFile, Store, StoreError,
    StoreErrorKind, StoredJob,
};
use tokio::sync::Notify;

use crate::random::{Random, number};
use crate::world::BEGIN;

const TEXTS: &str = include_str!("../../../testing/data/host/jobs.txt");
const NAMES: [&str; 2] = ["disk/a", "disk/b"];
/// A disk writes a sector whole or not at all.
const SECTOR: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The power fails before the write.
    CrashBefore,
    /// The power fails when some sectors of the write are on the disk.
    Torn,
    /// The power fails after the write, before its answer.
    CrashAfter,
    /// The disk is full.
    Refused,
    /// The write is carried out, and says that it failed.
    AnswerLost,
}

const FAULTS: [Fault; 5] =
    [Fault::CrashBefore, Fault::Torn, Fault::CrashAfter, Fault::Refused, Fault::AnswerLost];

/// What is on the disk: the database and its log.
#[derive(Clone, Default, PartialEq, Eq)]
struct Image {
    database: Vec<u8>,
    log: Vec<u8>,
}

fn log_of(path: &Path) -> PathBuf {
    path.with_extension("db-wal")
}

impl Image {
    fn read(path: &Path) -> Image {
        let read = |path: &Path| std::fs::read(path).unwrap_or_default();
        Image { database: read(path), log: read(&log_of(path)) }
    }

    fn write(&self, path: &Path) {
        std::fs::write(path, &self.database).unwrap();
        std::fs::write(log_of(path), &self.log).unwrap();
    }

    /// What can be on the disk if the power fails between two states. The log is on the disk before the database changes, so
    /// only one of them is torn.
    fn torn(before: &Image, after: &Image, random: &mut Random) -> Image {
        if before.database == after.database || random.one_in(2) {
            return Image { database: before.database.clone(), log: torn(&before.log, &after.log, random) };
        }
        Image { database: torn(&before.database, &after.database, random), log: after.log.clone() }
    }
}

/// Some of the sectors that differ: the first ones, or any.
fn torn(before: &[u8], after: &[u8], random: &mut Random) -> Vec<u8> {
    let sector = |index: usize| index * SECTOR..((index + 1) * SECTOR).min(after.len());
    let all = 0..after.len().div_ceil(SECTOR);
    let differ = |index: &usize| before.get(sector(*index)) != after.get(sector(*index));
    let differ: Vec<usize> = all.filter(differ).collect();
    let (in_order, reached) = (random.one_in(2), random.below(differ.len() + 1));
    let mut disk = before.to_vec();
    // SQLite writes a new log over the old one, which can be longer.
    if after.len() < before.len() && random.one_in(2) {
        disk.truncate(after.len());
    }
    for (at, index) in differ.into_iter().enumerate() {
        if if in_order { at < reached } else { random.one_in(2) } {
            let range = sector(index);
            // What was not written between two sectors that were is zeros.
            disk.resize(disk.len().max(range.end), 0);
            disk[range.clone()].copy_from_slice(&after[range]);
        }
    }
    disk
}

/// A store in a SQLite file, on a disk that fails.
struct Disk {
    directory: tempfile::TempDir,
    /// How often the power has failed. Each time the file goes on in another directory.
    boots: AtomicUsize,
    file: Mutex<Arc<SqliteStore>>,
    /// What the crash has left on the disk.
    left: Mutex<Option<Image>>,
    /// Writes until the fault, and which one.
    fault: Mutex<Option<(usize, Fault)>>,
    full: Mutex<bool>,
    /// Whether the power fails in the next write that changes the database.
    copy: Mutex<bool>,
    random: Mutex<Random>,
    crashed: Notify,
    /// How many images had a part of a write, of the log or of the database.
    parts: [AtomicUsize; 2],
}

impl Disk {
    fn new(seed: u64) -> Disk {
        // In memory where that is possible: what is lost in a crash is simulated, so the real disk need not be waited for.
        let memory = Path::new("/dev/shm");
        let directory = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
        let directory = directory.unwrap();
        let file = SqliteStore::open(directory.path().join("0.db")).unwrap();
        Disk {
            directory,
            boots: AtomicUsize::new(0),
            file: Mutex::new(Arc::new(file)),
            left: Mutex::default(),
            fault: Mutex::default(),
            full: Mutex::default(),
            copy: Mutex::default(),
            random: Mutex::new(Random(!seed)),
            crashed: Notify::new(),
            parts: Default::default(),
        }
    }

    fn path(&self) -> PathBuf {
        self.directory.path().join(format!("{}.db", self.boots.load(Ordering::Relaxed)))
    }

    fn file(&self) -> Arc<SqliteStore> {
        self.file.lock().unwrap().clone()
    }

    fn fail(&self, after: usize, fault: Fault) {
        *self.fault.lock().unwrap() = Some((after, fault));
    }

    fn fail_copy(&self) {
        *self.copy.lock().unwrap() = true;
    }

    fn heal(&self) {
        *self.fault.lock().unwrap() = None;
        *self.copy.lock().unwrap() = false;
        *self.full.lock().unwrap() = false;
    }

    fn next_fault(&self) -> Option<Fault> {
        if *self.full.lock().unwrap() {
            return Some(Fault::Refused);
        }
        let mut next = self.fault.lock().unwrap();
        let (after, fault) = (*next)?;
        *next = after.checked_sub(1).map(|after| (after, fault));
        next.is_none().then_some(fault)
    }

    /// Opens what the crash has left, as the next boot of the machine does.
    fn reboot(&self) {
        let image = self.left.lock().unwrap().take().unwrap();
        self.boots.fetch_add(1, Ordering::Relaxed);
        image.write(&self.path());
        *self.file.lock().unwrap() = Arc::new(SqliteStore::open(self.path()).unwrap());
    }

    async fn crash(&self, left: Image) -> Result<(), StoreError> {
        *self.left.lock().unwrap() = Some(left);
        self.crashed.notify_one();
        std::future::pending().await
    }
}

impl Store for Disk {
    fn load(&self, runner: &RunnerRecord) -> BoxFuture<'_, Result<Vec<StoredJob>, StoreError>> {
        let (file, runner) = (self.file(), runner.clone());
        Box::pin(async move { file.load(&runner).await })
    }

    fn executions_after(&self, chosen: i64) -> BoxFuture<'_, Result<Vec<ExecutionRecord>, StoreError>> {
        let file = self.file();
        Box::pin(async move { file.executions_after(chosen).await })
    }

    fn clock_ahead(&self, now: i64) -> BoxFuture<'_, Result<Vec<ClockAhead>, StoreError>> {
        let file = self.file();
        Box::pin(async move { file.clock_ahead(now).await })
    }

    fn commit(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), StoreError>> {
        let (file, path) = (self.file(), self.path());
        let error = || StoreError::new(StoreErrorKind::Io, "disk full");
        Box::pin(async move {
            let fault = self.next_fault();
            // A write takes a moment.
            tokio::time::sleep(Duration::from_millis(3)).await;
            match fault {
                None if *self.copy.lock().unwrap() => {
                    let before = Image::read(&path);
                    file.commit(changes).await?;
                    let after = Image::read(&path);
                    if after.database == before.database {
                        return Ok(());
                    }
                    let database = torn(&before.database, &after.database, &mut self.random.lock().unwrap());
                    let is_part = database != before.database && database != after.database;
                    self.parts[1].fetch_add(usize::from(is_part), Ordering::Relaxed);
                    self.crash(Image { database, log: after.log }).await
                }
                None => file.commit(changes).await,
                Some(Fault::Refused) => Err(error()),
                Some(Fault::AnswerLost) => {
                    file.commit(changes).await?;
                    Err(error())
                }
                Some(Fault::CrashBefore) => self.crash(Image::read(&path)).await,
                Some(Fault::CrashAfter) => {
                    file.commit(changes).await?;
                    self.crash(Image::read(&path)).await
                }
                Some(Fault::Torn) => {
                    let before = Image::read(&path);
                    file.commit(changes).await?;
                    let after = Image::read(&path);
                    let left = Image::torn(&before, &after, &mut self.random.lock().unwrap());
                    if left != before && left != after {
                        let part = usize::from(left.database != before.database);
                        self.parts[part].fetch_add(1, Ordering::Relaxed);
                    }
                    self.crash(left).await
                }
            }
        })
    }
}

/// A machine with two jobs.
struct Machine {
    disk: Arc<Disk>,
    clock: Arc<SimulatedClock>,
    /// Which job and which execution ran, and how often. This survives crashes.
    ran: Arc<Mutex<BTreeMap<(String, String), usize>>>,
    texts: [String; 2],
    /// Tokens of run-now requests that were answered.
    tokens: Arc<Mutex<Vec<(String, String)>>>,
    crashes: usize,
    /// Whether jobs were edited. The window of a period can then reach over the beginning of the configuration, which it did not
    /// in an earlier text: such a period was not in force, and nothing starts retroactively.
    edited: bool,
}

impl Machine {
    fn new(seed: u64, texts: [&str; 2]) -> Machine {
        Machine {
            disk: Arc::new(Disk::new(seed)),
            clock: Arc::new(SimulatedClock::new(BEGIN * 1000)),
            ran: Arc::default(),
            texts: texts.map(str::to_string),
            tokens: Arc::default(),
            crashes: 0,
            edited: false,
        }
    }

    fn jobs(&self) -> Vec<RunnerJob> {
        let job = |(name, text): (&&str, &String)| {
            let ran = self.ran.clone();
            let handler = move |start: Start| {
                let execution = (start.job, start.execution);
                // From nothing to a minute and a half, by the name.
                let length = execution.1.bytes().fold(0, |sum, byte| (sum * 31 + u64::from(byte)) % 90);
                *ran.lock().unwrap().entry(execution).or_default() += 1;
                async move {
                    tokio::select! {
                        () = tokio::time::sleep(Duration::from_secs(length)) => {}
                        () = start.stop.requested.cancelled() => {}
                    }
                }
            };
            let limits = HistoryLimits { successful: u32::MAX, failed: u32::MAX, outcomes: u32::MAX };
            RunnerJob::new(Job::parse(name, text).unwrap(), handler).with_history(limits)
        };
        NAMES.iter().zip(&self.texts).map(job).collect()
    }

    fn runner(&self) -> Runner {
        Runner::new(self.disk.clone()).clock(self.clock.clone()).jobs(self.jobs())
    }

    /// Runs until `end` ends or the power fails. Then it boots again.
    async fn run(&mut self, runner: Runner, end: impl Future<Output = ()> + Send) {
        let crashed = tokio::select! {
            // A crash that has happened goes first.
            biased;
            () = self.disk.crashed.notified() => true,
            ended = runner.run(end) => {
                // After a full disk at the end, the file does not have all that happened, as after a crash.
                assert!(matches!(ended, Ok(()) | Err(RunnerError::Store(_))), "{ended:?}");
                self.crashes += usize::from(ended.is_err());
                false
            }
        };
        if crashed {
            self.crashes += 1;
            self.disk.reboot();
        }
    }

    /// A while without faults, after which all that was due has one outcome.
    async fn recover(mut self, what: &str) {
        self.disk.heal();
        for text in &mut self.texts {
            *text = text.replace("suspend=true", "suspend=false");
        }
        let runner = self.runner();
        self.run(runner, tokio::time::sleep(Duration::from_secs(1800))).await;
        let end = self.clock.now().div_euclid(1000) - 60;
        let file = StateFile::open(self.disk.path()).unwrap();
        let mut ran = std::mem::take(&mut *self.ran.lock().unwrap());
        let twice: Vec<_> = ran.iter().filter(|(_, times)| **times > 1).collect();
        assert!(twice.is_empty(), "{what}: {twice:?} ran twice");
        for (name, text) in NAMES.iter().zip(&self.texts) {
            let outcomes = file.outcomes(name, i64::MIN, i64::MAX).unwrap();
            let executions = file.executions(Some(name), u32::MAX).unwrap();
            let mut lost = 0;
            for outcome in &outcomes {
                let id = |nominal| chrono::DateTime::from_timestamp(nominal, 0).unwrap();
                let key = match (outcome.nominal, &outcome.token) {
                    (Some(nominal), _) => id(nominal).to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
                    (None, token) => format!("run-now-{}", token.as_ref().unwrap()),
                };
                let times = ran.remove(&(name.to_string(), key.clone())).unwrap_or(0);
                match (outcome.outcome, &outcome.cause) {
                    (Outcome::Executed, _) => {
                        let execution = executions.iter().find(|execution| execution.name == key).unwrap();
                        let status = execution.result.as_ref().map(|result| result.status);
                        assert!(
                            times == 1 || status == Some(ExecutionStatus::Unknown),
                            "{what}: {outcome:?}"
                        );
                    }
                    (
                        Outcome::Missed,
                        Cause::MaybeRemoved { .. }
                        | Cause::MaybeRemovedBeforeEdit { .. }
                        | Cause::MaybeReplaced,
                    ) => lost += 1,
                    _ => assert_eq!(times, 0, "{what}: it ran, and is {outcome:?}"),
                }
            }
            // One for the schedule and one for a run-now request.
            assert!(lost <= 2 * self.crashes, "{what}: {lost} claims are lost in {} crashes", self.crashes);
            let row = file.job(name).unwrap().unwrap();
            let since = row.record.configuration.unwrap().since;
            // No window here is longer than that.
            let begin = if self.edited { since + 900 } else { i64::MIN };
            let missing: Vec<String> = Job::parse(name, text)
                .unwrap()
                .periods(since - 3600..end + 3600)
                .filter(|period| (since + 1..end).contains(&period.order_timestamp()))
                .filter(|period| period.nominal_timestamp() > begin)
                .filter(|period| {
                    outcomes.iter().all(|outcome| outcome.nominal != Some(period.nominal_timestamp()))
                })
                .map(|period| period.period_id())
                .collect();
            assert!(
                missing.is_empty(),
                "{what}: {name} {text}: {missing:?} have no outcome; {:?} {outcomes:?}",
                file.job(name)
            );
            for (_, token) in self.tokens.lock().unwrap().iter().filter(|(job, _)| job == name) {
                let count = outcomes.iter().filter(|outcome| outcome.token.as_ref() == Some(token)).count();
                assert_eq!(count, 1, "{what}: {name}: run now {token}");
            }
        }
        assert!(ran.is_empty(), "{what}: {ran:?} ran and have no outcome");
    }
}

/// Everything happens in any order.
async fn simulate(seed: u64) -> Arc<Disk> {
    let mut random = Random(seed);
    let texts: Vec<&str> = TEXTS.lines().collect();
    let pick = |random: &mut Random| texts[random.below(texts.len())];
    let mut machine = Machine::new(seed, [pick(&mut random), pick(&mut random)]);
    machine.edited = true;
    for _ in 0..2 + random.below(4) {
        let runner = machine.runner();
        let handle = runner.handle();
        let (disk, tokens, mut edited) =
            (machine.disk.clone(), machine.tokens.clone(), machine.texts.clone());
        let texts_after = Arc::new(Mutex::new(edited.clone()));
        let after = texts_after.clone();
        // The jobs of an edit are made of the machine's parts, which the run borrows.
        let parts = Machine {
            disk: disk.clone(),
            clock: machine.clock.clone(),
            ran: machine.ran.clone(),
            texts: edited.clone(),
            tokens: tokens.clone(),
            crashes: 0,
            edited: true,
        };
        let chances = &mut random;
        let events = async move {
            let (mut parts, random) = (parts, chances);
            for _ in 0..4 + random.below(20) {
                match random.below(9) {
                    0..=3 => tokio::time::sleep(Duration::from_millis(random.next() % 300_000)).await,
                    4 => {
                        edited[random.below(2)] = pick(random).to_string();
                        after.lock().unwrap().clone_from(&edited);
                        parts.texts.clone_from(&edited);
                        _ = handle.reload(parts.jobs()).await;
                    }
                    5 => {
                        let (handle, name, tokens) = (handle.clone(), NAMES[random.below(2)], tokens.clone());
                        tokio::spawn(async move {
                            if let Ok(token) = handle.run_now(name).await {
                                tokens.lock().unwrap().push((name.into(), token));
                            }
                        });
                    }
                    6 | 7 => disk.fail(random.below(15), FAULTS[random.below(FAULTS.len())]),
                    _ => {
                        *disk.full.lock().unwrap() = true;
                        tokio::time::sleep(Duration::from_millis(random.next() % 90_000)).await;
                        *disk.full.lock().unwrap() = false;
                    }
                }
            }
        };
        machine.run(runner, events).await;
        *machine.disk.full.lock().unwrap() = false;
        machine.texts.clone_from(&texts_after.lock().unwrap());
        // For a while no runner is there.
        tokio::time::sleep(Duration::from_millis(random.next() % 600_000)).await;
    }
    let disk = machine.disk.clone();
    machine.recover(&format!("seed {seed}")).await;
    disk
}

#[tokio::test(start_paused = true)]
async fn no_fault_of_a_disk_doubles_or_loses_a_period() {
    let first = number("KRON_RUNNER_FIRST", 0);
    let seeds = number("KRON_RUNNER_SEEDS", 60);
    let (mut log, mut database, mut boots) = (0, 0, 0);
    for seed in first..first + seeds {
        let disk = simulate(seed).await;
        log += disk.parts[0].load(Ordering::Relaxed);
        database += disk.parts[1].load(Ordering::Relaxed);
        boots += disk.boots.load(Ordering::Relaxed);
    }
    println!(
        "{seeds} seeds, {boots} crashes: {log} in a write of the log, {database} in one of the database"
    );
    assert!(log > 0 || seeds < 60, "no write was torn");
}

#[tokio::test(start_paused = true)]
async fn a_crash_in_any_write_of_the_file_doubles_and_loses_nothing() {
    let texts =
        ["*/2 * * * * @win(after,90s) @policy(deadline=45s)", "*/3 * * * * @policy(concurrency=replace)"];
    for fault in [Fault::CrashBefore, Fault::Torn, Fault::CrashAfter] {
        for write in 0.. {
            let mut machine = Machine::new(write as u64, texts);
            machine.disk.fail(write, fault);
            let runner = machine.runner();
            machine.run(runner, tokio::time::sleep(Duration::from_secs(480))).await;
            if machine.crashes == 0 {
                assert!(write > 15, "only {write} writes");
                break;
            }
            // The next runner comes at once, or late for the deadline.
            tokio::time::sleep(Duration::from_secs(if write % 2 == 0 { 0 } else { 70 })).await;
            machine.recover(&format!("{fault:?} {write}")).await;
        }
    }
}

/// The database is written from its log now and then. A crash in the middle of that loses nothing either.
#[tokio::test(start_paused = true)]
async fn a_crash_while_the_log_is_copied_loses_nothing() {
    let mut torn = 0;
    for seed in 0..12 {
        // SQLite copies its log after a hundred pages.
        let texts = ["* * * * * @policy(concurrency=allow)", "* * * * * @win(after,30s)"];
        let mut machine = Machine::new(seed, texts);
        machine.disk.fail_copy();
        let runner = machine.runner();
        machine.run(runner, tokio::time::sleep(Duration::from_secs(4 * 3600))).await;
        assert_eq!(machine.crashes, 1, "the log was not copied");
        torn += machine.disk.parts[1].load(Ordering::Relaxed);
        machine.recover(&format!("copy {seed}")).await;
    }
    assert!(torn > 0, "no copy was torn");
}
