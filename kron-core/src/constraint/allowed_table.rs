//! The allowed seconds of a long stretch of time, looked up once for many windows in it.

use alloc::vec::Vec;

use super::Allowed;
use crate::time::search_direction::SearchDirection;

/// The allowed seconds of a stretch, as one bit for each civil minute.
///
/// Where the offsets of a stretch differ by other than whole minutes, a bit is for as many seconds as divide all civil
/// minutes of the stretch.
#[derive(Clone, Debug)]
pub(crate) struct AllowedTable {
    /// The stretch, both ends included.
    first: i64,
    last: i64,
    /// Seconds of a bit.
    unit: u32,
    /// The bits, and a last word without bits. One list, so that a table is one allocation.
    words: Vec<Word>,
}

/// Some bits of a table.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    bits: u64,
    /// The bits that are set in all words before this one.
    before: u32,
}

/// Seconds of a civil minute.
const MINUTE: i64 = 60;

impl AllowedTable {
    /// A table of a stretch of at most a hundred years.
    pub(crate) fn new(stretch: &Allowed<'_>) -> AllowedTable {
        let mut table = AllowedTable { first: 0, last: 0, unit: MINUTE as u32, words: Vec::new() };
        table.fill(stretch);
        table
    }

    /// Makes it the table of another stretch, in the same memory if that is enough.
    pub(crate) fn fill(&mut self, stretch: &Allowed<'_>) {
        let zone = stretch.zone.offsets();
        let phase = (stretch.first + i64::from(zone.at(stretch.first))).rem_euclid(MINUTE);
        let first = stretch.first - phase;
        let minutes = (stretch.last - first) / MINUTE + 1;
        let last = first + minutes * MINUTE - 1;
        let mut unit = MINUTE;
        for span in &zone.spans[zone.span_index(first)..=zone.span_index(last)] {
            unit = gcd(unit, (first + i64::from(span.offset)).rem_euclid(MINUTE));
            unit = gcd(unit, span.start.saturating_sub(first).max(0) % MINUTE);
        }
        // OK because the stretch has fewer seconds than 32 bits can hold.
        (self.first, self.last, self.unit) = (first, last, unit as u32);
        let length = self.bit(last) / 64 + 2;
        self.words.clear();
        self.words.reserve_exact(length);
        self.words.resize(length, Word::default());
        Allowed { first, last, ..*stretch }.each_run(|run| {
            self.insert(self.bit(run.first), self.bit(run.last));
            true
        });
        let mut before = 0;
        for word in &mut self.words {
            word.before = before;
            before += word.bits.count_ones();
        }
    }

    fn insert(&mut self, first: usize, last: usize) {
        for word in first / 64..=last / 64 {
            let low = first.saturating_sub(word * 64);
            let high = (last - word * 64).min(63);
            self.words[word].bits |= u64::MAX << low & u64::MAX >> (63 - high);
        }
    }

    /// Whether a window lies in the stretch.
    #[inline]
    pub(crate) fn covers(&self, first: i64, last: i64) -> bool {
        self.first <= first && last <= self.last
    }

    /// The bit of a second of the stretch.
    #[inline]
    fn bit(&self, second: i64) -> usize {
        // OK because the second lies in the stretch.
        let seconds = (second - self.first) as u32;
        // A division by a constant is a multiplication.
        (if i64::from(self.unit) == MINUTE { seconds / MINUTE as u32 } else { seconds / self.unit }) as usize
    }

    /// Whether a second of the stretch is allowed.
    #[inline]
    pub(crate) fn allows(&self, second: i64) -> bool {
        let bit = self.bit(second);
        self.words[bit / 64].bits >> (bit % 64) & 1 == 1
    }

    /// Whether the civil minutes that a window of the stretch reaches into have an allowed second.
    #[inline]
    pub(crate) fn may_allow(&self, first: i64, last: i64) -> bool {
        let (first, last) = (self.bit(first), self.bit(last));
        let (low, high) = (first / 64, last / 64);
        let (from, until) = (u64::MAX << (first % 64), u64::MAX >> (63 - last % 64));
        if low == high {
            return self.words[low].bits & from & until != 0;
        }
        self.words[low].bits & from != 0
            || self.words[high].bits & until != 0
            || self.words[high].before != self.words[low + 1].before
    }

    /// How many seconds of the stretch are allowed before a given one.
    fn before(&self, second: i64) -> u64 {
        let bit = self.bit(second);
        let (word, below) = (self.words[bit / 64], (1 << (bit % 64)) - 1);
        let units = word.before + (word.bits & below).count_ones();
        let unit = u64::from(self.unit);
        let rest = (second - self.first) as u64 - bit as u64 * unit;
        u64::from(units) * unit + if self.allows(second) { rest } else { 0 }
    }

    /// How many seconds of a window of the stretch are allowed.
    pub(crate) fn count(&self, first: i64, last: i64) -> u64 {
        self.before(last) + u64::from(self.allows(last)) - self.before(first)
    }

    /// The `index`-th allowed second of the stretch, counted from 0, at or after a given one.
    pub(crate) fn nth(&self, first: i64, index: u64) -> Option<i64> {
        self.of_index(self.before(first) + index)
    }

    /// The allowed second of the stretch that a search comes to first, from one on.
    pub(crate) fn nearest(&self, from: i64, direction: SearchDirection) -> Option<i64> {
        match direction {
            SearchDirection::Forward => self.nth(from, 0),
            SearchDirection::Backward => {
                self.of_index((self.before(from) + u64::from(self.allows(from))).checked_sub(1)?)
            }
        }
    }

    /// The end of the stretch that a search comes to last.
    pub(crate) fn end(&self, direction: SearchDirection) -> i64 {
        direction.ends(self.first, self.last).1
    }

    /// The `index`-th allowed second of the stretch, from 0.
    fn of_index(&self, index: u64) -> Option<i64> {
        let unit = u64::from(self.unit);
        let (units, rest) = ((index / unit) as u32, index % unit);
        let index = self.words.partition_point(|word| word.before <= units) - 1;
        let Word { mut bits, before } = self.words[index];
        // The last word has no bits: there are not so many in all.
        if bits == 0 {
            return None;
        }
        for _ in before..units {
            bits &= bits - 1;
        }
        let bit = index as u64 * 64 + u64::from(bits.trailing_zeros());
        // OK because the second lies in the stretch.
        Some(self.first + (bit * unit + rest) as i64)
    }
}

/// The greatest number that divides both.
fn gcd(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::{Clause, Constraints};
    use crate::time::civil::DAY;
    use crate::time::zone::Zone;

    /// A table gives the same answers as a look at each window alone, across changes of offset.
    #[test]
    fn agrees_with_each_window() {
        let clause = |parts: &[(&str, &str)]| {
            let builder = Clause::builder();
            parts.iter().fold(builder, |builder, (name, value)| builder.part(name, value)).build().unwrap()
        };
        let of = |only: &[&[(&str, &str)]], avoid: &[&[(&str, &str)]]| {
            let clauses = |parts: &[&[_]]| parts.iter().map(|parts| clause(parts)).collect();
            Constraints::from_clauses(clauses(only), clauses(avoid)).unwrap()
        };
        let sets = [
            of(&[&[("hours", "1-2")]], &[]),
            of(&[&[("between", "01:30-02:15,23:59-00:01")]], &[]),
            of(&[&[("dow", "SUN"), ("hours", "2,4")], &[("dom", "28")]], &[&[("between", "02:10-02:20")]]),
            of(&[], &[&[("hours", "0-23")]]),
            of(&[], &[&[("date", "2026-03-29")]]),
        ];
        let starts = [
            ("Europe/Paris", 1_774_742_400 - 3_661),
            ("Australia/Lord_Howe", 1_775_314_800 - 7),
            ("Pacific/Apia", 1_325_239_200 - 40_001),
            // Its clocks were 30 s off the minute until then.
            ("Africa/Monrovia", 63_593_069 - 5_003),
        ];
        for constraints in &sets {
            for (name, start) in starts {
                let zone = &Zone::parse(name).unwrap();
                let stretch =
                    Allowed { constraints, zone, first: start - 3 * DAY - 17, last: start + 9 * DAY + 5 };
                let table = AllowedTable::new(&stretch);
                assert!(table.covers(stretch.first, stretch.last));
                let unit = if name == "Africa/Monrovia" { 30 } else { 60 };
                assert_eq!(table.unit, unit, "{name}");
                for second in (stretch.first..=stretch.last).step_by(41) {
                    assert_eq!(table.allows(second), constraints.forbids(zone, second).is_none());
                }
                for (first, last) in [
                    (stretch.first, stretch.last),
                    (start, start + 3_600),
                    (start + 59, start + 2 * DAY + 1),
                    (start - DAY, start - DAY),
                    (start - DAY, start + 7 * DAY),
                ] {
                    let window = Allowed { first, last, ..stretch.clone() };
                    let count = window.count();
                    assert_eq!(table.count(first, last), count, "{constraints} {name}");
                    assert!(table.may_allow(first, last) || count == 0);
                    for index in (0..count).step_by(997).chain(count.checked_sub(1)) {
                        assert_eq!(
                            table.nth(first, index),
                            window.nth(index),
                            "{constraints} {name} {index}"
                        );
                    }
                    for direction in [SearchDirection::Forward, SearchDirection::Backward] {
                        let (from, until) = direction.ends(first, last);
                        let found = table.nearest(from, direction);
                        let inside = found.filter(|found| !direction.is_beyond(*found, until));
                        assert_eq!(inside, window.nearest(direction), "{constraints} {name} {direction:?}");
                    }
                }
            }
        }
    }
}
