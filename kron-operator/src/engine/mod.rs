//! The engine: keeps what the watches show, lets the timers decide, and makes the requests that the plans ask for.
//!
//! Three kinds of tasks run at the same time. The *watches* take in objects. The *timers* evaluate the periods whose
//! second has come; they wait for nothing but the clock. The *workers* take KronJobs from the queue, ask the plan for
//! the next request and make it; starts go before updates of the status, and these before the rest. None of them
//! decides anything: that is what [`plan`](crate::plan) is for.

pub mod answer;
mod contention;
mod limiter;
mod primers;
mod queue;
mod requests;
pub mod state;
mod tasks;
mod timers;
mod watches;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use k8s_openapi::api::core::v1::ObjectReference;
use kube::Client;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::clock::{Clock, watch_steps};
use crate::events::{Events, PendingEvent, Severity};
use crate::freezer::Freezer;
use crate::lease::Lease;
use crate::metrics::Metrics;
use crate::object::{Key, KronJobView};
use crate::plan::{Lane, Observation, Reports, Request};
use crate::random::Random;
use crate::telemetry::Throttle;
use crate::web::Health;

use contention::StatusWrites;
use limiter::Limiter;
use queue::Queue;
use requests::Bucket;
use state::{NeededSearch, Planned, State};
pub use tasks::EndedEarly;
use tasks::Tasks;

/// How many requests are made for one start in a row.
const IN_A_ROW: u32 = 16;

/// The settings of an engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// The namespace to work in; all of them without one.
    pub namespace: Option<String>,
    /// How many requests are under way at once; half of them are kept free for starts.
    pub concurrency: usize,
    /// How many dry runs of new templates are sent in a second.
    pub dry_runs: u32,
    /// The time limit for the answer to a write.
    pub request_limit: Duration,
    /// Reads KronJobs, with the tz database that their time zones are looked up in.
    pub parser: kron_core::Parser,
    /// Spreads the times of retries.
    pub random: Random,
    /// Freezes all tasks of the replica, in simulations.
    pub freezer: Freezer,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            namespace: None,
            concurrency: 32,
            dry_runs: 20,
            request_limit: Duration::from_secs(8),
            parser: kron_core::Parser::new(),
            random: Random::default(),
            freezer: Freezer::default(),
        }
    }
}

/// Runs work that can take seconds while the other tasks of this thread go on. A runtime of one thread, as in
/// simulations, has no other thread for them, and the order of what happens does not depend on a second one.
fn without_blocking<T>(work: impl FnOnce() -> T) -> T {
    match Handle::current().runtime_flavor() {
        RuntimeFlavor::CurrentThread => work(),
        _ => tokio::task::block_in_place(work),
    }
}

/// What a worker does next for a KronJob.
enum Chosen {
    Nothing,
    Search(Box<NeededSearch>),
    /// A request, the KronJob it is for, and the term.
    Request(Box<(Request, KronJobView, u64)>),
}

/// Everything an engine works with.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.shared.options).finish_non_exhaustive()
    }
}

struct Shared {
    client: Client,
    clock: Arc<dyn Clock>,
    lease: Lease,
    events: Events,
    metrics: Arc<Metrics>,
    health: Health,
    options: Options,
    state: Mutex<State>,
    queue: Queue,
    /// A timer was set, or the clock.
    timers: Notify,
    dry_runs: Bucket,
    limiter: Limiter,
    status_writes: StatusWrites,
    /// The uptime in milliseconds at which the timers' lane was last at work; 0 before.
    pulse: AtomicU64,
    /// Limits lines of the log that many KronJobs would write at once.
    log: Throttle,
}

impl Engine {
    /// An engine that does nothing yet. Claims name this process as the Lease does.
    pub fn new(
        client: Client,
        clock: Arc<dyn Clock>,
        lease: Lease,
        events: Events,
        metrics: Arc<Metrics>,
        health: Health,
        options: Options,
    ) -> Engine {
        let dry_runs = Bucket::new(options.dry_runs);
        let limiter = Limiter::new(options.concurrency.max(2));
        let state = Mutex::new(State::new(lease.identity()));
        let (queue, timers) = (Queue::default(), Notify::new());
        Engine {
            shared: Arc::new(Shared {
                client,
                clock,
                lease,
                events,
                metrics,
                health,
                options,
                state,
                queue,
                timers,
                dry_runs,
                limiter,
                status_writes: StatusWrites::default(),
                pulse: AtomicU64::new(0),
                log: Throttle::default(),
            }),
        }
    }

    /// The state, locked. The timers wait for this lock, so nothing that can block is called while it is held: no write to
    /// the log above all.
    fn state(&self) -> MutexGuard<'_, State> {
        // A poisoned lock would mean a panic between two consistent states; the next plan looks at everything again.
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Works until cancelled, and then until the requests under way are answered. If the future is dropped, everything
    /// ends at once.
    ///
    /// # Errors
    ///
    /// If a task ends without a request to end: then the process must not go on.
    pub async fn run(&self, cancel: CancellationToken) -> Result<(), EndedEarly> {
        let mut tasks = Tasks::new(self.shared.options.freezer.clone());
        let synced = watches::Synced::default();
        let mut spawn = |name, task: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>| {
            let cancel = cancel.clone();
            tasks.spawn(name, async move {
                tokio::select! {
                    biased;
                    () = cancel.cancelled() => {}
                    () = task => {}
                }
            });
        };
        let engine = self.clone();
        let on_kronjobs = synced.clone();
        spawn("watch of KronJobs", Box::pin(async move { engine.watch_kronjobs(&on_kronjobs).await }));
        let engine = self.clone();
        let on_jobs = synced.clone();
        spawn("watch of Jobs", Box::pin(async move { engine.watch_jobs(&on_jobs).await }));
        let engine = self.clone();
        spawn("leadership", Box::pin(async move { engine.follow_leadership(&synced).await }));
        let engine = self.clone();
        spawn("timers", Box::pin(async move { engine.run_timers().await }));
        let engine = self.clone();
        spawn(
            "clock",
            Box::pin(async move {
                let clock = engine.shared.clock.clone();
                watch_steps(clock, |step| engine.clock_stepped(step)).await;
            }),
        );
        let workers = self.shared.options.concurrency.max(2);
        for worker in 0..workers {
            let (engine, cancel) = (self.clone(), cancel.clone());
            // A request that is under way is brought to its end.
            tasks.spawn("workers", async move { engine.work(worker, worker < workers / 2, cancel).await });
        }
        tasks.join(&cancel).await
    }

    async fn work(&self, worker: usize, starts_only: bool, cancel: CancellationToken) {
        loop {
            let (lane, key) = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                next = self.shared.queue.pop(starts_only) => next,
            };
            let permit = self.shared.limiter.acquire().await;
            self.queue_changed();
            self.notice_pause();
            // The requests of one start are made in a row, so that a start that is ready does not wait for others.
            for _ in 0..IN_A_ROW {
                self.shared.health.beat("workers", worker);
                if !self.step(lane, &key).await || lane != Lane::Start {
                    break;
                }
            }
            self.shared.health.rests("workers", worker);
            drop(permit);
            self.touch(&key);
        }
    }

    /// Makes the next request of a KronJob in a lane. Returns whether there was one.
    async fn step(&self, lane: Lane, key: &Key) -> bool {
        let begun = Instant::now();
        let (request, kronjob, term) = loop {
            match self.choose(lane, key) {
                Chosen::Nothing => return false,
                Chosen::Request(chosen) => break *chosen,
                // The requests of a start do not wait for it.
                Chosen::Search(_) if lane == Lane::Start => {
                    self.shared.queue.push(Lane::Status, key.clone());
                    return false;
                }
                Chosen::Search(search) => {
                    let NeededSearch { uid, job, search } = *search;
                    let result = without_blocking(|| search.run(&job));
                    self.state().searched(key, &uid, result);
                }
            }
        };
        let lane = request.lane();
        self.carry_out(&kronjob, term, request).await;
        self.state().set_busy(key, &kronjob.uid, lane, false);
        self.shared.metrics.request_took(begun.elapsed());
        true
    }

    /// Chooses the next request of a KronJob in a lane.
    fn choose(&self, lane: Lane, key: &Key) -> Chosen {
        let (kronjob, reports, others, chosen) = {
            let mut state = self.state();
            let (plan, reports) = match state.plan(key, self.shared.clock.now()) {
                None => return Chosen::Nothing,
                Some(Planned::Search(search)) => return Chosen::Search(search),
                Some(Planned::Plan(planned)) => *planned,
            };
            let (Some(kronjob), Some(term)) = (state.kronjob(key).cloned(), state.term()) else {
                return Chosen::Nothing;
            };
            let others = plan.requests.iter().map(Request::urgency).filter(|other| *other != lane);
            let others: Vec<Lane> = others.collect();
            let chosen = plan.requests.into_iter().find(|request| request.urgency() == lane);
            if let Some(request) = &chosen {
                state.set_busy(key, &kronjob.uid, request.lane(), true);
            }
            (kronjob, reports, others, chosen.map(|request| (request, term)))
        };
        self.publish(key, &kronjob.uid, reports);
        // What belongs to other lanes waits there: a timer wakes only the urgent ones.
        others.into_iter().for_each(|other| self.shared.queue.push(other, key.clone()));
        match chosen {
            Some((request, term)) => Chosen::Request(Box::new((request, kronjob, term))),
            None => Chosen::Nothing,
        }
    }

    /// Looks at a KronJob again, and queues it for what is to be done.
    fn touch(&self, key: &Key) {
        let (uid, planned) = {
            let mut state = self.state();
            let planned = state.plan(key, self.shared.clock.now());
            (state.kronjob(key).map(|kronjob| kronjob.uid.clone()), planned)
        };
        let (Some(uid), Some(planned)) = (uid, planned) else { return };
        let lanes = match planned {
            Planned::Search(_) => vec![Lane::Status],
            Planned::Plan(planned) => {
                let (plan, reports) = *planned;
                self.publish(key, &uid, reports);
                plan.requests.iter().map(Request::urgency).collect()
            }
        };
        lanes.into_iter().for_each(|lane| self.shared.queue.push(lane, key.clone()));
        self.shared.timers.notify_one();
        self.queue_changed();
    }

    /// Events give way while starts wait.
    fn queue_changed(&self) {
        self.shared.events.give_way(self.shared.queue.has_starts());
        for (lane, depth) in self.shared.queue.depths() {
            self.shared.metrics.queue(lane.as_str(), depth);
        }
    }

    /// Publishes Events of a KronJob, and counts outcomes. Writes to the log, which can block, so it is not called under the
    /// lock of the state: the timers wait for that.
    fn publish(&self, key: &Key, uid: &str, reports: Reports) {
        let now = self.shared.clock.now();
        for message in reports.messages {
            let (reason, note) = (message.reason.as_str(), &message.note);
            match message.reason.severity() {
                Severity::Normal => tracing::info!(kronjob = %key, reason, "{note}"),
                Severity::Warning => self.shared.log.line(reason, |others| {
                    tracing::warn!(kronjob = %key, reason, others, "{note}");
                }),
            }
            let mut event = PendingEvent::new(reference(key, uid), message.reason, message.note, now);
            if let Some(result) = message.period {
                event = event.about_period(result);
            }
            self.shared.events.publish(event);
        }
        reports.outcomes.iter().for_each(|outcome| self.shared.metrics.outcome(outcome.as_str()));
        if reports.older_missed > 0 {
            self.shared.metrics.missed_older(reports.older_missed);
        }
    }

    /// Makes the engine active when the Lease is held and everything has been read, and inactive when the Lease is lost.
    async fn follow_leadership(&self, synced: &watches::Synced) {
        synced.wait().await;
        self.shared.health.synced(true);
        let mut lease = self.shared.lease.subscribe();
        loop {
            let held = *lease.borrow_and_update();
            let active = self.state().term().is_some();
            if held && !active {
                tracing::info!("leading");
                self.state().activate();
                self.shared.dry_runs.forget_waiting();
                let keys = self.state().keys();
                for key in keys {
                    self.touch(&key);
                    // Other tasks have their turn, too.
                    tokio::task::yield_now().await;
                }
            } else if !held && active {
                tracing::info!("not leading any more");
                self.state().deactivate();
                self.shared.queue.clear();
                self.queue_changed();
            }
            self.shared.metrics.leader(held);
            if lease.changed().await.is_err() {
                return;
            }
        }
    }

    fn clock_stepped(&self, step: chrono::TimeDelta) {
        tracing::warn!(
            seconds = step.num_milliseconds() as f64 / 1000.0,
            "the clock was set; all timers are set again"
        );
        self.shared.metrics.clock_stepped();
        let mut state = self.state();
        state.observe_all(&Observation::ClockSet, self.shared.clock.now());
        let keys = state.keys();
        drop(state);
        keys.iter().for_each(|key| self.touch(key));
    }
}

/// A KronJob as Events refer to it.
fn reference(key: &Key, uid: &str) -> ObjectReference {
    ObjectReference {
        api_version: Some(kron_formats::kronjob::API_VERSION.to_string()),
        kind: Some(kron_formats::kronjob::KIND.to_string()),
        namespace: Some(key.namespace.to_string()),
        name: Some(key.name.to_string()),
        uid: Some(uid.to_string()),
        ..ObjectReference::default()
    }
}

#[cfg(test)]
mod tests;
