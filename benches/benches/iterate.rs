//! Iterating over up to 10,000 occurrences. The set-up asserts that every contender's iterator gives Kron's answers.

use divan::Bencher;
use kron_benches::contender::{Contender, CronCrate, Croner, Cronexpr, Kron, KronChrono, Saffron};
use kron_benches::{Case, FROM};

fn main() {
    divan::main();
}

/// The cases that a contender takes.
fn cases<C: Contender>() -> impl Iterator<Item = Case> {
    Case::all().filter(|case| C::new(*case).is_some())
}

fn iterate<C: Contender>(bencher: Bencher<'_, '_>, case: &Case) {
    let count = case.occurrences();
    let contender = C::new(*case).expect("a case it takes");
    let ours = Kron::new(*case).expect("Kron takes every case");
    assert_eq!(contender.iterate(FROM, count), ours.iterate(FROM, count), "{} {case}", C::NAME);
    bencher
        .counter(divan::counter::ItemsCount::new(count))
        .bench_local(|| contender.iterate(divan::black_box(FROM), count));
}

#[divan::bench(args = cases::<Kron>())]
fn kron(bencher: Bencher<'_, '_>, case: &Case) {
    iterate::<Kron>(bencher, case);
}

#[divan::bench(args = cases::<KronChrono>())]
fn kron_chrono(bencher: Bencher<'_, '_>, case: &Case) {
    iterate::<KronChrono>(bencher, case);
}

#[divan::bench(args = cases::<Croner>())]
fn croner(bencher: Bencher<'_, '_>, case: &Case) {
    iterate::<Croner>(bencher, case);
}

#[divan::bench(args = cases::<CronCrate>())]
fn cron(bencher: Bencher<'_, '_>, case: &Case) {
    iterate::<CronCrate>(bencher, case);
}

#[divan::bench(args = cases::<Saffron>())]
fn saffron(bencher: Bencher<'_, '_>, case: &Case) {
    iterate::<Saffron>(bencher, case);
}

#[divan::bench(args = cases::<Cronexpr>())]
fn cronexpr(bencher: Bencher<'_, '_>, case: &Case) {
    iterate::<Cronexpr>(bencher, case);
}
