//! What a call through C costs over the same call in Rust: `cargo bench -p kron-ffi`.
//!
//! Both are timed in one run, in turns, over the same instants; each call goes through a function pointer that the compiler
//! cannot see through, as one from C does. Prints medians and their difference. In `cargo test` each is called once.
//! KRON_OVERHEAD_LIMIT, in nanoseconds, makes a greater difference an error.

use std::env;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::process::ExitCode;
use std::ptr::{null, null_mut};
use std::time::Instant;

use kron::{kron_decision, kron_result};
use kron_core::{Cron, Decision, Job, Schedule, Zone};

/// Samples of each entry; the median of an odd number is one of them.
const SAMPLES: usize = 401;
/// Calls in a sample.
const CALLS: usize = 512;

/// Median nanoseconds of one call each of two functions of an instant, which take turns.
fn race(instants: &[i64], mut rust: impl FnMut(i64), mut c: impl FnMut(i64)) -> (f64, f64) {
    let sample = |call: &mut dyn FnMut(&[i64])| {
        let start = Instant::now();
        call(instants);
        start.elapsed().as_nanos() as f64 / instants.len() as f64
    };
    let (mut of_rust, mut of_c) = (Vec::new(), Vec::new());
    for _ in 0..SAMPLES {
        of_rust.push(sample(&mut |instants| instants.iter().for_each(|at| rust(*at))));
        of_c.push(sample(&mut |instants| instants.iter().for_each(|at| c(*at))));
    }
    let median = |mut samples: Vec<f64>| {
        samples.sort_by(f64::total_cmp);
        samples[SAMPLES / 2]
    };
    (median(of_rust), median(of_c))
}

/// Instants of 2026, spread by a prime step.
fn instants(count: usize) -> Vec<i64> {
    (0..count as i64).map(|i| 1_767_225_600 + i * 7_654_321 % 31_536_000).collect()
}

fn c_job(text: &std::ffi::CStr) -> *mut kron::kron_job {
    let mut job = null_mut();
    // SAFETY: strings of C, and a place for a handle.
    let result = unsafe {
        kron::kron_job_parse(c"prod/db-backup".as_ptr(), text.as_ptr(), null(), &raw mut job, null_mut())
    };
    assert_eq!(result, kron_result::Ok);
    job
}

fn next_of_schedule(name: &str, cron: &str, zone: &str, instants: &[i64]) -> f64 {
    let schedule = Cron::parse(cron).unwrap().in_zone(Zone::parse(zone).unwrap());
    let mut handle = null_mut();
    // SAFETY: texts with their lengths, and a place for a handle.
    let result = unsafe {
        kron::kron_schedule_parse_n(
            cron.as_ptr().cast(),
            cron.len(),
            zone.as_ptr().cast(),
            zone.len(),
            null(),
            &raw mut handle,
            null_mut(),
        )
    };
    assert_eq!(result, kron_result::Ok);
    let in_rust: fn(&Schedule, i64) -> Option<i64> = black_box(|schedule, at| schedule.next_timestamp(at));
    let in_c = black_box(kron::kron_schedule_next as unsafe extern "C" fn(*const _, _, _, _) -> _);
    let mut time = 0;
    for at in instants {
        // SAFETY: a live handle and a place for a number.
        assert_eq!(unsafe { in_c(handle, *at, &raw mut time, null_mut()) }, kron_result::Ok);
        assert_eq!(in_rust(&schedule, *at), Some(time));
    }
    let (rust, c) = race(
        instants,
        |at| {
            black_box(in_rust(black_box(&schedule), at));
        },
        |at| {
            let mut time = MaybeUninit::uninit();
            // SAFETY: a live handle and a place for a number.
            black_box(unsafe { in_c(black_box(handle), at, time.as_mut_ptr(), null_mut()) });
            black_box(time);
        },
    );
    // SAFETY: a live handle, not used again.
    unsafe { kron::kron_schedule_free(handle) };
    report(name, rust, c)
}

fn next_of_job(name: &str, text: &std::ffi::CStr, instants: &[i64]) -> f64 {
    let job = Job::parse("prod/db-backup", text.to_str().unwrap()).unwrap();
    let handle = c_job(text);
    let in_rust: for<'a> fn(&'a Job, i64) -> Result<Decision<'a>, kron_core::Error> =
        black_box(|job, at| job.next_start(at));
    let in_c = black_box(kron::kron_job_next_start as unsafe extern "C" fn(*const _, _, _, _, _) -> _);
    for at in instants {
        let mut decision = MaybeUninit::<kron_decision>::uninit();
        // SAFETY: a live handle and a place for a decision, which is then written.
        let found = unsafe {
            assert_eq!(
                in_c(handle, *at, decision.as_mut_ptr(), size_of::<kron_decision>(), null_mut()),
                kron_result::Ok
            );
            decision.assume_init()
        };
        assert_eq!(in_rust(&job, *at).unwrap().chosen_timestamp(), Some(found.chosen_time));
    }
    let (rust, c) = race(
        instants,
        |at| drop(black_box(in_rust(black_box(&job), at))),
        |at| {
            let mut decision = MaybeUninit::<kron_decision>::uninit();
            let place = decision.as_mut_ptr();
            // SAFETY: a live handle and a place for a decision.
            black_box(unsafe { in_c(black_box(handle), at, place, size_of::<kron_decision>(), null_mut()) });
            black_box(&decision);
        },
    );
    // SAFETY: a live handle, not used again.
    unsafe { kron::kron_job_free(handle) };
    report(name, rust, c)
}

fn report(name: &str, rust: f64, c: f64) -> f64 {
    println!("{name:<42} {rust:>8.1} {c:>8.1} {:>+8.1}", c - rust);
    c - rust
}

fn main() -> ExitCode {
    // `cargo bench` says so; `cargo test` says nothing.
    let test = env::args().all(|argument| argument != "--bench");
    let instants = instants(if test { 4 } else { CALLS });
    println!("{:<42} {:>8} {:>8} {:>8}", "nanoseconds a call", "Rust", "C", "more");
    let more = [
        next_of_schedule("schedule next, */5 * * * * in UTC", "*/5 * * * *", "UTC", &instants),
        next_of_schedule(
            "schedule next, 30 2 * * * in Europe/Paris",
            "30 2 * * *",
            "Europe/Paris",
            &instants,
        ),
        next_of_job("job next_start, daily in 3h", c"0 0 * * * @win(after,3h)", &instants),
        next_of_job("job next_start, weekly seed", c"0 0 * * * @win(after,3h) @seed(weekly)", &instants),
        next_of_job("job next_start, constraints", c"0 0 * * * @win(after,3h) @only(hours=1-2)", &instants),
    ];
    let worst = more.into_iter().fold(f64::MIN, f64::max);
    println!("overhead: at most {worst:.1} ns a call");
    match env::var("KRON_OVERHEAD_LIMIT").ok().and_then(|limit| limit.parse::<f64>().ok()) {
        Some(limit) if worst > limit && !test => {
            eprintln!("more than {limit} ns");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
