//! Thousands of jobs that are due in one second.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kron_core::Job;
use kron_runner::{
    BoxFuture, Clock, ExecutionResult, Handler, MemoryStore, Runner, RunnerJob, Running, SimulatedClock,
    Start, StartError, Store, Waited,
};
use tokio::sync::Semaphore;

use crate::world::{BEGIN, Fault, FaultyStore};

const JOBS: usize = 2000;
/// How long the system needs for one start.
const START: Duration = Duration::from_millis(10);
/// How many starts may be unknown after a kill.
const ANNOUNCED: usize = 256;

/// A machine that makes two starts side by side.
#[derive(Clone)]
struct Machine {
    store: MemoryStore,
    clock: Arc<SimulatedClock>,
    processors: Arc<Semaphore>,
    ran: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Handler for Machine {
    fn start(&self, start: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        let machine = self.clone();
        Box::pin(async move {
            let turn = machine.processors.acquire().await.unwrap();
            tokio::time::sleep(START).await;
            drop(turn);
            *machine.ran.lock().unwrap().entry(start.job).or_default() += 1;
            let result = Box::pin(std::future::ready(ExecutionResult::succeeded()));
            Ok(Running { process: None, result })
        })
    }
}

/// Counts how often it was waited for a time.
#[derive(Debug)]
pub(crate) struct Waits(pub(crate) Arc<SimulatedClock>, pub(crate) Arc<AtomicUsize>);

impl Clock for Waits {
    fn now(&self) -> i64 {
        self.0.now()
    }

    fn wait_until(&self, at: Option<i64>) -> BoxFuture<'_, Waited> {
        assert!(self.1.fetch_add(1, Ordering::Relaxed) < 10_000, "the runner never rests");
        self.0.wait_until(at)
    }
}

impl Machine {
    fn new() -> Machine {
        Machine {
            store: MemoryStore::new(),
            clock: Arc::new(SimulatedClock::new(BEGIN * 1000 + 500)),
            processors: Arc::new(Semaphore::new(2)),
            ran: Arc::default(),
        }
    }

    fn runner(&self, text: &str) -> Runner {
        self.runner_with(self.store.clone(), text)
    }

    fn runner_with(&self, store: impl Store, text: &str) -> Runner {
        let job = |number: usize| Job::parse(&format!("many/job-{number:04}"), text).unwrap();
        let jobs = (0..JOBS).map(|number| RunnerJob::new(job(number), self.clone()));
        Runner::new(store).clock(self.clock.clone()).jobs(jobs)
    }

    fn names(&self) -> Vec<String> {
        self.store.jobs().into_iter().map(|job| job.name).collect()
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_of_many_is_in_time_and_the_runner_answers_meanwhile() {
    let machine = Machine::new();
    let runner = machine.runner("* * * * *");
    let handle = runner.handle();
    let test = async {
        tokio::time::sleep(Duration::from_secs(60)).await;
        for _ in 0..10 {
            let asked = tokio::time::Instant::now();
            let report = handle.report().await.unwrap();
            assert!(report.active <= ANNOUNCED && asked.elapsed() < Duration::from_millis(100));
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        // All of them have been made, with a deadline of no second.
        tokio::time::sleep(Duration::from_secs(10)).await;
    };
    runner.run(test).await.unwrap();
    let ran = machine.ran.lock().unwrap();
    assert_eq!((ran.len(), ran.values().sum::<usize>()), (JOBS, JOBS));
}

#[tokio::test(start_paused = true)]
async fn a_kill_in_the_middle_leaves_few_starts_unknown() {
    let machine = Machine::new();
    let text = "* * * * * @policy(deadline=50s)";
    // The process is killed after a third of the starts.
    let killed =
        tokio::time::timeout(Duration::from_secs(65), machine.runner(text).run(std::future::pending()));
    assert!(killed.await.is_err());
    let names = machine.names();
    let unknown = |execution: &kron_runner::ExecutionRecord| execution.began.is_none();
    let unknown = names.iter().filter(|name| machine.store.executions(name).iter().any(unknown)).count();
    assert!((1..=ANNOUNCED).contains(&unknown), "{unknown}");
    let before = machine.ran.lock().unwrap().len();
    assert!((500..1500).contains(&before), "{before}");
    // The next one makes those that were not announced, and no other one.
    let rest = tokio::time::sleep(Duration::from_secs(40));
    machine.runner(text).run(rest).await.unwrap();
    let ran = machine.ran.lock().unwrap();
    assert!(ran.values().all(|count| *count == 1));
    assert!(ran.len() >= JOBS - unknown, "{} ran, {unknown} unknown", ran.len());
}

#[tokio::test(start_paused = true)]
async fn many_starts_share_their_writes() {
    let machine = Machine::new();
    let mut store = FaultyStore::default();
    store.memory = machine.store.clone();
    let store = Arc::new(store);
    let runner = machine.runner_with(store.clone(), "* * * * *");
    let writes = || store.writes.load(Ordering::Relaxed);
    let test = async {
        tokio::time::sleep(Duration::from_secs(59)).await;
        let before = writes();
        tokio::time::sleep(Duration::from_secs(20)).await;
        let during = writes() - before;
        assert!((JOBS / 256..JOBS / 4).contains(&during), "{during}");
    };
    runner.run(test).await.unwrap();
    assert_eq!(machine.ran.lock().unwrap().len(), JOBS);
}

#[tokio::test(start_paused = true)]
async fn a_write_that_failed_waits_for_more_jobs_without_a_busy_loop() {
    let machine = Machine::new();
    let mut store = FaultyStore::default();
    store.memory = machine.store.clone();
    let (store, waits) = (Arc::new(store), Arc::<AtomicUsize>::default());
    let runner = machine.runner_with(store.clone(), "* * * * *");
    let runner = runner.clock(Waits(machine.clock.clone(), waits.clone()));
    let handle = runner.handle();
    let test = async {
        let no_start_ends = machine.processors.acquire_many(2).await.unwrap();
        tokio::time::sleep(Duration::from_secs(61)).await;
        assert_eq!(handle.report().await.unwrap().active, ANNOUNCED);
        let before = waits.load(Ordering::Relaxed);
        store.fail(0, Fault::Refused);
        handle.suspend("many/job-0000").await.unwrap();
        assert_eq!(handle.report().await.unwrap().store_errors, 1);
        assert!(waits.load(Ordering::Relaxed) - before < 20);
        drop(no_start_ends);
    };
    runner.run(test).await.unwrap();
}
