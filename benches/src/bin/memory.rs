//! Counts bytes: what parsed schedules and jobs hold, and that the hot paths allocate nothing. `report` runs it.

use std::hint::black_box;

use allocation_counter::measure;
use kron_benches::contender::{
    Contender, CronCrate, Croner, Cronexpr, Cronp, ExpressionParser, Kron, Saffron,
};
use kron_benches::decision::{self, DISTRIBUTIONS, Rule, WINDOWS};
use kron_benches::{Case, FROM, fleet, instants, table};
use kron_fleet::Fleet;

fn main() {
    assert_no_allocation();
    println!("### Memory, bytes held\n");
    let parsed = [
        held::<Kron>(),
        held::<Cronexpr>(),
        held::<CronCrate>(),
        held::<Croner>(),
        held::<Saffron>(),
        held::<Cronp>(),
    ];
    table::print(&["a parsed expression of", "bytes", "of them on the heap"], parsed);
    let jobs = fleet::setting("KRON_BENCH_JOBS", 1_000_000);
    let rows: Vec<_> = [1000, 10_000, 100_000, 1_000_000]
        .into_iter()
        .filter(|count| *count <= jobs)
        .map(fleet_row)
        .collect();
    let head = [
        "",
        "own strings, a job",
        "beyond them, a job",
        "its part of a merge, a job",
        "at the merge's peak, a job",
    ];
    table::print(&head, rows);
}

/// What a call leaves allocated, in bytes, and its result.
fn bytes<O>(call: impl FnOnce() -> O) -> (i64, O) {
    let mut result = None;
    let counted = measure(|| result = Some(black_box(call())));
    (counted.bytes_current, result.expect("the call returned"))
}

/// How often a call allocates. Only this thread counts: test runners allocate in others.
fn allocations(call: impl FnOnce()) -> u64 {
    measure(call).count_total
}

fn held<C: ExpressionParser>() -> Vec<String> {
    // Distinct ones: a library could share what is equal.
    let own: Vec<String> =
        (0..1440).filter_map(|i| C::expression(&format!("{} {} 1-7 * *", i % 60, i / 60))).collect();
    let mut all = Vec::with_capacity(own.len());
    let (heap, ()) = bytes(|| all.extend(own.iter().map(|expression| C::parse(expression))));
    let (heap, inline) = (heap as f64 / all.len() as f64, size_of::<C::Parsed>());
    vec![C::NAME.into(), format!("{:.0}", heap + inline as f64), format!("{heap:.0}")]
}

fn fleet_row(count: usize) -> Vec<String> {
    let lines = fleet::lines(count);
    let (all, fleet) = bytes(|| Fleet::new(fleet::parse(&lines)).expect("distinct names"));
    let strings: usize =
        fleet.jobs().iter().map(|job| job.name().len() + job.spec().seed().salt().len()).sum();
    let (merge, mut stream) = bytes(|| fleet.starts(fleet::NOW..));
    // Enough starts to meet the largest of the merge's blocks.
    let run = measure(|| stream.by_ref().take(10 * count).for_each(|start| drop(black_box(start))));
    let peak = merge as f64 + run.bytes_max as f64;
    let per = |bytes: f64| format!("{:.1}", bytes / count as f64);
    vec![
        format!("{count} jobs"),
        per(strings as f64),
        per(all as f64 - strings as f64),
        per(merge as f64),
        per(peak),
    ]
}

/// A search for a start makes at most so many tables of what the constraints allow, once, and only where draws fail.
const TABLES: u64 = 3;

/// `next`, iteration, decisions and batches allocate nothing, whatever the case; next starts only the tables above.
fn assert_no_allocation() {
    let instants = instants(256);
    for case in Case::all() {
        let kron = Kron::new(case).expect("Kron takes every case");
        let made = allocations(|| {
            black_box(instants.iter().filter_map(|at| black_box(kron.next(*at))).max());
            black_box(kron.iterate(FROM, 10));
        });
        assert_eq!(made, 0, "next and iteration: {case}");
    }
    for distribution in DISTRIBUTIONS {
        for rule in Rule::ALL {
            for (hours, _) in WINDOWS {
                let (job, nominals) = decision::job(distribution, hours, rule);
                let made = allocations(|| {
                    let decided = |nominal: &&i64| black_box(job.decide(**nominal)).is_ok();
                    black_box(nominals.iter().filter(decided).count());
                });
                assert_eq!(made, 0, "decision: {distribution} {rule:?} {hours} h");
                let mut slots = [job.decide(nominals[0]).expect("a nominal time"); 8];
                let made = allocations(|| {
                    assert_eq!(job.periods_into(FROM.., &mut slots), slots.len());
                    assert!(job.decide_into(&nominals, &mut slots).is_ok());
                });
                assert_eq!(made, 0, "batches: {distribution} {rule:?} {hours} h");
                let made = allocations(|| assert!(black_box(job.next_start(FROM)).is_ok()));
                let tables = if rule == Rule::ClosedUp { TABLES } else { 0 };
                assert!(made <= tables, "starts: {distribution} {rule:?} {hours} h");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn hot_paths_do_not_allocate() {
        super::assert_no_allocation();
    }
}
