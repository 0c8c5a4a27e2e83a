//! Nominal times on the days that rules choose.
//!
//! The schedule finds a nominal time, and the rules the next matching day; whichever is later goes on, until they agree. Inside a span of
//! constant offset a civil date is one stretch of time. Across a change of offset a date can end early, begin late or come twice, so no
//! step goes beyond the end of a span.

use crate::cron::nominal_times::NominalTimes;
use crate::days::{CalendarMonth, DayRules};
use crate::limits::{NOMINAL_MAX, NOMINAL_MIN};
use crate::time::civil::DAY;
use crate::time::zone::{Offsets, Zone};

/// Years in which days are looked for; a year more than nominal times lie in, as offsets reach over.
const YEARS: core::ops::RangeInclusive<i32> = 1969..=2100;
/// More than any two offsets of a zone differ.
const FAR: i64 = 2 * DAY;

/// The days of the month that was asked about last.
struct Month {
    month: CalendarMonth,
    days: u32,
}

impl Month {
    fn of(rules: &DayRules, day: i64) -> Month {
        let month = CalendarMonth::of(day);
        Month { month, days: rules.of_month(month) }
    }

    fn enter(&mut self, rules: &DayRules, day: i64) {
        if !self.month.contains(day) {
            *self = Month::of(rules, day);
        }
    }

    fn has(&mut self, rules: &DayRules, day: i64) -> bool {
        self.enter(rules, day);
        self.days >> (day - self.month.start) & 1 == 1
    }

    /// The first day at or after one that matches, or, with `wanted` false, that does not.
    fn at_or_after(&mut self, rules: &DayRules, day: i64, wanted: bool) -> Option<i64> {
        self.enter(rules, day);
        let mut among = u32::MAX << (day - self.month.start);
        loop {
            let days = if wanted { self.days } else { !self.days } & self.month.all() & among;
            if days != 0 {
                return Some(self.month.start + i64::from(days.trailing_zeros()));
            }
            let month = self.month.next();
            if !YEARS.contains(&month.year) {
                return None;
            }
            *self = Month { month, days: rules.of_month(month) };
            among = u32::MAX;
        }
    }

    /// The last matching day at or before one.
    fn at_or_before(&mut self, rules: &DayRules, day: i64) -> Option<i64> {
        self.enter(rules, day);
        let mut among = u32::MAX >> (31 - (day - self.month.start));
        loop {
            let days = self.days & among;
            if days != 0 {
                return Some(self.month.start + i64::from(31 - days.leading_zeros()));
            }
            let month = self.month.previous();
            if !YEARS.contains(&month.year) {
                return None;
            }
            *self = Month { month, days: rules.of_month(month) };
            among = u32::MAX;
        }
    }
}

/// The civil day of a Unix second in a span.
fn day_in(zone: Offsets<'_>, index: usize, second: i64) -> i64 {
    (second + i64::from(zone.spans[index].offset)).div_euclid(DAY)
}

/// The Unix second at which a civil day begins, at the offset of a span.
fn midnight(zone: Offsets<'_>, index: usize, day: i64) -> i64 {
    day * DAY - i64::from(zone.spans[index].offset)
}

impl DayRules {
    /// The smallest nominal time after a Unix second on a day that the rules choose. Out of line, as the next one, so that the search
    /// without rules stays short.
    #[cold]
    #[inline(never)]
    pub(crate) fn next_nominal<S: NominalTimes>(&self, schedule: &S, zone: &Zone, after: i64) -> Option<i64> {
        let offsets = zone.offsets();
        let (mut month, mut after) = (None, after.max(NOMINAL_MIN - 1));
        loop {
            let found = schedule.next_nominal(zone, after);
            let nominal = found.filter(|nominal| *nominal > after && *nominal <= NOMINAL_MAX)?;
            let index = offsets.span_index(nominal);
            let day = day_in(offsets, index, nominal);
            let month = month.get_or_insert_with(|| Month::of(self, day));
            if month.has(self, day) {
                return Some(nominal);
            }
            let end = offsets.span_end(index);
            after = match month.at_or_after(self, day + 1, true) {
                Some(day) => midnight(offsets, index, day).min(end) - 1,
                // Only a change of offset can lead back to a day that matches.
                None if end - nominal > FAR => return None,
                None => end - 1,
            };
        }
    }

    /// The greatest nominal time at or before a Unix second on a day that the rules choose.
    #[cold]
    #[inline(never)]
    pub(crate) fn prev_nominal<S: NominalTimes>(&self, schedule: &S, zone: &Zone, at: i64) -> Option<i64> {
        let offsets = zone.offsets();
        let (mut month, mut at) = (None, at.min(NOMINAL_MAX));
        loop {
            let found = schedule.prev_nominal(zone, at);
            let nominal = found.filter(|nominal| *nominal <= at && *nominal >= NOMINAL_MIN)?;
            let index = offsets.span_index(nominal);
            let day = day_in(offsets, index, nominal);
            let month = month.get_or_insert_with(|| Month::of(self, day));
            if month.has(self, day) {
                return Some(nominal);
            }
            let start = offsets.spans[index].start;
            at = match month.at_or_before(self, day - 1) {
                Some(day) => midnight(offsets, index, day + 1).max(start) - 1,
                None if nominal.saturating_sub(start) > FAR => return None,
                None => start - 1,
            };
        }
    }

    /// The number of nominal times from `first` to `last`, both included, on days that the rules choose.
    pub(crate) fn count_nominal<S: NominalTimes>(
        &self,
        schedule: &S,
        zone: &Zone,
        first: i64,
        last: i64,
    ) -> u64 {
        let offsets = zone.offsets();
        let (mut from, last) = (first.max(NOMINAL_MIN), last.min(NOMINAL_MAX));
        if from > last {
            return 0;
        }
        let mut count = 0;
        let mut index = offsets.span_index(from);
        let mut month = Month::of(self, day_in(offsets, index, from));
        while from <= last {
            let end = offsets.span_end(index).min(last + 1);
            // The matching days of the span, as stretches of consecutive days.
            while from < end {
                let Some(day) = month.at_or_after(self, day_in(offsets, index, from), true) else { break };
                let first = midnight(offsets, index, day).max(from);
                if first >= end {
                    break;
                }
                let off = month.at_or_after(self, day + 1, false);
                from = off.map_or(end, |off| midnight(offsets, index, off).min(end));
                count += schedule.count_nominal(zone, first, from - 1);
            }
            from = end;
            index += 1;
        }
        count
    }
}
