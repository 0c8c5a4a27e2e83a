//! Events of KronJobs, written when there is nothing more urgent.
//!
//! [`Events::publish`] puts an Event into a bounded queue and returns. [`Events::run`] writes them at a limited rate, so
//! creates and status writes never wait for an Event. Namespaces take turns, each with one Event under way, so one whose
//! Events fail or are answered slowly delays only its own. Repeats become one Event with a count. A shutdown sends what
//! waits as fast as the API server answers, for a limited time.

mod pending;
mod queue;
mod series;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use chrono::TimeDelta;
use k8s_openapi::api::events::v1::Event;
use kube::{
    Api, Client,
    api::{Patch, PatchParams, PostParams},
};
use parking_lot::Mutex;
use tokio::{
    sync::Notify,
    task::JoinSet,
    time::{Instant, MissedTickBehavior, sleep, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

pub use self::pending::PendingEvent;
use self::queue::{Queue, Waiting};
pub use self::series::CONTROLLER;
use self::series::{Post, Series};
use crate::{
    client::{Failure, sentence, within},
    clock::Clock,
    metrics::Metrics,
    random::Random,
    text::{cut, first_bytes},
};

/// How many Events wait at most; the oldest go first.
const QUEUE: usize = 10_000;
/// How long Events give way to starts before they look again.
const GIVES_WAY: Duration = Duration::from_millis(100);
/// Between two Events: at most 100 a second.
const SPACING: Duration = Duration::from_millis(10);
/// How many Events are under way at once.
const AT_ONCE: usize = 32;
/// How many of them are of one namespace during a shutdown. Before, it is one, so that a repeat finds the first one written.
const OF_A_NAMESPACE: usize = 8;
/// How long an answer is waited for.
const REQUEST_LIMIT: Duration = Duration::from_secs(10);
/// How often an Event is sent before it is dropped.
const ATTEMPTS: u32 = 6;
/// Waits between them: this, doubled each time, up to the other, give or take half.
const BACK_OFF: Duration = Duration::from_millis(500);
const LONGEST_BACK_OFF: Duration = Duration::from_secs(30);
/// API servers keep Events for an hour, so older ones are not sent.
const STALE: TimeDelta = TimeDelta::hours(1);
/// How long a cancelled [`Events::run`] goes on writing. The requests of the engine and the release of the Lease go before;
/// all of them fit into the 30 s that a pod has to end.
pub const DRAIN_LIMIT: Duration = Duration::from_secs(15);

/// The queue of Events and its writer. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Events {
    shared: Arc<Shared>,
}

struct Shared {
    client: Client,
    instance: String,
    clock: Arc<dyn Clock>,
    metrics: Arc<Metrics>,
    random: Random,
    queue: Mutex<Queue>,
    /// Whether something more urgent waits.
    urgent: AtomicBool,
    arrived: Notify,
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events")
            .field("instance", &self.shared.instance)
            .field("waiting", &self.waiting())
            .field("dropped", &self.dropped())
            .finish()
    }
}

impl Events {
    /// An empty queue. The instance is this process, in a pod its name; the clock tells which Events have become too old. The
    /// metrics count what waits, what is dropped, and what the API server answers; the random numbers spread what is tried again.
    pub fn new(
        client: Client,
        instance: &str,
        clock: Arc<dyn Clock>,
        metrics: Arc<Metrics>,
        random: Random,
    ) -> Events {
        // The API server's bound.
        let instance = first_bytes(instance, 128).to_string();
        let (queue, urgent, arrived) = (Mutex::default(), AtomicBool::new(false), Notify::new());
        let shared = Shared { client, instance, clock, metrics, random, queue, urgent, arrived };
        Events { shared: Arc::new(shared) }
    }

    /// Puts an Event into the queue, at once and always: when 10 000 wait, the oldest is dropped.
    pub fn publish(&self, mut event: PendingEvent) {
        cut(&mut event.message.note);
        let full = {
            let mut queue = self.shared.queue.lock();
            let full = queue.len() >= QUEUE;
            if full {
                queue.drop_oldest();
            }
            queue.push(event);
            full
        };
        if full {
            self.shared.metrics.events_dropped.inc();
        }
        self.shared.arrived.notify_one();
    }

    /// Sets whether something more urgent waits; then no Event is sent.
    pub fn give_way(&self, urgent: bool) {
        self.shared.urgent.store(urgent, Ordering::Relaxed);
    }

    /// How many Events wait.
    pub fn waiting(&self) -> usize {
        self.shared.queue.lock().len()
    }

    /// How many Events were dropped: the queue was full, the API server refused them, or they became too old.
    pub fn dropped(&self) -> u64 {
        self.shared.metrics.events_dropped.get()
    }

    /// Writes what is published, until cancelled; then what waits, for [`DRAIN_LIMIT`] at most. What is left then is logged,
    /// and counts as dropped.
    pub async fn run(&self, cancel: CancellationToken) {
        let series = Arc::new(Mutex::new(Series::new(&self.shared.instance)));
        let mut under_way = JoinSet::new();
        tokio::select! {
            biased;
            () = cancel.cancelled() => {}
            () = self.write_all(&series, &mut under_way, false) => {}
        }
        let all = self.write_all(&series, &mut under_way, true);
        if timeout(DRAIN_LIMIT, all).await.is_err() {
            let left = self.waiting() + under_way.len();
            self.shared.metrics.events_dropped.inc_by(left as u64);
            warn!(left, "the operator stopped with events that were not sent");
        }
    }

    /// Writes what waits: for ever, or, while the operator stops, until nothing does. No Event is held across an await here,
    /// so none is lost if this is dropped.
    async fn write_all(&self, series: &Arc<Mutex<Series>>, under_way: &mut JoinSet<()>, stopping: bool) {
        let of_a_namespace = if stopping { OF_A_NAMESPACE } else { 1 };
        let mut spacing = tokio::time::interval(SPACING);
        spacing.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if !stopping {
                spacing.tick().await;
                while self.shared.urgent.load(Ordering::Relaxed) {
                    sleep(GIVES_WAY).await;
                }
            }
            while under_way.try_join_next().is_some() {}
            let mut until = None;
            if under_way.len() < AT_ONCE {
                match self.next(of_a_namespace) {
                    Ok(waiting) => {
                        under_way.spawn(self.clone().write(series.clone(), waiting));
                        continue;
                    }
                    Err(ready_at) => until = ready_at,
                }
            }
            if stopping && under_way.is_empty() && self.waiting() == 0 {
                return;
            }
            let later = async {
                match until {
                    Some(until) => sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = self.shared.arrived.notified() => {}
                Some(_) = under_way.join_next() => {}
                () = later => {}
            }
        }
    }

    /// The next Event that may be sent now, or the moment at which one may be, if it is known.
    fn next(&self, of_a_namespace: usize) -> Result<Waiting, Option<Instant>> {
        let mut queue = self.shared.queue.lock();
        let next = queue.pop(Instant::now(), of_a_namespace);
        self.shared.metrics.queue("events", queue.len());
        next.ok_or_else(|| queue.ready_at())
    }

    /// Sends one Event. If it fails and it makes sense to try again, the Event goes back to the front of its namespace, which
    /// waits.
    async fn write(self, series: Arc<Mutex<Series>>, mut waiting: Waiting) {
        let namespace = waiting.event.kronjob.namespace.clone();
        let again = self.try_write(&series, &mut waiting).await;
        let mut queue = self.shared.queue.lock();
        queue.ended(&namespace);
        if let Some(wait) = again {
            queue.put_back(waiting, Instant::now() + wait);
        }
    }

    /// Sends one Event. Says after which time to try again, if it makes sense to.
    async fn try_write(&self, series: &Mutex<Series>, waiting: &mut Waiting) -> Option<Duration> {
        // Expired or deleted: there is no Event to repeat, and a new one is made at once.
        for _ in 0..2 {
            if self.shared.clock.now().signed_duration_since(waiting.event.time) > STALE {
                break;
            }
            waiting.attempts += 1;
            let post = match &waiting.created {
                Some(created) => Post::Create(created.clone()),
                None => series.lock().post(&waiting.event, Instant::now()),
            };
            if let Post::Create(created) = &post {
                waiting.created = Some(created.clone());
            }
            let failure = match self.send(&waiting.event, &post).await {
                Ok(()) => {
                    series.lock().posted(&waiting.event, post, Instant::now());
                    return None;
                }
                Err(failure) => failure,
            };
            let doubled = 2u32.saturating_pow(waiting.attempts.saturating_sub(1));
            let back_off = BACK_OFF.saturating_mul(doubled).min(LONGEST_BACK_OFF);
            let back_off = self.shared.random.share_of(back_off, 0.5, 1.5);
            match (failure, &post) {
                // Our own, from before.
                (Failure::AlreadyExists, Post::Create(_)) => {
                    series.lock().posted(&waiting.event, post, Instant::now());
                    return None;
                }
                (Failure::NotFound, Post::Repeat { .. }) => series.lock().forget(&post),
                // Events do not wait for a permission that is missing.
                (failure, _) if !failure.passing() || failure == Failure::Forbidden => break,
                _ if waiting.attempts >= ATTEMPTS => break,
                (Failure::TooManyRequests { retry_after: Some(wait) }, _) => {
                    return Some(wait.min(LONGEST_BACK_OFF));
                }
                _ => return Some(back_off),
            }
        }
        self.shared.metrics.events_dropped.inc();
        let message = &waiting.event.message;
        debug!(reason = message.reason.as_str(), note = message.note, "an event is dropped");
        None
    }

    async fn send(&self, event: &PendingEvent, post: &Post) -> Result<(), Failure> {
        let api: Api<Event> = Api::namespaced(self.shared.client.clone(), &event.kronjob.namespace);
        let (verb, answer) = match post {
            Post::Create(event) => {
                let params = PostParams::default();
                ("create_event", within(REQUEST_LIMIT, api.create(&params, event)).await)
            }
            Post::Repeat { name, patch, .. } => {
                let params = PatchParams::default();
                ("patch_event", within(REQUEST_LIMIT, api.patch(name, &params, &Patch::Merge(patch))).await)
            }
        };
        let result = answer.map(drop).map_err(|error| {
            let failure = Failure::from(&error);
            let (reason, error) = (event.message.reason.as_str(), sentence(&error));
            debug!(reason, error, code = failure.code(), "cannot write an event");
            failure
        });
        self.shared.metrics.requested(verb, result.map_or_else(|failure| failure.code(), |()| "ok"));
        result
    }
}

#[cfg(test)]
mod tests;
