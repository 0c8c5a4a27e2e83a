//! Parsing an expression, each library in its own form.

use divan::Bencher;
use kron_benches::EXPRESSIONS;
use kron_benches::contender::{CronCrate, Croner, Cronexpr, Cronp, ExpressionParser, Kron, Saffron};

fn main() {
    divan::main();
}

fn expressions<C: ExpressionParser>() -> impl Iterator<Item = String> {
    EXPRESSIONS.into_iter().filter_map(C::expression)
}

fn parse<C: ExpressionParser>(bencher: Bencher<'_, '_>, expression: &str) {
    bencher.bench_local(|| C::parse(divan::black_box(expression)));
}

#[divan::bench(args = expressions::<Kron>())]
fn kron(bencher: Bencher<'_, '_>, expression: &str) {
    parse::<Kron>(bencher, expression);
}

#[divan::bench(args = expressions::<Croner>())]
fn croner(bencher: Bencher<'_, '_>, expression: &str) {
    parse::<Croner>(bencher, expression);
}

#[divan::bench(args = expressions::<CronCrate>())]
fn cron(bencher: Bencher<'_, '_>, expression: &str) {
    parse::<CronCrate>(bencher, expression);
}

#[divan::bench(args = expressions::<Saffron>())]
fn saffron(bencher: Bencher<'_, '_>, expression: &str) {
    parse::<Saffron>(bencher, expression);
}

#[divan::bench(args = expressions::<Cronexpr>())]
fn cronexpr(bencher: Bencher<'_, '_>, expression: &str) {
    parse::<Cronexpr>(bencher, expression);
}

#[divan::bench(args = expressions::<Cronp>())]
fn cronp(bencher: Bencher<'_, '_>, expression: &str) {
    parse::<Cronp>(bencher, expression);
}
