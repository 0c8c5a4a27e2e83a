//! Times and dates as short texts, without allocation: RFC 3339 in UTC, a date, an ISO week.

use core::fmt;

use crate::time::civil::{DAY, Date};

/// A Unix second in RFC 3339, UTC, with seconds: `2026-03-01T00:00:00Z`. Of a nominal time this is the *period id*.
/// Seconds outside the years 0 to 9999, which only messages about extreme arguments have, are shown as the nearest
/// inside.
///
/// ```
/// assert_eq!(kron_core::time::Rfc3339(1_772_323_200).to_string(), "2026-03-01T00:00:00Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rfc3339(pub i64);

impl Rfc3339 {
    /// 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    const RANGE: (i64, i64) = (-62_167_219_200, 253_402_300_799);

    /// The 20 characters, without allocation.
    #[inline]
    pub(crate) fn text(self) -> ShortText {
        let (first, last) = Rfc3339::RANGE;
        // Counted from the first second, so that no dividend is negative.
        let seconds = (self.0.clamp(first, last) - first) as u64;
        let days = seconds / DAY as u64;
        let date = Date::from_day(days as i64 + first / DAY);
        // OK because a remainder of a day fits 32 bits.
        let second = (seconds - days * DAY as u64) as u32;
        let (date, time) = (digits_of_date(date), digits(hour_minute_second(second)));
        let day_hour_minute = date >> 48
            | u64::from(b'T') << 16
            | (time & 0xffff) << 24
            | u64::from(b':') << 40
            | (time >> 16 & 0xffff) << 48;
        let seconds = u64::from(b':') | (time >> 32 & 0xffff) << 8 | u64::from(b'Z') << 24;
        ShortText::new([year_month(date), day_hour_minute, seconds], 20)
    }
}

/// `20260301`, the first character lowest.
#[inline]
fn digits_of_date(date: Date) -> u64 {
    // OK because no year here is below 0.
    let year = date.year as u32;
    digits([year / 100, year % 100, date.month.into(), date.day.into()])
}

/// `2026-03-` of the digits of a date.
#[inline]
fn year_month(date: u64) -> u64 {
    let dash = u64::from(b'-');
    date & 0xffff_ffff | dash << 32 | (date >> 32 & 0xffff) << 40 | dash << 56
}

/// Hour, minute and second of a second of the day; and 0.
#[inline]
fn hour_minute_second(second: u32) -> [u32; 4] {
    // The second as hours in units of 2^-32, rounded up: the error is less than a second.
    let hours = u64::from(second) * ((1 << 32) / 3600 + 1);
    let minutes = (hours & 0xffff_ffff) * 60;
    let seconds = (minutes & 0xffff_ffff) * 60;
    // OK because 24 hours are fewer than 2^32.
    [hours, minutes, seconds, 0].map(|number| (number >> 32) as u32)
}

/// Two decimal digits of each of four numbers below 100, the first character lowest: all four are divided at once, each in 16
/// bits of one word.
#[inline]
fn digits([a, b, c, d]: [u32; 4]) -> u64 {
    let numbers = u64::from(a) | u64::from(b) << 16 | u64::from(c) << 32 | u64::from(d) << 48;
    // A tenth, rounded down: 103 / 1024 is exact enough for numbers of two digits.
    let tens = ((numbers * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = numbers - tens * 10;
    tens | ones << 8 | u64::from_ne_bytes([b'0'; 8])
}

impl fmt::Display for Rfc3339 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().as_str())
    }
}

/// At most 24 bytes of ASCII text, without allocation. Stored as words, so that a hash reads no single bytes.
#[derive(Clone, Copy)]
pub(crate) struct ShortText {
    words: [[u8; 8]; 3],
    length: usize,
}

impl ShortText {
    /// `2026-03-01`, of a count of days since 1970-01-01 in the years 0 to 9999.
    #[inline]
    pub(crate) fn date(day: i32) -> ShortText {
        let date = digits_of_date(Date::from_day(day.into()));
        ShortText::new([year_month(date), date >> 48, 0], 10)
    }

    /// `2026-W09`, of a year from 0 to 9999 and a week.
    #[inline]
    pub(crate) fn iso_week(year: u32, week: u32) -> ShortText {
        let text = digits([year / 100, year % 100, week, 0]);
        let week = u64::from(b'-') | u64::from(b'W') << 8 | (text >> 32 & 0xffff) << 16;
        ShortText::new([text & 0xffff_ffff | week << 32, 0, 0], 8)
    }

    /// A word of at most eight ASCII characters, padded with zero bytes.
    #[inline]
    pub(crate) const fn word(word: [u8; 8], length: usize) -> ShortText {
        ShortText { words: [word, [0; 8], [0; 8]], length }
    }

    /// The first character is the lowest byte of the first word; bytes beyond the length are 0.
    #[inline]
    fn new(words: [u64; 3], length: usize) -> ShortText {
        ShortText { words: words.map(u64::to_le_bytes), length }
    }

    pub(crate) fn as_str(&self) -> &str {
        // OK because every byte put in is ASCII.
        core::str::from_utf8(&self.words.as_flattened()[..self.length]).unwrap_or_default()
    }

    /// The text in an array of the greatest length, and its length.
    #[inline]
    pub(crate) fn padded(&self) -> ([u8; 20], usize) {
        let mut bytes = [0; 20];
        // OK because no text here has more than 20 bytes.
        bytes.copy_from_slice(&self.words.as_flattened()[..20]);
        (bytes, self.length)
    }

    /// The text between two line feeds, as words whose first byte is the lowest, and its length.
    #[inline]
    pub(crate) fn between_line_feeds(&self) -> ([u64; 3], usize) {
        let [a, b, c] = self.words.map(u64::from_le_bytes);
        let mut words = [a << 8 | u64::from(b'\n'), b << 8 | a >> 56, c << 8 | b >> 56];
        let end = self.length + 1;
        words[end / 8] |= u64::from(b'\n') << (8 * (end % 8));
        (words, end + 1)
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
            let want = crate::time::instant::to_utc(timestamp).format("%Y-%m-%dT%H:%M:%SZ").to_string();
            assert_eq!(Rfc3339(timestamp).to_string(), want);
        }
    }

    #[test]
    fn every_second_of_a_day() {
        for second in 0..86_400 {
            assert_eq!(hour_minute_second(second), [second / 3600, second / 60 % 60, second % 60, 0]);
        }
    }
}
