//! The machine under the command: its name, and sleep until a time of its clock.

use chrono::{DateTime, Utc};

/// Sleeps until the system clock shows a time, or a signal arrives.
///
/// On Linux the kernel watches the clock: a clock that is set, and a machine that was suspended, change when this returns. On
/// other systems it returns after 10 seconds at most, so that the caller looks at the clock again.
pub(crate) fn sleep_until(time: DateTime<Utc>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{ClockId, clock_nanosleep_absolute};
        use rustix::time::Timespec;
        let until = Timespec {
            tv_sec: time.timestamp(),
            tv_nsec: time.timestamp_subsec_nanos().min(999_999_999).into(),
        };
        // It fails if a signal arrives; the caller looks at the clock in any case.
        let _ = clock_nanosleep_absolute(ClockId::Realtime, &until);
    }
    #[cfg(not(target_os = "linux"))]
    {
        use std::time::Duration;
        const LONGEST: Duration = Duration::from_secs(10);
        let left = (time - DateTime::<Utc>::from(std::time::SystemTime::now())).to_std().unwrap_or_default();
        std::thread::sleep(left.min(LONGEST));
    }
}

/// The host name of this machine, as `uname -n` prints it. `None` if it has none or it is not UTF-8.
pub(crate) fn host_name() -> Option<String> {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_str().ok().map(str::to_string);
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    name.filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn a_sleep_ends_at_its_time() {
        let now = || DateTime::<Utc>::from(std::time::SystemTime::now());
        // A time that has passed is not waited for.
        sleep_until(now() - TimeDelta::hours(1));
        let time = now() + TimeDelta::milliseconds(20);
        // A signal ends a sleep earlier.
        while now() < time {
            sleep_until(time);
        }
        assert!(now() >= time);
    }

    #[test]
    fn a_host_name_is_never_empty() {
        assert_ne!(host_name().as_deref(), Some(""));
    }
}
