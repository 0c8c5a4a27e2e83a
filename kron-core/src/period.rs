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
    pub(crate) fn text(self) -> Ascii<20> {
        let timestamp = self.0.clamp(Rfc3339::RANGE.0, Rfc3339::RANGE.1);
        let Date { year, month, day } = Date::from_day(timestamp.div_euclid(DAY));
        // OK because a remainder of a day fits 32 bits.
        let second = timestamp.rem_euclid(DAY) as u32;
        let mut text = Ascii(*b"0000-00-00T00:00:00Z");
        text.put(0, 4, year.unsigned_abs());
        text.put(5, 2, month.into());
        text.put(8, 2, day.into());
        text.put(11, 2, second / 3600);
        text.put(14, 2, second / 60 % 60);
        text.put(17, 2, second % 60);
        text
    }
}

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// ASCII text of a known length, without allocation.
#[derive(Clone, Copy)]
pub(crate) struct Ascii<const N: usize>([u8; N]);

impl<const N: usize> Ascii<N> {
    fn put(&mut self, at: usize, width: usize, mut number: u32) {
        for byte in self.0[at..at + width].iter_mut().rev() {
            *byte = b'0' + (number % 10) as u8;
            number /= 10;
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        // OK because every byte put in is ASCII.
        core::str::from_utf8(&self.0).unwrap_or_default()
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
    pub(crate) fn text(self) -> PeriodKeyText {
        match self {
            PeriodKey::Period(nominal) => PeriodKeyText { text: Rfc3339(nominal).text(), length: 20 },
            PeriodKey::Day(day) => PeriodKeyText { text: Rfc3339(day * DAY).text(), length: 10 },
            PeriodKey::Week(year, week) => {
                let mut text = Ascii(*b"0000-W00            ");
                text.put(0, 4, year.unsigned_abs());
                text.put(6, 2, week.into());
                PeriodKeyText { text, length: 8 }
            }
        }
    }
}

impl fmt::Display for PeriodKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// A period key as text, without allocation.
#[derive(Clone, Copy)]
pub(crate) struct PeriodKeyText {
    text: Ascii<20>,
    length: usize,
}

impl PeriodKeyText {
    pub(crate) fn as_str(&self) -> &str {
        &self.text.as_str()[..self.length]
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.text.0[..self.length]
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
