//! The allowed seconds of a window, found by whole days of minutes instead of second by second.
//!
//! Clauses distinguish minutes of civil days, never seconds. So a day's allowed minutes are a bit mask, the seconds of
//! a window are counted by its ones, and the k-th allowed second is found by counting. Days that match the same clauses
//! share a mask.

use alloc::vec::Vec;

use super::{CivilDay, Clause, Constraints, TimeParts};
use crate::time::civil::DAY;
use crate::time::search_direction::SearchDirection;
use crate::time::zone::Zone;

/// A maximal run of allowed Unix seconds, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Run {
    pub(crate) fn seconds(self) -> u64 {
        // OK because a run never ends before it begins.
        (self.last - self.first + 1) as u64
    }
}

/// The allowed seconds from `first` to `last`, both included.
#[derive(Clone, Debug)]
pub(crate) struct Allowed<'a> {
    pub(crate) constraints: &'a Constraints,
    pub(crate) zone: &'a Zone,
    pub(crate) first: i64,
    pub(crate) last: i64,
}

impl Allowed<'_> {
    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        let mut count = 0;
        self.each_day(|day| {
            count += day.count();
            true
        });
        count
    }

    /// The `index`-th of them in order, from 0.
    pub(crate) fn nth(&self, mut index: u64) -> Option<i64> {
        let mut found = None;
        self.each_day(|day| {
            let count = day.count();
            if index >= count {
                index -= count;
                return true;
            }
            found = day.nth(index);
            false
        });
        found
    }

    /// The first of them in the direction of a search.
    pub(crate) fn nearest(&self, direction: SearchDirection) -> Option<i64> {
        if direction == SearchDirection::Forward {
            return self.nth(0);
        }
        // The stretches become longer, so that an answer close to the end costs little.
        let (mut last, mut length) = (self.last, DAY);
        while last >= self.first {
            let first = self.first.max(last.saturating_sub(length));
            let stretch = Allowed { first, last, ..*self };
            if let Some(index) = stretch.count().checked_sub(1) {
                return stretch.nth(index);
            }
            (last, length) = (first - 1, length * 2);
        }
        None
    }

    /// Calls `visit` with each maximal run, in order, until it returns false.
    pub(crate) fn each_run(&self, mut visit: impl FnMut(Run) -> bool) {
        let mut open: Option<Run> = None;
        let mut go_on = true;
        self.each_day(|day| {
            day.each_run(|run| {
                match &mut open {
                    Some(open) if open.last + 1 == run.first => open.last = run.last,
                    _ => go_on = open.replace(run).is_none_or(&mut visit),
                }
                go_on
            });
            go_on
        });
        if let (true, Some(run)) = (go_on, open) {
            visit(run);
        }
    }

    /// Calls `visit` with the part of each civil day that the window covers, in order, until it returns false.
    fn each_day(&self, mut visit: impl FnMut(DayPart<'_>) -> bool) {
        let zone = self.zone.offsets();
        let mut index = zone.span_index(self.first);
        let mut from = self.first;
        let mut cache = MaskCache::default();
        while from <= self.last {
            let offset = i64::from(zone.spans[index].offset);
            let until = self.last.min(zone.span_end(index) - 1);
            let days = (from + offset).div_euclid(DAY)..=(until + offset).div_euclid(DAY);
            for day in days {
                let midnight = day * DAY - offset;
                let (minutes, of_day) =
                    cache.minutes_of(self.constraints, Matching::of(self.constraints, day));
                let part = DayPart {
                    minutes,
                    of_day,
                    midnight,
                    first: from.max(midnight),
                    last: until.min(midnight + DAY - 1),
                };
                if !visit(part) {
                    return;
                }
            }
            from = until + 1;
            index += 1;
        }
    }
}

/// A part of a civil day that lies in one span of constant offset, with the day's allowed minutes.
struct DayPart<'a> {
    minutes: &'a Minutes,
    /// How many minutes of the whole day are allowed.
    of_day: u32,
    /// Unix second at which the civil day begins, or would at this offset.
    midnight: i64,
    /// Unix seconds, both included.
    first: i64,
    last: i64,
}

impl DayPart<'_> {
    fn count(&self) -> u64 {
        let (low, high) = (self.first - self.midnight, self.last - self.midnight);
        // Long windows consist of whole days, mostly without an allowed minute.
        if self.of_day == 0 || (low == 0 && high == DAY - 1) {
            return u64::from(self.of_day) * 60;
        }
        let (low_minute, high_minute) = ((low / 60) as usize, (high / 60) as usize);
        let mut seconds = self.minutes.ones(low_minute, high_minute) as u64 * 60;
        // The minutes at both ends may be cut.
        if self.minutes.has(low_minute) {
            seconds -= (low % 60) as u64;
        }
        if self.minutes.has(high_minute) {
            seconds -= (59 - high % 60) as u64;
        }
        seconds
    }

    fn nth(&self, mut index: u64) -> Option<i64> {
        let mut found = None;
        self.each_run(|run| {
            if index >= run.seconds() {
                index -= run.seconds();
                return true;
            }
            // OK because the index lies within the run.
            found = Some(run.first + index as i64);
            false
        });
        found
    }

    fn each_run(&self, mut visit: impl FnMut(Run) -> bool) {
        if self.of_day == 0 {
            return;
        }
        let high_minute = ((self.last - self.midnight) / 60) as usize;
        let mut minute = ((self.first - self.midnight) / 60) as usize;
        while let Some(start) = self.minutes.next(minute, true).filter(|start| *start <= high_minute) {
            let end = self.minutes.next(start, false).unwrap_or(MINUTES);
            let run = Run {
                first: self.first.max(self.midnight + start as i64 * 60),
                last: self.last.min(self.midnight + end as i64 * 60 - 1),
            };
            if !visit(run) {
                return;
            }
            minute = end;
        }
    }
}

const MINUTES: usize = 1440;
const WORDS: usize = MINUTES.div_ceil(64);

/// A set of minutes of the day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Minutes([u64; WORDS]);

impl Minutes {
    const NONE: Minutes = Minutes([0; WORDS]);
    const ALL: Minutes = {
        let mut words = [u64::MAX; WORDS];
        words[WORDS - 1] = u64::MAX >> (WORDS * 64 - MINUTES);
        Minutes(words)
    };

    pub(crate) fn has(&self, minute: usize) -> bool {
        self.0[minute / 64] >> (minute % 64) & 1 == 1
    }

    fn insert(&mut self, first: usize, last: usize) {
        for word in first / 64..=last / 64 {
            self.0[word] |= word_range(word, first, last);
        }
    }

    /// How many of `first..=last` are in the set.
    fn ones(&self, first: usize, last: usize) -> u32 {
        (first / 64..=last / 64).map(|word| (self.0[word] & word_range(word, first, last)).count_ones()).sum()
    }

    /// The first minute at or after `minute` that is in the set, or, with `wanted` false, that is not.
    fn next(&self, minute: usize, wanted: bool) -> Option<usize> {
        let mut at = minute;
        while at < MINUTES {
            let word = if wanted { self.0[at / 64] } else { !self.0[at / 64] };
            let rest = word >> (at % 64);
            if rest != 0 {
                return Some(at + rest.trailing_zeros() as usize).filter(|found| *found < MINUTES);
            }
            at = (at / 64 + 1) * 64;
        }
        None
    }

    /// Adds the minutes that a clause matches on a day that it matches.
    fn add(&mut self, clause: &Clause) {
        // Every field by name, so that the compiler reports a new part here.
        let TimeParts { hours, between } = &clause.times;
        let all = [(0, (MINUTES - 1) as u16)];
        let ranges = if between.is_empty() { &all[..] } else { between };
        for (first, last) in ranges {
            if *hours == 0 {
                self.insert(usize::from(*first), usize::from(*last));
                continue;
            }
            for hour in first / 60..=last / 60 {
                if hours >> hour & 1 == 1 {
                    let (from, until) = ((*first).max(hour * 60), (*last).min(hour * 60 + 59));
                    self.insert(usize::from(from), usize::from(until));
                }
            }
        }
    }
}

/// The bits of `first..=last` that lie in a word.
fn word_range(word: usize, first: usize, last: usize) -> u64 {
    let low = first.saturating_sub(word * 64).min(63);
    let high = (last - word * 64).min(63);
    (u64::MAX << low) & (u64::MAX >> (63 - high))
}

/// Which clauses match a day, at most 128 of each kind: all that a day's minutes depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Matching {
    only: u128,
    avoid: u128,
}

impl Matching {
    fn of(constraints: &Constraints, day: i64) -> Matching {
        let civil = CivilDay::new(day);
        let bits = |clauses: &[Clause]| {
            let matching = clauses.iter().enumerate().filter(|(_, clause)| clause.matches_day(&civil));
            matching.fold(0u128, |bits, (i, _)| bits | 1 << i)
        };
        Matching { only: bits(constraints.only()), avoid: bits(constraints.avoid()) }
    }
}

/// The minutes of the last day asked for, kept while the next days match the same clauses.
struct MaskCache {
    of: Option<Matching>,
    minutes: Minutes,
    /// The number of minutes in the set.
    count: u32,
}

impl Default for MaskCache {
    fn default() -> MaskCache {
        MaskCache { of: None, minutes: Minutes::NONE, count: 0 }
    }
}

impl MaskCache {
    /// The allowed minutes of a day that matches these clauses, and their number.
    fn minutes_of(&mut self, constraints: &Constraints, matching: Matching) -> (&Minutes, u32) {
        if self.of != Some(matching) {
            self.of = Some(matching);
            self.minutes = minutes_of(constraints, matching);
            self.count = self.minutes.ones(0, MINUTES - 1);
        }
        (&self.minutes, self.count)
    }
}

/// The minutes that are allowed on each of some civil days.
pub(crate) fn allowed_on_all(constraints: &Constraints, days: impl Iterator<Item = i64>) -> Minutes {
    // Days that match the same clauses allow the same minutes. Few clauses have few such sets.
    const REMEMBERED: usize = 64;
    let (mut all, mut cache, mut seen) = (Minutes::ALL, MaskCache::default(), Vec::new());
    for day in days {
        let matching = Matching::of(constraints, day);
        if seen.contains(&matching) {
            continue;
        }
        if seen.len() < REMEMBERED {
            seen.push(matching);
        }
        let (minutes, _) = cache.minutes_of(constraints, matching);
        all.0.iter_mut().zip(minutes.0).for_each(|(all, word)| *all &= word);
    }
    all
}

fn minutes_of(constraints: &Constraints, matching: Matching) -> Minutes {
    let union = |clauses: &[Clause], bits: u128| {
        let mut minutes = Minutes::NONE;
        clauses
            .iter()
            .enumerate()
            .filter(|(i, _)| bits >> i & 1 == 1)
            .for_each(|(_, clause)| minutes.add(clause));
        minutes
    };
    let mut minutes = match constraints.only() {
        [] => Minutes::ALL,
        only => union(only, matching.only),
    };
    if matching.avoid != 0 {
        let avoided = union(constraints.avoid(), matching.avoid);
        minutes.0.iter_mut().zip(avoided.0).for_each(|(word, avoided)| *word &= !avoided);
    }
    minutes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts, picks and lists agree with a check of every second, across changes of offset.
    #[test]
    fn agrees_with_every_second() {
        let clause = |parts: &[(&str, &str)]| {
            parts
                .iter()
                .fold(Clause::builder(), |builder, (name, value)| builder.part(name, value))
                .build()
                .unwrap()
        };
        let sets = [
            Constraints::from_clauses(alloc::vec![clause(&[("hours", "1-2")])], Vec::new()),
            Constraints::from_clauses(
                alloc::vec![clause(&[("between", "01:30-02:15,23:59-00:01")])],
                Vec::new(),
            ),
            Constraints::from_clauses(
                alloc::vec![clause(&[("dow", "SUN"), ("hours", "2,4")]), clause(&[("dom", "28")])],
                alloc::vec![
                    clause(&[("between", "02:10-02:20")]),
                    clause(&[("hours", "4"), ("between", "04:05-04:07")])
                ],
            ),
            Constraints::from_clauses(Vec::new(), alloc::vec![clause(&[("hours", "0-23")])]),
            Constraints::from_clauses(Vec::new(), alloc::vec![clause(&[("date", "2026-03-29")])]),
        ];
        let starts = [
            ("Europe/Paris", 1_774_742_400 - 3_661),
            ("Europe/Paris", 1_792_886_400 - 3_599),
            ("Australia/Lord_Howe", 1_775_314_800 - 7),
            ("Pacific/Apia", 1_325_239_200 - 40_001),
            ("Africa/Monrovia", 63_593_069 - 5_003),
        ];
        for constraints in sets.map(Result::unwrap) {
            for (name, first) in starts {
                let zone = &Zone::parse(name).unwrap();
                let last = first + 300_003;
                let allowed = Allowed { constraints: &constraints, zone, first, last };
                let want: Vec<i64> =
                    (first..=last).filter(|t| constraints.forbids(zone, *t).is_none()).collect();
                assert_eq!(allowed.count(), want.len() as u64, "{constraints} {name}");
                for index in (0..want.len()).step_by(997).chain([want.len().saturating_sub(1)]) {
                    assert_eq!(
                        allowed.nth(index as u64),
                        want.get(index).copied(),
                        "{constraints} {name} {index}"
                    );
                }
                assert_eq!(allowed.nth(want.len() as u64), None);
                let mut listed = Vec::new();
                let mut last_end = i64::MIN;
                allowed.each_run(|run| {
                    assert!(run.first > last_end + 1, "runs are maximal");
                    last_end = run.last;
                    listed.extend(run.first..=run.last);
                    true
                });
                assert_eq!(listed, want, "{constraints} {name}");
            }
        }
    }
}
