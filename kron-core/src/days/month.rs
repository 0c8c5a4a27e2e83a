//! The days of a month that clauses match, as bit masks.

use super::{Days, Every, Roll};
use crate::constraint::Calendar;
use crate::time::calendar_field::values;
use crate::time::civil::{Date, days_in_month, weekday};

/// Monday to Friday, the workdays where no others are given.
const WORKWEEK: u8 = 0b011_1110;
/// How far the workday lies at most that takes the place of a due day.
const ROLL_DAYS: i64 = 31;

/// A month of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CalendarMonth {
    pub(crate) year: i32,
    /// 1 to 12.
    month: u8,
    /// The day count of the day before its first, so that `start + n` is its day `n`.
    pub(crate) start: i64,
    /// Days of the month.
    length: u8,
}

impl CalendarMonth {
    fn new(year: i32, month: u8) -> CalendarMonth {
        let start = Date::new(year, month, 1).to_day() - 1;
        CalendarMonth { year, month, start, length: days_in_month(year, month) }
    }

    /// The month that holds a day.
    pub(crate) fn of(day: i64) -> CalendarMonth {
        let date = Date::from_day(day);
        let length = days_in_month(date.year, date.month);
        CalendarMonth { year: date.year, month: date.month, start: day - i64::from(date.day), length }
    }

    /// The month after this one.
    pub(crate) fn next(self) -> CalendarMonth {
        let (year, month) = if self.month == 12 { (self.year + 1, 1) } else { (self.year, self.month + 1) };
        CalendarMonth { year, month, start: self.end(), length: days_in_month(year, month) }
    }

    /// The month before this one.
    pub(crate) fn previous(self) -> CalendarMonth {
        if self.month == 1 {
            CalendarMonth::new(self.year - 1, 12)
        } else {
            CalendarMonth::new(self.year, self.month - 1)
        }
    }

    /// The day count of its last day.
    pub(crate) fn end(self) -> i64 {
        self.start + i64::from(self.length)
    }

    /// Bits 1 to its length.
    pub(crate) fn all(self) -> u32 {
        u32::MAX >> (31 - self.length) & !1
    }

    pub(crate) fn contains(self, day: i64) -> bool {
        self.start < day && day <= self.end()
    }

    /// The bits of the days from one to another, both included.
    fn range(self, first: i64, last: i64) -> u32 {
        let (first, last) = (first.max(self.start + 1), last.min(self.end()));
        if first > last {
            return 0;
        }
        u32::MAX << (first - self.start) & u32::MAX >> (31 - (last - self.start))
    }

    /// The bits of the days whose weekdays are in a set.
    fn weekdays(self, set: u8) -> u32 {
        // Bit `n` of the week, moved so that it says whether the n-th day, from 1, is in the set, and repeated.
        let week = (u32::from(set) * 0b1000_0001) >> weekday(self.start + 1) & 0b111_1111;
        week.wrapping_mul(0x1020_4081) << 1 & self.all()
    }

    fn calendar(self, calendar: &Calendar) -> u32 {
        let ranges = calendar.ranges_from(self.start + 1).iter();
        let ranges = ranges.take_while(|(first, _)| i64::from(*first) <= self.end());
        ranges.fold(0, |days, (first, last)| days | self.range((*first).into(), (*last).into()))
    }

    /// The bits of the days that lie a multiple of a number of days after another day.
    fn every(self, days: i64, from: i64) -> u32 {
        let first = (self.start + 1).max(from);
        // The least distance to a multiple.
        let mut day = first + (from - first).rem_euclid(days);
        let mut found = 0;
        while day <= self.end() {
            found |= 1 << (day - self.start);
            day += days;
        }
        found
    }
}

impl Days {
    /// The days of a month that the clause matches, bits 1 to 31.
    pub(super) fn of_month(&self, month: CalendarMonth) -> u32 {
        match self.roll {
            None => self.due(month),
            Some(roll) => self.rolled(month, roll),
        }
    }

    /// The days that the parts match, but for `roll`.
    fn due(&self, month: CalendarMonth) -> u32 {
        // Every field by name, so that the compiler reports a new part here.
        let Days {
            days_of_month,
            last,
            workdays,
            last_workdays,
            near,
            months,
            days_of_week,
            week: _,
            date,
            dates,
            calendar,
            every,
            from,
            roll: _,
            holidays: _,
        } = self;
        if *months != 0 && months >> month.month & 1 == 0 {
            return 0;
        }
        let mut days = month.all();
        if *days_of_month != 0 {
            days &= days_of_month;
        }
        if *last != 0 {
            // Bit `k` moves to `length + 1 - k`.
            days &= (u64::from(last.reverse_bits()) << 1 >> (31 - month.length)) as u32;
        }
        if *days_of_week != 0 {
            days &= month.weekdays(*days_of_week);
        }
        let single = date.map(|date| (date, date));
        for (first, last) in single.iter().chain(dates) {
            days &= month.range((*first).into(), (*last).into());
        }
        if let Some(calendar) = calendar {
            days &= month.calendar(calendar);
        }
        if let (Some(every), Some(from)) = (every, from) {
            let from = i64::from(*from);
            days &= match *every {
                Every::Days(count) => month.every(count.into(), from),
                Every::Weeks(count) if *days_of_week == 0 => month.every(7 * i64::from(count), from),
                Every::Weeks(count) => {
                    // Whole weeks from Monday on; the weekdays choose in them.
                    let monday = from - i64::from((weekday(from) + 6) % 7);
                    let distance = 7 * i64::from(count);
                    let weeks = (0..7).fold(0, |days, day| days | month.every(distance, monday + day));
                    weeks & month.range(from, i64::from(i32::MAX))
                }
            };
        }
        if *workdays | *last_workdays | *near != 0 && days != 0 {
            let work = self.workdays_of(month);
            if *workdays != 0 {
                days &= numbered(work, *workdays, u32::trailing_zeros);
            }
            if *last_workdays != 0 {
                days &= numbered(work, *last_workdays, |rest| 31 - rest.leading_zeros());
            }
            if *near != 0 {
                days &= nearest(work, near & month.all());
            }
        }
        days
    }

    /// The workdays of a month.
    fn workdays_of(&self, month: CalendarMonth) -> u32 {
        let holidays = self.holidays.as_ref().map_or(0, |holidays| month.calendar(holidays));
        month.weekdays(self.workweek()) & !holidays
    }

    fn workweek(&self) -> u8 {
        if self.week == 0 { WORKWEEK } else { self.week }
    }

    /// The due days of a month that are workdays, and the workdays that take the place of other due days.
    fn rolled(&self, month: CalendarMonth, roll: Roll) -> u32 {
        let mut workdays = Workdays { clause: self, found: [(i64::MIN, 0); 4] };
        // A workday takes the place of days at most 31 days away.
        let (first, last) = (month.start + 1 - ROLL_DAYS, month.end() + ROLL_DAYS);
        let mut found = 0;
        let mut add = |near: CalendarMonth| {
            for day in values((self.due(near) & near.range(first, last)).into()) {
                let chosen = workdays.in_place_of(near, near.start + i64::from(day), roll);
                if let Some(chosen) = chosen.filter(|chosen| month.contains(*chosen)) {
                    found |= 1 << (chosen - month.start);
                }
            }
        };
        add(month);
        let mut near = month;
        while roll != Roll::Previous && near.start >= first {
            near = near.previous();
            add(near);
        }
        near = month;
        while roll != Roll::Next && near.end() < last {
            near = near.next();
            add(near);
        }
        found
    }
}

/// The k-th of some days for each k of a set, taken one after another.
fn numbered(days: u32, wanted: u32, take: impl Fn(u32) -> u32) -> u32 {
    let (mut rest, mut found, mut number) = (days, 0, 1);
    while rest != 0 {
        let day = 1 << take(rest);
        if wanted >> number & 1 == 1 {
            found |= day;
        }
        rest &= !day;
        number += 1;
    }
    found
}

/// Of some days, the nearest to each day of a set, the earlier of two.
fn nearest(days: u32, wanted: u32) -> u32 {
    let mut found = 0;
    for day in values(wanted.into()) {
        let before = days & (u32::MAX >> (31 - day));
        let after = days & (u32::MAX << day);
        let earlier = (before != 0).then(|| 31 - before.leading_zeros());
        let later = (after != 0).then(|| after.trailing_zeros());
        let day = u32::from(day);
        found |= match (earlier, later) {
            (Some(earlier), Some(later)) if day - earlier > later - day => 1 << later,
            (Some(earlier), _) => 1 << earlier,
            (None, Some(later)) => 1 << later,
            (None, None) => 0,
        };
    }
    found
}

/// The workdays of a clause, month by month.
struct Workdays<'a> {
    clause: &'a Days,
    /// The starts of the months that were asked about last, and their workdays.
    found: [(i64, u32); 4],
}

impl Workdays<'_> {
    fn of(&mut self, month: CalendarMonth) -> u32 {
        let place = &mut self.found[usize::from(month.month % 4)];
        if place.0 != month.start {
            *place = (month.start, self.clause.workdays_of(month));
        }
        place.1
    }

    /// The workday that takes the place of a day of a month, at most 31 days away: itself, if it is one.
    fn in_place_of(&mut self, month: CalendarMonth, day: i64, roll: Roll) -> Option<i64> {
        if self.of(month) >> (day - month.start) & 1 == 1 {
            return Some(day);
        }
        match roll {
            Roll::Next => self.after(month, day),
            Roll::Previous => self.before(month, day),
            Roll::Nearest => match (self.before(month, day), self.after(month, day)) {
                (Some(before), Some(after)) if day - before > after - day => Some(after),
                (Some(before), _) => Some(before),
                (None, after) => after,
            },
        }
    }

    fn after(&mut self, mut month: CalendarMonth, day: i64) -> Option<i64> {
        loop {
            let days = self.of(month) & month.range(day + 1, day + ROLL_DAYS);
            if days != 0 {
                return Some(month.start + i64::from(days.trailing_zeros()));
            }
            if month.end() >= day + ROLL_DAYS {
                return None;
            }
            month = month.next();
        }
    }

    fn before(&mut self, mut month: CalendarMonth, day: i64) -> Option<i64> {
        loop {
            let days = self.of(month) & month.range(day - ROLL_DAYS, day - 1);
            if days != 0 {
                return Some(month.start + i64::from(31 - days.leading_zeros()));
            }
            if month.start < day - ROLL_DAYS {
                return None;
            }
            month = month.previous();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_follow_each_other() {
        let mut month = CalendarMonth::new(1999, 12);
        for _ in 0..2000 {
            let next = month.next();
            assert_eq!(next.previous(), month);
            assert_eq!(CalendarMonth::of(next.start + 1), next);
            assert_eq!(CalendarMonth::of(next.end()), next);
            month = next;
        }
    }

    fn days(clause: &str, year: i32, month: u8) -> alloc::vec::Vec<u8> {
        let clause: Days = clause.parse().unwrap();
        values(clause.of_month(CalendarMonth::new(year, month)).into()).collect()
    }

    #[test]
    fn days_of_months() {
        // 1 March 2026 is a Sunday.
        assert_eq!(days("dow=MON;dom=1-7", 2026, 3), [2]);
        assert_eq!(days("dow=FRI;last=1-7", 2026, 3), [27]);
        assert_eq!(days("last=1,31", 2026, 3), [1, 31]);
        assert_eq!(days("last=1-2", 2024, 2), [28, 29]);
        assert!(days("last=30", 2026, 2).is_empty());
        assert_eq!(days("workday=1,23", 2026, 3), [2]);
        assert_eq!(days("lastworkday=1-2", 2026, 5), [28, 29]);
        assert_eq!(days("near=1,15", 2026, 3), [2, 16]);
        assert_eq!(days("near=31", 2026, 5), [29]);
        assert!(days("near=31", 2026, 4).is_empty());
        assert_eq!(days("every=2w;from=2026-01-05", 2026, 2), [2, 16]);
        assert_eq!(days("dow=MON,THU;every=2w;from=2026-01-08", 2026, 1), [8, 19, 22]);
        assert_eq!(days("every=100d;from=2026-01-05", 2026, 4), [15]);
        assert_eq!(days("every=1d;from=2026-01-30", 2026, 1), [30, 31]);
        assert!(days("every=3660w;from=9999-12-31", 2026, 1).is_empty());
        assert_eq!(days("dom=31;roll=next", 2026, 6), [1]);
        assert_eq!(days("dom=1;roll=previous", 2026, 1), [1, 30]);
        assert_eq!(days("dom=28,29;roll=nearest", 2026, 3), [27, 30]);
        assert_eq!(days("dom=4;week=SUN-THU;roll=next", 2026, 9), [6]);
    }
}
