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

use k8s_openapi::{api::coordination::v1::Lease as LeaseObject, jiff::Timestamp};
use kube::{
    Api, Client,
    api::{ObjectMeta, PostParams},
};
use parking_lot::Mutex;
use tokio::{
    sync::watch,
    time::{Instant, sleep, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

pub use self::config::LeaseConfig;
use self::config::{DURATION, MARGIN, RENEW_EVERY, REQUEST_LIMIT, RETRY_EVERY, unique};
use self::state::{Seen, Step};
use crate::{
    client::{Failure, sentence, within},
    clock::Clock,
};

/// The annotation of the Lease that identifies the tz database of its last holder.
pub const TZDB_ANNOTATION: &str = "kron.io/tzdb";

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

#[derive(Clone, Copy, Debug)]
struct Holding {
    /// Until when the Lease counts as held.
    validity: Validity,
    /// The last term that began; 0 before the first one.
    term: u64,
}

#[derive(Clone, Copy, Debug)]
enum Validity {
    Never,
    /// Until an instant and an uptime: while the machine is suspended, instants do not advance.
    Until(Instant, Duration),
    Always,
}

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
        Lease::of(Validity::Never, config.identity.clone(), Some(Election { api, config, clock, tzdb }))
    }

    /// A Lease that is always held, without an API server: for one replica without election.
    ///
    /// ```
    /// use kron_operator::lease::Lease;
    /// assert!(Lease::always("laptop").held());
    /// ```
    pub fn always(host: &str) -> Lease {
        Lease::of(Validity::Always, unique(host), None)
    }

    /// Who this process is: unique to it, as a container that starts again in the same pod is another process.
    pub fn identity(&self) -> &str {
        &self.shared.identity
    }

    fn of(validity: Validity, identity: String, election: Option<Election>) -> Lease {
        let always = matches!(validity, Validity::Always);
        let holding = Mutex::new(Holding { validity, term: u64::from(always) });
        let (changes, _) = watch::channel(always.then_some(1));
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
        let Holding { validity, term } = *self.shared.holding.lock();
        let held = match validity {
            Validity::Never => false,
            Validity::Until(until, uptime) => Instant::now() < until && self.uptime() < uptime,
            Validity::Always => true,
        };
        held.then_some(term)
    }

    /// Whether a write may go out now: see [`Lease::term`].
    pub fn held(&self) -> bool {
        self.term().is_some()
    }

    /// How long a term goes on without a renewal. A term that has ended is not continued by a later one.
    pub fn remaining(&self, term: u64) -> Duration {
        let holding = *self.shared.holding.lock();
        match holding.validity {
            _ if holding.term != term => Duration::ZERO,
            Validity::Never => Duration::ZERO,
            Validity::Until(until, uptime) => {
                until.saturating_duration_since(Instant::now()).min(uptime.saturating_sub(self.uptime()))
            }
            Validity::Always => Duration::MAX,
        }
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
                self.sleep_until_expired_or(Instant::now() + wait).await;
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
        let config = &election.config;
        let answer = self.watched(within(REQUEST_LIMIT, election.api.get_opt(&config.name))).await;
        let record = match answer {
            Ok(record) => record,
            Err(error) => {
                warn!(lease = config.name, error = sentence(&error), "cannot read the lease");
                return RETRY_EVERY;
            }
        };
        let step = seen.next(config, record.as_ref(), Instant::now());
        let theirs = record.as_ref().and_then(tzdb_of).map(str::to_string);
        let takes = matches!(step, Step::Take);
        let written = match (step, record) {
            (Step::Wait { holder, until }, _) => {
                self.lost(config, &holder);
                if let Some(theirs) = seen.other_tzdb(theirs.as_deref(), &election.tzdb) {
                    warn!(
                        lease = config.name,
                        holder,
                        theirs,
                        ours = election.tzdb,
                        "the leader has another tz database than this replica"
                    );
                }
                return until.saturating_duration_since(Instant::now()).min(RETRY_EVERY);
            }
            (step, record) => {
                let now = timestamp(election.clock.as_ref());
                let spec = state::written(config, step, record.as_ref().and_then(|r| r.spec.as_ref()), now);
                seen.sends();
                let sent = (Instant::now(), self.uptime());
                let exists = record.is_some();
                let metadata = ObjectMeta {
                    name: Some(config.name.clone()),
                    namespace: Some(config.namespace.clone()),
                    ..ObjectMeta::default()
                };
                let mut record = record.unwrap_or(LeaseObject { metadata, spec: None });
                record.spec = Some(spec);
                let annotations = record.metadata.annotations.get_or_insert_default();
                annotations.insert(TZDB_ANNOTATION.to_string(), election.tzdb.clone());
                let request = async {
                    match exists {
                        true => election.api.replace(&config.name, &PostParams::default(), &record).await,
                        false => election.api.create(&PostParams::default(), &record).await,
                    }
                };
                self.watched(within(REQUEST_LIMIT, request)).await.map(|record| (record, sent))
            }
        };
        match written {
            Ok((record, sent)) => {
                seen.confirms(record.spec.as_ref(), Instant::now());
                self.won(config, sent);
                if let Some(theirs) = theirs.filter(|theirs| takes && *theirs != election.tzdb) {
                    warn!(
                        lease = config.name,
                        theirs,
                        ours = election.tzdb,
                        "the leader before had another tz database than this replica"
                    );
                }
                RENEW_EVERY
            }
            Err(error) => {
                match Failure::from(&error) {
                    // The next look says who was faster.
                    Failure::Conflict | Failure::AlreadyExists => {}
                    _ => warn!(lease = config.name, error = sentence(&error), "cannot write the lease"),
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

    async fn sleep_until_expired_or(&self, deadline: Instant) {
        self.watched(sleep_until(deadline)).await;
    }

    /// Returns when the Lease expires, and reports it; never if it is not held.
    async fn expired(&self) {
        // A copy: the lock must not be held across a wait.
        let Holding { validity, .. } = *self.shared.holding.lock();
        match validity {
            Validity::Until(until, _) => sleep_until(until).await,
            Validity::Never | Validity::Always => std::future::pending().await,
        }
        warn!("the lease expired before it could be renewed");
        self.end_term();
    }

    fn won(&self, config: &LeaseConfig, (sent, uptime): (Instant, Duration)) {
        let validity = DURATION - MARGIN;
        let (until, uptime) = (sent + validity, uptime + validity);
        // An answer can be so late that it is worth nothing.
        if until <= Instant::now() || uptime <= self.uptime() {
            return;
        }
        // A term that expired without a report has ended, too.
        let begins = !self.held();
        if begins {
            info!(lease = config.name, identity = config.identity, "leading");
        }
        self.hold(Validity::Until(until, uptime), begins);
    }

    fn lost(&self, config: &LeaseConfig, holder: &str) {
        if matches!(self.shared.holding.lock().validity, Validity::Until(..)) {
            warn!(lease = config.name, holder, "the lease was taken over");
            self.end_term();
        }
    }

    fn hold(&self, validity: Validity, begins: bool) {
        let mut holding = self.shared.holding.lock();
        holding.validity = validity;
        holding.term += u64::from(begins);
        let term = holding.term;
        drop(holding);
        self.report(Some(term));
    }

    fn end_term(&self) {
        self.shared.holding.lock().validity = Validity::Never;
        self.report(None);
    }

    fn report(&self, term: Option<u64>) {
        self.shared.changes.send_if_modified(|before| std::mem::replace(before, term) != term);
    }

    /// A Lease that a test gives and takes.
    #[cfg(test)]
    pub(crate) fn of_test() -> Lease {
        Lease::of(Validity::Never, "test".to_string(), None)
    }

    /// Begins a term in a test.
    #[cfg(test)]
    pub(crate) fn give(&self) {
        self.hold(Validity::Always, true);
    }

    /// Ends a term in a test.
    #[cfg(test)]
    pub(crate) fn take_away(&self) {
        self.end_term();
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
                return Ok(());
            };
            record.spec = Some(state::released(spec, timestamp(election.clock.as_ref())));
            election.api.replace(&config.name, &PostParams::default(), &record).await?;
            info!(lease = config.name, "released the lease");
            Ok(())
        };
        match within(RELEASE_LIMIT, released).await {
            Ok(()) => return,
            Err(error) => warn!(lease = config.name, error = sentence(&error), "cannot release the lease"),
        }
        sleep(Duration::from_millis(200)).await;
    }
}

fn tzdb_of(record: &LeaseObject) -> Option<&str> {
    record.metadata.annotations.as_ref()?.get(TZDB_ANNOTATION).map(String::as_str)
}

fn timestamp(clock: &dyn Clock) -> Timestamp {
    Timestamp::from_microsecond(clock.now().timestamp_micros()).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests;
