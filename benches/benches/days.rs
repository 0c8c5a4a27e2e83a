//! The next period and the next nominal time on days that cron cannot say, beside the same schedule without a clause, and beside croner,
//! whose expressions know some of these days. The set-up asserts that croner gives Kron's answers.

use std::fmt;
use std::str::FromStr as _;

use chrono::{DateTime, Utc};
use divan::Bencher;
use kron_benches::instants;
use kron_core::Job;

/// Fewer in tests.
const INSTANTS: usize = if cfg!(debug_assertions) { 64 } else { 512 };

fn main() {
    divan::main();
}

/// A schedule, a clause, and croner's expression of both, if it has one.
#[derive(Clone, Copy)]
struct Case(&'static str, &'static str, Option<&'static str>);

const CASES: [Case; 9] = [
    Case("0 0 * * *", "@days(last=1)", Some("0 0 L * *")),
    Case("0 0 * * *", "@days(dow=MON;dom=1-7)", Some("0 0 * * MON#1")),
    Case("0 0 * * *", "@days(dow=FRI;last=1-7)", Some("0 0 * * FRIL")),
    Case("0 0 * * *", "@days(near=15)", Some("0 0 15W * *")),
    Case("0 0 * * *", "@days(workday=1)", None),
    Case("0 0 * * *", "@days(dom=25;roll=previous)", None),
    Case("0 0 * * *", "@days(every=2w;from=2020-01-06)", None),
    Case("*/5 * * * *", "@nodays(months=8)", None),
    Case("0 0 29 2 *", "@days(dow=MON)", None),
];

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, self.1)
    }
}

fn job(text: &str) -> Job {
    Job::parse("benches/days", text).expect("a job")
}

/// Each call takes all instants.
fn next(bencher: Bencher<'_, '_>, text: &str) {
    let (job, instants) = (job(text), instants(INSTANTS));
    bencher.counter(divan::counter::ItemsCount::new(INSTANTS)).bench_local(|| {
        instants.iter().map(|at| divan::black_box(job.next_nominal_timestamp(*at)).unwrap_or(0)).max()
    });
}

/// With a window of an hour. Each call takes all instants.
fn next_period(bencher: Bencher<'_, '_>, text: &str) {
    let (job, instants) = (job(&format!("{text} @win(after,1h)")), instants(INSTANTS));
    bencher
        .counter(divan::counter::ItemsCount::new(INSTANTS))
        .bench_local(|| instants.iter().filter(|at| divan::black_box(job.next_period(**at)).is_ok()).count());
}

#[divan::bench(args = CASES)]
fn nominal_with_clause(bencher: Bencher<'_, '_>, case: Case) {
    next(bencher, &case.to_string());
}

/// The schedule of each case alone, here and below.
#[divan::bench(args = CASES)]
fn nominal_without(bencher: Bencher<'_, '_>, case: Case) {
    next(bencher, case.0);
}

#[divan::bench(args = CASES)]
fn period_with_clause(bencher: Bencher<'_, '_>, case: Case) {
    next_period(bencher, &case.to_string());
}

#[divan::bench(args = CASES)]
fn period_without(bencher: Bencher<'_, '_>, case: Case) {
    next_period(bencher, case.0);
}

#[divan::bench(args = CASES.into_iter().filter(|case| case.2.is_some()))]
fn croner(bencher: Bencher<'_, '_>, case: Case) {
    let expression = case.2.expect("a case that it takes");
    let (cron, instants) =
        (croner::Cron::from_str(expression).expect("croner's own form"), instants(INSTANTS));
    let next = |at: &i64| {
        let at: DateTime<Utc> = DateTime::from_timestamp(*at, 0).expect("an instant of the benches");
        cron.find_next_occurrence(&at, false).ok().map(|at| at.timestamp())
    };
    let ours = job(&case.to_string());
    assert!(instants.iter().all(|at| next(at) == ours.next_nominal_timestamp(*at)), "{case}");
    bencher
        .counter(divan::counter::ItemsCount::new(INSTANTS))
        .bench_local(|| instants.iter().map(|at| divan::black_box(next(at)).unwrap_or(0)).max());
}
