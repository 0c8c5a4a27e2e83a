//! A machine with all faults at once, on a clock of its own: runners are killed, the clock is set, the disk is full, jobs are edited,
//! suspended, removed and run on request. Commands outlive their runner, as processes do.
//!
//! `KRON_RUNNER_SEEDS` and `KRON_RUNNER_FIRST` run other seeds.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kron_core::Outcome;
use kron_host::{Cause, Trigger};
use kron_runner::{
    BoxFuture, ExecutionRecord, ExecutionResult, Handler, HistoryLimits, ProcessId, Runner, RunnerHandle,
    RunnerJob, Running, SqliteStore, Start, StartError, StopSignal,
};
use tokio::time::Instant;

use crate::random::{Random, number};
use crate::world::{BEGIN, Fault, World, job};

const NAME: &str = "runner/test";
const KEPT: HistoryLimits = HistoryLimits { successful: u32::MAX, failed: u32::MAX, outcomes: u32::MAX };
const TEXTS: [&str; 6] = [
    "* * * * *",
    "* * * * * @policy(deadline=90s)",
    "* * * * * @win(after,40s) @policy(deadline=10m)",
    "*/2 * * * * @win(around,3m) @policy(deadline=20s)",
    "* * * * * @win(before,90s) @policy(deadline=2m)",
    "*/5 * * * * @win(after,5m) @policy(deadline=1h)",
];

/// Seeds that found faults: a period that ran twice after the clock went back, and how its record says so; an outcome of
/// a lost claim that was decided again; a start beside a request; an edit that moves the start of a period that ran; a job that was
/// removed and returned; an outcome that no record brought into the history; a lost claim of a suspended job; a record that went on
/// while a start was under way.
const FOUND: [u64; 14] = [35, 132, 163, 4170, 5879, 2586, 1185, 958, 4775, 5194, 11792, 15202, 24915, 26513];

/// A command that ran, in the time that passes and that nobody can set.
#[derive(Clone, Debug)]
struct Command {
    trigger: Trigger,
    began: Instant,
    ends: Instant,
}

/// What runs the commands: it is not part of the runner, and nothing ends it.
#[derive(Clone)]
struct Commands {
    all: Arc<Mutex<Vec<Command>>>,
    random: Arc<Mutex<Random>>,
}

fn millis(millis: usize) -> Duration {
    Duration::from_millis(millis as u64)
}

impl Commands {
    fn below(&self, end: usize) -> usize {
        self.random.lock().unwrap().below(end)
    }

    /// Waits for the end of a command. One that is asked to stop takes a moment.
    fn wait(&self, index: usize, stop: StopSignal) -> BoxFuture<'static, ExecutionResult> {
        let this = self.clone();
        Box::pin(async move {
            let ends = this.all.lock().unwrap()[index].ends;
            tokio::select! {
                () = tokio::time::sleep_until(ends) => {}
                () = stop.requested.cancelled() => {
                    let sooner = ends.min(Instant::now() + millis(this.below(3000)));
                    this.all.lock().unwrap()[index].ends = sooner;
                    tokio::time::sleep_until(sooner).await;
                }
            }
            ExecutionResult::exited(0)
        })
    }
}

impl Handler for Commands {
    fn start(&self, start: Start) -> BoxFuture<'static, Result<Running, StartError>> {
        let this = self.clone();
        Box::pin(async move {
            tokio::time::sleep(millis(this.below(40))).await;
            if this.below(30) == 0 {
                return Err(StartError { message: "no more processes".into(), retry: true });
            }
            let takes =
                if this.below(3) == 0 { millis(this.below(200_000)) } else { millis(this.below(2000)) };
            let index = {
                let mut all = this.all.lock().unwrap();
                let began = Instant::now();
                all.push(Command { trigger: start.trigger, began, ends: began + takes });
                all.len() - 1
            };
            // A runner that is killed here never hears that the command began.
            tokio::time::sleep(millis(this.below(20))).await;
            let pid = u32::try_from(index).unwrap();
            let process = ProcessId { pid, start_time: pid.into(), boot_id: String::new(), output: None };
            Ok(Running { process: Some(process), result: this.wait(index, start.stop) })
        })
    }

    fn resume(&self, execution: &ExecutionRecord, stop: StopSignal) -> Option<Running> {
        let process = execution.process.clone()?;
        let index = process.pid as usize;
        let active = self.all.lock().unwrap()[index].ends > Instant::now();
        active.then(|| Running { process: Some(process), result: self.wait(index, stop) })
    }

    fn has_ended(&self, execution: &ExecutionRecord) -> bool {
        let Some(process) = &execution.process else { return false };
        self.all.lock().unwrap()[process.pid as usize].ends <= Instant::now()
    }
}

/// A machine and what was done to it.
struct Machine {
    world: World,
    commands: Commands,
    began: Instant,
    concurrency: &'static str,
    /// The tokens of requests that were stored.
    requested: Arc<Mutex<Vec<String>>>,
    /// The latest time that the clock has shown, in Unix milliseconds.
    latest: i64,
    log: Vec<String>,
}

impl Machine {
    fn new(seed: u64, world: World) -> Machine {
        let commands = Commands { all: Arc::default(), random: Arc::new(Mutex::new(Random(seed))) };
        let concurrency = ["forbid", "replace", "allow"][commands.below(3)];
        Machine {
            world,
            commands,
            began: Instant::now(),
            concurrency,
            requested: Arc::default(),
            latest: BEGIN * 1000,
            log: vec![format!("concurrency {concurrency}")],
        }
    }

    fn below(&self, end: usize) -> usize {
        self.commands.below(end)
    }

    fn note(&mut self, what: impl std::fmt::Display) {
        let (passed, shown) = (self.began.elapsed().as_millis(), self.world.now() - BEGIN * 1000);
        self.log.push(format!("{passed:>9} ms, clock {shown:>12}: {what}"));
    }

    /// The job with one of the texts.
    fn job(&self, text: usize) -> RunnerJob {
        let text = TEXTS[text];
        let text = match text.strip_suffix(')').filter(|_| text.contains("@policy")) {
            Some(open) => format!("{open},concurrency={})", self.concurrency),
            None => format!("{text} @policy(concurrency={})", self.concurrency),
        };
        RunnerJob::new(job(&text), self.commands.clone()).with_history(KEPT)
    }

    fn runner(&self, text: usize) -> Runner {
        Runner::new(self.world.store.clone()).clock(self.world.clock.clone()).jobs([self.job(text)])
    }

    /// What the clock would show if nobody had set it.
    fn true_time(&self) -> i64 {
        BEGIN * 1000 + i64::try_from(self.began.elapsed().as_millis()).unwrap()
    }

    /// Does one thing to a runner.
    async fn fault(&mut self, text: &mut usize, handle: &RunnerHandle) {
        let short = i64::try_from(self.below(240_000)).unwrap();
        let long = i64::try_from(self.below(10_000_000)).unwrap();
        let now = self.world.now();
        match self.below(16) {
            0..=1 => self.set_clock(self.true_time()),
            2 => self.set_clock(now + short),
            3 => self.set_clock(now - short),
            4 => self.set_clock(now + long),
            5 => self.set_clock(now - long),
            6..=7 => {
                *text = self.below(TEXTS.len());
                self.note(format!("edit: {}", TEXTS[*text]));
                let (handle, job) = (handle.clone(), self.job(*text));
                tokio::spawn(async move { _ = handle.reload(vec![job]).await });
            }
            8 => {
                self.note("removed");
                let handle = handle.clone();
                tokio::spawn(async move { _ = handle.reload(vec![]).await });
            }
            9..=10 => {
                self.note("run now");
                let (handle, requested) = (handle.clone(), self.requested.clone());
                tokio::spawn(async move {
                    if let Ok(token) = handle.run_now(NAME).await {
                        requested.lock().unwrap().push(token);
                    }
                });
            }
            11 => {
                self.note("suspend");
                let handle = handle.clone();
                tokio::spawn(async move { _ = handle.suspend(NAME).await });
            }
            12 => {
                self.note("resume");
                let handle = handle.clone();
                tokio::spawn(async move { _ = handle.resume(NAME).await });
            }
            13 => {
                let lasts = millis(self.below(30_000));
                self.note(format!("the disk is full for {lasts:?}"));
                *self.world.store.full.lock().unwrap() = true;
                tokio::time::sleep(lasts).await;
                *self.world.store.full.lock().unwrap() = false;
            }
            14 => {
                let fault = [Fault::Refused, Fault::AnswerLost][self.below(2)];
                let writes = self.below(4);
                self.note(format!("{fault:?} after {writes} writes"));
                self.world.store.fail(writes, fault);
            }
            _ => self.note("nothing"),
        }
    }

    fn set_clock(&mut self, to: i64) {
        self.latest = self.latest.max(self.world.now());
        self.note(format!("set by {} s", (to - self.world.now()) / 1000));
        self.world.clock.set(to);
    }

    /// One runner, from its start to its end.
    async fn life(&mut self, text: &mut usize) {
        let runner = self.runner(*text);
        let handle = runner.handle();
        self.note("a runner begins");
        let killed = self.below(4) > 0;
        let faults = async {
            for _ in 0..self.below(6) {
                // Now and then right after the one before.
                let wait = [5, 500, 20_000, 150_000][self.below(4)];
                tokio::time::sleep(millis(self.below(wait))).await;
                self.fault(text, &handle).await;
            }
            let wait = [10, 1000, 100_000][self.below(3)];
            tokio::time::sleep(millis(self.below(wait))).await;
        };
        if killed {
            tokio::select! {
                ended = runner.run(std::future::pending()) => panic!("{ended:?}"),
                () = faults => {}
            }
            self.note("killed");
        } else {
            // A runner that could not write says so.
            _ = runner.run(faults).await;
            self.note("ended");
        }
        self.world.store.heal();
    }

    /// The faults, and then an hour without any.
    async fn run(&mut self) {
        let mut text = self.below(TEXTS.len());
        for _ in 0..2 + self.below(8) {
            self.life(&mut text).await;
            if self.below(4) == 0 {
                let to = match self.below(3) {
                    0 => self.true_time(),
                    1 => self.world.now() - 1000 * i64::try_from(self.below(1000)).unwrap(),
                    _ => self.world.now() + 1000 * i64::try_from(self.below(1000)).unwrap(),
                };
                self.set_clock(to);
            }
            let wait = [10, 30_000, 400_000][self.below(3)];
            tokio::time::sleep(millis(self.below(wait))).await;
        }
        self.set_clock(self.true_time());
        self.note("the last runner begins");
        let runner = self.runner(text);
        let (handle, latest) = (runner.handle(), self.latest.max(self.world.now()));
        let last = async {
            handle.resume(NAME).await.unwrap();
            // All times that the clock has shown come again.
            self.world.until(latest.div_euclid(1000) + 2 * 3600).await;
        };
        runner.run(last).await.unwrap();
    }

    /// What the store and the commands disagree about.
    fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let commands = self.commands.all.lock().unwrap().clone();
        let stored = self.world.store.memory.outcomes(NAME);
        let outcomes: BTreeMap<String, _> = stored
            .iter()
            .map(|outcome| match (outcome.nominal, &outcome.token) {
                (Some(nominal), _) => (format!("period {}", nominal - BEGIN), outcome),
                (None, token) => (format!("request {}", token.clone().unwrap()), outcome),
            })
            .collect();
        let executions = self.world.store.memory.executions(NAME);
        let key = |trigger: &Trigger| match trigger {
            Trigger::Period { nominal, .. } => format!("period {}", nominal - BEGIN),
            Trigger::RunNow { token } => format!("request {token}"),
        };
        let is_lost = |trigger: &Trigger| {
            let cause = outcomes.get(&key(trigger)).map(|outcome| &outcome.cause);
            matches!(
                cause,
                Some(
                    Cause::MaybeRemoved { .. } | Cause::MaybeRemovedBeforeEdit { .. } | Cause::MaybeReplaced
                )
            )
        };
        let at = |instant: Instant| (instant - self.began).as_millis();
        let mut times: BTreeMap<String, Vec<u128>> = BTreeMap::new();
        for command in &commands {
            times.entry(key(&command.trigger)).or_default().push(at(command.began));
        }
        for (trigger, times) in times.iter().filter(|(_, times)| times.len() > 1) {
            problems.push(format!("{trigger} ran at {times:?} ms"));
        }
        for command in &commands {
            let (name, at) = (key(&command.trigger), at(command.began));
            match outcomes.get(&name) {
                None => problems.push(format!("{name} ran at {at} ms and has no outcome")),
                Some(outcome) if outcome.outcome != Outcome::Executed && !is_lost(&command.trigger) => {
                    problems.push(format!("{name} ran at {at} ms and is {outcome:?}"));
                }
                Some(_) => {}
            }
        }
        for (name, outcome) in &outcomes {
            if outcome.outcome == Outcome::Executed && !times.contains_key(name) {
                problems.push(format!("{name} did not run and is {outcome:?}"));
            }
        }
        for token in self.requested.lock().unwrap().iter() {
            if !outcomes.contains_key(&format!("request {token}")) {
                problems.push(format!("request {token} has no outcome"));
            }
        }
        if self.concurrency != "allow" {
            for (before, after) in commands.iter().flat_map(|a| commands.iter().map(move |b| (a, b))) {
                if before.began >= after.began || before.ends <= after.began || is_lost(&before.trigger) {
                    continue;
                }
                let execution = executions.iter().find(|execution| execution.trigger == before.trigger);
                let message = execution.and_then(|execution| execution.result.as_ref()?.message.clone());
                // The runner cannot know the executions of a job that was removed while it was not there.
                if message.is_some_and(|message| message.contains("job was removed")) {
                    continue;
                }
                problems.push(format!(
                    "{} began at {} ms, and {} ran from {} to {} ms",
                    key(&after.trigger),
                    at(after.began),
                    key(&before.trigger),
                    at(before.began),
                    at(before.ends)
                ));
            }
        }
        problems
    }
}

#[test]
fn nothing_runs_twice_or_without_an_outcome() {
    let first = number("KRON_RUNNER_FIRST", 1);
    let seeds = first..first + number("KRON_RUNNER_SEEDS", 200);
    let mut failed = Vec::new();
    let mut ran = 0;
    for seed in FOUND.into_iter().chain(seeds) {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            // Now and then with a file, which has to say what the memory says.
            let directory = tempfile::tempdir().unwrap();
            let world = match seed % 100 {
                3 => World::with_file(SqliteStore::open(directory.path().join("kron.db")).unwrap()),
                _ => World::new(),
            };
            let mut machine = Machine::new(seed, world);
            machine.run().await;
            ran += machine.commands.all.lock().unwrap().len();
            let problems = machine.problems();
            if !problems.is_empty() {
                failed.push(seed);
                // A few are enough to read.
                if failed.len() < 4 {
                    println!("seed {seed}\n{}\n{}\n", machine.log.join("\n"), problems.join("\n"));
                }
            }
        });
    }
    println!("{ran} commands ran");
    assert!(failed.is_empty(), "seeds {failed:?}");
}
