//! How much searches hold, counted by an allocator.

use std::alloc::System;

use kron_core::Job;
use kron_fleet::Fleet;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Fifty short texts whose windows overlap in half a million periods each.
#[test]
fn pending_starts_take_little_memory() {
    let job = |i: usize| Job::parse(&format!("memory/{i}"), "* * * * * @win(after,8784h)").unwrap();
    let fleet = Fleet::new((0..50).map(job).collect()).unwrap();
    let region = Region::new(ALLOCATOR);
    let mut starts = fleet.starts(1_772_323_200..);
    let mut last = i64::MIN;
    for (_, start) in starts.by_ref().take(10_000) {
        let chosen = start.unwrap().chosen_timestamp().unwrap();
        assert!(chosen >= last);
        last = chosen;
    }
    let change = region.change();
    let held = (change.bytes_allocated as i64 - change.bytes_deallocated as i64) / (1 << 20);
    assert!(held < 64, "{held} MiB");
    drop(starts);
}
