//! How many starts that failed are tried again in a second: so many of a namespace, and so many of all. A namespace whose quota is
//! used up by ten thousand KronJobs delays none of another one, and their tries leave room for starts that fail for the first time,
//! which this does not count.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

/// The most tries of one namespace in a second.
pub(super) const OF_NAMESPACE: u32 = 20;
/// The most tries in a second.
pub(super) const OF_ALL: u32 = 200;

/// The tries to come, by their seconds.
#[derive(Debug)]
pub(super) struct Retries {
    begun: Instant,
    seconds: Mutex<BTreeMap<u64, Second>>,
}

#[derive(Debug, Default)]
struct Second {
    all: u32,
    namespaces: HashMap<String, u32>,
}

impl Second {
    fn has_room(&self, namespace: &str) -> bool {
        self.all < OF_ALL && self.namespaces.get(namespace).is_none_or(|tries| *tries < OF_NAMESPACE)
    }
}

impl Retries {
    pub(super) fn new() -> Retries {
        Retries { begun: Instant::now(), seconds: Mutex::default() }
    }

    /// After which time a start of that namespace is tried again that wants to wait so long: that time, or the next second with
    /// room.
    pub(super) fn after(&self, namespace: &str, wait: Duration) -> Duration {
        let now = self.begun.elapsed();
        let wanted = now + wait;
        let mut seconds = self.seconds.lock();
        *seconds = seconds.split_off(&now.as_secs());
        // Each start that failed has one try to come, so there are hardly more full seconds than hundreds.
        let mut second = wanted.as_secs();
        while seconds.get(&second).is_some_and(|tries| !tries.has_room(namespace)) {
            second += 1;
        }
        let tries = seconds.entry(second).or_default();
        tries.all += 1;
        *tries.namespaces.entry(namespace.to_string()).or_default() += 1;
        // At the same part of a later second: one second's tries do not come at once.
        wait + Duration::from_secs(second - wanted.as_secs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tries in each second from now on.
    fn tries(retries: &Retries, namespaces: impl Iterator<Item = String>, wait: Duration) -> Vec<u32> {
        let mut counted = Vec::new();
        for namespace in namespaces {
            let second = retries.after(&namespace, wait).as_secs() as usize;
            counted.resize(counted.len().max(second + 1), 0);
            counted[second] += 1;
        }
        counted
    }

    #[tokio::test(start_paused = true)]
    async fn tries_are_few_in_each_second() {
        let retries = Retries::new();
        let namespace = |number: u32| format!("team-{number}");
        // Ten thousand of one namespace, and one of another.
        let one = tries(&retries, (0..10_000).map(|_| namespace(0)), Duration::from_secs(2));
        assert_eq!((one[1], one[2], one[501], one.len()), (0, 20, 20, 502));
        assert_eq!(retries.after("db", Duration::from_millis(2500)), Duration::from_millis(2500));
        // Many namespaces share what there is.
        let many = tries(&retries, (0..1000).map(|number| namespace(number + 1)), Duration::from_secs(2));
        assert_eq!(many, [0, 0, 179, 180, 180, 180, 180, 101]);
        // What has passed makes room.
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(retries.after("db", Duration::ZERO), Duration::from_secs(4));
        tokio::time::sleep(Duration::from_secs(600)).await;
        assert_eq!(retries.after("team-0", Duration::ZERO), Duration::ZERO);
        assert_eq!(retries.seconds.lock().len(), 1);
    }
}
