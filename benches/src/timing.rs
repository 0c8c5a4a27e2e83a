//! Timing by the median of many short samples.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Samples of each entry; the median of an odd number is one of them.
const SAMPLES: usize = 41;
/// A sample lasts at least this long.
const SAMPLE: Duration = Duration::from_micros(500);

/// Something to time: what makes so many calls.
pub struct Entry<'a> {
    /// Its name in tables.
    pub name: &'static str,
    /// What one round counts as.
    calls: usize,
    rounds: Box<dyn FnMut(usize) + 'a>,
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({})", self.name)
    }
}

impl<'a> Entry<'a> {
    /// A call with one input after another, over and over.
    pub fn each<I: Copy, O>(
        name: &'static str,
        inputs: &'a [I],
        mut call: impl FnMut(I) -> O + 'a,
    ) -> Entry<'a> {
        let mut inputs = inputs.iter().cycle();
        let rounds = move |count| {
            for input in inputs.by_ref().take(count) {
                black_box(call(black_box(*input)));
            }
        };
        Entry { name, calls: 1, rounds: Box::new(rounds) }
    }

    /// A call that counts as so many.
    pub fn whole<O>(name: &'static str, calls: usize, mut call: impl FnMut() -> O + 'a) -> Entry<'a> {
        let rounds = move |count| {
            for _ in 0..count {
                black_box(call());
            }
        };
        Entry { name, calls, rounds: Box::new(rounds) }
    }

    fn sample(&mut self, rounds: usize) -> Duration {
        let start = Instant::now();
        (self.rounds)(rounds);
        start.elapsed()
    }
}

/// Median nanoseconds of a call of each entry. Samples alternate between the entries, so that all meet the same weather.
pub fn race(mut entries: Vec<Entry<'_>>) -> Vec<(&'static str, f64)> {
    let rounds: Vec<usize> = entries.iter_mut().map(rounds_of_a_sample).collect();
    let mut samples = vec![Vec::with_capacity(SAMPLES); entries.len()];
    for _ in 0..SAMPLES {
        for ((entry, rounds), samples) in entries.iter_mut().zip(&rounds).zip(&mut samples) {
            samples.push(entry.sample(*rounds).as_nanos() as f64 / (rounds * entry.calls) as f64);
        }
    }
    let median = |mut samples: Vec<f64>| {
        samples.sort_by(f64::total_cmp);
        samples[SAMPLES / 2]
    };
    entries.iter().map(|entry| entry.name).zip(samples.into_iter().map(median)).collect()
}

/// How many rounds last long enough, found by doubling, which warms up too.
fn rounds_of_a_sample(entry: &mut Entry<'_>) -> usize {
    let mut rounds = 1;
    while entry.sample(rounds) < SAMPLE {
        rounds *= 2;
    }
    rounds
}

/// Seconds that a call takes, and what it returns.
pub fn once<O>(call: impl FnOnce() -> O) -> (f64, O) {
    let start = Instant::now();
    let result = black_box(call());
    (start.elapsed().as_secs_f64(), result)
}
