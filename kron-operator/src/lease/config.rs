//! The Lease by its name, and its times.

use std::time::Duration;

use crate::random::Random;

/// The Lease, its name and its times.
#[derive(Clone, Debug)]
pub struct LeaseConfig {
    /// Namespace of the Lease.
    pub namespace: String,
    /// Name of the Lease. Operators that share KronJobs share it.
    pub name: String,
    /// Who we are, unique to this process: see [`LeaseConfig::new`].
    pub identity: String,
    /// How long a renewal counts for the others; whole seconds, at least 1.
    pub duration: Duration,
    /// How long the holder waits between renewals, give or take a tenth.
    pub renew_every: Duration,
    /// How long a contender waits between looks, and the holder after a failed renewal, give or take a tenth.
    pub retry_every: Duration,
    /// Spreads these times.
    pub random: Random,
}

impl LeaseConfig {
    /// The usual times: 15 s, 5 s, 2 s. The identity is the host (of a pod: its name), `_` and ten random characters,
    /// because a container that is started again in the same pod is another process.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>, host: &str) -> LeaseConfig {
        LeaseConfig {
            namespace: namespace.into(),
            name: name.into(),
            identity: unique(host),
            duration: Duration::from_secs(15),
            renew_every: Duration::from_secs(5),
            retry_every: Duration::from_secs(2),
            random: Random::default(),
        }
    }

    /// How much earlier than the others the holder counts its Lease as expired: a fifth of its duration.
    pub fn margin(&self) -> Duration {
        self.duration / 5
    }

    /// How long the holder counts on a renewal.
    pub(super) fn validity(&self) -> Duration {
        self.duration.saturating_sub(self.margin())
    }

    /// How long an answer is waited for: a renewal that is late leaves time for another.
    pub(super) fn request_limit(&self) -> Duration {
        self.duration / 5
    }

    pub(super) fn seconds(&self) -> i32 {
        i32::try_from(self.duration.as_secs()).unwrap_or(i32::MAX).max(1)
    }
}

/// A name for this process: the host, `_` and ten random characters.
pub(super) fn unique(host: &str) -> String {
    format!("{host}_{}", Random::default().letters(10))
}
