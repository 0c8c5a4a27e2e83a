//! What the tests share: jobs, a store that fails, and handlers that note what ran.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kron_core::{Job, Outcome};
use kron_host::{HostReport, Trigger};
use kron_runner::{
    BoxFuture, Change, ClockAhead, ExecutionRecord, Handler, MemoryStore, OutcomeRecord, Runner, RunnerError,
    RunnerEvent, RunnerJob, RunnerRecord, Running, SimulatedClock, SqliteStore, Start, StartError, Store,
    StoreError, StoreErrorKind, StoredJob,
};
use tokio::sync::Notify;

/// 2026-03-01T00:00:00Z.
pub const BEGIN: i64 = 1_772_323_200;

pub fn job(text: &str) -> Job {
    Job::parse("runner/test", text).unwrap()
}

/// The nominal times of the starts of a job in (BEGIN, end).
pub fn nominals(job: &Job, end: i64) -> Vec<i64> {
    let starts = job.starts(BEGIN + 1..end).map_while(Result::ok);
    starts.map(|start| start.nominal_timestamp()).collect()
}

/// What a handler saw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    pub trigger: Trigger,
    /// Unix milliseconds.
    pub at: i64,
    /// When it ended, and whether it was asked to.
    pub ended: Option<(i64, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The process ends before the write is carried out.
    CrashBefore,
    /// The process ends after the write is carried out.
    CrashAfter,
    /// The write is refused, as by a full disk.
    Refused,
    /// The write is carried out, and says that it failed.
    AnswerLost,
}

/// A store in memory whose writes fail as the test asks. A file, if there is one, is written in the same way and has to say
/// the same.
#[derive(Debug, Default)]
pub struct FaultyStore {
    pub memory: MemoryStore,
    pub file: Option<Arc<SqliteStore>>,
    /// Held by the write that is under way.
    writing: Arc<tokio::sync::Mutex<()>>,
    /// Writes until the fault, and which one.
    fault: Mutex<Option<(usize, Fault)>>,
    /// Whether all writes are refused.
    pub full: Mutex<bool>,
    /// How long a write takes longer than a moment.
    pub delay: Duration,
    /// How many writes there were.
    pub writes: AtomicUsize,
    crashed: Notify,
}

impl FaultyStore {
    pub fn fail(&self, after: usize, fault: Fault) {
        *self.fault.lock().unwrap() = Some((after, fault));
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

    /// From now on nothing fails.
    pub fn heal(&self) {
        *self.fault.lock().unwrap() = None;
    }

    /// Waits for a crash.
    pub async fn crash(&self) {
        self.crashed.notified().await;
    }

    /// Whether a fault is still to come.
    pub fn is_armed(&self) -> bool {
        self.fault.lock().unwrap().is_some()
    }
}

impl FaultyStore {
    /// Writes both or neither, also if the runner is killed meanwhile.
    async fn write(&self, changes: Vec<Change>) -> Result<(), StoreError> {
        let (memory, file, writing) = (self.memory.clone(), self.file.clone(), self.writing.clone());
        let Some(file) = file else { return memory.commit(changes).await };
        let both = async move {
            let _writing = writing.lock_owned().await;
            file.commit(changes.clone()).await?;
            memory.commit(changes).await
        };
        tokio::spawn(both).await.unwrap()
    }
}

/// Stores give executions in no order.
fn sort(executions: &mut [ExecutionRecord]) {
    executions.sort_by(|a, b| (&a.job, &a.name, a.created).cmp(&(&b.job, &b.name, b.created)));
}

impl Store for FaultyStore {
    fn load(&self, runner: &RunnerRecord) -> BoxFuture<'_, Result<Vec<StoredJob>, StoreError>> {
        let runner = runner.clone();
        Box::pin(async move {
            let _written = self.writing.lock().await;
            let mut loaded = self.memory.load(&runner).await?;
            if let Some(file) = &self.file {
                let mut in_file = file.load(&runner).await?;
                for job in loaded.iter_mut().chain(&mut in_file) {
                    sort(&mut job.executions);
                }
                assert_eq!(in_file, loaded);
            }
            Ok(loaded)
        })
    }

    fn executions_after(&self, chosen: i64) -> BoxFuture<'_, Result<Vec<ExecutionRecord>, StoreError>> {
        Box::pin(async move {
            let _written = self.writing.lock().await;
            let mut found = self.memory.executions_after(chosen).await?;
            if let Some(file) = &self.file {
                let mut in_file = file.executions_after(chosen).await?;
                [&mut found, &mut in_file].into_iter().for_each(|all| sort(all));
                assert_eq!(in_file, found);
            }
            Ok(found)
        })
    }

    fn clock_ahead(&self, now: i64) -> BoxFuture<'_, Result<Vec<ClockAhead>, StoreError>> {
        Box::pin(async move {
            let _written = self.writing.lock().await;
            let found = self.memory.clock_ahead(now).await?;
            if let Some(file) = &self.file {
                assert_eq!(file.clock_ahead(now).await?, found);
            }
            Ok(found)
        })
    }

    fn commit(&self, changes: Vec<Change>) -> BoxFuture<'_, Result<(), StoreError>> {
        let error = || StoreError::new(StoreErrorKind::Io, "disk full");
        Box::pin(async move {
            self.writes.fetch_add(1, Ordering::Relaxed);
            let fault = self.next_fault();
            // A write takes a moment.
            tokio::time::sleep(Duration::from_millis(3) + self.delay).await;
            match fault {
                None => self.write(changes).await,
                Some(Fault::Refused) => Err(error()),
                Some(Fault::AnswerLost) => {
                    self.write(changes).await?;
                    Err(error())
                }
                Some(crash) => {
                    if crash == Fault::CrashAfter {
                        self.write(changes).await?;
                    }
                    self.crashed.notify_one();
                    std::future::pending().await
                }
            }
        })
    }
}

/// A machine: a clock, a store and what ran.
pub struct World {
    pub clock: Arc<SimulatedClock>,
    pub store: Arc<FaultyStore>,
    pub ran: Arc<Mutex<Vec<Ran>>>,
    /// Whether a runner has said that a suspension ended.
    pub resumed: Arc<AtomicBool>,
    /// For how many milliseconds each execution runs.
    pub takes: u64,
}

impl World {
    pub fn new() -> World {
        World {
            clock: Arc::new(SimulatedClock::new(BEGIN * 1000)),
            store: Arc::default(),
            ran: Arc::default(),
            resumed: Arc::default(),
            takes: 0,
        }
    }

    /// The same, with a store that also writes a file.
    pub fn with_file(file: SqliteStore) -> World {
        let store = Arc::new(FaultyStore { file: Some(Arc::new(file)), ..FaultyStore::default() });
        World { store, ..World::new() }
    }

    pub fn now(&self) -> i64 {
        kron_runner::Clock::now(&*self.clock)
    }

    /// A job whose executions are noted.
    pub fn noted(&self, job: Job) -> RunnerJob {
        let (ran, clock, takes) = (self.ran.clone(), self.clock.clone(), self.takes);
        RunnerJob::new(job, move |start: Start| {
            let (ran, clock) = (ran.clone(), clock.clone());
            async move {
                let index = {
                    let mut ran = ran.lock().unwrap();
                    let at = kron_runner::Clock::now(&*clock);
                    ran.push(Ran { trigger: start.trigger, at, ended: None });
                    ran.len() - 1
                };
                let stopped = tokio::select! {
                    () = tokio::time::sleep(Duration::from_millis(takes)) => false,
                    () = start.stop.requested.cancelled() => true,
                };
                ran.lock().unwrap()[index].ended = Some((kron_runner::Clock::now(&*clock), stopped));
            }
        })
    }

    pub fn runner(&self, jobs: Vec<Job>) -> Runner {
        let jobs: Vec<RunnerJob> = jobs.into_iter().map(|job| self.noted(job)).collect();
        let resumed = self.resumed.clone();
        let runner = Runner::new(self.store.clone()).clock(self.clock.clone()).jobs(jobs);
        runner.on_event(move |event| {
            if let RunnerEvent::Reported { report: HostReport::Resumed { .. }, .. } = event {
                resumed.store(true, Ordering::Relaxed);
            }
        })
    }

    /// Waits until the clock shows that Unix second.
    pub async fn until(&self, second: i64) {
        let left = u64::try_from(second * 1000 - self.now()).unwrap_or(0);
        tokio::time::sleep(Duration::from_millis(left)).await;
    }

    /// Runs jobs until that second, then shuts down. Says whether the process crashed before.
    pub async fn run(&self, jobs: Vec<Job>, until: i64) -> Result<bool, RunnerError> {
        self.run_this(self.runner(jobs), until).await
    }

    /// The same, with a runner that was made already.
    pub async fn run_this(&self, runner: Runner, until: i64) -> Result<bool, RunnerError> {
        let runner = runner.run(self.until(until));
        tokio::select! {
            // A crash that has happened goes first.
            biased;
            () = self.store.crash() => Ok(true),
            ended = runner => ended.map(|()| false),
        }
    }

    /// The nominal times of the periods that ran, in order.
    pub fn periods(&self) -> Vec<i64> {
        let ran = self.ran.lock().unwrap();
        let periods = ran.iter().filter_map(|ran| match ran.trigger {
            Trigger::Period { nominal, .. } => Some(nominal),
            Trigger::RunNow { .. } => None,
        });
        periods.collect()
    }

    /// The stored outcomes of periods, by nominal time.
    pub fn outcomes(&self) -> BTreeMap<i64, OutcomeRecord> {
        let all = self.store.memory.outcomes("runner/test").into_iter();
        all.filter_map(|outcome| Some((outcome.nominal?, outcome))).collect()
    }

    pub fn outcome(&self, nominal: i64) -> Option<Outcome> {
        self.outcomes().get(&nominal).map(|outcome| outcome.outcome)
    }
}

/// Its starts never end: the file system of a working directory does not answer.
pub struct Hangs;

impl Handler for Hangs {
    fn start(&self, _: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        Box::pin(std::future::pending())
    }
}
