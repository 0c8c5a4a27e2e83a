//! The ticks of an axis of time: whole seconds, minutes, hours, days or months on the clocks of a zone.

use chrono::{DateTime, Datelike as _, Days, NaiveDate};
use kron_core::Zone;

use crate::output::time::civil;

const DAY: i64 = 86_400;

/// A tick and what stands at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::output) struct Tick {
    pub(in crate::output) timestamp: i64,
    pub(in crate::output) label: String,
}

/// The distance of ticks.
#[derive(Clone, Copy)]
enum Step {
    /// Seconds, a divisor of a day.
    Seconds(i64),
    /// Days. Of seven days and multiples, the ticks are Mondays.
    Days(i64),
    /// Months, a divisor of a year.
    Months(u32),
}

/// All distances, the shortest first.
const STEPS: [Step; 25] = [
    Step::Seconds(1),
    Step::Seconds(2),
    Step::Seconds(5),
    Step::Seconds(10),
    Step::Seconds(15),
    Step::Seconds(30),
    Step::Seconds(60),
    Step::Seconds(120),
    Step::Seconds(300),
    Step::Seconds(600),
    Step::Seconds(900),
    Step::Seconds(1800),
    Step::Seconds(3600),
    Step::Seconds(2 * 3600),
    Step::Seconds(3 * 3600),
    Step::Seconds(6 * 3600),
    Step::Seconds(12 * 3600),
    Step::Days(1),
    Step::Days(2),
    Step::Days(7),
    Step::Days(14),
    Step::Months(1),
    Step::Months(2),
    Step::Months(3),
    Step::Months(6),
];

impl Step {
    /// Its shortest length in seconds.
    fn least(self) -> i64 {
        match self {
            Step::Seconds(seconds) => seconds,
            Step::Days(days) => days * DAY,
            // February and the months after it.
            Step::Months(months) => (i64::from(months) * 30 - 2) * DAY,
        }
    }

    /// The form of labels in chrono's notation, and how many letters they have at most.
    fn form(self) -> (&'static str, usize) {
        match self {
            Step::Seconds(seconds) if seconds < 60 => ("%H:%M:%S", 8),
            Step::Seconds(_) => ("%H:%M", 5),
            Step::Days(_) => ("%-d %b", 6),
            Step::Months(_) => ("%b %Y", 8),
        }
    }

    /// The first civil second from one on that has a tick.
    fn next(self, civil: i64) -> Option<i64> {
        let up = |count: i64, step: i64| -(-count).div_euclid(step);
        match self {
            Step::Seconds(step) => Some(up(civil, step) * step),
            // 1970-01-05 was a Monday.
            Step::Days(step) => Some((up(up(civil, DAY) - 4, step) * step + 4) * DAY),
            Step::Months(step) => {
                let day = DateTime::from_timestamp(up(civil, DAY) * DAY, 0)?.date_naive();
                // The last day of the month before is the greatest of which the next day may be a tick.
                let month = day.checked_sub_days(Days::new(1))?;
                let count = month.year() * 12 + i32::try_from(month.month()).ok()?;
                let step = i32::try_from(step).ok()?;
                let count = -(-count).div_euclid(step) * step;
                let first = NaiveDate::from_ymd_opt(
                    count.div_euclid(12),
                    count.rem_euclid(12).unsigned_abs() + 1,
                    1,
                )?;
                Some(first.and_time(chrono::NaiveTime::MIN).and_utc().timestamp())
            }
        }
    }
}

/// The ticks from one second to another, both included, at the shortest distance for which `fits` says that labels of so many letters
/// have room.
pub(super) fn ticks(first: i64, last: i64, zone: &Zone, fits: impl Fn(i64, usize) -> bool) -> Vec<Tick> {
    let Some(step) = STEPS.into_iter().find(|step| fits(step.least(), step.form().1)) else {
        return Vec::new();
    };
    let form = match step {
        // A day has one midnight.
        Step::Seconds(seconds) if seconds >= 60 && last - first > DAY => ("%H:%M", "%-d %b"),
        _ => (step.form().0, step.form().0),
    };
    let mut ticks = Vec::new();
    let mut from = first;
    while from <= last {
        let offset = i64::from(zone.offset_at(from));
        let Some(shown) = step.next(from + offset) else { break };
        let change = zone.changes(from).next().map_or(i64::MAX, |change| change.timestamp);
        // After a change of the clocks, other instants have whole times.
        if shown - offset >= change {
            from = change;
            continue;
        }
        let timestamp = shown - offset;
        if timestamp <= last {
            let form = if shown.rem_euclid(DAY) == 0 { form.1 } else { form.0 };
            ticks.push(Tick { timestamp, label: civil(timestamp, zone, form) });
        }
        from = timestamp + 1;
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-03-01T00:00:00Z, a Sunday.
    const MARCH: i64 = 1_772_323_200;

    fn p(from: i64, seconds: i64, zone: &str, least: i64) -> Vec<String> {
        let ticks = ticks(from, from + seconds, &Zone::parse(zone).unwrap(), |step, _| step >= least);
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_whole_times() {
        assert_eq!(p(MARCH, 7200, "UTC", 1500), ["00:00", "00:30", "01:00", "01:30", "02:00"]);
        assert_eq!(p(MARCH + 1, 7199, "Asia/Kathmandu", 3000), ["06:00", "07:00"]);
        assert_eq!(p(MARCH + 3, 60, "UTC", 16), ["00:00:30", "00:01:00"]);
        // In ranges of more than a day, midnights are named by their days.
        assert_eq!(p(MARCH + 40_000, 86_401, "UTC", 20_000), ["12:00", "18:00", "2 Mar", "06:00"]);
        assert_eq!(p(MARCH, 4 * DAY, "Europe/Paris", DAY), ["2 Mar", "3 Mar", "4 Mar", "5 Mar"]);
        assert_eq!(p(MARCH, 15 * DAY, "UTC", 3 * DAY), ["2 Mar", "9 Mar", "16 Mar"]);
        assert_eq!(p(MARCH, 70 * DAY, "UTC", 20 * DAY), ["Mar 2026", "Apr 2026", "May 2026"]);
        assert_eq!(p(MARCH, 366 * DAY, "UTC", 80 * DAY), ["Apr 2026", "Jul 2026", "Oct 2026", "Jan 2027"]);
        assert_eq!(p(MARCH, 100, "UTC", i64::MAX), [""; 0]);
    }

    #[test]
    fn clocks_change_between_ticks() {
        // 2026-03-29T00:00:00+01:00: the clocks go from 02:00 to 03:00.
        assert_eq!(
            p(1_774_738_800, 4 * 3600, "Europe/Paris", 3600),
            ["00:00", "01:00", "03:00", "04:00", "05:00"]
        );
        assert_eq!(p(1_774_738_800, 8 * 3600, "Europe/Paris", 6000), ["00:00", "04:00", "06:00", "08:00"]);
        // 2026-10-25: they go from 03:00 to 02:00.
        assert_eq!(
            p(1_792_879_200, 4 * 3600, "Europe/Paris", 3600),
            ["00:00", "01:00", "02:00", "02:00", "03:00"]
        );
    }
}
