//! Events of KronJobs, written when there is nothing more urgent.
//!
//! [`Events::publish`] puts an Event into a bounded queue and returns. [`Events::run`] writes them at a limited rate, so
//! creates and status writes never wait for an Event. Namespaces take turns, each with one Event under way, so one whose
//! Events fail or are answered slowly delays only its own. Repeats become one Event with a count. A shutdown sends what
//! waits as fast as the API server answers, for a limited time.

mod queue;
mod series;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chrono::TimeDelta;
use k8s_openapi::api::events::v1::Event;
use kron_crd::text::{cut, first_bytes};
use kube::api::{Patch, PatchParams, PostParams};
use kube::{Api, Client};
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use self::queue::{Queue, Waiting};
pub use self::series::{CONTROLLER, PendingEvent};
use self::series::{Post, Series, repeat};
use crate::client::{Failure, Refusal, within};
use crate::clock::{Clock, sleep_until_some};
use crate::metrics::Metrics;
use crate::random::Random;

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
/// Waits between them: this, doubled each time, give or take half.
const BACK_OFF: Duration = Duration::from_millis(500);
/// How long an Event waits at most if the API server says for how long.
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
    clock: Arc<dyn Clock>,
    metrics: Arc<Metrics>,
    random: Random,
    queue: Mutex<Queue>,
    series: Mutex<Series>,
    /// Whether something more urgent waits.
    urgent: AtomicBool,
    arrived: Notify,
}

impl std::fmt::Debug for Events {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events").field("waiting", &self.waiting()).finish_non_exhaustive()
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
        let series = Mutex::new(Series::new(first_bytes(instance, 128)));
        let (queue, urgent, arrived) = (Mutex::default(), AtomicBool::new(false), Notify::new());
        let shared = Shared { client, clock, metrics, random, queue, series, urgent, arrived };
        Events { shared: Arc::new(shared) }
    }

    /// Puts an Event into the queue, at once and always: when 10 000 wait, the oldest is dropped.
    pub fn publish(&self, mut event: PendingEvent) {
        cut(&mut event.message.note);
        let mut queue = self.shared.queue.lock();
        if queue.len() >= QUEUE {
            queue.drop_oldest();
            self.shared.metrics.events_dropped.inc();
        }
        queue.push(event);
        drop(queue);
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

    /// Writes what is published, until cancelled; then what waits, for [`DRAIN_LIMIT`] at most. What is left then is logged,
    /// and counts as dropped.
    pub async fn run(&self, cancel: CancellationToken) {
        let mut under_way = JoinSet::new();
        tokio::select! {
            biased;
            () = cancel.cancelled() => {}
            () = self.write_all(&mut under_way, false) => {}
        }
        let all = self.write_all(&mut under_way, true);
        if timeout(DRAIN_LIMIT, all).await.is_err() {
            let left = self.waiting() + under_way.len();
            self.shared.metrics.events_dropped.inc_by(left as u64);
            warn!(left, "the operator stopped with events that were not sent");
        }
    }

    /// Writes what waits: for ever, or, while the operator stops, until nothing does. No Event is held across an await here,
    /// so none is lost if this is dropped.
    async fn write_all(&self, under_way: &mut JoinSet<()>, stopping: bool) {
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
                        under_way.spawn(self.clone().write(waiting));
                        continue;
                    }
                    Err(ready_at) => until = ready_at,
                }
            }
            if stopping && under_way.is_empty() && self.waiting() == 0 {
                return;
            }
            tokio::select! {
                biased;
                () = self.shared.arrived.notified() => {}
                Some(_) = under_way.join_next() => {}
                () = sleep_until_some(until) => {}
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
    async fn write(self, mut waiting: Waiting) {
        let namespace = waiting.event.kronjob.namespace.clone();
        let again = self.try_write(&mut waiting).await;
        let mut queue = self.shared.queue.lock();
        queue.ended(&namespace);
        if let Some(wait) = again {
            queue.put_back(waiting, Instant::now() + wait);
        }
    }

    /// Sends one Event. Says after which time to try again, if it makes sense to.
    async fn try_write(&self, waiting: &mut Waiting) -> Option<Duration> {
        // Expired or deleted: there is no Event to repeat, and a new one is made at once.
        for _ in 0..2 {
            if self.shared.clock.now().signed_duration_since(waiting.event.time) > STALE {
                break;
            }
            waiting.attempts += 1;
            let again = waiting.created.clone();
            let post =
                again.unwrap_or_else(|| self.shared.series.lock().post(&waiting.event, Instant::now()));
            let creates = post.created.is_some();
            waiting.created = creates.then(|| post.clone());
            match self.send(&waiting.event, &post).await {
                // One that exists is our own, from before.
                result if result.is_ok() || creates && result == Err(Failure::AlreadyExists) => {
                    self.shared.series.lock().posted(post, Instant::now());
                    return None;
                }
                Err(Failure::NotFound) if !creates => self.shared.series.lock().forget(&post),
                // Events do not wait for a permission that is missing.
                Err(Failure::Forbidden) => break,
                Err(failure) if !failure.passing() || waiting.attempts >= ATTEMPTS => break,
                Err(Failure::TooManyRequests { retry_after: Some(wait) }) => {
                    return Some(wait.min(LONGEST_BACK_OFF));
                }
                _ => {
                    let back_off = BACK_OFF * 2u32.pow(waiting.attempts - 1);
                    return Some(self.shared.random.share_of(back_off, 0.5, 1.5));
                }
            }
        }
        self.shared.metrics.events_dropped.inc();
        let message = &waiting.event.message;
        debug!(reason = message.reason.as_str(), note = message.note, "an event is dropped");
        None
    }

    async fn send(&self, event: &PendingEvent, post: &Post) -> Result<(), Failure> {
        let api: Api<Event> = Api::namespaced(self.shared.client.clone(), &event.kronjob.namespace);
        let (verb, answer) = match &post.created {
            Some(event) => {
                let params = PostParams::default();
                ("create_event", within(REQUEST_LIMIT, api.create(&params, event)).await)
            }
            None => {
                let (params, patch) = (PatchParams::default(), Patch::Merge(repeat(post.count, event.time)));
                ("patch_event", within(REQUEST_LIMIT, api.patch(&post.name, &params, &patch)).await)
            }
        };
        let result = answer.map(drop).map_err(|Refusal { failure, message: error }| {
            debug!(
                reason = event.message.reason.as_str(),
                error,
                code = failure.code(),
                "cannot write an event"
            );
            failure
        });
        self.shared.metrics.requested(verb, result.map_or_else(|failure| failure.code(), |()| "ok"));
        result
    }
}

#[cfg(test)]
mod tests;
