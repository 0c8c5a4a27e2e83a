//! One decision, and the floor under it. The set-up asserts the number of draws and that the floor computes the same bits.

use divan::Bencher;
use divan::counter::ItemsCount;
use kron_benches::FROM;
use kron_benches::decision::{DISTRIBUTIONS, Rule, WINDOWS, first_word, floor, inputs, job, seed};
use kron_benches::instants;
use kron_core::Zone;

fn main() {
    divan::main();
}

fn decide(bencher: Bencher<'_, '_>, distribution: &str, hours: u32, rule: Rule) {
    let (job, nominals) = job(distribution, hours, rule);
    bencher
        .counter(ItemsCount::new(nominals.len()))
        .bench_local(|| nominals.iter().filter_map(|at| divan::black_box(job.decide(*at)).ok()).count());
}

#[divan::bench(args = DISTRIBUTIONS, consts = [3, 168, 8784])]
fn unconstrained<const HOURS: u32>(bencher: Bencher<'_, '_>, distribution: &str) {
    decide(bencher, distribution, HOURS, Rule::None);
}

#[divan::bench(args = DISTRIBUTIONS, consts = [3, 168, 8784])]
fn first_draw_allowed<const HOURS: u32>(bencher: Bencher<'_, '_>, distribution: &str) {
    decide(bencher, distribution, HOURS, Rule::FirstDraw);
}

#[divan::bench(args = DISTRIBUTIONS, consts = [3, 168, 8784])]
fn closed_up<const HOURS: u32>(bencher: Bencher<'_, '_>, distribution: &str) {
    assert!(WINDOWS.iter().any(|(hours, _)| *hours == HOURS));
    decide(bencher, distribution, HOURS, Rule::ClosedUp);
}

#[divan::bench]
fn floor_of_all(bencher: Bencher<'_, '_>) {
    let (zone, inputs) = (Zone::parse("Europe/Paris").expect("a zone"), inputs());
    bencher
        .counter(ItemsCount::new(inputs.len()))
        .bench_local(|| inputs.iter().map(|input| divan::black_box(floor(input, &zone, FROM)).1).max());
}

#[divan::bench]
fn floor_hash(bencher: Bencher<'_, '_>) {
    let inputs = inputs();
    bencher
        .counter(ItemsCount::new(inputs.len()))
        .bench_local(|| inputs.iter().map(|input| divan::black_box(seed(input))).max());
}

#[divan::bench]
fn floor_generator(bencher: Bencher<'_, '_>) {
    let seeds: Vec<[u8; 32]> = inputs().iter().map(|input| seed(input)).collect();
    bencher
        .counter(ItemsCount::new(seeds.len()))
        .bench_local(|| seeds.iter().map(|seed| divan::black_box(first_word(*seed)).1).max());
}

#[divan::bench]
fn floor_zone_look_up(bencher: Bencher<'_, '_>) {
    let (zone, instants) = (Zone::parse("Europe/Paris").expect("a zone"), instants(256));
    bencher
        .counter(ItemsCount::new(instants.len()))
        .bench_local(|| instants.iter().map(|at| divan::black_box(zone.offset_at(*at))).max());
}
