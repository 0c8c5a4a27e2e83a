//! The functions that the module exports. Each calls a method of the one instance that a module has.
#![allow(
    unsafe_code,
    reason = "exported functions have names of their own, which Rust calls unsafe; nothing else here is"
)]

use std::panic;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::instance::Instance;

static INSTANCE: LazyLock<Mutex<Instance>> = LazyLock::new(|| {
    panic::set_hook(Box::new(|panic| *locked(&PANIC) = panic.to_string()));
    Mutex::default()
});

/// The text of the panic after which the instance is of no more use.
static PANIC: Mutex<String> = Mutex::new(String::new());

/// What a panic left behind is never used again; see the page of the crate.
fn locked<T>(mutex: &'static Mutex<T>) -> MutexGuard<'static, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn instance() -> MutexGuard<'static, Instance> {
    locked(&INSTANCE)
}

#[unsafe(no_mangle)]
extern "C" fn kron_allocate(bytes: usize) -> usize {
    instance().allocate(bytes)
}

#[unsafe(no_mangle)]
extern "C" fn kron_free(address: usize) {
    instance().free(address);
}

/// The address of the answer.
#[unsafe(no_mangle)]
extern "C" fn kron_call(address: usize, length: usize) -> usize {
    let mut instance = instance();
    instance.call(address, length);
    instance.answer().as_ptr().expose_provenance()
}

/// The address of the last answer, for calls that return numbers.
#[unsafe(no_mangle)]
extern "C" fn kron_answer() -> usize {
    instance().answer().as_ptr().expose_provenance()
}

#[unsafe(no_mangle)]
extern "C" fn kron_answer_length() -> usize {
    instance().answer().len()
}

#[unsafe(no_mangle)]
extern "C" fn kron_next(job: u32, after: f64) -> f64 {
    instance().next(job, after)
}

#[unsafe(no_mangle)]
extern "C" fn kron_previous(job: u32, at: f64) -> f64 {
    instance().previous(job, at)
}

#[unsafe(no_mangle)]
extern "C" fn kron_nominal() -> f64 {
    instance().nominal()
}

/// How many starts were written, or -1.
#[unsafe(no_mangle)]
extern "C" fn kron_starts(job: u32, from: f64, until: f64, passed: f64, buffer: usize) -> i32 {
    // OK because a buffer is no longer than a megabyte.
    instance().starts(job, from, until, passed, buffer).map_or(-1, |count| count as i32)
}

/// The second at which the range of [`kron_starts`] goes on; NaN at its end.
#[unsafe(no_mangle)]
extern "C" fn kron_starts_from() -> f64 {
    instance().rest().map_or(f64::NAN, |(from, _)| from as f64)
}

/// How many starts of this second were written already.
#[unsafe(no_mangle)]
extern "C" fn kron_starts_passed() -> f64 {
    instance().rest().map_or(0.0, |(_, passed)| passed as f64)
}

#[unsafe(no_mangle)]
extern "C" fn kron_free_job(job: u32) {
    instance().free_job(job);
}

#[unsafe(no_mangle)]
extern "C" fn kron_panic_text() -> usize {
    locked(&PANIC).as_ptr().expose_provenance()
}

#[unsafe(no_mangle)]
extern "C" fn kron_panic_length() -> usize {
    locked(&PANIC).len()
}
