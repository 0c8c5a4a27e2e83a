//! A wall clock that follows tokio's, for a server and for those who ask it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::Instant;

use crate::objects::Clock;

/// A clock that shows an epoch plus the tokio time since it was made, so it stops when tokio's clock is paused.
///
/// ```
/// use chrono::{DateTime, TimeDelta};
/// use kron_api_model::SimulatedClock;
///
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let epoch = DateTime::from_timestamp(1_772_323_200, 0).unwrap();
/// let clock = SimulatedClock::new(epoch);
/// tokio::time::sleep(std::time::Duration::from_secs(60)).await;
/// assert_eq!(clock.now(), epoch + TimeDelta::seconds(60));
/// clock.step(TimeDelta::hours(-1));
/// assert_eq!(clock.now(), epoch + TimeDelta::seconds(60 - 3600));
/// # }
/// ```
#[derive(Debug)]
pub struct SimulatedClock {
    epoch: DateTime<Utc>,
    start: Instant,
    offset_micros: AtomicI64,
    suspended_micros: AtomicU64,
}

impl SimulatedClock {
    /// A clock that shows `epoch` now.
    pub fn new(epoch: DateTime<Utc>) -> Arc<SimulatedClock> {
        Arc::new(SimulatedClock {
            epoch,
            start: Instant::now(),
            offset_micros: AtomicI64::new(0),
            suspended_micros: AtomicU64::new(0),
        })
    }

    /// Sets the clock forward by a difference, or back by a negative one; microseconds count, smaller parts do not.
    pub fn step(&self, by: TimeDelta) {
        self.offset_micros.fetch_add(by.num_microseconds().unwrap_or(0), Ordering::SeqCst);
    }

    /// Simulates a suspension of the machine: time passes, and no [`Instant`] shows it.
    pub fn suspend(&self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.suspended_micros.fetch_add(micros, Ordering::SeqCst);
        self.step(TimeDelta::from_std(time).unwrap_or(TimeDelta::MAX));
    }

    /// The time of day, at most the latest that chrono has.
    pub fn now(&self) -> DateTime<Utc> {
        let elapsed = TimeDelta::from_std(self.start.elapsed()).unwrap_or(TimeDelta::MAX);
        let offset = TimeDelta::microseconds(self.offset_micros.load(Ordering::SeqCst));
        elapsed
            .checked_add(&offset)
            .and_then(|passed| self.epoch.checked_add_signed(passed))
            .unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    /// The time since the clock was made, with that in which the machine was suspended.
    pub fn uptime(&self) -> Duration {
        self.start.elapsed() + Duration::from_micros(self.suspended_micros.load(Ordering::SeqCst))
    }

    /// The clock of a server.
    pub fn of_server(self: &Arc<SimulatedClock>) -> Clock {
        let clock = self.clone();
        Arc::new(move || clock.now())
    }

    /// The clock of an operator, which reads the time of day and the uptime.
    pub fn of_operator(
        self: &Arc<SimulatedClock>,
    ) -> Arc<impl Fn() -> (DateTime<Utc>, Duration) + Send + Sync + 'static> {
        let clock = self.clone();
        Arc::new(move || (clock.now(), clock.uptime()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_suspension_counts_in_the_uptime_alone() {
        let (clock, start) = (SimulatedClock::new(DateTime::UNIX_EPOCH), Instant::now());
        let (before, uptime) = clock.of_operator()();
        clock.suspend(Duration::from_secs(18));
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(clock.uptime() - uptime, Duration::from_secs(19));
        assert_eq!(clock.of_server()() - before, TimeDelta::seconds(19));
        assert_eq!(start.elapsed(), Duration::from_secs(1));
    }

    #[tokio::test]
    async fn it_stops_at_the_latest_time_that_chrono_has() {
        let clock = SimulatedClock::new(DateTime::<Utc>::MAX_UTC);
        clock.step(TimeDelta::hours(1));
        assert_eq!(clock.now(), DateTime::<Utc>::MAX_UTC);
    }
}
