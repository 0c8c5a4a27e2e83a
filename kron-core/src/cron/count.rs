//! How many nominal times lie in a range, month by month and without finding each.

use super::Cron;
use super::search::month_days;
use crate::limits::{NOMINAL_MAX, NOMINAL_MIN};
use crate::time::civil::{ceil_minute, day_and_minute};
use crate::time::zone::Offsets;

impl Cron {
    /// The number of nominal times from `first` to `last`, both included, in a zone of those offsets.
    pub(crate) fn count_timestamps(&self, zone: Offsets<'_>, first: i64, last: i64) -> u64 {
        let (first, last) = (first.max(NOMINAL_MIN), last.min(NOMINAL_MAX));
        if first > last {
            return 0;
        }
        let spans = zone.span_index(first)..=zone.span_index(last);
        let of_span = |index: usize| {
            let span = zone.spans[index];
            let offset = i64::from(span.offset);
            let (first, last) = (first.max(span.start), last.min(zone.span_end(index) - 1));
            self.count_minutes(ceil_minute(first + offset), (last + offset).div_euclid(60))
        };
        spans.map(of_span).sum()
    }

    /// The number of matching civil minutes from `first` to `last`, both included.
    fn count_minutes(&self, first: i64, last: i64) -> u64 {
        // A span can be shorter than a minute.
        if first > last {
            return 0;
        }
        let (first_day, first_minute) = day_and_minute(first);
        let (last_day, end) = day_and_minute(last + 1);
        // The minutes of all days before the last one, minus those before the first minute, plus those of the last day.
        let whole = self.count_days(first_day, last_day - 1) * self.count_before(24 * 60);
        let before = self.count_days(first_day, first_day) * self.count_before(first_minute);
        whole + self.count_days(last_day, last_day) * self.count_before(end) - before
    }

    /// The number of matching minutes of a day before one, if the day matches.
    fn count_before(&self, of_day: u32) -> u64 {
        let (hour, minute) = (of_day / 60, of_day % 60);
        let earlier_hours = (self.hours & ((1 << hour) - 1)).count_ones();
        let this_hour = if self.hours >> hour & 1 == 1 { self.minutes() & ((1 << minute) - 1) } else { 0 };
        u64::from(earlier_hours * self.minutes().count_ones() + this_hour.count_ones())
    }

    /// The number of matching days from `first` to `last`, both included.
    fn count_days(&self, first: i64, last: i64) -> u64 {
        if first > last {
            return 0;
        }
        let mut month = self.month_from(first);
        let mut days = 0;
        while month.start < last {
            let among = month_days((last - month.start).min(31) as u8);
            days += u64::from((month.days & among).count_ones());
            if self.next_month(&mut month).is_none() {
                break;
            }
        }
        days
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::zone::Zone;
    use alloc::vec::Vec;

    /// Counts agree with repeated searches, in zones whose clocks went back, forward, by odd seconds and by a day.
    #[test]
    fn counts_are_those_of_the_search() {
        let texts = [
            "* * * * *",
            "*/7 1-3 * * *",
            "30 2 * * SUN",
            "0 0 29 2 *",
            "0 0 31 * *",
            "59 23 13 * FRI",
            "5-10 */5 1,15 2-11 *",
        ];
        let zones = [
            "UTC",
            "Europe/Paris",
            "Africa/Monrovia",
            "Pacific/Apia",
            "Australia/Lord_Howe",
            "America/Caracas",
        ];
        let mut counted = 0;
        for (text, zone) in texts.iter().flat_map(|text| zones.iter().map(move |zone| (text, zone))) {
            let (cron, zone) = (Cron::parse(text).unwrap(), Zone::parse(zone).unwrap());
            // Monrovia's seconds in 1972, Apia's day without a date in 2011, Caracas in 2007, both changes of 2026, the end.
            for start in [
                -86_400,
                63_500_000,
                1_325_080_000,
                1_197_100_000,
                1_774_700_000,
                1_792_800_000,
                4_102_200_000,
            ] {
                let end = start + 4 * 86_400 + 17;
                let times: Vec<i64> =
                    core::iter::successors(cron.next_timestamp(zone.offsets(), start - 1), |last| {
                        cron.next_timestamp(zone.offsets(), *last)
                    })
                    .take_while(|time| *time <= end)
                    .collect();
                counted += times.len();
                for (first, last) in [
                    (start, end),
                    (start + 9_001, end - 9_001),
                    (start + 100_000, start + 100_000),
                    (end, start),
                ] {
                    let want = times.iter().filter(|time| (first..=last).contains(time)).count() as u64;
                    assert_eq!(
                        cron.count_timestamps(zone.offsets(), first, last),
                        want,
                        "{text} {zone} {first} {last}"
                    );
                }
                for time in times.iter().take(50) {
                    assert_eq!(
                        cron.count_timestamps(zone.offsets(), *time, *time),
                        1,
                        "{text} {zone} {time}"
                    );
                }
            }
            let all = cron.in_zone(zone.clone()).series(i64::MIN);
            if *text != "* * * * *" && *text != "*/7 1-3 * * *" && *text != "5-10 */5 1,15 2-11 *" {
                assert_eq!(
                    cron.count_timestamps(zone.offsets(), i64::MIN, i64::MAX),
                    all.count() as u64,
                    "{text} {zone}"
                );
            }
        }
        assert!(counted > 100_000, "{counted}");
    }
}
