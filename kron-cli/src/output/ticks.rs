//! The ticks of an axis of time: whole seconds, minutes, hours, days or months on the clocks of a zone.

use chrono::{DateTime, Datelike as _};
use kron_core::Zone;

const DAY: i64 = 86_400;

/// The time from one tick to the next on the clocks of a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TickStep {
    /// So many seconds, which divide a day.
    Seconds(u32),
    /// So many days from the first day of the range on. Of 7 and 14 days, the ticks are Mondays.
    Days(u32),
    /// So many months, which divide a year. The ticks are the first days of months.
    Months(u32),
}

impl TickStep {
    /// The longest one.
    pub(crate) const YEAR: TickStep = TickStep::Months(12);

    /// Those that are tried, in ascending order.
    const ALL: [TickStep; 26] = [
        TickStep::Seconds(1),
        TickStep::Seconds(2),
        TickStep::Seconds(5),
        TickStep::Seconds(10),
        TickStep::Seconds(15),
        TickStep::Seconds(30),
        TickStep::Seconds(60),
        TickStep::Seconds(120),
        TickStep::Seconds(300),
        TickStep::Seconds(600),
        TickStep::Seconds(900),
        TickStep::Seconds(1800),
        TickStep::Seconds(3600),
        TickStep::Seconds(2 * 3600),
        TickStep::Seconds(3 * 3600),
        TickStep::Seconds(6 * 3600),
        TickStep::Seconds(12 * 3600),
        TickStep::Days(1),
        TickStep::Days(2),
        TickStep::Days(7),
        TickStep::Days(14),
        TickStep::Months(1),
        TickStep::Months(2),
        TickStep::Months(3),
        TickStep::Months(6),
        TickStep::YEAR,
    ];

    /// Its shortest length in seconds.
    pub(crate) fn least(self) -> i64 {
        match self {
            TickStep::Seconds(seconds) => seconds.into(),
            TickStep::Days(days) => i64::from(days) * DAY,
            // February and the months after it.
            TickStep::Months(months) => (i64::from(months) * 30 - 2) * DAY,
        }
    }

    /// The step that the civil times of ticks are multiples of, in seconds.
    fn civil_seconds(self) -> i64 {
        self.least().min(DAY)
    }

    /// Whether a multiple of [`civil_seconds`](TickStep::civil_seconds) is a tick of a range that begins on a day.
    fn has(self, civil: i64, first_day: i64) -> bool {
        let day = civil.div_euclid(DAY);
        match self {
            TickStep::Seconds(_) => true,
            // 1970-01-05 was a Monday.
            TickStep::Days(days @ (7 | 14)) => (day - 4).rem_euclid(days.into()) == 0,
            TickStep::Days(days) => (day - first_day).rem_euclid(days.into()) == 0,
            TickStep::Months(months) => DateTime::from_timestamp(civil, 0)
                .is_some_and(|time| time.day() == 1 && time.month0().is_multiple_of(months)),
        }
    }
}

/// A tick of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tick {
    /// The Unix second.
    pub(crate) timestamp: i64,
    /// Whether a civil day begins at it.
    pub(crate) begins_day: bool,
}

/// The ticks from one second on and before another one, at the shortest step that fits; `None` if none does. A civil time that
/// clocks skip has its tick where they go on, unless the next one is near; one that occurs twice has two.
pub(crate) fn ticks(
    from: i64,
    to: i64,
    zone: &Zone,
    fits: impl Fn(TickStep) -> bool,
) -> Option<(TickStep, Vec<Tick>)> {
    let step = TickStep::ALL.into_iter().find(|step| fits(*step))?;
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
        // Clocks go over a tick. One that is not the beginning of a day leaves its room to the next tick if that is near.
        let is_near = civil.is_some_and(|next| 2 * (next - civil_begin) <= length);
        let skipped = next_multiple(expected, length)
            .filter(|skipped| *skipped < civil_begin && (begins_day(*skipped) || !is_near));
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
        let Some(change) = change else { return Some((step, found)) };
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

    /// 2026-03-29T00:00:00Z, a Sunday.
    const SUNDAY: i64 = 1_774_742_400;

    fn p(from: i64, to: i64, zone: &str, most: i64) -> (TickStep, Vec<i64>) {
        let fits = |step: TickStep| to.abs_diff(from) / step.least().unsigned_abs() <= most.unsigned_abs();
        let found = ticks(from, to, &Zone::parse(zone).unwrap(), |step| step == TickStep::YEAR || fits(step));
        let (step, found) = found.unwrap();
        (step, found.iter().map(|tick| tick.timestamp - SUNDAY).collect())
    }

    #[test]
    fn ticks_are_whole_on_the_clocks() {
        let hours = |list: &[i64]| list.iter().map(|hour| hour * 3600).collect::<Vec<i64>>();
        let three = TickStep::Seconds(3 * 3600);
        assert_eq!(p(SUNDAY, SUNDAY + DAY, "UTC", 9), (three, hours(&[0, 3, 6, 9, 12, 15, 18, 21])));
        // From midnight to midnight in Paris: 23 hours. At 02:00 clocks go to 03:00, which is two hours after midnight.
        let (from, to) = (SUNDAY - 3600, SUNDAY + DAY - 7200);
        assert_eq!(p(from, to, "Europe/Paris", 9), (three, hours(&[-1, 1, 4, 7, 10, 13, 16, 19])));
        assert_eq!(p(from, from + 4 * 3600, "Europe/Paris", 5).1, hours(&[-1, 0, 1, 2]));
        // Every two hours, 02:00 is skipped, and 04:00 an hour later keeps its tick.
        let two = TickStep::Seconds(2 * 3600);
        assert_eq!(p(from, to, "Europe/Paris", 12), (two, hours(&[-1, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20])));
        // They go back from 03:00 to 02:00 on 25 October: 02:00 occurs twice.
        let october = SUNDAY + 210 * DAY - 7200;
        let shift = |list: Vec<i64>| list.iter().map(|second| second + SUNDAY - october).collect::<Vec<_>>();
        assert_eq!(shift(p(october, october + 5 * 3600, "Europe/Paris", 5).1), hours(&[0, 1, 2, 3, 4]));
        // Lebanon's clocks skip the midnight of the 29th: the day begins at 01:00.
        let beirut = p(SUNDAY - 3 * DAY, SUNDAY + DAY, "Asia/Beirut", 5);
        let days = vec![-3 * DAY + 79_200, -2 * DAY + 79_200, -7200, DAY - 10_800];
        assert_eq!(beirut, (TickStep::Days(1), days));
    }

    #[test]
    fn short_ranges_have_seconds() {
        assert_eq!(p(SUNDAY + 3, SUNDAY + 60, "UTC", 4), (TickStep::Seconds(15), vec![15, 30, 45]));
        // 05:45 in Kathmandu.
        assert_eq!(p(SUNDAY + 1, SUNDAY + 7200, "Asia/Kathmandu", 2).1, [900, 4500]);
        assert_eq!(ticks(SUNDAY, SUNDAY + 60, &Zone::UTC, |_| false), None);
    }

    #[test]
    fn long_ranges_have_mondays_and_months() {
        assert_eq!(p(SUNDAY, SUNDAY + 7 * DAY, "UTC", 6).1, [0, 2, 4, 6].map(|day| day * DAY));
        let (step, found) = p(SUNDAY, SUNDAY + 60 * DAY, "UTC", 9);
        assert_eq!((step, found[0], found.len()), (TickStep::Days(7), DAY, 9));
        let (step, found) = p(SUNDAY, SUNDAY + 365 * DAY, "UTC", 15);
        assert_eq!((step, found[0], found[1], found.len()), (TickStep::Months(1), 3 * DAY, 33 * DAY, 12));
        let (step, found) = p(SUNDAY, SUNDAY + 20 * 365 * DAY, "UTC", 8);
        assert_eq!((step, found.len()), (TickStep::YEAR, 20));
        // The ends of 64 bits have no tick, and nothing overflows.
        for (from, to) in [(i64::MIN, i64::MIN + 9000), (i64::MAX - 9000, i64::MAX)] {
            let _ = ticks(from, to, &Zone::parse("Europe/Paris").unwrap(), |step| step.least() >= 900);
        }
    }
}
