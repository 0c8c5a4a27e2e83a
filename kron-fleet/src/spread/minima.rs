//! The least sums of weights that the starts of a class of jobs can have.

use alloc::vec;
use alloc::vec::Vec;

use super::class::Class;
use crate::forecast::ForecastRange;

/// The places of a group's windows are compared one by one if these are not more starts. Else its periods are compared one by
/// one, which gives a lower sum.
const GROUP_WORK: usize = 4_000_000;

/// The weights of buckets, with the least weights of intervals.
pub(super) struct Minima {
    /// The least weight of each 2^level buckets in a row, by level.
    levels: Vec<Vec<u32>>,
    per: i64,
    /// The seconds of the range.
    length: i64,
}

impl Minima {
    pub(super) fn new(weights: Vec<u32>, longest: usize, range: &ForecastRange) -> Minima {
        let mut levels = vec![weights];
        let mut half = 1;
        while let Some(below) = levels.last().filter(|below| below.len() > half && half < longest) {
            let next = below.iter().zip(&below[half..]).map(|(a, b)| *a.min(b)).collect();
            levels.push(next);
            half *= 2;
        }
        let length = range.to_timestamp() - range.from_timestamp();
        Minima { levels, per: range.per_seconds(), length }
    }

    pub(super) fn weights(&self) -> &[u32] {
        &self.levels[0]
    }

    /// The least weight of the seconds from one to another. Outside the range it is 0.
    fn between(&self, first: i64, last: i64) -> u32 {
        if first < 0 || last >= self.length {
            return 0;
        }
        // OK because both are in the range.
        let (first, last) = ((first / self.per) as usize, (last / self.per) as usize);
        let level = (last - first + 1).ilog2() as usize;
        let row = &self.levels[level];
        row[first].min(row[last + 1 - (1 << level)])
    }

    /// The least sum of weights that the starts of one job of a class can have.
    pub(super) fn least(&self, class: &Class) -> u128 {
        let partial = class.partial.iter().filter(|_| class.always_starts).map(|partial| {
            let runs = partial.runs.iter().map(|(first, last)| self.between(*first, *last));
            u128::from(runs.min().unwrap_or(0))
        });
        let mut begin = 0;
        let groups = class.groups.iter().map(|end| {
            // OK because `usize` has at least 32 bits wherever jobs of this number fit in memory.
            let group = &class.whole[begin..*end as usize];
            begin = *end as usize;
            self.least_of_group(group, class.seconds)
        });
        partial.sum::<u128>() + groups.sum::<u128>() + self.best_candidate(class).map_or(0, |(sum, _)| sum)
    }

    /// The candidate of a placed job with the least sum of weights, and this sum.
    fn best_candidate(&self, class: &Class) -> Option<(u128, usize)> {
        let sum_of = |starts: &[u32]| -> u128 {
            starts.iter().map(|bucket| u128::from(self.weights()[*bucket as usize])).sum()
        };
        class.tables().iter().enumerate().map(|(index, starts)| (sum_of(starts), index)).min()
    }

    /// The least sum of weights of windows in which the starts are at the same place.
    fn least_of_group(&self, firsts: &[i64], seconds: i64) -> u128 {
        match self.best_place(firsts, seconds) {
            Some((sum, _)) => sum,
            None => firsts.iter().map(|first| u128::from(self.between(*first, first + seconds - 1))).sum(),
        }
    }

    /// The place of the windows with the least sum of weights, and this sum. `None` for a single window, and where it costs too
    /// much.
    fn best_place(&self, firsts: &[i64], seconds: i64) -> Option<(u128, i64)> {
        let mut residues: Vec<i64> = firsts.iter().map(|first| first.rem_euclid(self.per)).collect();
        residues.sort_unstable();
        residues.dedup();
        // OK because a window has at most 366 days.
        let places = residues.len() * (seconds / self.per + 1) as usize;
        if firsts.len() < 2 || places.saturating_mul(firsts.len()) > GROUP_WORK {
            return None;
        }
        // The sum changes only where one of the starts comes into its next bucket, or out of the range.
        let buckets = seconds / self.per + 1;
        let next_buckets =
            residues.iter().flat_map(|residue| (1..=buckets).map(move |i| i * self.per - residue));
        let out_of_range = firsts.iter().map(|first| self.length - first);
        let mut places: Vec<i64> =
            next_buckets.chain(out_of_range).filter(|place| (1..seconds).contains(place)).collect();
        places.push(0);
        places.sort_unstable();
        places.dedup();
        let sum_at = |place: i64| firsts.iter().map(|first| u128::from(self.at(first + place))).sum::<u128>();
        places.into_iter().map(|place| (sum_at(place), place)).min()
    }

    /// Adds the starts of a class to loads, each where the weights are least.
    pub(super) fn answer(&self, class: &Class, loads: &mut [f64]) {
        let members = class.members as f64;
        if let Some((_, candidate)) = self.best_candidate(class) {
            class.tables()[candidate].iter().for_each(|bucket| loads[*bucket as usize] += members);
        }
        let mut add = |second: i64| {
            if (0..self.length).contains(&second) {
                loads[(second / self.per) as usize] += members;
            }
        };
        let lightest = |first: i64, last: i64| {
            let (low, high) = (first.div_euclid(self.per), last.div_euclid(self.per));
            let seconds = (low..=high).map(|bucket| (bucket * self.per).clamp(first, last));
            seconds.min_by_key(|second| self.at(*second)).unwrap_or(first)
        };
        let mut begin = 0;
        for end in &class.groups {
            let group = &class.whole[begin..*end as usize];
            begin = *end as usize;
            match self.best_place(group, class.seconds) {
                Some((_, place)) => group.iter().for_each(|first| add(first + place)),
                None => group.iter().for_each(|first| add(lightest(*first, first + class.seconds - 1))),
            }
        }
        for partial in &class.partial {
            let seconds = partial.runs.iter().map(|(first, last)| lightest(*first, *last));
            if let Some(second) = seconds.min_by_key(|second| self.at(*second)) {
                add(second);
            }
        }
    }

    /// The weight of a second.
    fn at(&self, second: i64) -> u32 {
        if (0..self.length).contains(&second) { self.weights()[(second / self.per) as usize] } else { 0 }
    }
}
