//! The machine under the command: its name, its time zone, its terminal, and sleep until a time of its clock.

use chrono::{DateTime, Utc};
use console::Term;

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

/// The columns and rows of a stream that is a terminal.
pub(crate) fn size(stream: &Term) -> Option<(u16, u16)> {
    let (rows, columns) = stream.size_checked()?;
    // Some have no size.
    (rows > 0 && columns > 0).then_some((columns, rows))
}

/// The host name of this machine, as `uname -n` prints it. `None` if it has none or it is not UTF-8.
pub(crate) fn host_name() -> Option<String> {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_str().ok().map(str::to_string);
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").ok();
    name.filter(|name| !name.is_empty())
}

/// The name of this machine's time zone, as the C library finds it: by `TZ`, else by `/etc/localtime`. `/etc/timezone` has the
/// name where that is a copy. `None` if nothing names it.
pub(crate) fn time_zone() -> Option<String> {
    let localtime = std::fs::read_link("/etc/localtime").ok();
    let file = std::fs::read_to_string("/etc/timezone").ok();
    let variable = std::env::var("TZ").ok();
    zone_name(variable.as_deref(), localtime.as_ref().and_then(|link| link.to_str()), file.as_deref())
}

/// The name of a zone by the variable, the target of the link and the content of the file.
fn zone_name(variable: Option<&str>, link: Option<&str>, file: Option<&str>) -> Option<String> {
    const FOLDER: &str = "zoneinfo/";
    let of_path = |path: &str| path.split_once(FOLDER).map(|(_, name)| name.to_string());
    let name = match variable.map(|name| name.strip_prefix(':').unwrap_or(name)) {
        Some("") => Some("UTC".to_string()),
        Some(path) if path.starts_with('/') => of_path(path),
        Some(name) => Some(name.to_string()),
        None => link.and_then(of_path).or_else(|| {
            let lines = file.into_iter().flat_map(str::lines).map(str::trim);
            lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_string).next()
        }),
    };
    let name = name?;
    let name = ["posix/", "right/"].into_iter().find_map(|folder| name.strip_prefix(folder)).unwrap_or(&name);
    // Another name of the same zone, which jobs need not name.
    Some(if name == "Etc/UTC" { "UTC" } else { name }.to_string())
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
    fn ok_zone_names() {
        let link = Some("../usr/share/zoneinfo/Europe/Paris");
        for (variable, link, file, want) in [
            (Some("Asia/Tokyo"), link, None, Some("Asia/Tokyo")),
            (Some(":Asia/Tokyo"), None, None, Some("Asia/Tokyo")),
            (Some("/usr/share/zoneinfo/Asia/Tokyo"), link, None, Some("Asia/Tokyo")),
            (Some(""), link, None, Some("UTC")),
            (None, link, Some("Asia/Tokyo\n"), Some("Europe/Paris")),
            (None, Some("/usr/share/zoneinfo/posix/Europe/Paris"), None, Some("Europe/Paris")),
            (None, Some("/usr/share/zoneinfo/Etc/UTC"), None, Some("UTC")),
            (None, None, Some("# zone\nAsia/Tokyo\n"), Some("Asia/Tokyo")),
            (None, Some("/srv/clock"), None, None),
            (None, None, None, None),
        ] {
            assert_eq!(zone_name(variable, link, file).as_deref(), want, "{variable:?} {link:?} {file:?}");
        }
    }

    #[test]
    fn a_host_name_is_never_empty() {
        assert_ne!(host_name().as_deref(), Some(""));
    }
}
