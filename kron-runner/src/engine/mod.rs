//! The one task of a runner: it waits for the next time, answers and requests, and writes to the store.

mod begin;
mod clock_set;
mod commit;
mod coverage;
mod execution;
mod message;
mod requests;
mod room;
mod slot;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::future::Future;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use kron_core::Outcome;
use kron_host::{HostReport, Trigger};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use crate::clock::{Clock, Waited};
use crate::engine::commit::Commit;
use crate::engine::coverage::Coverage;
use crate::engine::execution::{Ended, Phase};
use crate::engine::message::Message;
use crate::engine::room::Room;
use crate::engine::slot::Slot;
use crate::error::RunnerError;
use crate::event::{OnEvent, RunnerEvent};
use crate::handle::{Command, Report};
use crate::handler::{BoxFuture, Start};
use crate::job::RunnerJob;
use crate::record::{ClockAhead, ExecutionRecord, ProcessId, RunnerRecord, execution_name};
use crate::result::{ExecutionResult, ExecutionStatus};
use crate::store::{Change, Store, StoreError, StoredJob};

/// When a start that failed in its handler is tried again.
const START_AGAIN: i64 = 1000;
/// How many attempts are made to write the end of the runner.
const LAST_ATTEMPTS: u32 = 4;
/// The time between them.
const LAST_AGAIN: Duration = Duration::from_millis(250);
/// When a job is looked at again that asked for a time that has passed.
const PASSED: i64 = 1000;
/// How many jobs are looked at before the runner looks at its messages again: it answers while ten thousand jobs are due.
const ROUND: usize = 128;

/// How a runner shuts down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) drain: Duration,
    pub(crate) grace: Duration,
}

/// A runner while it runs.
pub(crate) struct Engine {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    options: Options,
    on_event: Option<OnEvent>,
    runner: RunnerRecord,
    /// The name of the runner.
    name: Arc<str>,
    slots: BTreeMap<Arc<str>, Slot>,
    /// Jobs of the store that the runner does not have.
    parked: BTreeMap<Arc<str>, StoredJob>,
    /// When to look at which job, in Unix milliseconds.
    timers: BTreeSet<(i64, Arc<str>)>,
    /// Jobs whose time has come, to be looked at in this order.
    due: VecDeque<Arc<str>>,
    /// Jobs with a start that waits until others have begun, in this order.
    waiting: VecDeque<Arc<str>>,
    room: Room,
    /// Jobs with something to be written.
    dirty: BTreeSet<Arc<str>>,
    commit: Commit,
    tasks: JoinSet<Ended>,
    /// The job and the execution of each task.
    task_of: HashMap<Id, (Arc<str>, String)>,
    messages: UnboundedSender<Message>,
    /// The read of executions that were made while the clock was ahead. Until it ends, nothing is started.
    reading: Option<BoxFuture<'static, Vec<ExecutionRecord>>>,
    /// The last time that was read, and when.
    latest: (i64, Instant),
    /// The time from which the clock went back. Until the jobs have heard of it, nothing is decided.
    went_back_from: Option<i64>,
    /// From when to when the clock was set forwards. The same holds for it.
    jumped: Option<(i64, i64)>,
    /// Executions of periods chosen after this time are read when the clock goes back.
    read_from: i64,
    coverage: Coverage,
    /// The times for which starts were made while the clock was ahead.
    ahead: Vec<ClockAhead>,
    /// The jobs that the store must have before the runner is ready; `None` once it is.
    unstored: Option<BTreeSet<Arc<str>>>,
    draining: bool,
    tokens: u64,
    report: Report,
}

impl Engine {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        options: Options,
        on_event: Option<OnEvent>,
    ) -> Engine {
        let (started, pid) = (clock.now(), std::process::id());
        // Two runners never have one name, even where process ids and clocks repeat.
        let random = RandomState::new().build_hasher().finish();
        let name = format!("{pid}-{started}-{random:016x}");
        Engine {
            runner: RunnerRecord { name: name.clone(), pid, started, stopped: None },
            name: name.into(),
            slots: BTreeMap::new(),
            parked: BTreeMap::new(),
            timers: BTreeSet::new(),
            due: VecDeque::new(),
            waiting: VecDeque::new(),
            room: Room::default(),
            dirty: BTreeSet::new(),
            commit: Commit::default(),
            tasks: JoinSet::new(),
            task_of: HashMap::new(),
            // The real one is made with its receiver.
            messages: unbounded_channel().0,
            reading: None,
            latest: (started, Instant::now()),
            went_back_from: None,
            jumped: None,
            read_from: i64::MAX,
            coverage: Coverage::new(started),
            ahead: Vec::new(),
            unstored: None,
            draining: false,
            tokens: 0,
            report: Report { store_works: true, ..Report::default() },
            store,
            clock,
            options,
            on_event,
        }
    }

    fn emit(&self, event: &RunnerEvent) {
        if let Some(on_event) = &self.on_event {
            on_event(event);
        }
    }

    pub(crate) async fn run(
        mut self,
        jobs: Vec<RunnerJob>,
        mut commands: UnboundedReceiver<Command>,
        shutdown: impl Future<Output = ()> + Send,
    ) -> Result<(), RunnerError> {
        let (messages, mut received) = unbounded_channel();
        self.messages = messages;
        self.load(jobs).await?;
        // If it has all of them already.
        self.stored(&[]);
        let clock = self.clock.clone();
        let mut waiting: Option<(Option<i64>, BoxFuture<'_, Waited>)> = None;
        let mut shutdown = std::pin::pin!(shutdown);
        let mut drain = std::pin::pin!(tokio::time::sleep(Duration::ZERO));
        // Whether executions were asked to stop after the time to drain.
        let mut drained = false;
        loop {
            let goes_on = self.fire_timers();
            // What is being written is of the time before.
            if !self.commit.is_under_way() {
                self.clock_set_forwards();
                self.clock_set_back();
            }
            let now = self.now();
            let more = !self.draining && self.room.is_busy();
            self.commit.begin(&self.store, &mut self.slots, &mut self.dirty, more, now);
            if self.draining && self.is_over() {
                return self.end(now).await;
            }
            // The timer stays armed while other things happen, so that no setting of the clock is overlooked.
            let at = self.next_wake_up();
            if waiting.as_ref().is_none_or(|(armed, _)| *armed != at) {
                waiting = Some((at, clock.wait_until(at)));
            }
            let wait = waiting.as_mut().map(|(_, wait)| wait);
            tokio::select! {
                // An execution's message that it began is read before its end. Timers have had their turn.
                biased;
                result = self.commit.wait() => self.end_commit(result),
                () = &mut shutdown, if !self.draining => {
                    self.begin_drain();
                    drain.as_mut().reset(tokio::time::Instant::now() + self.options.drain);
                }
                () = &mut drain, if self.draining && !drained => {
                    drained = true;
                    self.stop_all(false);
                }
                Some(command) = commands.recv() => {
                    if let Command::StopNow = command {
                        self.begin_drain();
                        drained = true;
                        self.stop_all(true);
                    } else {
                        self.command(command);
                    }
                }
                early = commit::wait_for(&mut self.reading) => self.find_early(early),
                Some(message) = received.recv() => {
                    self.message(message);
                    for message in std::iter::from_fn(|| received.try_recv().ok()).take(ROUND) {
                        self.message(message);
                    }
                }
                Some(ended) = self.tasks.join_next_with_id() => self.task_ended(ended),
                // Other tasks of this thread have their turn in between.
                () = tokio::task::yield_now(), if goes_on => {}
                waited = async { match wait { Some(wait) => wait.await, None => std::future::pending().await } } => {
                    waiting = None;
                    if waited == Waited::ClockSet {
                        self.clock_set();
                    }
                }
            }
        }
    }

    /// Steps jobs whose time has come, and those whose starts waited for room. One time counts for all of one second: the last of
    /// ten thousand is as much in time as the first. Says whether more of them can be looked at now.
    fn fire_timers(&mut self) -> bool {
        let now = self.now();
        if self.draining || self.is_clock_new() {
            return false;
        }
        while let Some((at, name)) = self.timers.pop_first() {
            if at > now {
                self.timers.insert((at, name));
                break;
            }
            if let Some(slot) = self.slots.get_mut(&name) {
                slot.timer = None;
                slot.due_at.get_or_insert(now);
                self.due.push_back(name);
            }
        }
        for _ in 0..ROUND {
            let Some(name) = self.due.pop_front() else { break };
            self.step_at(&name, now);
        }
        for _ in 0..ROUND.min(self.room.left()) {
            let Some(name) = self.waiting.pop_front() else { break };
            if let Some(slot) = self.slots.get_mut(&name) {
                slot.waits = false;
            }
            self.step_at(&name, now);
        }
        !self.due.is_empty() || (self.room.left() > 0 && !self.waiting.is_empty())
    }

    fn next_wake_up(&self) -> Option<i64> {
        // Jobs that have not heard of a new clock are not looked at by time.
        let looks = !self.draining && !self.is_clock_new();
        let timer = self.timers.first().map(|(at, _)| *at).filter(|_| looks);
        timer.into_iter().chain(self.commit.begins_at()).min()
    }

    fn step(&mut self, name: &Arc<str>) {
        let now = self.now();
        self.step_at(name, now);
    }

    /// Lets a job do what can be done now.
    fn step_at(&mut self, name: &Arc<str>, now: i64) {
        if self.is_clock_new() {
            // All jobs are looked at as soon as they have heard of it.
            return;
        }
        let Some(slot) = self.slots.get_mut(name) else { return };
        // Its time came a moment ago, and it counts as looked at then.
        let now = slot.due_at.take().unwrap_or(now);
        let starts = !self.draining && self.reading.is_none();
        let step = slot.step(now, starts.then_some(&self.room), &self.ahead);
        if step.waits && !std::mem::replace(&mut slot.waits, true) {
            self.waiting.push_back(name.clone());
        }
        if slot.timer != step.wake_up {
            if let Some(before) = slot.timer {
                self.timers.remove(&(before, name.clone()));
            }
            // What waits now waits for something else: a time that has passed is not looked at again and again.
            let later = step.wake_up.map(|at| if at > now { at } else { now.saturating_add(PASSED) });
            slot.timer = later;
            self.timers.extend(later.map(|at| (at, name.clone())));
        }
        if let Some(search) = step.search {
            slot.searching = true;
            let (job, name, messages) = (slot.job.clone(), name.clone(), self.messages.clone());
            tokio::task::spawn_blocking(move || {
                // The receiver is gone only when the runner is.
                _ = messages.send(Message::Searched { job: name, result: search.run(&job) });
            });
        }
        slot.forget_ended(now);
        let (dirty, over) = (slot.is_dirty(), slot.is_over());
        if dirty {
            self.dirty.insert(name.clone());
        }
        for report in step.reports {
            self.count(&report);
            self.emit(&RunnerEvent::Reported { job: name.to_string(), report });
        }
        if over && let Some(slot) = self.slots.remove(name) {
            if let Some(at) = slot.timer {
                self.timers.remove(&(at, name.clone()));
            }
            self.parked.insert(name.clone(), slot.into_stored());
        }
    }

    fn count(&mut self, report: &HostReport) {
        let outcome = match report {
            HostReport::Handled(handled) => handled.outcome,
            HostReport::OlderMissed(count) => {
                self.report.older_missed += count;
                return;
            }
            HostReport::ConfigurationChanged { .. }
            | HostReport::Resumed { .. }
            | HostReport::ExecutionFound
            | HostReport::ClaimedByAnother { .. } => return,
        };
        let counter = match outcome {
            Outcome::Executed => &mut self.report.executed,
            Outcome::Skipped => &mut self.report.skipped,
            Outcome::Missed => &mut self.report.missed,
            Outcome::Unschedulable => &mut self.report.unschedulable,
        };
        *counter += 1;
    }

    /// A write ended.
    fn end_commit(&mut self, result: Result<(), StoreError>) {
        let now = self.now();
        let worked = std::mem::replace(&mut self.report.store_works, result.is_ok());
        if !worked && self.report.store_works {
            self.emit(&RunnerEvent::StoreWorks);
        }
        let ended = self.commit.end(result, &mut self.slots, now);
        if ended.failure.is_none() {
            self.stored(&ended.jobs);
        }
        for (name, execution) in ended.ready {
            self.start(&name, &execution);
        }
        if let Some((error, retry_at)) = ended.failure {
            self.report.store_errors += 1;
            self.emit(&RunnerEvent::StoreFailed { error, retry_at });
        }
        for name in ended.jobs {
            self.step(&name);
        }
    }

    /// Calls the handler of an execution whose record is stored.
    fn start(&mut self, name: &Arc<str>, execution: &str) {
        let Some(slot) = self.slots.get(name) else { return };
        let Some(known) = slot.executions.get(execution) else { return };
        let trigger = known.record.trigger.clone();
        let decision = match &trigger {
            Trigger::Period { nominal, .. } => slot.job.decide(*nominal).ok().map(Into::into),
            Trigger::RunNow { .. } => None,
        };
        let (job, execution) = (name.to_string(), execution_name(&trigger));
        let start = Start { job, execution: execution.clone(), trigger, decision, stop: known.stop.clone() };
        let run = execution::run(slot.handler.clone(), start, self.options.grace, self.messages.clone());
        let task = self.tasks.spawn(run);
        self.task_of.insert(task.id(), (name.clone(), execution));
    }

    fn message(&mut self, message: Message) {
        match message {
            Message::Began { job, execution, process } => self.began(&job, &execution, process),
            Message::Searched { job, result } => {
                if let Some(slot) = self.slots.get_mut(&job) {
                    slot.searching = false;
                    slot.dispatcher.searched(result);
                }
                self.step(&job);
            }
        }
    }

    fn began(&mut self, job: &str, execution: &str, process: Option<ProcessId>) {
        let now = self.now();
        let Some((name, _)) = self.slots.get_key_value(job) else { return };
        let name = name.clone();
        let Some(slot) = self.slots.get_mut(&name) else { return };
        slot.began(execution, process, now);
        if let Some(known) = slot.executions.get(execution) {
            let event = RunnerEvent::Started(known.record.clone());
            self.emit(&event);
        }
        self.step(&name);
    }

    fn task_ended(&mut self, ended: Result<(Id, Ended), JoinError>) {
        let (id, ended) = match ended {
            Ok((id, ended)) => (id, ended),
            Err(error) => (error.id(), Ended::Result(ExecutionResult::failed("the handler panicked"))),
        };
        let Some((name, execution)) = self.task_of.remove(&id) else { return };
        let now = self.now();
        let Some(slot) = self.slots.get_mut(&name) else { return };
        match ended {
            Ended::Result(result) => {
                let phase = slot.executions.get(&execution).map(|known| known.phase);
                if phase == Some(Phase::Starting) {
                    // It panicked before it said that it began, and may have done something.
                    self.began(&name, &execution, None);
                }
                self.ended(&name, &execution, result, now);
            }
            Ended::NotStarted(error) => {
                let retry_at = error.retry.then_some(now + START_AGAIN);
                slot.failed(&execution, error.message, retry_at, now);
                self.step(&name);
            }
            // Its record stays as it is, for the next runner.
            Ended::GivenUp => {}
        }
    }

    fn ended(&mut self, name: &Arc<str>, execution: &str, result: ExecutionResult, now: i64) {
        let Some(slot) = self.slots.get_mut(name) else { return };
        if result.status == ExecutionStatus::Failed {
            self.report.failed += 1;
        }
        slot.ended(execution, result, now);
        if let Some(known) = slot.executions.get(execution) {
            let event = RunnerEvent::Ended(known.record.clone());
            self.emit(&event);
        }
        self.step(name);
    }

    fn begin_drain(&mut self) {
        if !self.draining {
            self.draining = true;
            self.emit(&RunnerEvent::Draining { active: self.tasks.len() });
        }
    }

    /// Asks all executions to stop, or forces them to.
    fn stop_all(&self, forced: bool) {
        for known in self.slots.values().flat_map(|slot| slot.executions.values()) {
            known.stop.requested.cancel();
            if forced {
                known.stop.forced.cancel();
            }
        }
    }

    /// Whether a runner that drains has nothing left to do.
    fn is_over(&self) -> bool {
        let starting = self.slots.values().flat_map(|slot| slot.executions.values());
        let mut starting = starting.filter(|known| known.phase == Phase::Storing);
        self.tasks.is_empty() && starting.next().is_none() && self.commit.is_over(self.dirty.is_empty())
    }

    /// Notes the end of the runner.
    async fn end(mut self, now: i64) -> Result<(), RunnerError> {
        let unwritten = self.commit.unwritten(self.dirty.is_empty());
        let stopped = Change::RunnerStopped { name: self.runner.name, at: now };
        let mut attempts = 1;
        while let Err(error) = self.store.commit(vec![stopped.clone()]).await {
            if attempts == LAST_ATTEMPTS {
                return Err(error.into());
            }
            attempts += 1;
            tokio::time::sleep(LAST_AGAIN).await;
        }
        // The store may have had room for this, and not for what came before.
        unwritten.map_or(Ok(()), |error| Err(error.into()))
    }
}
