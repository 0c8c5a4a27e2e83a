//! What a schedule that has no window is declared as: a window that fits, without minutes that a change of the clocks meets.

use alloc::string::String;
use alloc::vec::Vec;

use super::Candidates;
use super::candidates::smallest_gap;
use super::clocks::{changed, clock};
use super::expression::Fields;
use crate::cron::Cron;
use crate::draw::WindowMode;
use crate::error::Error;
use crate::job::JobSpec;
use crate::time::civil::DAY_MINUTES;
use crate::time::{Duration, Zone};

/// A window that is wanted for many schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedWindow {
    /// This long, where it fits.
    Long(Duration),
    /// So many hundredths of the smallest distance between two times of day of the schedule.
    Percent(u8),
}

/// Why a schedule is left alone.
#[derive(Clone, Debug, PartialEq)]
pub enum NotAdopted {
    /// It is no expression, or one that never matches.
    Refused(Error),
    /// Two times of day are less than 10 minutes apart.
    TooOften,
    /// Only its own time would be a place.
    NoRoom,
}

/// The least distance of two times of day, in minutes.
const CLOSEST: i64 = 10;

/// The declaration of a schedule that has none, without a name: the expression as it stands and a window.
///
/// The window is the wanted one in whole minutes, cut so that each run stays before its next nominal time, and, where the hour is not
/// `*`, in its civil day. With a zone and a Unix time, minutes that a change of the clocks skips or repeats in the three years from
/// then on are no places, unless a time of the expression lies in them.
///
/// # Errors
///
/// [`NotAdopted`] for a schedule that is better left alone.
///
/// ```
/// use kron_core::{Duration, WindowMode, Zone};
/// use kron_core::place::{NotAdopted, WantedWindow, adopt};
/// let hour = WantedWindow::Long(Duration::parse("1h")?);
/// let p = |expression, wanted| adopt(expression, WindowMode::After, wanted, None);
/// assert_eq!(p("0 3 * * *", hour).unwrap(), "0 3 * * * @win(after,1h)");
/// assert_eq!(p("30 23 * * *", hour).unwrap(), "30 23 * * * @win(after,29m)");
/// assert_eq!(p("*/15 * * * *", hour).unwrap(), "*/15 * * * * @win(after,14m)");
/// assert_eq!(p("0 3 * * *", WantedWindow::Percent(10)).unwrap(), "0 3 * * * @win(after,2h24m)");
/// assert_eq!(p("*/5 * * * *", hour), Err(NotAdopted::TooOften));
/// let berlin = Zone::parse("Europe/Berlin")?;
/// let text = adopt("30 1 * * *", WindowMode::After, hour, Some((&berlin, 1_767_225_600))).unwrap();
/// assert_eq!(text, "30 1 * * * @win(after,1h) @avoid(between=02:00-02:59)");
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn adopt(
    expression: &str,
    mode: WindowMode,
    wanted: WantedWindow,
    clocks: Option<(&Zone, i64)>,
) -> Result<String, NotAdopted> {
    let cron = Cron::parse(expression).map_err(NotAdopted::Refused)?;
    let fields = Fields::new(expression, cron);
    let times: Vec<i64> = fields.times().collect();
    let gap = smallest_gap(&times);
    if gap < CLOSEST {
        return Err(NotAdopted::TooOften);
    }
    let minutes = window(&fields, &times, gap, mode, wanted);
    let text = alloc::format!("{expression} @win({mode},{})", length(minutes));
    let candidates = |text: &str| {
        let spec = JobSpec::parse(text)?;
        Candidates::new(&spec, expression)
    };
    let all = candidates(&text).map_err(NotAdopted::Refused)?;
    let text = match avoided(&cron, &times, all.shifts(), clocks) {
        Some(between) => alloc::format!("{text} @avoid(between={between})"),
        None => text,
    };
    match candidates(&text).map_err(NotAdopted::Refused)?.shifts() {
        [] | [0] => Err(NotAdopted::NoRoom),
        _ => Ok(text),
    }
}

/// The minutes of the window.
fn window(fields: &Fields, times: &[i64], gap: i64, mode: WindowMode, wanted: WantedWindow) -> i64 {
    let minutes = match wanted {
        WantedWindow::Long(duration) => duration.as_secs() / 60,
        WantedWindow::Percent(percent) => gap * i64::from(percent.min(100)) / 100,
    };
    let (first, last) = times.first().zip(times.last()).map_or((0, 0), |(first, last)| (*first, *last));
    let (before, after) = if fields.any_hour() { (gap, gap) } else { (first, DAY_MINUTES - 1 - last) };
    match mode {
        WindowMode::After => minutes.min(gap - 1).min(after),
        WindowMode::Before => minutes.min(gap - 1).min(before),
        WindowMode::Around => (minutes / 2).min(gap - 1).min(before).min(after) * 2,
    }
}

/// `2h30m`, as people write it.
fn length(minutes: i64) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => alloc::format!("{minutes}m"),
        (hours, 0) => alloc::format!("{hours}h"),
        (hours, minutes) => alloc::format!("{hours}h{minutes}m"),
    }
}

/// The minutes that a change of the clocks meets, as the value of `between=`, if a shift has a time in them.
fn avoided(cron: &Cron, times: &[i64], shifts: &[i16], clocks: Option<(&Zone, i64)>) -> Option<String> {
    let (zone, from) = clocks?;
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for change in changed(zone, from) {
        let declared = times.iter().any(|time| change.minutes.contains(time));
        let placed = || {
            times.iter().any(|time| {
                let placed = |shift: &i16| (time + i64::from(*shift)).rem_euclid(DAY_MINUTES);
                shifts.iter().any(|shift| change.minutes.contains(&placed(shift)))
            })
        };
        if cron.matches_day(change.day) && !declared && placed() {
            ranges.push((*change.minutes.start(), *change.minutes.end()));
        }
    }
    ranges.sort_unstable();
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start <= last.1 + 1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    let texts: Vec<String> =
        joined.iter().map(|(start, end)| alloc::format!("{}-{}", clock(*start), clock(*end))).collect();
    (!texts.is_empty()).then(|| texts.join(","))
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;
    use crate::Parser;

    fn text(expression: &str, mode: WindowMode, window: &str) -> Result<String, NotAdopted> {
        adopt(expression, mode, WantedWindow::Long(Duration::parse(window).unwrap()), None)
    }

    #[test]
    fn windows_are_cut() {
        use WindowMode::{After, Around, Before};
        let p = |expression, mode, window| {
            text(expression, mode, window).map(|text| text[text.find(" @").unwrap() + 1..].to_string())
        };
        let ok = |text: &str| Ok(text.to_string());
        assert_eq!(p("0 0 * * *", After, "2h"), ok("@win(after,2h)"));
        assert_eq!(p("@daily", After, "90m59s"), ok("@win(after,1h30m)"));
        assert_eq!(p("0 22 * * MON", After, "3h"), ok("@win(after,1h59m)"));
        assert_eq!(p("0 0,12 1 * *", After, "24h"), ok("@win(after,11h59m)"));
        assert_eq!(p("0 1 * * *", Before, "3h"), ok("@win(before,1h)"));
        assert_eq!(p("0 0 * * *", Before, "3h"), Err(NotAdopted::NoRoom));
        assert_eq!(p("0 1 * * *", Around, "3h"), ok("@win(around,2h)"));
        assert_eq!(p("30 23 * * *", Around, "3h"), ok("@win(around,58m)"));
        assert_eq!(p("0 * * * *", After, "3h"), ok("@win(after,59m)"));
        // Every hour of each day, the last one included.
        assert_eq!(p("30 * * * *", After, "3h"), ok("@win(after,59m)"));
        assert_eq!(p("0 0-23 * * *", After, "3h"), ok("@win(after,59m)"));
        assert_eq!(p("30 0-23 * * *", After, "3h"), ok("@win(after,29m)"));
        assert_eq!(p("0 0 * * *", After, "59s"), Err(NotAdopted::NoRoom));
        assert_eq!(p("59 23 * * *", After, "1h"), Err(NotAdopted::NoRoom));
        assert_eq!(p("*/10 * * * *", After, "1h"), ok("@win(after,9m)"));
        assert_eq!(p("*/9 * * * *", After, "1h"), Err(NotAdopted::TooOften));
        assert_eq!(p("0,5 3 * * *", After, "1h"), Err(NotAdopted::TooOften));
        assert!(matches!(p("0 0 31 2 *", After, "1h"), Err(NotAdopted::Refused(_))));
        assert!(matches!(p("@reboot", After, "1h"), Err(NotAdopted::Refused(_))));
    }

    #[test]
    fn changed_minutes_are_no_places() {
        let winter = 1_767_225_600;
        let p = |expression: &str, zone: &str| {
            let zone = Zone::parse(zone).unwrap();
            let wanted = WantedWindow::Long(Duration::parse("2h").unwrap());
            let text = adopt(expression, WindowMode::After, wanted, Some((&zone, winter))).unwrap();
            let Some((_, between)) = text.split_once("between=") else { return String::new() };
            between.trim_end_matches(')').to_string()
        };
        assert_eq!(p("0 1 * * *", "Europe/Berlin"), "02:00-02:59");
        // It is met as declared.
        assert_eq!(p("15 2 * * *", "Europe/Berlin"), "");
        assert_eq!(p("0 0 * * *", "Europe/London"), "01:00-01:59");
        // Clocks change on Sundays.
        assert_eq!(p("0 0 * * MON-SAT", "Europe/London"), "");
        assert_eq!(p("0 0 * * 7", "America/New_York"), "01:00-02:59");
        assert_eq!(p("0 0 * * *", "Asia/Tokyo"), "");
        assert_eq!(p("0 3 * * *", "Europe/London"), "");
    }

    #[test]
    fn what_is_adopted_has_a_place() {
        for expression in ["0 0 * * *", "@weekly", "0  8-18/2 * * mon-fri", "15,45 * * * *", "7 23 1 * *"] {
            for mode in [WindowMode::After, WindowMode::Before, WindowMode::Around] {
                for window in ["7m", "1h", "5h", "30h"] {
                    let Ok(text) = text(expression, mode, window) else { continue };
                    let declaration = Parser::new().declaration(&text, Some("a")).unwrap();
                    assert_eq!(declaration.expression(), expression, "{text}");
                    let candidates = declaration.candidates().unwrap();
                    // All minutes of the window are candidates, unless the expression cannot be written.
                    assert_eq!(candidates.taken().gap, 0, "{text}");
                    assert!(candidates.shifts().len() > 1, "{text}");
                }
            }
        }
    }
}
