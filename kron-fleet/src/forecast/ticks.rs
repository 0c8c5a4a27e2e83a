//! The ticks of a picture's axis of time.

use alloc::vec::Vec;

use chrono::{DateTime, Datelike as _};
use kron_core::Zone;

use crate::DAY;
use crate::forecast::range::ForecastRange;

/// The time from one tick to the next on the clocks of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickStep {
    /// So many minutes, which divide a day.
    Minutes(u32),
    /// So many days from the first day of the range on. Of 7 days, the ticks are Mondays.
    Days(u32),
    /// So many months, which divide a year. The ticks are the first days of months.
    Months(u32),
}

impl TickStep {
    /// Those that are tried, in ascending order.
    const ALL: [TickStep; 17] = [
        TickStep::Minutes(1),
        TickStep::Minutes(2),
        TickStep::Minutes(5),
        TickStep::Minutes(10),
        TickStep::Minutes(15),
        TickStep::Minutes(30),
        TickStep::Minutes(60),
        TickStep::Minutes(120),
        TickStep::Minutes(180),
        TickStep::Minutes(360),
        TickStep::Minutes(720),
        TickStep::Days(1),
        TickStep::Days(2),
        TickStep::Days(7),
        TickStep::Months(1),
        TickStep::Months(3),
        TickStep::Months(12),
    ];

    /// About how many seconds it has.
    fn seconds(self) -> i64 {
        match self {
            TickStep::Minutes(minutes) => i64::from(minutes) * 60,
            TickStep::Days(days) => i64::from(days) * DAY,
            TickStep::Months(months) => i64::from(months) * 30 * DAY,
        }
    }

    /// The step that the civil times of ticks are multiples of, in seconds.
    fn civil_seconds(self) -> i64 {
        self.seconds().min(DAY)
    }

    /// Whether a multiple of [`civil_seconds`](TickStep::civil_seconds) is a tick of a range that begins on a day.
    fn has(self, civil: i64, first_day: i64) -> bool {
        let day = civil.div_euclid(DAY);
        match self {
            TickStep::Minutes(_) => true,
            // 1970-01-01 was a Thursday.
            TickStep::Days(7) => (day + 3).rem_euclid(7) == 0,
            TickStep::Days(days) => (day - first_day).rem_euclid(days.into()) == 0,
            TickStep::Months(months) => DateTime::from_timestamp(civil, 0)
                .is_some_and(|time| time.day() == 1 && time.month0().is_multiple_of(months)),
        }
    }
}

/// A tick of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tick {
    /// The Unix second.
    pub timestamp: i64,
    /// Whether a civil day begins at it.
    pub begins_day: bool,
}

/// The ticks of a range: whole minutes, hours, days or months on the clocks of a zone, with the shortest step of which the range
/// has at most `most`. A civil time that clocks skip has its tick where they go on; one that occurs twice has two.
///
/// ```
/// use kron_core::{Duration, Zone};
/// use kron_fleet::forecast::{ForecastRange, TickStep, ticks};
/// let day = ForecastRange::new(0..86_400, Duration::from_secs(60))?;
/// let (step, found) = ticks(&day, &Zone::UTC, 10);
/// assert_eq!((step, found.len(), found[1].timestamp), (TickStep::Minutes(180), 8, 3 * 3600));
/// // The same day in Kathmandu, 5:30 ahead until 1986: at 06:00 there, it is 00:30.
/// let (_, found) = ticks(&day, &Zone::parse("Asia/Kathmandu")?, 10);
/// assert_eq!(found[0].timestamp, 1800);
/// # Ok::<(), kron_core::Error>(())
/// ```
pub fn ticks(range: &ForecastRange, zone: &Zone, most: usize) -> (TickStep, Vec<Tick>) {
    let (from, to) = (range.from_timestamp(), range.to_timestamp());
    let fits = |step: &&TickStep| (to.abs_diff(from) / step.seconds().unsigned_abs()) as usize <= most;
    let step = TickStep::ALL.iter().find(fits).copied().unwrap_or(TickStep::Months(12));
    let length = step.civil_seconds();
    let mut found = Vec::new();
    let mut changes = zone.changes(from).take_while(|change| change.timestamp < to);
    let (mut begin, mut offset) = (from, i64::from(zone.offset_at(from)));
    // The civil time that the clocks would show without a change.
    let mut expected = begin.saturating_add(offset);
    let first_day = expected.div_euclid(DAY);
    // The offset is the same from one change to the next.
    loop {
        let change = changes.next();
        let end = change.map_or(to, |change| change.timestamp);
        let civil_begin = begin.saturating_add(offset);
        let mut civil = next_multiple(civil_begin, length);
        // Clocks go over a tick.
        let skipped = next_multiple(expected, length).filter(|skipped| *skipped < civil_begin);
        if let Some(skipped) =
            skipped.filter(|skipped| civil != Some(civil_begin) && step.has(*skipped, first_day))
        {
            found.push(Tick { timestamp: begin, begins_day: begins_day(skipped) });
        }
        while let Some((second, timestamp)) =
            civil.and_then(|second| Some((second, second.checked_sub(offset)?)))
            && timestamp < end
        {
            if step.has(second, first_day) {
                found.push(Tick { timestamp, begins_day: begins_day(second) });
            }
            civil = second.checked_add(length);
        }
        let Some(change) = change else { return (step, found) };
        begin = change.timestamp;
        expected = begin.saturating_add(offset);
        offset = i64::from(change.offset_after);
    }
}

/// The first multiple of a length from a civil second on.
fn next_multiple(civil: i64, length: i64) -> Option<i64> {
    civil.checked_add((-civil.rem_euclid(length)).rem_euclid(length))
}

fn begins_day(civil: i64) -> bool {
    civil.rem_euclid(DAY) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use kron_core::Duration;

    /// 2026-03-29T00:00:00Z, a Sunday.
    const SUNDAY: i64 = 1_774_742_400;

    fn p(from: i64, to: i64, zone: &str, most: usize) -> (TickStep, Vec<i64>) {
        let range = ForecastRange::new(from..to, Duration::from_secs(3600)).unwrap();
        let (step, found) = ticks(&range, &Zone::parse(zone).unwrap(), most);
        (step, found.iter().map(|tick| tick.timestamp - SUNDAY).collect())
    }

    #[test]
    fn ticks_are_whole_on_the_clocks() {
        let hours = |list: &[i64]| list.iter().map(|hour| hour * 3600).collect::<Vec<i64>>();
        assert_eq!(
            p(SUNDAY, SUNDAY + DAY, "UTC", 9),
            (TickStep::Minutes(180), hours(&[0, 3, 6, 9, 12, 15, 18, 21]))
        );
        // From midnight to midnight in Paris: 23 hours. At 02:00 clocks go to 03:00, which is two hours after midnight.
        let (from, to) = (SUNDAY - 3600, SUNDAY + DAY - 7200);
        assert_eq!(
            p(from, to, "Europe/Paris", 9),
            (TickStep::Minutes(180), hours(&[-1, 1, 4, 7, 10, 13, 16, 19]))
        );
        assert_eq!(p(from, from + 4 * 3600, "Europe/Paris", 5).1, hours(&[-1, 0, 1, 2]));
        // They go back from 03:00 to 02:00 on 25 October: 02:00 occurs twice.
        let october = SUNDAY + 210 * DAY - 7200;
        let shift = |list: Vec<i64>| list.iter().map(|second| second + SUNDAY - october).collect::<Vec<_>>();
        assert_eq!(shift(p(october, october + 5 * 3600, "Europe/Paris", 5).1), hours(&[0, 1, 2, 3, 4]));
        // Lebanon's clocks skip the midnight of the 29th: the day begins at 01:00.
        let beirut = p(SUNDAY - 3 * DAY, SUNDAY + DAY, "Asia/Beirut", 5);
        assert_eq!(
            beirut,
            (TickStep::Days(1), vec![-3 * DAY + 79_200, -2 * DAY + 79_200, -7200, DAY - 10_800])
        );
    }

    #[test]
    fn long_ranges_have_mondays_and_months() {
        assert_eq!(p(SUNDAY, SUNDAY + 7 * DAY, "UTC", 6).1, [0, 2, 4, 6].map(|day| day * DAY));
        let (step, found) = p(SUNDAY, SUNDAY + 60 * DAY, "UTC", 9);
        assert_eq!((step, found[0], found.len()), (TickStep::Days(7), DAY, 9));
        let (step, found) = p(SUNDAY, SUNDAY + 365 * DAY, "UTC", 15);
        assert_eq!((step, found[0], found[1], found.len()), (TickStep::Months(1), 3 * DAY, 33 * DAY, 12));
        let (step, found) = p(SUNDAY, SUNDAY + 20 * 365 * DAY, "UTC", 8);
        assert_eq!((step, found.len()), (TickStep::Months(12), 20));
        // The ends of 64 bits have no tick, and nothing overflows.
        for (from, to) in [(i64::MIN, i64::MIN + 9000), (i64::MAX - 9000, i64::MAX)] {
            let range = ForecastRange::new(from..to, Duration::from_secs(3600)).unwrap();
            let _ = ticks(&range, &Zone::parse("Europe/Paris").unwrap(), 9);
        }
    }
}
