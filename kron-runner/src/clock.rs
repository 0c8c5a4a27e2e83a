//! The clock of a runner. Nothing else in this crate reads the time of day, so tests run on a clock of their own.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::handler::BoxFuture;

/// Where the system does not say that its clock was set, the clock is read again after this time.
const READ_AGAIN: Duration = Duration::from_secs(5);

/// How a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Waited {
    /// The time has come.
    Reached,
    /// The clock was set, forwards or back, so that the time may have come.
    ClockSet,
}

/// Tells the time of day, and waits for a time of day.
pub trait Clock: Debug + Send + Sync + 'static {
    /// The current Unix time in milliseconds. It may be set, forwards or back.
    fn now(&self) -> i64;

    /// Waits until that Unix time in milliseconds, or for ever if it is `None`. Ends at once when the clock is set.
    ///
    /// Time in which the machine is suspended counts: the wait ends when the machine goes on after that time.
    fn wait_until(&self, at: Option<i64>) -> BoxFuture<'_, Waited>;
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> i64 {
        C::now(self)
    }

    fn wait_until(&self, at: Option<i64>) -> BoxFuture<'_, Waited> {
        C::wait_until(self, at)
    }
}

/// The clock of the machine.
///
/// On Linux it sleeps on a timer of the kernel that follows the time of day and ends when the clock is set. On other systems
/// it reads the clock every five seconds while it waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> i64 {
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => millis(since),
            Err(before) => -millis(before.duration()),
        }
    }

    fn wait_until(&self, at: Option<i64>) -> BoxFuture<'_, Waited> {
        Box::pin(async move {
            #[cfg(target_os = "linux")]
            if let Ok(waited) = timer::wait_until(at).await {
                return waited;
            }
            self.wait_and_read(at).await
        })
    }
}

impl SystemClock {
    async fn wait_and_read(self, at: Option<i64>) -> Waited {
        loop {
            let left = at.map(|at| at.saturating_sub(self.now()));
            if left.is_some_and(|left| left <= 0) {
                return Waited::Reached;
            }
            let left = left.map_or(READ_AGAIN, |left| Duration::from_millis(left.unsigned_abs()));
            let (before, slept) = (self.now(), Instant::now());
            tokio::time::sleep(left.min(READ_AGAIN)).await;
            let passed = i64::try_from(slept.elapsed().as_millis()).unwrap_or(i64::MAX);
            if self.now().saturating_sub(before).saturating_sub(passed).abs() > 250 {
                return Waited::ClockSet;
            }
        }
    }
}

#[cfg(target_os = "linux")]
mod timer {
    //! The timer of the kernel on the time of day.

    use std::io;
    use std::os::fd::OwnedFd;

    use rustix::time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    };
    use tokio::io::unix::AsyncFd;

    use super::Waited;

    /// The farthest time that a timer is set to: later than all nominal times.
    const FAR: i64 = 253_402_300_799_000;

    #[expect(
        deprecated,
        reason = "`AsyncFd::register` is unsafe; what it asks for is true of each `OwnedFd`"
    )]
    fn register(fd: OwnedFd) -> io::Result<AsyncFd<OwnedFd>> {
        AsyncFd::new(fd)
    }

    pub(super) async fn wait_until(at: Option<i64>) -> io::Result<Waited> {
        // A timer of zero would be none at all.
        let at = at.unwrap_or(FAR).clamp(1, FAR);
        let fd = timerfd_create(TimerfdClockId::Realtime, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        let zero = Timespec { tv_sec: 0, tv_nsec: 0 };
        let value = Timespec { tv_sec: at.div_euclid(1000), tv_nsec: at.rem_euclid(1000) * 1_000_000 };
        let flags = TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET;
        timerfd_settime(&fd, flags, &Itimerspec { it_interval: zero, it_value: value })?;
        let fd = register(fd)?;
        loop {
            let mut ready = fd.readable().await?;
            let read = ready.try_io(|fd| Ok(rustix::io::read(fd, &mut [0_u8; 8])?));
            match read {
                Ok(Ok(_)) => return Ok(Waited::Reached),
                Ok(Err(error))
                    if error.raw_os_error() == Some(rustix::io::Errno::CANCELED.raw_os_error()) =>
                {
                    return Ok(Waited::ClockSet);
                }
                Ok(Err(error)) => return Err(error),
                // Nothing to read yet.
                Err(_) => {}
            }
        }
    }
}

/// A clock that shows a given time plus the tokio time since it was made, so that it stops when tokio's clock is paused:
/// for tests.
///
/// ```
/// use kron_runner::{Clock, SimulatedClock};
/// # #[tokio::main(flavor = "current_thread", start_paused = true)]
/// # async fn main() {
/// let clock = SimulatedClock::new(1_772_323_200_000);
/// tokio::time::sleep(std::time::Duration::from_secs(60)).await;
/// assert_eq!(clock.now(), 1_772_323_260_000);
/// clock.set(1_772_323_200_000);
/// assert_eq!(clock.now(), 1_772_323_200_000);
/// # }
/// ```
#[derive(Debug)]
pub struct SimulatedClock {
    start: Instant,
    /// What the clock shows beyond the tokio time since `start`.
    offset: AtomicI64,
    set: Notify,
}

impl SimulatedClock {
    /// A clock that shows that Unix time in milliseconds now.
    pub fn new(now: i64) -> SimulatedClock {
        SimulatedClock { start: Instant::now(), offset: AtomicI64::new(now), set: Notify::new() }
    }

    fn elapsed(&self) -> i64 {
        i64::try_from(self.start.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// Sets the clock to that Unix time in milliseconds.
    pub fn set(&self, now: i64) {
        self.offset.store(now.saturating_sub(self.elapsed()), Ordering::SeqCst);
        self.set.notify_waiters();
    }
}

impl Clock for SimulatedClock {
    fn now(&self) -> i64 {
        self.offset.load(Ordering::SeqCst).saturating_add(self.elapsed())
    }

    fn wait_until(&self, at: Option<i64>) -> BoxFuture<'_, Waited> {
        Box::pin(async move {
            let set = self.set.notified();
            let left = at.map(|at| u64::try_from(at.saturating_sub(self.now())).unwrap_or(0));
            match left {
                Some(left) => tokio::select! {
                    () = tokio::time::sleep(Duration::from_millis(left)) => Waited::Reached,
                    () = set => Waited::ClockSet,
                },
                None => {
                    set.await;
                    Waited::ClockSet
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_clock_of_the_machine_waits_until_a_time_of_day() {
        let begun = SystemClock.now();
        // One that has passed, and one to come.
        for at in [begun - 1000, begun + 30] {
            while SystemClock.wait_until(Some(at)).await == Waited::ClockSet {}
            assert!(SystemClock.now() >= at);
            while SystemClock.wait_and_read(Some(at)).await == Waited::ClockSet {}
            assert!(SystemClock.now() >= at);
        }
        let for_ever = tokio::time::timeout(Duration::from_millis(20), SystemClock.wait_until(None));
        assert_ne!(for_ever.await, Ok(Waited::Reached));
    }

    #[tokio::test(start_paused = true)]
    async fn a_wait_ends_when_the_clock_is_set() {
        let clock = Arc::new(SimulatedClock::new(1000));
        let waiting = clock.clone();
        let wait = tokio::spawn(async move { waiting.wait_until(Some(60_000)).await });
        tokio::time::sleep(Duration::from_secs(1)).await;
        clock.set(61_000);
        assert_eq!(wait.await.unwrap(), Waited::ClockSet);
        assert_eq!(clock.wait_until(Some(60_000)).await, Waited::Reached);
    }
}
