//! The calendar search: from an instant to the next or previous nominal time.
//!
//! The search has two steps. On a clock without time zone, bit masks give the first matching civil minute at or after a
//! given one. Around it, a walk goes over the zone's spans of constant offset: inside a span civil time runs evenly, so
//! an answer either lies in the span, or the search continues at the first civil minute of the next one. Minutes that a
//! change of offset skips lie in no span; minutes that it doubles lie in two.
//!
//! Both directions are written out here. The searches for periods and starts, which call these, are one walk with a
//! direction. The search forwards is the hot path, with shortcuts for weekdays, leap days and distant spans; a shared
//! form would branch on the direction in each of its steps. The tests compare both directions with each other and with
//! the iteration.

use super::{Cron, Schedule};
use crate::limits::{NOMINAL_MAX, NOMINAL_MIN};
use crate::time::calendar_field::{DAY_OF_MONTH, MONTH};
use crate::time::civil::{DAY, DAY_MINUTES, Date, ceil_minute, day_and_minute, days_in_month, weekday};
use crate::time::instant::{Instant, to_utc};
use crate::time::zone::{Offsets, Span};
use chrono::{DateTime, Utc};

/// Civil years that a search enters; a year more than nominal times lie in, as offsets reach over.
const YEARS: core::ops::RangeInclusive<i32> = 1969..=2100;

impl Cron {
    /// A day of the month that no month of the expression has, and no weekday to match instead.
    pub(super) fn never_matches(&self) -> bool {
        // Every month has at least 28 days.
        if self.day_of_week_restricted() || self.days_of_month & month_days(28) != 0 {
            return false;
        }
        // 2000 is a leap year: February has its most days.
        !(1..=12u8).any(|month| {
            self.months >> month & 1 == 1 && self.days_of_month & month_days(days_in_month(2000, month)) != 0
        })
    }

    /// The first matching civil minute at or after `minute`.
    #[inline]
    pub(crate) fn at_or_after(&self, minute: i64) -> Option<i64> {
        let (day, of_day) = day_and_minute(minute);
        match self.minute_at_or_after(of_day) {
            None => Some(self.day_at_or_after(day + 1)? * DAY_MINUTES + i64::from(self.first_minute())),
            Some(found) => {
                let found_day = self.day_at_or_after(day)?;
                let of_day = if found_day == day { found } else { self.first_minute() };
                Some(found_day * DAY_MINUTES + i64::from(of_day))
            }
        }
    }

    /// The last matching civil minute at or before `minute`.
    pub(crate) fn at_or_before(&self, minute: i64) -> Option<i64> {
        let (day, of_day) = day_and_minute(minute);
        match self.minute_at_or_before(of_day) {
            None => Some(self.day_at_or_before(day - 1)? * DAY_MINUTES + i64::from(self.last_minute())),
            Some(found) => {
                let found_day = self.day_at_or_before(day)?;
                let of_day = if found_day == day { found } else { self.last_minute() };
                Some(found_day * DAY_MINUTES + i64::from(of_day))
            }
        }
    }

    fn first_minute(&self) -> u32 {
        self.hours.trailing_zeros() * 60 + self.minutes().trailing_zeros()
    }

    fn last_minute(&self) -> u32 {
        (31 - self.hours.leading_zeros()) * 60 + (63 - self.minutes().leading_zeros())
    }

    /// The first matching minute of the day at or after one, if the day has one.
    fn minute_at_or_after(&self, of_day: u32) -> Option<u32> {
        let (hour, minute) = (of_day / 60, of_day % 60);
        if self.hours >> hour & 1 == 1 {
            let rest = self.minutes() >> minute;
            if rest != 0 {
                return Some(of_day + rest.trailing_zeros());
            }
        }
        let later = self.hours >> hour >> 1;
        (later != 0).then(|| (hour + 1 + later.trailing_zeros()) * 60 + self.minutes().trailing_zeros())
    }

    /// The last matching minute of the day at or before one, if the day has one.
    fn minute_at_or_before(&self, of_day: u32) -> Option<u32> {
        let (hour, minute) = (of_day / 60, of_day % 60);
        if self.hours >> hour & 1 == 1 {
            let rest = self.minutes() << (63 - minute);
            if rest != 0 {
                return Some(of_day - rest.leading_zeros());
            }
        }
        let earlier = self.hours & ((1 << hour) - 1);
        (earlier != 0).then(|| (31 - earlier.leading_zeros()) * 60 + (63 - self.minutes().leading_zeros()))
    }

    /// Whether at most the day of the week restricts the days.
    fn by_weekday_alone(&self) -> bool {
        u64::from(self.months) == MONTH.all() && !self.day_of_month_restricted()
    }

    /// Whether a civil day, counted from 1970-01-01, is one of the schedule.
    pub(crate) fn matches_day(&self, day: i64) -> bool {
        self.day_at_or_after(day) == Some(day)
    }

    /// The first matching day at or after `day`.
    #[inline]
    fn day_at_or_after(&self, day: i64) -> Option<i64> {
        if self.by_weekday_alone() {
            return Some(day + self.days_to_weekday(day));
        }
        let mut month = self.month_from(day);
        while month.days == 0 {
            self.next_month(&mut month)?;
        }
        Some(month.start + i64::from(month.days.trailing_zeros()))
    }

    /// How many days later a day of the week matches.
    #[inline]
    fn days_to_weekday(&self, day: i64) -> i64 {
        // Two weeks in a row, so that a shift by the weekday still holds a whole week.
        let week = u32::from(self.days_of_week) * 0b1000_0001;
        i64::from((week >> weekday(day)).trailing_zeros())
    }

    /// The month that holds a day, with its matching days from that one on.
    #[inline]
    pub(super) fn month_from(&self, day: i64) -> Month {
        let date = Date::from_day(day);
        let mut month = self.month(date.year, date.month, day - i64::from(date.day));
        let among = if self.months >> date.month & 1 == 1 { u32::MAX << date.day } else { 0 };
        month.days &= among;
        month
    }

    /// The first month of the expression at or after a month.
    #[inline]
    fn month_of(&self, year: i32, month: u8) -> Option<Month> {
        let months = self.months >> month;
        let (year, month) = match months {
            0 => (year + 1, self.months.trailing_zeros() as u8),
            _ => (year, month + months.trailing_zeros() as u8),
        };
        YEARS.contains(&year).then(|| self.month(year, month, Date::new(year, month, 0).to_day()))
    }

    /// A month of the expression, which begins on the day after `start`, with its matching days.
    #[inline]
    fn month(&self, year: i32, month: u8, start: i64) -> Month {
        Month { year, month, start, days: self.days_of(start + 1, days_in_month(year, month)) }
    }

    /// Moves to the month of the expression after another, which may have no matching day. It changes the month in
    /// place: reading a whole struct right after its fields were written stalls the processor.
    #[inline]
    pub(super) fn next_month(&self, month: &mut Month) -> Option<()> {
        // Every fourth year is a leap year, as 2000 is, and 1900 and 2100 are out of range.
        if self.only_leap_days() && month.month == 2 && month.year % 4 == 0 && month.year < 2096 {
            month.year += 4;
            month.start += 4 * 365 + 1;
            month.days = self.days_of_month & month_days(29);
            return Some(());
        }
        self.month_after(month)
    }

    /// [`next_month`](Cron::next_month) for all but one leap day after another; out of line, so that the compiler moves
    /// none of its work to the common path.
    #[inline(never)]
    fn month_after(&self, month: &mut Month) -> Option<()> {
        // The year before the next leap year.
        let year = if self.only_leap_days() && month.month >= 2 { month.year | 3 } else { month.year };
        *month = if month.month == 12 {
            self.month_of(year + 1, 1)
        } else {
            self.month_of(year, month.month + 1)
        }?;
        Some(())
    }

    /// Whether the only matching day is 29 February, which only leap years have.
    #[inline]
    fn only_leap_days(&self) -> bool {
        self.months == 1 << 2 && self.days_of_month & month_days(28) == 0 && !self.day_of_week_restricted()
    }

    /// The last matching day at or before `day`.
    fn day_at_or_before(&self, day: i64) -> Option<i64> {
        if self.by_weekday_alone() {
            // Two weeks in a row, so that a shift by the weekday still holds a whole week.
            let week = u32::from(self.days_of_week) * 0b1000_0001;
            return Some(day - i64::from((week << (31 - 7 - weekday(day))).leading_zeros()));
        }
        let Date { mut year, mut month, day: last } = Date::from_day(day);
        let mut until = u32::MAX >> (31 - last);
        while YEARS.contains(&year) {
            let months = self.months << (15 - month);
            if months == 0 {
                (year, month) = (year - 1, 12);
                until = u32::MAX;
                continue;
            }
            if months.leading_zeros() > 0 {
                month -= months.leading_zeros() as u8;
                until = u32::MAX;
            }
            let month_start = Date::new(year, month, 1).to_day();
            let days = self.days_of(month_start, days_in_month(year, month)) & until;
            if days != 0 {
                return Some(month_start + i64::from(31 - days.leading_zeros()) - 1);
            }
            (year, month) = if month == 1 { (year - 1, 12) } else { (year, month - 1) };
            until = u32::MAX;
        }
        None
    }

    /// The matching days of a month, bits 1 to 31. `start` is the day count of its first day.
    #[inline]
    fn days_of(&self, start: i64, length: u8) -> u32 {
        let mut days = self.days_of_month;
        if self.day_of_week_restricted() {
            // Bit `n` of the weekday mask, moved so that it says whether the n-th day (from 1) matches, and repeated weekly.
            let first = weekday(start);
            let week = (u32::from(self.days_of_week) * 0b1000_0001) >> first & 0b111_1111;
            let by_week = week.wrapping_mul(0x1020_4081) << 1;
            days = if self.day_of_month_restricted() { days | by_week } else { by_week };
        }
        days & month_days(length)
    }
}

/// A month with its matching days.
#[derive(Clone, Copy, Debug)]
pub(super) struct Month {
    year: i32,
    /// 1 to 12.
    month: u8,
    /// The day count of the day before its first.
    pub(super) start: i64,
    /// Bits 1 to 31.
    pub(super) days: u32,
}

/// Bits 1 to `length`.
pub(super) fn month_days(length: u8) -> u32 {
    (DAY_OF_MONTH.all() as u32) >> (31 - length) & !1
}

impl Schedule {
    /// The smallest nominal time after an instant; `None` if the schedule has none up to 2099.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let hourly = Cron::parse("@hourly")?.in_zone(Zone::UTC);
    /// let at = chrono::DateTime::parse_from_rfc3339("2026-03-01T02:00:00+01:00").unwrap();
    /// assert_eq!(hourly.next(at).unwrap().to_rfc3339(), "2026-03-01T02:00:00+00:00");
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn next(&self, after: impl Instant) -> Option<DateTime<Utc>> {
        self.next_timestamp(after.floor()).map(to_utc)
    }

    /// The greatest nominal time at or before an instant; `None` if the schedule has none from 1970 on.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let hourly = Cron::parse("@hourly")?.in_zone(Zone::UTC);
    /// let at = chrono::DateTime::parse_from_rfc3339("2026-03-01T01:00:00Z").unwrap();
    /// assert_eq!(hourly.prev(at).unwrap(), at);
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    pub fn prev(&self, at: impl Instant) -> Option<DateTime<Utc>> {
        self.prev_timestamp(at.floor()).map(to_utc)
    }

    /// [`next`](Schedule::next) from Unix seconds to Unix seconds.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let paris = Cron::parse("0 0 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// assert_eq!(paris.next_timestamp(1_772_323_200), Some(1_772_323_200 + 23 * 3600));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn next_timestamp(&self, after: i64) -> Option<i64> {
        match self.days.is_empty() {
            true => self.cron.next_timestamp(self.zone.offsets(), after),
            false => self.next_on_days(after),
        }
    }

    #[cold]
    #[inline(never)]
    fn next_on_days(&self, after: i64) -> Option<i64> {
        self.days.next_nominal(&self.cron, &self.zone, after)
    }

    /// [`prev`](Schedule::prev) from Unix seconds to Unix seconds.
    ///
    /// ```
    /// use kron_core::{Cron, Zone};
    /// let paris = Cron::parse("0 0 * * *")?.in_zone(Zone::parse("Europe/Paris")?);
    /// assert_eq!(paris.prev_timestamp(1_772_323_200), Some(1_772_323_200 - 3600));
    /// # Ok::<(), kron_core::Error>(())
    /// ```
    #[inline]
    pub fn prev_timestamp(&self, at: i64) -> Option<i64> {
        match self.days.is_empty() {
            true => self.cron.prev_timestamp(self.zone.offsets(), at),
            false => self.prev_on_days(at),
        }
    }

    #[cold]
    #[inline(never)]
    fn prev_on_days(&self, at: i64) -> Option<i64> {
        self.days.prev_nominal(&self.cron, &self.zone, at)
    }
}

impl Cron {
    /// The smallest nominal time after a Unix second, in a zone of those offsets.
    #[inline]
    pub(crate) fn next_timestamp(&self, zone: Offsets<'_>, after: i64) -> Option<i64> {
        if after >= NOMINAL_MAX {
            return None;
        }
        Place::at(zone, after.max(NOMINAL_MIN - 1) + 1).up(self)
    }

    /// The greatest nominal time at or before a Unix second, in a zone of those offsets.
    #[inline]
    pub(crate) fn prev_timestamp(&self, zone: Offsets<'_>, at: i64) -> Option<i64> {
        if at < NOMINAL_MIN {
            return None;
        }
        Place::until(zone, at.min(NOMINAL_MAX)).down(self).map(Place::timestamp)
    }
}

/// A civil minute within a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'z> {
    pub(super) zone: Offsets<'z>,
    pub(super) index: usize,
    pub(super) minute: i64,
}

/// More than any two offsets of a zone differ.
const FAR: i64 = 2 * DAY;

impl<'z> Place<'z> {
    /// The first civil minute at or after a Unix second in the nominal range, and its span.
    #[inline]
    pub(super) fn at(zone: Offsets<'z>, second: i64) -> Place<'z> {
        let index = zone.span_index(second);
        Place { zone, index, minute: ceil_minute(second + i64::from(zone.spans[index].offset)) }
    }

    /// The last civil minute at or before a Unix second in the nominal range, and its span.
    pub(super) fn until(zone: Offsets<'z>, second: i64) -> Place<'z> {
        let index = zone.span_index(second);
        let minute = (second + i64::from(zone.spans[index].offset)).div_euclid(60);
        Place { zone, index, minute }
    }

    /// Seconds east of UTC here.
    #[inline]
    pub(super) fn offset(self) -> i64 {
        self.zone.spans[self.index].offset.into()
    }

    #[inline]
    pub(super) fn timestamp(self) -> i64 {
        self.minute * 60 - self.offset()
    }

    /// The Unix second of the first matching minute from here on.
    #[inline]
    fn up(self, cron: &Cron) -> Option<i64> {
        let minute = cron.at_or_after(self.minute)?;
        let mut timestamp = minute * 60 - self.offset();
        if timestamp >= self.zone.span_end(self.index) {
            timestamp = Place { minute, ..self }.up_across(self.minute, cron)?.timestamp();
        }
        (timestamp <= NOMINAL_MAX).then_some(timestamp)
    }

    /// The first matching minute from `from` on, where the first that matches in civil time lies beyond the span.
    #[inline(never)]
    pub(super) fn up_across(mut self, mut from: i64, cron: &Cron) -> Option<Place<'z>> {
        if let Some(far) = self.up_far(from) {
            self = far;
        }
        while self.timestamp() >= self.zone.span_end(self.index) {
            self.index += 1;
            let Span { start, offset } = self.zone.spans[self.index];
            let first = ceil_minute(start + i64::from(offset));
            // Nothing matches from `from` up to the minute found, so it stays the answer unless this span begins later
            // or, after the clocks went back, earlier.
            if first < from || first > self.minute {
                from = first;
                self.minute = cron.at_or_after(first)?;
            }
        }
        Some(self)
    }

    /// The same minute, seen from a later span, where nothing between can be the answer: no span that begins far from both
    /// is entered earlier than `from` or later than the minute.
    #[inline]
    fn up_far(self, from: i64) -> Option<Place<'z>> {
        let (end, timestamp) = (self.zone.span_end(self.index), self.timestamp());
        let far = end <= timestamp - FAR && end + self.offset() >= from * 60 + FAR;
        far.then(|| Place { index: self.zone.span_index(timestamp - FAR), ..self })
    }

    /// Whether this is the same minute in the span that it lies in, where nothing between can be the answer, as for
    /// [`up_far`](Place::up_far).
    #[inline]
    pub(super) fn follows_far(self, before: Place<'_>, from: i64) -> bool {
        let Some(span) = self.zone.spans.get(self.index) else { return false };
        let timestamp = self.minute * 60 - i64::from(span.offset);
        span.start <= timestamp - 2 * FAR
            && timestamp < self.zone.span_end(self.index)
            && self.zone.span_end(before.index) + before.offset() >= from * 60 + FAR
    }

    /// The last matching minute up to here.
    pub(super) fn down(mut self, cron: &Cron) -> Option<Place<'z>> {
        let mut until = self.minute;
        self.minute = cron.at_or_before(until)?;
        while self.timestamp() < self.zone.spans[self.index].start {
            let end = self.zone.spans[self.index].start;
            self.index -= 1;
            let last = (end - 1 + self.offset()).div_euclid(60);
            if last > until || last < self.minute {
                until = last;
                self.minute = cron.at_or_before(last)?;
            }
        }
        (self.timestamp() >= NOMINAL_MIN).then_some(self)
    }
}
