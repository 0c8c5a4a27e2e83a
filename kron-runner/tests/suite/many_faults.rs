//! Faults while hundreds of jobs start in one second: runners are killed, writes fail, starts fail, the clock is set, jobs are read again.
//!
//! `KRON_RUNNER_SEEDS` and `KRON_RUNNER_FIRST` run other seeds.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kron_core::{Job, Outcome};
use kron_host::{Cause, Trigger};
use kron_runner::{
    BoxFuture, ExecutionResult, Handler, HistoryLimits, Runner, RunnerHandle, RunnerJob, Running, Start,
    StartError, cause_word,
};
use tokio::sync::Semaphore;

use crate::many::Waits;
use crate::random::{Random, number};
use crate::world::{BEGIN, Fault, World};

const JOBS: usize = 300;
const MINUTES: i64 = 3;
const DEADLINE: i64 = 50;
const KEPT: HistoryLimits = HistoryLimits { successful: u32::MAX, failed: u32::MAX, outcomes: u32::MAX };

fn millis(millis: usize) -> Duration {
    Duration::from_millis(millis as u64)
}

fn name(number: usize) -> String {
    format!("many/job-{number:03}")
}

/// Starts commands, which outlive no runner.
#[derive(Clone)]
struct Commands {
    random: Arc<Mutex<Random>>,
    processors: Arc<Semaphore>,
    /// How often each period of each job ran, by its nominal time.
    ran: Arc<Mutex<BTreeMap<(String, i64), usize>>>,
}

impl Commands {
    fn below(&self, end: usize) -> usize {
        self.random.lock().unwrap().below(end)
    }

    fn jobs(&self) -> Vec<RunnerJob> {
        let text = format!("* * * * * @policy(deadline={DEADLINE}s,concurrency=allow)");
        let job = |number| Job::parse(&name(number), &text).unwrap();
        (0..JOBS).map(|number| RunnerJob::new(job(number), self.clone()).with_history(KEPT)).collect()
    }
}

impl Handler for Commands {
    fn start(&self, start: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        let this = self.clone();
        Box::pin(async move {
            let turn = this.processors.acquire().await.unwrap();
            tokio::time::sleep(millis(this.below(8))).await;
            drop(turn);
            if this.below(30) == 0 {
                return Err(StartError { message: "no more processes".into(), retry: true });
            }
            if let Trigger::Period { nominal, .. } = start.trigger {
                *this.ran.lock().unwrap().entry((start.job, nominal)).or_default() += 1;
            }
            // A runner that is killed here never hears that the command began.
            tokio::time::sleep(millis(this.below(10))).await;
            let takes = millis(this.below(2000));
            let result = Box::pin(async move {
                tokio::time::sleep(takes).await;
                ExecutionResult::exited(0)
            });
            Ok(Running { process: None, result })
        })
    }
}

/// What is done to a runner.
async fn faults(world: &World, commands: &Commands, handle: &RunnerHandle) {
    for _ in 0..commands.below(30) {
        tokio::time::sleep(millis(commands.below(300))).await;
        let fault = [Fault::CrashBefore, Fault::CrashAfter, Fault::Refused, Fault::AnswerLost];
        match commands.below(12) {
            0..4 => world.store.fail(commands.below(12), fault[commands.below(4)]),
            4 => _ = handle.reload(commands.jobs()).await,
            5 => _ = tokio::time::timeout(millis(10), handle.run_now(&name(commands.below(JOBS)))).await,
            6 => world.clock.set(world.now() + 1000 * (commands.below(9) as i64 - 4)),
            7 => *world.store.full.lock().unwrap() ^= true,
            8 => tokio::time::sleep(millis(commands.below(20_000))).await,
            _ => {}
        }
    }
}

/// What the store and the commands disagree about.
fn problems(world: &World, commands: &Commands) -> Vec<String> {
    let mut problems = Vec::new();
    let ran = commands.ran.lock().unwrap();
    for name in (0..JOBS).map(name) {
        let outcomes = world.store.memory.outcomes(&name);
        for nominal in (1..=MINUTES).map(|minute| BEGIN + 60 * minute) {
            let times = ran.get(&(name.clone(), nominal)).copied().unwrap_or(0);
            let found = outcomes.iter().find(|outcome| outcome.nominal == Some(nominal));
            let is_right = match found.map(|found| (found.outcome, &found.cause)) {
                None => false,
                Some((Outcome::Executed, _)) => times == 1,
                Some((_, Cause::MaybeRemoved { .. })) => times <= 1,
                Some(_) => times == 0,
            };
            if !is_right {
                problems.push(format!("{name}, minute {}: ran {times} times, {found:?}", nominal - BEGIN));
            }
        }
    }
    problems
}

/// What there is of each outcome and cause.
type Counts = BTreeMap<(&'static str, &'static str), usize>;

async fn run(seed: u64, counts: &mut Counts) -> Vec<String> {
    let world = World::new();
    let random = Arc::new(Mutex::new(Random(seed)));
    let processors = Arc::new(Semaphore::new([1, 2, 8, 300][random.lock().unwrap().below(4)]));
    let commands = Commands { random, processors, ran: Arc::default() };
    let waits = Arc::<AtomicUsize>::default();
    let runner = || {
        waits.store(0, Ordering::Relaxed);
        let runner = Runner::new(world.store.clone()).clock(Waits(world.clock.clone(), waits.clone()));
        runner.jobs(commands.jobs()).drain(millis(commands.below(3000))).grace(millis(commands.below(500)))
    };
    // The jobs are there before their first period.
    runner().run(world.until(BEGIN + 1)).await.unwrap();
    let end = BEGIN + 60 * (MINUTES + 1) - 1;
    while world.now() < (end - 20) * 1000 {
        let runner = runner();
        let handle = runner.handle();
        let shutdown = async {
            // Most of it happens while they start.
            let left = 60_000 - world.now().rem_euclid(60_000);
            if commands.below(3) > 0 && left < 40_000 {
                tokio::time::sleep(millis(usize::try_from(left).unwrap() + commands.below(500))).await;
            }
            faults(&world, &commands, &handle).await;
        };
        tokio::select! {
            biased;
            () = world.store.crash() => {}
            // A runner that could not write says so.
            _ = runner.run(shutdown) => {}
        }
        world.store.heal();
        *world.store.full.lock().unwrap() = false;
    }
    runner().run(world.until(world.now().div_euclid(1000).max(end) + 2 * DEADLINE)).await.unwrap();
    for outcome in (0..JOBS).flat_map(|number| world.store.memory.outcomes(&name(number))) {
        *counts.entry((outcome.outcome.as_str(), cause_word(&outcome.cause))).or_default() += 1;
    }
    problems(&world, &commands)
}

#[test]
fn nothing_runs_twice_or_without_an_outcome_while_many_start() {
    let first = number("KRON_RUNNER_FIRST", 1);
    let mut counts = Counts::new();
    for seed in first..first + number("KRON_RUNNER_SEEDS", 10) {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let problems = runtime.block_on(run(seed, &mut counts));
        assert!(
            problems.is_empty(),
            "seed {seed}: {}\n{}",
            problems.len(),
            problems[..problems.len().min(5)].join("\n")
        );
    }
    println!("{counts:?}");
}
