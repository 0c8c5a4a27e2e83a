//! The interval of time into which constraints and windows force the most starts per bucket.
//!
//! If each start could be in any bucket between two, a peak is possible if and only if no interval of buckets has more starts
//! that must be in it than the peak times its buckets. A schedule by earliest deadline finds an interval that has; the
//! next peak to try is the one that this interval forces.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::class::Class;
use crate::forecast::ForecastRange;

/// Starts that must be in one of the buckets from `first` to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Demand {
    first: u32,
    last: u32,
    starts: u64,
}

/// The buckets in which some start can be.
pub(super) fn usable(classes: &[Class], range: &ForecastRange) -> Vec<bool> {
    let per = range.per_seconds();
    // By how much the number of runs that contain a bucket changes from the one before.
    let mut changes = vec![0_i64; range.len() + 1];
    let length = range.to_timestamp() - range.from_timestamp();
    let mut add = |first: i64, last: i64| {
        if last >= 0 && first < length {
            // OK because both are in the range.
            changes[(first.max(0) / per) as usize] += 1;
            changes[(last.min(length - 1) / per) as usize + 1] -= 1;
        }
    };
    for class in classes {
        class.whole.iter().for_each(|first| add(*first, first + class.seconds - 1));
        class.partial.iter().flat_map(|partial| &partial.runs).for_each(|(first, last)| add(*first, *last));
        let buckets = class.tables().iter().flat_map(|starts| starts.iter());
        buckets.for_each(|bucket| add(i64::from(*bucket) * per, i64::from(*bucket) * per));
    }
    let mut runs = 0;
    changes[..range.len()]
        .iter()
        .map(|change| {
            runs += change;
            runs > 0
        })
        .collect()
}

/// The first and the last bucket of the interval that forces the highest peak: the starts that must be in it per usable bucket,
/// rounded up. `None` if no start must be in the range.
pub(super) fn densest(classes: &[Class], usable: &[bool], range: &ForecastRange) -> Option<(usize, usize)> {
    // Only usable buckets count, so the others are left out and the rest has new numbers.
    let mut numbers = Vec::with_capacity(usable.len());
    let mut buckets = Vec::new();
    for (bucket, usable) in usable.iter().enumerate() {
        // OK because there are at most three million buckets.
        numbers.push(buckets.len() as u32);
        if *usable {
            buckets.push(bucket);
        }
    }
    let demands = demands(classes, &numbers, range);
    let mut best = None;
    let mut peak = 0;
    while let Some(last) = first_late(&demands, peak) {
        let (first, forced) = densest_until(&demands, last)?;
        // A start misses its last bucket, so the interval forces more than the peak.
        if forced <= peak {
            break;
        }
        (best, peak) = (Some((first, last)), forced);
    }
    best.map(|(first, last)| (buckets[first as usize], buckets[last as usize]))
}

/// The starts that must be in the range, in order.
fn demands(classes: &[Class], numbers: &[u32], range: &ForecastRange) -> Vec<Demand> {
    let (per, length) = (range.per_seconds(), range.to_timestamp() - range.from_timestamp());
    let mut demands = Vec::new();
    for class in classes {
        let whole = class.whole.iter().map(|first| (*first, first + class.seconds - 1));
        let partial = class
            .partial
            .iter()
            .filter(|_| class.always_starts)
            .filter_map(|partial| Some((partial.runs.first()?.0, partial.runs.last()?.1)));
        for (first, last) in whole.chain(partial).filter(|(first, last)| *first >= 0 && *last < length) {
            // OK because both are in the range.
            let (first, last) = (numbers[(first / per) as usize], numbers[(last / per) as usize]);
            demands.push(Demand { first, last, starts: class.members });
        }
        // The same start of all candidates, if all have as many.
        if let Some((one, others)) = class.tables().split_first()
            && others.iter().all(|starts| starts.len() == one.len())
        {
            for (index, start) in one.iter().enumerate() {
                let starts = others.iter().map(|starts| starts[index]);
                let (first, last) =
                    starts.fold((*start, *start), |(first, last), start| (first.min(start), last.max(start)));
                let (first, last) = (numbers[first as usize], numbers[last as usize]);
                demands.push(Demand { first, last, starts: class.members });
            }
        }
    }
    demands.sort_unstable();
    demands.dedup_by(|next, kept| {
        let same = (next.first, next.last) == (kept.first, kept.last);
        if same {
            kept.starts += next.starts;
        }
        same
    });
    demands
}

/// The last bucket of a start that finds no place, if each bucket has `peak` places and the earliest deadlines go first.
fn first_late(demands: &[Demand], peak: u64) -> Option<u32> {
    let mut waiting: BinaryHeap<Reverse<(u32, u64)>> = BinaryHeap::new();
    let mut demands = demands.iter().peekable();
    let mut bucket = 0;
    loop {
        if waiting.is_empty() {
            bucket = demands.peek()?.first;
        }
        while let Some(demand) = demands.next_if(|demand| demand.first <= bucket) {
            waiting.push(Reverse((demand.last, demand.starts)));
        }
        let mut places = peak;
        while let Some(Reverse((last, starts))) = waiting.pop() {
            if last < bucket {
                return Some(last);
            }
            if starts > places {
                waiting.push(Reverse((last, starts - places)));
                break;
            }
            places -= starts;
        }
        bucket += 1;
    }
}

/// The interval that ends at a bucket and forces the highest peak, by its first bucket, and this peak.
fn densest_until(demands: &[Demand], last: u32) -> Option<(u32, u64)> {
    let mut inside = 0_u64;
    let mut best: Option<(u32, u64)> = None;
    let within = demands.iter().rev().filter(|demand| demand.last <= last);
    for demand in within {
        inside += demand.starts;
        let forced = inside.div_ceil(u64::from(last - demand.first + 1));
        if best.is_none_or(|(_, best)| forced > best) {
            best = Some((demand.first, forced));
        }
    }
    best
}
