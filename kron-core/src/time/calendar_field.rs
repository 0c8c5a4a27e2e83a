//! Calendar fields, and sets of their values as bit masks.
//!
//! Cron fields and constraint parts use the same values (minutes, hours, days, months, weekdays) with the same ranges
//! and names, which are defined here. A set of values is a `u64` in which bit `n` is value `n`.

use alloc::string::String;
use core::fmt::Write as _;

/// A calendar field: its values and their names.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Path in the spec.
    pub(crate) path: &'static str,
    pub(crate) min: u8,
    pub(crate) max: u8,
    /// Largest number that may be written: 7 is a second Sunday.
    pub(crate) max_written: u8,
    /// Whether this is one of the two fields of days, in which `?` may be written.
    pub(crate) is_of_days: bool,
    /// Three-letter names of the values from `min` on; empty if the values have none.
    names: &'static [&'static str],
}

pub(crate) static MINUTE: Field =
    Field { path: "schedule.minute", min: 0, max: 59, max_written: 59, is_of_days: false, names: &[] };
pub(crate) static HOUR: Field =
    Field { path: "schedule.hour", min: 0, max: 23, max_written: 23, is_of_days: false, names: &[] };
pub(crate) static DAY_OF_MONTH: Field =
    Field { path: "schedule.dayOfMonth", min: 1, max: 31, max_written: 31, is_of_days: true, names: &[] };
pub(crate) static MONTH: Field = Field {
    path: "schedule.month",
    min: 1,
    max: 12,
    max_written: 12,
    is_of_days: false,
    names: &["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
};
/// Sunday is 0; a text may also have 7.
pub(crate) static DAY_OF_WEEK: Field = Field {
    path: "schedule.dayOfWeek",
    min: 0,
    max: 6,
    max_written: 7,
    is_of_days: true,
    names: &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"],
};

/// What is wrong with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BadValue {
    /// Neither digits nor a name.
    Syntax,
    /// A number outside the range.
    Range,
}

impl Field {
    /// A field of numbers without names.
    pub(crate) const fn of_numbers(path: &'static str, min: u8, max: u8) -> Field {
        Field { path, min, max, max_written: max, is_of_days: false, names: &[] }
    }

    /// The set of all values.
    pub(crate) const fn all(&self) -> u64 {
        range(self.min, self.max)
    }

    /// Reads digits (leading zeros allowed) or a name in any case. Day of the week 7 stays 7, so that ranges can end in it.
    pub(crate) fn value(&self, text: &str) -> Result<u8, BadValue> {
        let mut end = 0;
        match self.read_value(text.as_bytes(), &mut end) {
            Some(value) if end == text.len() => Ok(value),
            _ if number(text).is_some() => Err(BadValue::Range),
            _ => Err(BadValue::Syntax),
        }
    }

    /// Reads the value that begins at `at`, and moves `at` to its end; `None` for a number out of the range, too.
    #[inline]
    pub(crate) fn read_value(&self, bytes: &[u8], at: &mut usize) -> Option<u8> {
        if let Some(number) = read_number(bytes, at) {
            let in_range = u32::from(self.min) <= number && number <= u32::from(self.max_written);
            // OK because the range check bounds it by 59.
            return in_range.then_some(number as u8);
        }
        let text = bytes.get(*at..*at + 3)?;
        let index = self.names.iter().position(|name| name.as_bytes().eq_ignore_ascii_case(text))?;
        *at += 3;
        // OK because there are at most 12 names.
        Some(self.min + index as u8)
    }

    /// The set of `low..=high`, with day of the week 7 folded to 0.
    pub(crate) fn span(&self, low: u8, high: u8) -> u64 {
        self.fold(range(low, high))
    }

    /// Folds bit 7 of the day of the week to Sunday.
    pub(crate) fn fold(&self, set: u64) -> u64 {
        if self.max_written > self.max { (set | set >> 7) & self.all() } else { set }
    }
}

/// The set of `low..=high`; empty if it runs backwards.
pub(crate) const fn range(low: u8, high: u8) -> u64 {
    if low > high { 0 } else { (u64::MAX >> (63 - high)) & (u64::MAX << low) }
}

/// Reads ASCII digits; a number too large for 32 bits becomes the largest one.
pub(crate) fn number(text: &str) -> Option<u32> {
    let mut end = 0;
    read_number(text.as_bytes(), &mut end).filter(|_| end == text.len())
}

/// Reads the digits that begin at `at`, at least one, and moves `at` to their end; a number too large for 32 bits becomes
/// the largest one.
#[inline]
pub(crate) fn read_number(bytes: &[u8], at: &mut usize) -> Option<u32> {
    let digit =
        |at| bytes.get(at).map(|byte: &u8| u32::from(byte.wrapping_sub(b'0'))).filter(|digit| *digit < 10);
    let mut number = digit(*at)?;
    *at += 1;
    while let Some(digit) = digit(*at) {
        number = number.saturating_mul(10).saturating_add(digit);
        *at += 1;
    }
    Some(number)
}

/// The values of a set in ascending order.
pub(crate) fn values(mut set: u64) -> impl Iterator<Item = u8> {
    core::iter::from_fn(move || {
        (set != 0).then(|| {
            // OK because a non-zero word has at most 63 trailing zeros.
            let value = set.trailing_zeros() as u8;
            set &= set - 1;
            value
        })
    })
}

/// Writes a set as an ascending list in which three or more consecutive values are a range. With `cyclic`, a run of
/// three or more across the end is one wrapping range, last.
pub(crate) fn write_list(out: &mut String, field: &Field, set: u64, cyclic: bool) {
    let mut rest = set;
    let mut wrapping = None;
    if cyclic && set != field.all() {
        let head = (set >> field.min).trailing_ones();
        let tail = (set << (63 - field.max)).leading_ones();
        if head > 0 && tail > 0 && head + tail >= 3 {
            // OK because head and tail count values of the field.
            let (start, end) = (field.max + 1 - tail as u8, field.min + head as u8 - 1);
            rest &= !(range(start, field.max) | range(field.min, end));
            wrapping = Some((start, end));
        }
    }
    let mut comma = "";
    while rest != 0 {
        let low = rest.trailing_zeros() as u8;
        let run = (rest >> low).trailing_ones() as u8;
        let (high, written) = if run >= 3 { (low + run - 1, run) } else { (low, 1) };
        // Writing to a String cannot fail.
        let _ = if high > low { write!(out, "{comma}{low}-{high}") } else { write!(out, "{comma}{low}") };
        rest &= !range(low, low + written - 1);
        comma = ",";
    }
    if let Some((start, end)) = wrapping {
        let _ = write!(out, "{comma}{start}-{end}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read() {
        assert_eq!(MINUTE.value("007"), Ok(7));
        assert_eq!(MINUTE.value("60"), Err(BadValue::Range));
        assert_eq!(MINUTE.value("99999999999999999999"), Err(BadValue::Range));
        assert_eq!(MINUTE.value("+1"), Err(BadValue::Syntax));
        assert_eq!(MINUTE.value(""), Err(BadValue::Syntax));
        assert_eq!(MINUTE.value("１"), Err(BadValue::Syntax));
        assert_eq!(MONTH.value("dEc"), Ok(12));
        assert_eq!(MONTH.value("0"), Err(BadValue::Range));
        assert_eq!(DAY_OF_WEEK.value("7"), Ok(7));
        assert_eq!(DAY_OF_WEEK.value("Sun"), Ok(0));
        assert_eq!(DAY_OF_WEEK.span(5, 7), 0b110_0001);
    }

    #[test]
    fn lists_print() {
        let list = |field: &Field, set, cyclic| {
            let mut out = String::new();
            write_list(&mut out, field, set, cyclic);
            out
        };
        assert_eq!(list(&HOUR, range(1, 2), true), "1,2");
        assert_eq!(list(&HOUR, range(9, 17) | 1 << 20, true), "9-17,20");
        assert_eq!(list(&HOUR, range(22, 23) | range(0, 5) | 1 << 12, true), "12,22-5");
        assert_eq!(list(&HOUR, range(22, 23) | range(0, 5), false), "0-5,22,23");
        assert_eq!(list(&HOUR, HOUR.all(), true), "0-23");
        assert_eq!(list(&DAY_OF_WEEK, 0b100_0001, true), "0,6");
        assert_eq!(list(&DAY_OF_WEEK, 0b110_0011, true), "5-1");
        assert_eq!(list(&MONTH, range(11, 12) | range(1, 2), true), "11-2");
    }
}
