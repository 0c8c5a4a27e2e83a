//! What all tasks of an engine share.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use kube::Client;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use super::bucket::Bucket;
use super::limiter::Limiter;
use super::options::Options;
use super::queue::Queue;
use super::retries::Retries;
use super::state::State;
use crate::clock::Clock;
use crate::events::Events;
use crate::lease::Lease;
use crate::metrics::Metrics;
use crate::telemetry::Throttle;
use crate::web::Health;

/// Everything an engine works with.
#[derive(Clone)]
pub struct Engine {
    pub(crate) shared: Arc<Shared>,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.shared.options).finish_non_exhaustive()
    }
}

pub(crate) struct Shared {
    pub(super) client: Client,
    pub(super) clock: Arc<dyn Clock>,
    pub(crate) lease: Lease,
    pub(crate) events: Events,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) health: Health,
    pub(super) options: Options,
    pub(super) state: Mutex<State>,
    pub(super) queue: Queue,
    /// A timer was set, or the clock.
    pub(super) timers: Notify,
    /// The list of a watch was read, or refused for the first time.
    pub(super) answered: Notify,
    /// Others wait for a list of Jobs than before.
    pub(super) lists: Notify,
    pub(super) dry_runs: Bucket,
    pub(super) limiter: Limiter,
    pub(super) retries: Retries,
    /// The uptime in milliseconds at which the timers' lane was last at work; 0 before.
    pub(super) pulse: AtomicU64,
    /// Limits lines of the log that many KronJobs would write at once.
    pub(super) log: Throttle,
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
        let state = Mutex::new(State::serving(lease.identity(), &options.namespaces.scopes()));
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
                queue: Queue::default(),
                timers: Notify::new(),
                answered: Notify::new(),
                lists: Notify::new(),
                dry_runs,
                limiter,
                retries: Retries::new(),
                pulse: AtomicU64::new(0),
                log: Throttle::default(),
            }),
        }
    }

    /// The state, locked. The timers wait for this lock, so nothing that can block is called while it is held: no write to
    /// the log above all.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock()
    }
}
