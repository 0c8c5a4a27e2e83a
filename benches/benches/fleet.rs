//! A fleet: from text, next starts, and the merged stream. `KRON_BENCH_JOBS` says how many jobs (1000 if unset); the counts
//! of bytes are divan's, of one run.

use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};
use kron_benches::fleet::{NOW, lines, parse, setting};
use kron_fleet::Fleet;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

fn jobs() -> usize {
    setting("KRON_BENCH_JOBS", 1000)
}

#[divan::bench(sample_count = 5)]
fn build(bencher: Bencher<'_, '_>) {
    let lines = lines(jobs());
    bencher
        .counter(ItemsCount::new(lines.len()))
        .bench_local(|| Fleet::new(parse(&lines)).expect("distinct names"));
}

#[divan::bench(sample_count = 5)]
fn next_of_each(bencher: Bencher<'_, '_>) {
    let jobs = parse(&lines(jobs()));
    bencher.counter(ItemsCount::new(jobs.len())).bench_local(|| {
        jobs.iter().filter(|job| divan::black_box(job.next_start(NOW)).expect("a start").draws() > 0).count()
    });
}

#[divan::bench(sample_count = 5)]
fn stream(bencher: Bencher<'_, '_>) {
    let fleet = Fleet::new(parse(&lines(jobs()))).expect("distinct names");
    let count = 10 * fleet.jobs().len();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let starts = fleet.starts(NOW..).take(count);
        let times = starts.map(|(_, start)| start.expect("a start").order_timestamp());
        assert!(times.is_sorted(), "starts come in time order");
    });
}
