//! Wall-clock time, injected: nothing else in the operator reads the time of day, so tests and simulations run on a clock
//! of their own.
//!
//! Monotonic time is [`tokio::time::Instant`] everywhere, which follows tokio's paused clock, but where the time counts in
//! which the machine is suspended: that is [`Clock::uptime`].

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use k8s_openapi::jiff::Timestamp;
use tokio::time::{Instant, sleep, sleep_until};

/// How often [`watch_steps`] compares the clocks.
const COMPARE_EVERY: Duration = Duration::from_secs(30);
/// Steps that [`watch_steps`] ignores: timers may be off by this much.
const TOLERATED: TimeDelta = TimeDelta::milliseconds(250);
/// Two readings of one clock that are further apart than this say nothing about what another clock read in between.
const BRACKET: Duration = Duration::from_millis(20);

/// The clock of the system that counts the time in which the machine is suspended.
#[cfg(target_os = "linux")]
const BOOT_CLOCK: rustix::time::ClockId = rustix::time::ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const BOOT_CLOCK: rustix::time::ClockId = rustix::time::ClockId::Monotonic;

/// Tells the time of day.
pub trait Clock: Send + Sync {
    /// The current time. It may step in either direction.
    fn now(&self) -> DateTime<Utc>;

    /// The time since some moment in the past. It never goes back, and unlike [`Instant`] it goes on while the machine is
    /// suspended.
    fn uptime(&self) -> Duration;
}

/// The clock of the machine.
pub fn system_clock() -> (DateTime<Utc>, Duration) {
    let time = rustix::time::clock_gettime(BOOT_CLOCK);
    // OK because the clock counts from the start of the machine.
    let uptime = Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0));
    (Utc::now(), uptime)
}

/// A function that reads both is a clock.
impl<F: Fn() -> (DateTime<Utc>, Duration) + Send + Sync> Clock for F {
    fn now(&self) -> DateTime<Utc> {
        self().0
    }

    fn uptime(&self) -> Duration {
        self().1
    }
}

/// A time as objects of Kubernetes have it.
pub(crate) fn micro_time(time: DateTime<Utc>) -> MicroTime {
    MicroTime(Timestamp::from_microsecond(time.timestamp_micros()).unwrap_or(Timestamp::MAX))
}

/// Sleeps until an instant; for ever without one.
pub(crate) async fn sleep_until_some(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}

/// Both clocks, read at almost the same moment.
fn read(clock: &dyn Clock) -> (Instant, DateTime<Utc>) {
    let mut before = Instant::now();
    // A thread may sleep between two readings, for as long as a machine is suspended; four times in a row it does not.
    for _ in 0..3 {
        let wall = clock.now();
        let after = Instant::now();
        if after - before <= BRACKET {
            return (before, wall);
        }
        before = after;
    }
    (before, clock.now())
}

/// Compares wall clock and monotonic clock every 30 s, for ever, and calls `on_step` with the difference once it is more
/// than 250 ms: positive where the wall clock went ahead.
///
/// The comparison is with the last step (at first: with the start), so a clock that drifts slowly is a step, too, when
/// enough has come together. Timers are monotonic; a timer that was set from the wall clock has to be set again after a step.
pub async fn watch_steps(clock: Arc<dyn Clock>, on_step: impl Fn(TimeDelta) + Send) {
    let (mut instant, mut wall) = read(clock.as_ref());
    loop {
        sleep(COMPARE_EVERY).await;
        let (instant_now, wall_now) = read(clock.as_ref());
        let passed = TimeDelta::from_std(instant_now - instant).unwrap_or(TimeDelta::MAX);
        let Some(step) = (wall_now - wall).checked_sub(&passed) else { continue };
        if step.abs() > TOLERATED {
            (instant, wall) = (instant_now, wall_now);
            on_step(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use kron_api_model::SimulatedClock;

    use super::*;

    fn simulated() -> Arc<SimulatedClock> {
        SimulatedClock::new(DateTime::from_timestamp(1_772_323_200, 0).unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn steps_are_reported_once_with_their_size() {
        let clock = simulated();
        let steps = Arc::new(Mutex::new(Vec::new()));
        let seen = steps.clone();
        tokio::spawn(watch_steps(clock.of_operator(), move |step| seen.lock().unwrap().push(step)));
        sleep(Duration::from_secs(65)).await;
        assert!(steps.lock().unwrap().is_empty());

        clock.step(TimeDelta::hours(2));
        sleep(Duration::from_secs(24)).await;
        assert!(steps.lock().unwrap().is_empty(), "compared between the half minutes");
        sleep(Duration::from_secs(2)).await;
        assert_eq!(*steps.lock().unwrap(), [TimeDelta::hours(2)]);
        sleep(Duration::from_secs(300)).await;
        assert_eq!(steps.lock().unwrap().len(), 1);

        clock.step(TimeDelta::milliseconds(-251));
        sleep(Duration::from_secs(30)).await;
        assert_eq!(steps.lock().unwrap().get(1), Some(&TimeDelta::milliseconds(-251)));
    }

    #[tokio::test(start_paused = true)]
    async fn drift_adds_up_until_it_matters() {
        let clock = simulated();
        let steps = Arc::new(Mutex::new(Vec::new()));
        let seen = steps.clone();
        tokio::spawn(watch_steps(clock.of_operator(), move |step| seen.lock().unwrap().push(step)));
        sleep(Duration::from_secs(1)).await;
        for _ in 0..3 {
            clock.step(TimeDelta::milliseconds(100));
            sleep(Duration::from_secs(30)).await;
        }
        assert_eq!(*steps.lock().unwrap(), [TimeDelta::milliseconds(300)]);
    }

    #[tokio::test(start_paused = true)]
    async fn a_quarter_of_a_second_is_left_alone() {
        let clock = simulated();
        let steps = Arc::new(Mutex::new(Vec::new()));
        let seen = steps.clone();
        tokio::spawn(watch_steps(clock.of_operator(), move |step| seen.lock().unwrap().push(step)));
        sleep(Duration::from_secs(1)).await;
        clock.step(TimeDelta::milliseconds(250));
        sleep(Duration::from_secs(120)).await;
        assert!(steps.lock().unwrap().is_empty());
    }

    #[test]
    fn the_uptime_does_not_go_back() {
        let system = system_clock.uptime();
        assert!(system > Duration::ZERO && system_clock.uptime() >= system);
    }
}
