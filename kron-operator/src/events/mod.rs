//! Events of KronJobs, written when there is nothing more urgent.
//!
//! [`Events::publish`] puts a note into a bounded queue and returns. [`Events::run`] writes one after the other, at a
//! limited rate, so creates and status writes never wait for an Event. Namespaces take turns, and one whose Events fail
//! waits for itself. Repeats become one Event with a count.

mod queue;
mod reason;
mod series;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use k8s_openapi::api::{core::v1::ObjectReference, events::v1::Event};
use kube::{
    Api, Client,
    api::{Patch, PatchParams, PostParams},
};
use tokio::{
    sync::Notify,
    time::{Instant, MissedTickBehavior, sleep},
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, warn};

use self::queue::{Queue, Waiting};
pub use self::reason::{Reason, Severity};
use self::series::{Post, Series};
use crate::{
    client::{Failure, sentence, within},
    clock::Clock,
    metrics::Metrics,
};

/// The controller that Events name.
pub const CONTROLLER: &str = "kron.io/kron-operator";

/// How many notes wait at most; the oldest go first.
const QUEUE: usize = 10_000;
/// How long Events give way to starts before they look again.
const GIVES_WAY: Duration = Duration::from_millis(100);
/// Between two Events: at most 100 a second.
const SPACING: Duration = Duration::from_millis(10);
/// How long an answer is waited for.
const REQUEST_LIMIT: Duration = Duration::from_secs(10);
/// How often an Event is sent before it is dropped.
const ATTEMPTS: u32 = 6;
/// Waits between them: this, doubled each time, up to the other, give or take half.
const BACK_OFF: Duration = Duration::from_millis(500);
const LONGEST_BACK_OFF: Duration = Duration::from_secs(30);
/// API servers keep Events for an hour; what is older was of no use to anybody.
const STALE: TimeDelta = TimeDelta::hours(1);
/// How long a cancelled [`Events::run`] goes on writing.
const DRAIN_LIMIT: Duration = Duration::from_secs(3);
/// Longer notes are refused by API servers.
const NOTE_BYTES: usize = 1024;

/// One thing to tell about a KronJob.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// The KronJob: apiVersion, kind, namespace, name, uid.
    pub regarding: ObjectReference,
    /// Why.
    pub reason: Reason,
    /// A sentence for people; what is over 1024 bytes is cut.
    pub note: String,
    /// When it happened.
    pub time: DateTime<Utc>,
}

impl Note {
    /// A note whose text is cut to 1024 bytes at a boundary of characters.
    pub fn new(
        regarding: ObjectReference,
        reason: Reason,
        note: impl Into<String>,
        time: DateTime<Utc>,
    ) -> Note {
        let mut note = note.into();
        cut(&mut note);
        Note { regarding, reason, note, time }
    }
}

pub(crate) fn cut(note: &mut String) {
    const END: &str = "…";
    if note.len() > NOTE_BYTES {
        note.truncate(first_bytes(note, NOTE_BYTES - END.len()).len());
        note.push_str(END);
    }
}

/// As much of a text as fits into a number of bytes.
fn first_bytes(text: &str, bytes: usize) -> &str {
    // Position 0 is a boundary of characters at the latest.
    (0..=bytes.min(text.len())).rev().find_map(|end| text.get(..end)).unwrap_or_default()
}

/// The queue of Events and its writer. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Events {
    shared: Arc<Shared>,
}

struct Shared {
    client: Client,
    instance: String,
    clock: Arc<dyn Clock>,
    metrics: Option<Arc<Metrics>>,
    queue: Mutex<Queue>,
    /// Whether something more urgent waits.
    urgent: std::sync::atomic::AtomicBool,
    arrived: Notify,
    dropped: AtomicU64,
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
    /// An empty queue. The instance is this process, in a pod its name; the clock tells which notes have become too old.
    pub fn new(client: Client, instance: impl Into<String>, clock: Arc<dyn Clock>) -> Events {
        Events::with(client, instance.into(), clock, None)
    }

    /// [`Events::new`] with metrics: how many wait, how many are dropped, and what the API server answers.
    pub fn with_metrics(
        client: Client,
        instance: impl Into<String>,
        clock: Arc<dyn Clock>,
        metrics: Arc<Metrics>,
    ) -> Events {
        Events::with(client, instance.into(), clock, Some(metrics))
    }

    fn with(
        client: Client,
        mut instance: String,
        clock: Arc<dyn Clock>,
        metrics: Option<Arc<Metrics>>,
    ) -> Events {
        // The API server's bound.
        instance.truncate(first_bytes(&instance, 128).len());
        Events {
            shared: Arc::new(Shared {
                client,
                instance,
                clock,
                metrics,
                queue: Mutex::default(),
                urgent: std::sync::atomic::AtomicBool::new(false),
                arrived: Notify::new(),
                dropped: AtomicU64::new(0),
            }),
        }
    }

    /// Puts a note into the queue, at once and always: when 10 000 wait, the oldest is dropped.
    pub fn publish(&self, mut note: Note) {
        cut(&mut note.note);
        let full = {
            let mut queue = self.queue();
            let full = queue.len() >= QUEUE;
            if full {
                queue.drop_oldest();
            }
            queue.push(note);
            full
        };
        if full {
            self.drop_one();
        }
        self.shared.arrived.notify_one();
    }

    /// Says whether something more urgent waits; then no Event is sent.
    pub fn give_way(&self, urgent: bool) {
        self.shared.urgent.store(urgent, Ordering::Relaxed);
    }

    /// How many notes wait.
    pub fn waiting(&self) -> usize {
        self.queue().len()
    }

    /// How many notes were dropped: the queue was full, the API server refused them, or they became too old.
    pub fn dropped(&self) -> u64 {
        self.shared.dropped.load(Ordering::Relaxed)
    }

    /// Writes what is published, until cancelled; then what waits, for three seconds at most.
    pub async fn run(&self, cancel: CancellationToken) {
        let mut series = Series::new(&self.shared.instance);
        let mut spacing = tokio::time::interval(SPACING);
        spacing.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let work = async {
            loop {
                let (waiting, until) = self.next();
                let Some(waiting) = waiting else {
                    if cancel.is_cancelled() && until.is_none() {
                        return;
                    }
                    let later = async {
                        match until {
                            Some(until) => tokio::time::sleep_until(until).await,
                            None => std::future::pending().await,
                        }
                    };
                    let cancelled = async {
                        match until {
                            None => cancel.cancelled().await,
                            Some(_) => std::future::pending().await,
                        }
                    };
                    tokio::select! {
                        () = self.shared.arrived.notified() => {}
                        () = later => {}
                        () = cancelled => {}
                    }
                    continue;
                };
                while self.shared.urgent.load(Ordering::Relaxed) && !cancel.is_cancelled() {
                    sleep(GIVES_WAY).await;
                }
                spacing.tick().await;
                self.write(&mut series, waiting).await;
            }
        };
        let limit = async {
            cancel.cancelled().await;
            sleep(DRAIN_LIMIT).await;
        };
        tokio::select! {
            biased;
            () = work => {}
            () = limit => {
                let left = self.waiting();
                warn!(left, "events were still waiting when the operator stopped");
            }
        }
    }

    /// The next note that may be sent now, or the moment at which one may be.
    fn next(&self) -> (Option<Waiting>, Option<Instant>) {
        let mut queue = self.queue();
        let next = queue.pop(Instant::now());
        if let Some(metrics) = &self.shared.metrics {
            metrics.queue("events", queue.len());
        }
        let until = if next.is_none() { queue.ready_at() } else { None };
        (next, until)
    }

    /// Sends one note. If it fails and it makes sense to try again, the note goes back to the front of its namespace, which
    /// waits.
    async fn write(&self, series: &mut Series, mut waiting: Waiting) {
        // Expired or deleted: there is no Event to repeat, and a new one is made at once.
        for _ in 0..2 {
            if self.shared.clock.now().signed_duration_since(waiting.note.time) > STALE {
                break;
            }
            waiting.attempts += 1;
            let post = series.post(&waiting.note, Instant::now());
            let failure = match self.send(&waiting.note, &post).await {
                Ok(()) => {
                    series.posted(&waiting.note, post, Instant::now());
                    return;
                }
                Err(failure) => failure,
            };
            let doubled = 2u32.saturating_pow(waiting.attempts.saturating_sub(1));
            let back_off =
                BACK_OFF.saturating_mul(doubled).min(LONGEST_BACK_OFF).mul_f64(rand::random_range(0.5..1.5));
            let wait = match (failure, &post) {
                // Our own, from before.
                (Failure::AlreadyExists, Post::Create(_)) => {
                    series.posted(&waiting.note, post, Instant::now());
                    return;
                }
                (Failure::NotFound, Post::Repeat { .. }) => {
                    series.forget(&post);
                    continue;
                }
                // Permission to write Events is not worth waiting for.
                (failure, _) if !failure.passing() || failure == Failure::Forbidden => break,
                _ if waiting.attempts >= ATTEMPTS => break,
                (Failure::TooManyRequests { retry_after: Some(wait) }, _) => wait.min(LONGEST_BACK_OFF),
                _ => back_off,
            };
            self.queue().put_back(waiting, Instant::now() + wait);
            return;
        }
        self.drop_one();
        let note = &waiting.note;
        debug!(reason = %note.reason, note = note.note, "an event is dropped");
    }

    async fn send(&self, note: &Note, post: &Post) -> Result<(), Failure> {
        let namespace = note.regarding.namespace.as_deref().unwrap_or("default");
        let api: Api<Event> = Api::namespaced(self.shared.client.clone(), namespace);
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
            debug!(reason = %note.reason, error = sentence(&error), code = failure.code(), "cannot write an event");
            failure
        });
        if let Some(metrics) = &self.shared.metrics {
            metrics.requested(verb, result.map_or_else(|failure| failure.code(), |()| "ok"));
        }
        result
    }

    fn drop_one(&self) {
        self.shared.dropped.fetch_add(1, Ordering::Relaxed);
        if let Some(metrics) = &self.shared.metrics {
            metrics.event_dropped();
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing panics while it holds the lock, and the queue is whole at all times.
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
