//! The Lease: its name and its times.

use std::time::Duration;

use crate::random::Random;

/// For how many seconds a renewal counts for the others.
pub(super) const SECONDS: u8 = 15;
/// The same as a time.
pub(super) const DURATION: Duration = Duration::from_secs(SECONDS as u64);
/// How much earlier than the others the holder counts its Lease as expired.
pub(super) const MARGIN: Duration = Duration::from_secs(3);
/// How long an answer is waited for: a renewal that is late leaves time for another.
pub(super) const REQUEST_LIMIT: Duration = Duration::from_secs(3);
/// How long the holder waits between renewals, give or take a tenth.
pub(super) const RENEW_EVERY: Duration = Duration::from_secs(5);
/// How long a contender waits between looks, and the holder after a failed renewal, give or take a tenth.
pub(super) const RETRY_EVERY: Duration = Duration::from_secs(2);

/// Which Lease it is, and who we are.
#[derive(Clone, Debug)]
pub struct LeaseConfig {
    /// Namespace of the Lease.
    pub namespace: String,
    /// Name of the Lease. Operators that share KronJobs share it.
    pub name: String,
    /// Who we are, unique to this process: see [`LeaseConfig::new`].
    pub identity: String,
    /// Spreads the times between two looks.
    pub random: Random,
}

impl LeaseConfig {
    /// The identity is the host (of a pod: its name), `_` and ten random characters,
    /// because a container that is started again in the same pod is another process.
    pub fn new(namespace: impl Into<String>, name: impl Into<String>, host: &str) -> LeaseConfig {
        LeaseConfig {
            namespace: namespace.into(),
            name: name.into(),
            identity: unique(host),
            random: Random::default(),
        }
    }
}

/// A name for this process: the host, `_` and ten random characters.
pub(super) fn unique(host: &str) -> String {
    format!("{host}_{}", Random::default().letters(10))
}
