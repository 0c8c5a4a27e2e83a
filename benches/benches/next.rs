//! The next occurrence after random instants. The set-up asserts that every contender gives Kron's answers.

use divan::Bencher;
use kron_benches::agreement::agreeing;
use kron_benches::contender::{Contender, CronCrate, Croner, Cronexpr, Kron, KronChrono, Saffron};
use kron_benches::{Case, instants};

/// Fewer in tests: some rivals are slow.
const INSTANTS: usize = if cfg!(debug_assertions) { 64 } else { 512 };

fn main() {
    divan::main();
}

/// The cases that a contender takes.
fn cases<C: Contender>() -> impl Iterator<Item = Case> {
    Case::all().filter(|case| agreeing::<C>(*case, &instants(INSTANTS)).is_some())
}

/// Each call takes all instants.
fn next<C: Contender>(bencher: Bencher<'_, '_>, case: &Case) {
    let instants = instants(INSTANTS);
    let contender = agreeing::<C>(*case, &[]).expect("a case it takes");
    bencher
        .counter(divan::counter::ItemsCount::new(INSTANTS))
        .bench_local(|| instants.iter().map(|at| divan::black_box(contender.next(*at)).unwrap_or(0)).max());
}

#[divan::bench(args = cases::<Kron>())]
fn kron(bencher: Bencher<'_, '_>, case: &Case) {
    next::<Kron>(bencher, case);
}

#[divan::bench(args = cases::<KronChrono>())]
fn kron_chrono(bencher: Bencher<'_, '_>, case: &Case) {
    next::<KronChrono>(bencher, case);
}

#[divan::bench(args = cases::<Croner>())]
fn croner(bencher: Bencher<'_, '_>, case: &Case) {
    next::<Croner>(bencher, case);
}

#[divan::bench(args = cases::<CronCrate>())]
fn cron(bencher: Bencher<'_, '_>, case: &Case) {
    next::<CronCrate>(bencher, case);
}

#[divan::bench(args = cases::<Saffron>())]
fn saffron(bencher: Bencher<'_, '_>, case: &Case) {
    next::<Saffron>(bencher, case);
}

#[divan::bench(args = cases::<Cronexpr>())]
fn cronexpr(bencher: Bencher<'_, '_>, case: &Case) {
    next::<Cronexpr>(bencher, case);
}
