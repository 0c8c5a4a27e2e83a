//! Leader election by a `coordination.k8s.io/v1` Lease.
//!
//! One replica writes, the others wait. The holder renews its Lease by a write with resourceVersion, so of two contenders
//! one gets a conflict. No replica trusts the clock of another: the holder counts from before it *sent* the last renewal
//! that succeeded, a contender from when it last *saw* the record change, both by their own monotonic clocks. For the
//! holder, time in which its machine is suspended counts, too. What the holder
//! gives up early (a fifth of its time) covers clocks of different rates and requests on their way.
//!
//! Election keeps replicas from doing the same work twice; that no Job is created twice rests on claims and names.

mod config;
mod state;

use std::{sync::Arc, time::Duration};

use k8s_openapi::api::coordination::v1::Lease as LeaseObject;
use kube::{Api, Client, api::PostParams};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

pub use self::config::LeaseConfig;
use self::config::{DURATION, MARGIN, RENEW_EVERY, REQUEST_LIMIT, RETRY_EVERY, unique};
use self::state::{Seen, Step};
use crate::client::{Failure, within};
use crate::clock::{Clock, micro_time, sleep_until_some};

/// The annotation of the Lease that identifies the tz database of its last holder.
pub const TZDB_ANNOTATION: &str = "kron.io/tzdb";

/// Longer than any process runs, and any simulation: 136 years.
const FOREVER: Duration = Duration::from_secs(u32::MAX as u64);

/// How long a cancelled [`Lease::run`] tries to release.
pub const RELEASE_LIMIT: Duration = Duration::from_secs(3);

/// Whether this process may write. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Lease {
    shared: Arc<Shared>,
}

struct Shared {
    holding: Mutex<Holding>,
    /// The term, while the Lease is held.
    changes: watch::Sender<Option<u64>>,
    identity: String,
    election: Option<Election>,
}

struct Election {
    api: Api<LeaseObject>,
    config: LeaseConfig,
    clock: Arc<dyn Clock>,
    /// Identifies our tz database.
    tzdb: String,
}

#[derive(Clone, Copy, Debug, Default)]
struct Holding {
    /// The last term that began; 0 before the first one.
    term: u64,
    /// When it ends, if it has not.
    end: Option<End>,
}

/// An instant and an uptime, whichever comes first: while the machine is suspended, instants do not advance.
type End = (Instant, Duration);

impl std::fmt::Debug for Lease {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lease").field("identity", &self.shared.identity).field("held", &self.held()).finish()
    }
}

impl Lease {
    /// A Lease that is not held yet; [`Lease::run`] acquires it. The time of day is only written to the record, for
    /// people. The holder writes `tzdb`, which identifies its tz database, to the annotation
    /// [`TZDB_ANNOTATION`]; see [`tzdb::identify`](crate::tzdb::identify).
    pub fn new(client: Client, config: LeaseConfig, clock: Arc<dyn Clock>, tzdb: String) -> Lease {
        let api = Api::namespaced(client, &config.namespace);
        Lease::of(config.identity.clone(), Some(Election { api, config, clock, tzdb }))
    }

    /// A Lease that is always held, without an API server: for one replica without election.
    ///
    /// ```
    /// use kron_operator::lease::Lease;
    /// assert!(Lease::always("laptop").held());
    /// ```
    pub fn always(host: &str) -> Lease {
        let lease = Lease::of(unique(host), None);
        lease.hold((Instant::now() + FOREVER, FOREVER));
        lease
    }

    /// Who this process is: unique to it, as a container that starts again in the same pod is another process.
    pub fn identity(&self) -> &str {
        &self.shared.identity
    }

    fn of(identity: String, election: Option<Election>) -> Lease {
        let (holding, changes) = (Mutex::default(), watch::Sender::default());
        Lease { shared: Arc::new(Shared { holding, changes, identity, election }) }
    }

    /// The term, if a write may go out now: the Lease is held, and still valid by the monotonic clock. Each acquisition begins a term
    /// with a greater number, the first one term 1. Between two terms, another process may have written.
    ///
    /// ```
    /// use kron_operator::lease::Lease;
    /// assert_eq!(Lease::always("laptop").term(), Some(1));
    /// ```
    pub fn term(&self) -> Option<u64> {
        let Holding { term, end } = *self.shared.holding.lock();
        (!self.until(end).is_zero()).then_some(term)
    }

    /// Whether a write may go out now: see [`Lease::term`].
    pub fn held(&self) -> bool {
        self.term().is_some()
    }

    /// How long a term goes on without a renewal. A term that has ended is not continued by a later one.
    pub fn remaining(&self, term: u64) -> Duration {
        let holding = *self.shared.holding.lock();
        self.until(holding.end.filter(|_| holding.term == term))
    }

    /// How long it is until an end.
    fn until(&self, end: Option<End>) -> Duration {
        end.map_or(Duration::ZERO, |(instant, uptime)| {
            let left = instant.saturating_duration_since(Instant::now());
            left.min(uptime.saturating_sub(self.uptime()))
        })
    }

    /// Time that counts while the machine is suspended.
    fn uptime(&self) -> Duration {
        self.shared.election.as_ref().map_or(Duration::ZERO, |election| election.clock.uptime())
    }

    /// Follows [`Lease::term`]. [`Lease::run`] reports a loss by expiry, so before a write `term` has the last word.
    pub fn subscribe(&self) -> watch::Receiver<Option<u64>> {
        self.shared.changes.subscribe()
    }

    /// Acquires the Lease when it is free or expired, renews it, and takes note when it is lost, until cancelled; then
    /// releases it, so that another replica starts at once. Stop writing before cancelling.
    pub async fn run(&self, cancel: CancellationToken) {
        let Some(election) = &self.shared.election else {
            cancel.cancelled().await;
            self.end_term();
            return;
        };
        let mut seen = Seen::default();
        loop {
            let round = async {
                let wait = self.round(election, &mut seen).await;
                let wait = election.config.random.share_of(wait, 0.9, 1.1);
                self.watched(sleep(wait)).await;
            };
            tokio::select! {
                biased;
                () = cancel.cancelled() => break,
                () = round => {}
            }
        }
        // A renewal may be on its way, so what counts is whether the record names us, not whether we think that we hold it.
        self.end_term();
        if timeout(RELEASE_LIMIT, release(election, &seen)).await.is_err() {
            warn!(lease = election.config.name, "the lease is not released; it expires");
        }
    }

    /// One look at the Lease and one write, if there is one to do. Returns how long to wait.
    async fn round(&self, election: &Election, seen: &mut Seen) -> Duration {
        let Election { api, config, clock, tzdb } = election;
        let record = match self.watched(within(REQUEST_LIMIT, api.get_opt(&config.name))).await {
            Ok(record) => record,
            Err(error) => {
                warn!(lease = config.name, error = error.message, "cannot read the lease");
                return RETRY_EVERY;
            }
        };
        let step = seen.next(config, record.as_ref(), Instant::now());
        let mut record = record.unwrap_or_default();
        let annotations = record.metadata.annotations.get_or_insert_default();
        if let Step::Wait { holder, until } = step {
            self.lost(config, &holder);
            if let Some(theirs) = seen.other_tzdb(annotations.get(TZDB_ANNOTATION), tzdb) {
                let (lease, ours) = (&config.name, tzdb);
                warn!(lease, holder, theirs, ours, "the leader has another tz database than this replica");
            }
            return until.saturating_duration_since(Instant::now()).min(RETRY_EVERY);
        }
        let before = annotations.insert(TZDB_ANNOTATION.to_string(), tzdb.clone());
        let (creates, takes) = (step == Step::Create, step == Step::Take);
        let now = micro_time(clock.now()).0;
        record.spec = Some(state::written(config, step, record.spec.as_ref(), now));
        record.metadata.name = Some(config.name.clone());
        record.metadata.namespace = Some(config.namespace.clone());
        seen.sends();
        let sent = (Instant::now(), self.uptime());
        let request = async {
            match creates {
                true => api.create(&PostParams::default(), &record).await,
                false => api.replace(&config.name, &PostParams::default(), &record).await,
            }
        };
        match self.watched(within(REQUEST_LIMIT, request)).await {
            Ok(record) => {
                seen.confirms(record.spec.as_ref(), Instant::now());
                self.won(config, sent);
                if let Some(theirs) = before.filter(|theirs| takes && theirs != tzdb) {
                    let (lease, ours) = (&config.name, tzdb);
                    warn!(lease, theirs, ours, "the leader before had another tz database than this replica");
                }
                RENEW_EVERY
            }
            Err(error) => {
                match error.failure {
                    // The next look says who was faster.
                    Failure::Conflict | Failure::AlreadyExists => {}
                    _ => warn!(lease = config.name, error = error.message, "cannot write the lease"),
                }
                RETRY_EVERY
            }
        }
    }

    /// Waits for a future, and reports an expiry meanwhile.
    async fn watched<T>(&self, future: impl Future<Output = T>) -> T {
        tokio::pin!(future);
        tokio::select! {
            biased;
            output = &mut future => return output,
            () = self.expired() => {}
        }
        future.await
    }

    /// Returns when the Lease expires, and reports it; never if it is not held.
    async fn expired(&self) {
        // A copy: the lock must not be held across a wait.
        let end = self.shared.holding.lock().end;
        sleep_until_some(end.map(|(instant, _)| instant)).await;
        warn!("the lease expired before it could be renewed");
        self.end_term();
    }

    fn won(&self, config: &LeaseConfig, (sent, uptime): (Instant, Duration)) {
        let validity = DURATION - MARGIN;
        let end = (sent + validity, uptime + validity);
        // An answer can be so late that it is worth nothing.
        if self.until(Some(end)).is_zero() {
            return;
        }
        if !self.held() {
            info!(lease = config.name, identity = config.identity, "leading");
        }
        self.hold(end);
    }

    fn lost(&self, config: &LeaseConfig, holder: &str) {
        if self.shared.holding.lock().end.is_some() {
            warn!(lease = config.name, holder, "the lease was taken over");
            self.end_term();
        }
    }

    /// Goes on with a term, or begins one: a term that expired without a report has ended, too.
    fn hold(&self, end: End) {
        let term = self.term();
        let mut holding = self.shared.holding.lock();
        let term = term.unwrap_or(holding.term + 1);
        *holding = Holding { term, end: Some(end) };
        drop(holding);
        self.report(Some(term));
    }

    fn end_term(&self) {
        self.shared.holding.lock().end = None;
        self.report(None);
    }

    fn report(&self, term: Option<u64>) {
        self.shared.changes.send_if_modified(|before| std::mem::replace(before, term) != term);
    }
}

/// Clears the holder, if that is us.
async fn release(election: &Election, seen: &Seen) {
    let config = &election.config;
    // A conflict may come from our own renewal whose answer was lost; look again until the limit.
    loop {
        let released = async {
            let Some(mut record) = election.api.get_opt(&config.name).await? else { return Ok(()) };
            let Some(spec) = record.spec.take().filter(|spec| seen.is_ours(config, spec)) else {
                return Ok::<_, kube::Error>(());
            };
            record.spec = Some(state::released(spec, micro_time(election.clock.now()).0));
            election.api.replace(&config.name, &PostParams::default(), &record).await?;
            info!(lease = config.name, "released the lease");
            Ok(())
        };
        match within(RELEASE_LIMIT, released).await {
            Ok(()) => return,
            Err(error) => warn!(lease = config.name, error = error.message, "cannot release the lease"),
        }
        sleep(Duration::from_millis(200)).await;
    }
}

#[cfg(test)]
mod tests;
