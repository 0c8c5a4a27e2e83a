//! Periods: their names, and the keys under which they share a draw.

use core::fmt;

use crate::civil::{DAY, Date, iso_week};
use crate::seed::SeedStrategy;
use crate::zone::Zone;

/// A Unix second in RFC 3339, UTC, with seconds: `2026-03-01T00:00:00Z`. Of a nominal time this is the *period id*. Seconds
/// outside the years 0 to 9999, which only messages about extreme arguments have, show as the nearest inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rfc3339(pub(crate) i64);

impl Rfc3339 {
    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    const RANGE: (i64, i64) = (-62_167_219_200, 253_402_300_799);

    /// The 20 characters, without allocation.
    #[inline]
    pub(crate) fn text(self) -> ShortText {
        let timestamp = self.0.clamp(Rfc3339::RANGE.0, Rfc3339::RANGE.1);
        let date = Date::from_day(timestamp.div_euclid(DAY));
        // OK because a remainder of a day fits 32 bits.
        let second = timestamp.rem_euclid(DAY) as u32;
        let day_hour_minute = two_digits(date.day.into())
            | u64::from(b'T') << 16
            | two_digits(second / 3600) << 24
            | u64::from(b':') << 40
            | two_digits(second / 60 % 60) << 48;
        let seconds = u64::from(b':') | two_digits(second % 60) << 8 | u64::from(b'Z') << 24;
        ShortText::new([year_month(date), day_hour_minute, seconds], 20)
    }
}

/// `2026-03-`, the first character lowest.
#[inline]
fn year_month(date: Date) -> u64 {
    let year = date.year.unsigned_abs();
    let dash = u64::from(b'-');
    two_digits(year / 100)
        | two_digits(year % 100) << 16
        | dash << 32
        | two_digits(date.month.into()) << 40
        | dash << 56
}

/// Two decimal digits of a number below 100 in two bytes, the first one lowest.
#[inline]
fn two_digits(number: u32) -> u64 {
    u64::from(b'0') << 8 | u64::from(b'0') | u64::from(number / 10) | u64::from(number % 10) << 8
}

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// At most 24 bytes of ASCII text, without allocation. In words, so that a hash takes it without reading single bytes.
#[derive(Clone, Copy)]
pub(crate) struct ShortText {
    words: [[u8; 8]; 3],
    length: usize,
}

impl ShortText {
    /// The first character is the lowest byte of the first word; bytes beyond the length are 0.
    #[inline]
    fn new(words: [u64; 3], length: usize) -> ShortText {
        ShortText { words: words.map(u64::to_le_bytes), length }
    }

    pub(crate) fn as_str(&self) -> &str {
        // OK because every byte put in is ASCII.
        core::str::from_utf8(&self.words.as_flattened()[..self.length]).unwrap_or_default()
    }

    /// The text in the room of the longest, and its length.
    pub(crate) fn padded(&self) -> ([u8; 20], usize) {
        let mut bytes = [0; 20];
        // OK because no text here has more than 20 bytes.
        bytes.copy_from_slice(&self.words.as_flattened()[..20]);
        (bytes, self.length)
    }

    /// The text between two line feeds, in words of the first of which the first byte is lowest, and its length.
    #[inline]
    pub(crate) fn between_line_feeds(&self) -> ([u64; 3], usize) {
        let [a, b, c] = self.words.map(u64::from_le_bytes);
        let mut words = [a << 8 | u64::from(b'\n'), b << 8 | a >> 56, c << 8 | b >> 56];
        let end = self.length + 1;
        words[end / 8] |= u64::from(b'\n') << (8 * (end % 8));
        (words, end + 1)
    }
}

/// What periods must have in common to share a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PeriodKey {
    /// The period id: every period draws for itself.
    Period(i64),
    /// The local date, as a count of days.
    Day(i64),
    /// The local ISO week.
    Week(i32, u8),
}

impl PeriodKey {
    #[inline]
    pub(crate) fn new(strategy: SeedStrategy, zone: Zone, nominal: i64) -> PeriodKey {
        let local_day = || (nominal + i64::from(zone.offset_at(nominal))).div_euclid(DAY);
        match strategy {
            SeedStrategy::Stable => PeriodKey::Period(nominal),
            SeedStrategy::Daily => PeriodKey::Day(local_day()),
            SeedStrategy::Weekly => {
                let (year, week) = iso_week(local_day());
                PeriodKey::Week(year, week)
            }
        }
    }

    /// `2026-03-01T00:00:00Z`, `2026-03-01` or `2026-W09`.
    #[inline]
    pub(crate) fn text(self) -> ShortText {
        match self {
            PeriodKey::Period(nominal) => Rfc3339(nominal).text(),
            PeriodKey::Day(day) => {
                let date = Date::from_day(day);
                ShortText::new([year_month(date), two_digits(date.day.into()), 0], 10)
            }
            PeriodKey::Week(year, week) => {
                let year =
                    two_digits(year.unsigned_abs() / 100) | two_digits(year.unsigned_abs() % 100) << 16;
                let week = u64::from(b'-') | u64::from(b'W') << 8 | two_digits(week.into()) << 16;
                ShortText::new([year | week << 32, 0, 0], 8)
            }
        }
    }
}

impl fmt::Display for PeriodKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn ids() {
        assert_eq!(Rfc3339(0).to_string(), "1970-01-01T00:00:00Z");
        assert_eq!(Rfc3339(-1).to_string(), "1969-12-31T23:59:59Z");
        assert_eq!(Rfc3339(i64::MIN).to_string(), "0000-01-01T00:00:00Z");
        assert_eq!(Rfc3339(i64::MAX).to_string(), "9999-12-31T23:59:59Z");
        assert_eq!(Rfc3339(4_102_444_799).to_string(), "2099-12-31T23:59:59Z");
        for timestamp in (-40_000_000..4_140_000_000i64).step_by(7_654_321) {
            let want = crate::instant::to_utc(timestamp).format("%Y-%m-%dT%H:%M:%SZ").to_string();
            assert_eq!(Rfc3339(timestamp).to_string(), want);
        }
    }

    #[test]
    fn keys_are_local() {
        let key = |strategy, zone: &str, time: &str| {
            let nominal = chrono::DateTime::parse_from_rfc3339(time).unwrap().timestamp();
            PeriodKey::new(strategy, Zone::parse(zone).unwrap(), nominal).to_string()
        };
        assert_eq!(key(SeedStrategy::Stable, "Asia/Tokyo", "2026-03-01T00:30:00Z"), "2026-03-01T00:30:00Z");
        assert_eq!(key(SeedStrategy::Daily, "America/Los_Angeles", "2026-03-01T00:30:00Z"), "2026-02-28");
        assert_eq!(key(SeedStrategy::Weekly, "Asia/Tokyo", "2026-12-31T23:30:00Z"), "2026-W53");
        assert_eq!(key(SeedStrategy::Weekly, "UTC", "2024-12-30T00:00:00Z"), "2025-W01");
        assert_eq!(key(SeedStrategy::Weekly, "America/New_York", "1970-01-01T00:00:00Z"), "1970-W01");
    }
}
