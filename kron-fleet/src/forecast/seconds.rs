//! The seconds of a slice: how many executions start, how many run, and with which load.
//!
//! A job's starts are hours apart, and the seconds of a slice do not fit into the cache of a processor. So starts and ends are
//! collected by blocks of seconds, and a block is counted when it has many of them.

use alloc::vec;
use alloc::vec::Vec;

use crate::forecast::range::ForecastRange;
use crate::forecast::summary::Bucket;

/// Seconds of a block: 2^BLOCK.
const BLOCK: u32 = 12;
/// A block is counted when so many starts and ends were collected.
const COLLECTED: usize = 1 << 13;

/// What changes in a second.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    starts: u32,
    /// The change of the number of running executions. Neither sum overflows: a job has at most one period a minute, and a
    /// list of 2^31 jobs does not fit in memory.
    running: i64,
    load: i64,
}

/// A start or an end of an execution.
#[derive(Clone, Copy, Debug)]
struct Event {
    /// Twice the second of the slice, and 1 more for an end.
    second_and_end: u32,
    weight: u32,
}

/// The executions in a slice. Seconds count from the beginning of the slice.
#[derive(Debug)]
pub(super) struct Seconds {
    /// The seconds of the slice.
    length: i64,
    collected: Vec<Vec<Event>>,
    changes: Vec<Change>,
    /// The executions that run from before the slice, and their load.
    running: i64,
    load: i64,
}

impl Seconds {
    pub(super) fn new(slice: &ForecastRange) -> Seconds {
        let length = slice.to - slice.from;
        // OK because a slice has at most 3 days.
        let blocks = (length as usize).div_ceil(1 << BLOCK);
        Seconds {
            length,
            collected: vec![Vec::new(); blocks],
            changes: vec![Change::default(); length as usize],
            running: 0,
            load: 0,
        }
    }

    /// Adds an execution. It starts before the end of the slice, and `end` is the second after its last.
    pub(super) fn add(&mut self, start: i64, end: i64, weight: u32) {
        if start >= 0 {
            self.collect(start, 0, weight);
        } else {
            self.running += 1;
            self.load += i64::from(weight);
        }
        if end < self.length {
            self.collect(end, 1, weight);
        }
    }

    fn collect(&mut self, second: i64, end: u32, weight: u32) {
        // OK because it is in the slice, which has at most 3 days.
        let second = second as u32;
        let block = &mut self.collected[(second >> BLOCK) as usize];
        block.push(Event { second_and_end: 2 * second + end, weight });
        if block.len() >= COLLECTED {
            count(&mut self.changes, block);
        }
    }

    /// The buckets of the slice.
    pub(super) fn buckets(mut self, slice: &ForecastRange) -> Vec<Bucket> {
        for block in &mut self.collected {
            count(&mut self.changes, block);
        }
        let (mut running, mut load) = (self.running, self.load);
        let mut buckets = Vec::with_capacity(slice.len());
        // OK because the length of a bucket is at most an hour.
        for changes in self.changes.chunks(slice.per as usize) {
            let mut bucket = Bucket::default();
            for change in changes {
                running += change.running;
                load += change.load;
                bucket.starts = bucket.starts.saturating_add(change.starts);
                // OK because both are at least zero.
                bucket.running = bucket.running.max(u32::try_from(running).unwrap_or(u32::MAX));
                bucket.load = bucket.load.max(load as u64);
            }
            buckets.push(bucket);
        }
        buckets
    }
}

/// Counts what was collected of a block.
fn count(changes: &mut [Change], collected: &mut Vec<Event>) {
    for event in collected.drain(..) {
        let change = &mut changes[(event.second_and_end / 2) as usize];
        let is_end = event.second_and_end % 2 == 1;
        let sign = if is_end { -1 } else { 1 };
        change.starts = change.starts.saturating_add(u32::from(!is_end));
        change.running += sign;
        change.load += sign * i64::from(event.weight);
    }
}
