//! Whether the state file can be written, for the log and the probes.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The same error is said again after this time.
const SAID_AGAIN: Duration = Duration::from_secs(600);

/// What the last write said.
#[derive(Debug, Default)]
pub(crate) struct StoreHealth(Mutex<Option<Failing>>);

#[derive(Debug)]
struct Failing {
    error: String,
    /// When the log named it last.
    said: Instant,
}

impl StoreHealth {
    /// A write failed. Says whether the log names the error: it is new, or was named long ago.
    pub(crate) fn failed(&self, error: &str, now: Instant) -> bool {
        let mut failing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = failing.as_ref().is_some_and(|failing| {
            failing.error == error && now.saturating_duration_since(failing.said) < SAID_AGAIN
        });
        if !known {
            *failing = Some(Failing { error: error.to_string(), said: now });
        }
        !known
    }

    /// A write succeeded.
    pub(crate) fn works(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Why the file cannot be written, if it cannot.
    pub(crate) fn failure(&self) -> Option<String> {
        let failing = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        failing.as_ref().map(|failing| failing.error.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_said_once_and_when_it_changes() {
        let (health, begin) = (StoreHealth::default(), Instant::now());
        let failed = |error: &str, second: u64| health.failed(error, begin + Duration::from_secs(second));
        assert_eq!(health.failure(), None);
        assert!(failed("full", 0) && !failed("full", 1) && !failed("full", 599));
        assert!(failed("full", 600) && !failed("full", 601));
        assert!(failed("moved", 602) && !failed("moved", 603) && failed("full", 604));
        assert_eq!(health.failure().as_deref(), Some("full"));
        health.works();
        assert_eq!(health.failure(), None);
        assert!(failed("full", 605));
    }
}
