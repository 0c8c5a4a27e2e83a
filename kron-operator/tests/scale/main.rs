//! How the operator does with many KronJobs: what it holds, how long starts wait, what it asks for. Tests of the sizes
//! that `docs/explain/benchmarks.md` lists are ignored, because they take minutes; each has a smaller version that runs.

mod cluster;
mod first_starts;
mod memory;
mod process;
mod soak;
#[path = "../socket.rs"]
mod socket;
mod starts;
mod tenant;

use std::alloc::System;
use std::sync::Mutex;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

/// Counts for all threads.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// One test at a time, as the allocator counts for all of them.
static TURN: Mutex<()> = Mutex::new(());

/// 2026-03-01 in Unix seconds.
const MIDNIGHT: i64 = 1_772_323_200;

/// A row of the `status` of a process in MiB; 0 on systems without `/proc`. `process` is its number or `self`.
fn resident(process: &str, row: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(row)?.strip_prefix(':'));
    let kibibytes: f64 =
        line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or_default();
    kibibytes / 1024.0
}
