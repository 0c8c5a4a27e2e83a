//! Wall-clock time, injected: nothing else in the operator reads the time of day, so tests and simulations run on a clock
//! of their own.
//!
//! Monotonic time is [`tokio::time::Instant`] everywhere, which follows tokio's paused clock, but where the time counts in
//! which the machine is suspended: that is [`Clock::uptime`].

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::{Instant, sleep};

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
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The current time. It may step in either direction.
    fn now(&self) -> DateTime<Utc>;

    /// The time since some moment in the past. It never goes back, and unlike [`Instant`] it goes on while the machine is
    /// suspended.
    fn uptime(&self) -> Duration;
}

/// The clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> DateTime<Utc> {
        Utc::now()
    }

    fn uptime(&self) -> Duration {
        // OK because the clock counts from the start of the machine.
        let time = rustix::time::clock_gettime(BOOT_CLOCK);
        Duration::new(time.tv_sec.try_into().unwrap_or(0), time.tv_nsec.try_into().unwrap_or(0))
    }
}

/// A clock that shows an epoch plus the tokio time since it was made, so it stops when tokio's clock is paused.
///
/// ```
/// use chrono::{DateTime, TimeDelta};
/// use kron_operator::clock::{Clock, SimulatedClock};
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
    pub fn new(epoch: DateTime<Utc>) -> SimulatedClock {
        SimulatedClock {
            epoch,
            start: Instant::now(),
            offset_micros: AtomicI64::new(0),
            suspended_micros: AtomicU64::new(0),
        }
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
}

impl Clock for SimulatedClock {
    fn now(&self) -> DateTime<Utc> {
        let elapsed = TimeDelta::from_std(self.start.elapsed()).unwrap_or(TimeDelta::MAX);
        let offset = TimeDelta::microseconds(self.offset_micros.load(Ordering::SeqCst));
        elapsed
            .checked_add(&offset)
            .and_then(|passed| self.epoch.checked_add_signed(passed))
            .unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    fn uptime(&self) -> Duration {
        self.start.elapsed() + Duration::from_micros(self.suspended_micros.load(Ordering::SeqCst))
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

    use super::*;

    fn simulated() -> Arc<SimulatedClock> {
        Arc::new(SimulatedClock::new(DateTime::from_timestamp(1_772_323_200, 0).unwrap()))
    }

    #[tokio::test(start_paused = true)]
    async fn steps_are_reported_once_with_their_size() {
        let clock = simulated();
        let steps = Arc::new(Mutex::new(Vec::new()));
        let seen = steps.clone();
        tokio::spawn(watch_steps(clock.clone(), move |step| seen.lock().unwrap().push(step)));
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
        tokio::spawn(watch_steps(clock.clone(), move |step| seen.lock().unwrap().push(step)));
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
        tokio::spawn(watch_steps(clock.clone(), move |step| seen.lock().unwrap().push(step)));
        sleep(Duration::from_secs(1)).await;
        clock.step(TimeDelta::milliseconds(250));
        sleep(Duration::from_secs(120)).await;
        assert!(steps.lock().unwrap().is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_suspension_counts_in_the_uptime_alone() {
        let (clock, start) = (simulated(), Instant::now());
        let (uptime, now) = (clock.uptime(), clock.now());
        clock.suspend(Duration::from_secs(18));
        sleep(Duration::from_secs(1)).await;
        assert_eq!(clock.uptime() - uptime, Duration::from_secs(19));
        assert_eq!(clock.now() - now, TimeDelta::seconds(19));
        assert_eq!(start.elapsed(), Duration::from_secs(1));
        let system = SystemClock.uptime();
        assert!(system > Duration::ZERO && SystemClock.uptime() >= system);
    }

    #[test]
    fn a_simulated_clock_stops_at_the_ends_of_time() {
        let clock = SimulatedClock::new(DateTime::<Utc>::MAX_UTC);
        clock.step(TimeDelta::hours(1));
        assert_eq!(clock.now(), DateTime::<Utc>::MAX_UTC);
    }
}
